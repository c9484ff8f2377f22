/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/upshot.h"

#include "analysis/points.h"
#include "base/hash.h"
#include "base/process.h"
#include "trace/model/own_place.h"

#include <ctype.h>
#include <string.h>

/* --- events, found again --- */

static const char *name_of(const rcp_trace *trace, uint32_t tid) {
    return rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[tid].name);
}

static uint32_t find_thread(const rcp_trace *from, uint32_t tid, const rcp_trace *run) {
    uint32_t t = 0;
    while (t < run->defs.threads.len && strcmp(name_of(from, tid), name_of(run, t)))
        t++;
    return t;
}

/* The event of `run` that is its thread's nth of that kind at that place; RCP_NO_EVENT: there is none. */
static uint32_t find_nth(const rcp_trace *run, uint32_t tid, uint8_t kind, uint64_t point, size_t n) {
    for (rcp_position p = 0; p < rcp_trace_thread_len(run, (rcp_tid){tid}); p++) {
        const uint32_t event = (uint32_t)rcp_trace_event_of(run, (rcp_tid){tid}, p).v;
        const rcp_event *e = &run->events.at[event];
        if (e->kind == kind && rcp_point_of_location(&run->defs, e->loc) == point && !n--)
            return event;
    }
    return RCP_NO_EVENT;
}

/* How many its thread has of that kind at that place from position `since` on, before the event. */
static size_t count_before(const rcp_trace *from, uint32_t event, rcp_position since) {
    const rcp_event *e = &from->events.at[event];
    const uint64_t point = rcp_point_of_location(&from->defs, e->loc);
    size_t n = 0;
    for (rcp_position p = since; p < from->position[event]; p++) {
        const rcp_event *other = &from->events.at[rcp_trace_event_of(from, e->tid, p).v];
        n += other->kind == e->kind && rcp_point_of_location(&from->defs, other->loc) == point;
    }
    return n;
}

static uint32_t find_again(const rcp_trace *from, uint32_t event, const rcp_trace *run) {
    const rcp_event *e = &from->events.at[event];
    const uint32_t tid = find_thread(from, e->tid.v, run);
    return tid == run->defs.threads.len
               ? RCP_NO_EVENT
               : find_nth(run, tid, e->kind, rcp_point_of_location(&from->defs, e->loc), count_before(from, event, 0));
}

/* A section of the run; `acquire` RCP_NO_EVENT: it did not come to it, `release` past the last event: nor to its end.
 */
typedef struct section {
    uint32_t acquire, release;
} section;

static section find_section(const rcp_trace *from, const rcp_critical *s, const rcp_trace *run) {
    section is = {find_again(from, s->acquire, run), (uint32_t)run->events.len};
    int depth = 0;
    for (size_t i = is.acquire; is.acquire != RCP_NO_EVENT && i < run->events.len; i++) {
        const rcp_event *e = &run->events.at[i], *begin = &run->events.at[is.acquire];
        if (e->tid.v != begin->tid.v || e->object.v != begin->object.v || e->outcome != RCP_DONE)
            continue;
        depth += e->kind == RCP_ACQUIRE;
        depth -= e->kind == RCP_RELEASE;
        if (e->kind == RCP_RELEASE && !depth) {
            is.release = (uint32_t)i;
            break;
        }
    }
    return is;
}

/* The read of the first section; by how many of its kind come before it there. */
static uint32_t find_read(const rcp_trace *from, const rcp_parting *p, const rcp_trace *run, section in) {
    const rcp_event *r = &from->events.at[p->read];
    const uint64_t point = rcp_point_of_location(&from->defs, r->loc);
    size_t n = count_before(from, p->read, from->position[p->of_read->acquire]);
    for (size_t i = in.acquire; i < in.release; i++) {
        const rcp_event *e = &run->events.at[i];
        const bool is_one = e->tid.v == run->events.at[in.acquire].tid.v && e->kind == r->kind &&
                            rcp_point_of_location(&run->defs, e->loc) == point;
        if (is_one && !n--)
            return e->size == r->size ? (uint32_t)i : RCP_NO_EVENT;
    }
    return RCP_NO_EVENT;
}

/* --- what was there --- */

typedef struct bytes {
    uint64_t addr, size, value, known; /* `known`: a bit each */
} bytes;

static void note(bytes *b, const rcp_event *e) {
    const uint8_t *is = rcp_event_writes(e) ? rcp_event_written(e) : rcp_event_bytes(e);
    for (uint64_t i = 0; i < b->size; i++) {
        const uint64_t at = b->addr + i - e->addr;
        if (b->addr + i < e->addr || at >= e->size)
            continue;
        b->value &= ~(UINT64_C(0xff) << 8 * i);
        b->value |= e->valued ? (uint64_t)is[at] << 8 * i : 0;
        b->known = e->valued ? b->known | UINT64_C(1) << i : b->known & ~(UINT64_C(1) << i);
    }
}

static bool is_of(const bytes *b, const rcp_event *e) {
    const uint64_t extent = rcp_event_extent(e);
    return extent && e->addr < b->addr + b->size && b->addr < e->addr + extent;
}

/* What the bytes held after event `upto`, or before their life ended where that was after `since`; by what was read and
 * written. False: not known. */
static bool value_at(const rcp_trace *run, bytes b, size_t since, size_t upto, uint64_t *value) {
    for (size_t i = 0; i <= upto && i < run->events.len; i++) {
        const rcp_event *e = &run->events.at[i];
        if (!is_of(&b, e))
            continue;
        if (rcp_event_is_access(e))
            note(&b, e);
        else if (i > since)
            break;
        else
            b.known = 0;
    }
    *value = b.value;
    return b.known == (UINT64_C(1) << b.size) - 1;
}

/* An address may be another in each run. */
static bool is_number(const bytes *b, uint64_t value) { return b->size < 8 || !(value >> 32); }

/* Has somebody else than these two written the bytes after event `since`, up to `upto`? */
static bool has_others(const rcp_trace *run, const bytes *b, size_t since, size_t upto, uint32_t one, uint32_t other) {
    for (size_t i = since + 1; i <= upto && i < run->events.len; i++) {
        const rcp_event *e = &run->events.at[i];
        if (rcp_event_writes(e) && is_of(b, e) && e->tid.v != one && e->tid.v != other)
            return true;
    }
    return false;
}

/* --- what was printed --- */

static uint64_t hash_line(const char *line, size_t n) {
    uint64_t h = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_address = i + 1 < n && line[i] == '0' && line[i + 1] == 'x';
        h = rcp_hash_join(h, (uint8_t)line[i]);
        for (i += is_address; is_address && i + 1 < n && isxdigit((unsigned char)line[i + 1]);)
            i++;
    }
    return rcp_hash_u64(h);
}

static uint64_t hash_lines(const rcp_text *text) {
    uint64_t all = 0;
    const char *at = text->len ? text->at : "";
    while (*at) {
        const size_t n = strcspn(at, "\n");
        all += hash_line(at, n);
        at += n + (at[n] == '\n');
    }
    return all;
}

static void put_end(rcp_text *to, const rcp_performance *p) {
    if (p->outcome.deadlocked == 1)
        rcp_text_puts(to, "deadlocked");
    else if (p->was_late)
        rcp_text_puts(to, "did not end in time");
    else
        rcp_process_print_end(to, p->status);
}

/* --- the two operations --- */

typedef struct course {
    section read, access, write, begins;
    uint32_t read_event;
} course;

static bool is_there(section s) { return s.acquire != RCP_NO_EVENT; }

static uint32_t end_of_reader(const course *c) { return is_there(c->access) ? c->access.release : c->read.release; }
static uint32_t end_of_writer(const course *c) { return is_there(c->write) ? c->write.release : c->begins.release; }

/* U3, in what the program did; of the other two orders: the one operation was over before the other began. */
static bool is_in_order(const course *c, rcp_upshot_order order) {
    if (!is_there(c->read) || !is_there(c->begins))
        return false;
    switch (order) {
    case RCP_UPSHOT_BETWEEN:
        return is_there(c->write) && is_there(c->access) && c->read.release < c->write.acquire &&
               c->write.release < c->access.acquire;
    case RCP_UPSHOT_BEFORE: return is_there(c->write) && c->write.release < c->read.acquire;
    default: return is_there(c->access) && c->access.release < c->begins.acquire;
    }
}

void rcp_upshot_take(rcp_upshot *o, const rcp_trace *from, const rcp_parting *p, rcp_upshot_order order,
                     const rcp_trace *run, const rcp_performance *performance) {
    course c = {.read = find_section(from, p->of_read, run),
                .access = find_section(from, p->of_access, run),
                .write = find_section(from, p->of_write, run),
                .begins = find_section(from, p->begins, run)};
    *o = (rcp_upshot){.is_so = is_in_order(&c, order) && (!performance->was_late || performance->outcome.deadlocked)};
    c.read_event = o->is_so ? find_read(from, p, run, c.read) : RCP_NO_EVENT;
    o->is_so &= c.read_event != RCP_NO_EVENT;
    if (!o->is_so)
        return;
    const rcp_event *r = &run->events.at[c.read_event];
    const bytes b = {.addr = r->addr, .size = r->size};
    const size_t last = run->events.len - 1;
    const uint32_t reader = end_of_reader(&c), writer = end_of_writer(&c), both = reader > writer ? reader : writer;
    const uint32_t first = c.read.acquire < c.begins.acquire ? c.read.acquire : c.begins.acquire;
    const uint32_t one = r->tid.v, other = run->events.at[c.begins.acquire].tid.v;
    uint64_t found = 0;
    if (order == RCP_UPSHOT_BETWEEN) /* U4 */
        o->is_so = r->valued && value_at(run, b, first, c.access.acquire, &found) &&
                   memcmp(&found, rcp_event_bytes(r), r->size) != 0;
    o->is_alone = !has_others(run, &b, first, both, one, other);
    o->knows_before = value_at(run, b, first, first, &o->before);
    o->knows_after = value_at(run, b, first, both, &o->after) && is_number(&b, o->after);
    o->knows_last = value_at(run, b, first, last, &o->last) && is_number(&b, o->last);
    o->is_settled = both < last && !has_others(run, &b, both, last, one, other);
    o->lines = hash_lines(&performance->output) + 3 * hash_lines(&performance->errors);
    put_end(&o->end, performance);
}

void rcp_upshot_finish(rcp_upshot *o) { rcp_text_finish(&o->end); }

static bool is_same_end(const rcp_upshot *a, const rcp_upshot *b) { return !strcmp(a->end.at, b->end.at); }

/* What nobody has looked at before is as the program began with it. */
bool rcp_upshot_is_comparable(const rcp_upshot *a, const rcp_upshot *b) {
    const bool begin_alike = a->knows_before == b->knows_before && (!a->knows_before || a->before == b->before);
    return a->is_alone && b->is_alone && begin_alike;
}

rcp_upshot_difference rcp_upshot_compare(const rcp_upshot *a, const rcp_upshot *b, bool with_lines) {
    const bool are_known = a->knows_after && a->knows_last && b->knows_after && b->knows_last;
    if (!is_same_end(a, b))
        return RCP_UPSHOT_ENDS;
    if (are_known && a->after != b->after && a->last != b->last)
        return RCP_UPSHOT_VALUES;
    return with_lines && a->is_settled && b->is_settled && a->lines != b->lines ? RCP_UPSHOT_LINES : RCP_UPSHOT_SAME;
}

bool rcp_upshot_is_again(const rcp_upshot *a, const rcp_upshot *b) {
    return rcp_upshot_is_comparable(a, b) && is_same_end(a, b) && a->knows_after == b->knows_after &&
           a->knows_last == b->knows_last && (!a->knows_after || a->after == b->after) &&
           (!a->knows_last || a->last == b->last);
}
