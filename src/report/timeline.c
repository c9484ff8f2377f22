/* SPDX-License-Identifier: Apache-2.0 */
#include "report/timeline.h"

#include "base/json.h"
#include "trace/model/own_place.h"

#include <stdlib.h>
#include <string.h>

/* Of a trace with more events only what is of interest anyhow: moments are kept in memory. */
#define SMALL UINT64_C(1000000)

/* Of one finding: moments of its schedule, few where there are many findings; before the schedule leaves the recorded
 * order; of the recorded run alone, at either end; and how many may be looked at to find any of these, for each that
 * may be shown of its schedule. */
enum { MOST = 120, LEAST = 16, OF_ALL = 400000, BEFORE = 12, BEFORE_ALONE = 40, MEANWHILE = 12, LOOKED_AT = 32 };

enum { NONE = UINT32_MAX };

typedef struct moment {
    uint64_t eid, addr, size, value, written;
    uint32_t tid, position;
    uint32_t before; /* the moment before it of its thread; NONE */
    uint32_t number; /* on the page, from 0 on; NONE: it is not there */
    uint32_t loc, object, lock;
    uint8_t kind, mode, outcome, valued;
} moment;

typedef RCP_VEC(uint32_t) numbers;

/* A step of a schedule, and which of its moments are shown, the last one first. */
typedef struct stage {
    uint32_t tid, from, to; /* positions in its thread: it executes those in [from, to) */
    numbers moments;
} stage;

typedef struct timeline {
    const rcp_finding *finding;
    RCP_VEC(stage) stages;
    numbers before, meanwhile; /* in the order of the trace */
    size_t left_out;           /* stages at the beginning of which nothing is shown */
} timeline;

/* How far a thread is when so many events of the trace are over: asked before the pass, answered in it. */
typedef struct question {
    uint64_t cut;
    uint32_t tid;
    uint32_t *answer;
} question;

typedef struct table {
    rcp_reader *reader;
    const rcp_defs *defs;
    RCP_VEC(moment) all;      /* by event */
    RCP_VEC(uint64_t) wanted; /* events that become moments, whatever they are; sorted */
    RCP_VEC(question) questions;
    rcp_ranges racing; /* the bytes that findings are about */
    RCP_VEC(timeline) timelines;
    numbers last; /* per thread: its last moment so far */
    RCP_VEC(uint32_t) position;
    RCP_VEC(uint64_t)
    done; /* per thread, of the timeline at hand: the first event that its schedule does not execute */
    uint32_t shown;
} table;

/* --- which events are moments --- */

static bool is_of_thread_or_object(uint8_t kind) {
    return kind <= RCP_JOIN || (kind >= RCP_FENCE && kind <= RCP_DESTROY) || kind == RCP_EXIT;
}

/* Memory may reach to the very end of the address space. */
static uint64_t end_of(uint64_t at, uint64_t n) { return n < UINT64_MAX - at ? at + n : UINT64_MAX; }

static bool overlaps(uint64_t at, uint64_t n, const rcp_finding *finding) {
    return at < end_of(finding->address, finding->size) && finding->address < end_of(at, n);
}

/* Is it of interest to whoever reads of this finding? */
static bool concerns(const moment *m, const rcp_finding *finding) {
    return is_of_thread_or_object(m->kind) || overlaps(m->addr, m->size, finding) ||
           (m->kind >= RCP_READ && m->kind <= RCP_RMW && m->mode != RCP_PLAIN) || m->eid == finding->race->event[0].v ||
           m->eid == finding->race->event[1].v;
}

static bool is_moment(const table *t, const rcp_event *event, bool is_small) {
    const uint64_t extent = rcp_event_extent(event);
    rcp_range found;
    if (is_of_thread_or_object(event->kind) || rcp_event_is_atomic(event))
        return true;
    if (is_small && (rcp_event_is_access(event) || event->kind == RCP_OPAQUE_BEGIN))
        return true;
    return extent && rcp_ranges_next(&t->racing, event->addr, &found) && found.lo < end_of(event->addr, extent);
}

static void keep(table *t, const rcp_event *event, uint64_t eid) {
    const uint32_t uses = rcp_event_traits((rcp_kind)event->kind)->uses, tid = event->tid.v;
    const bool is_short = event->size <= 8; /* the bytes of longer ones are the reader's */
    moment m = {.eid = eid,
                .addr = event->addr,
                .tid = tid,
                .position = t->position.at[tid],
                .before = t->last.at[tid],
                .number = NONE,
                .size = rcp_event_extent(event),
                .loc = rcp_own_place(t->defs, event).v,
                .object = uses & (RCP_USES_OBJECT | RCP_USES_CHILD | RCP_USES_REACH) ? event->object.v : NONE,
                .lock = uses & RCP_USES_LOCK ? event->lock.v : NONE,
                .kind = event->kind,
                .mode = event->mode,
                .outcome = event->outcome,
                .valued = event->valued && is_short && rcp_event_is_access(event)};
    if (m.valued) {
        m.value = event->value;
        m.written = event->written;
    }
    t->last.at[tid] = (uint32_t)t->all.len;
    rcp_vec_push(&t->all, m);
}

static rcp_code read_moments(table *t) {
    const bool is_small = rcp_reader_count(t->reader) <= SMALL;
    size_t wanted = 0, asked = 0;
    rcp_batch batch;
    RCP_TRY(rcp_reader_seek(t->reader, (rcp_eid){0}));
    for (;;) {
        RCP_TRY(rcp_reader_next(t->reader, &batch));
        for (size_t i = 0; i < batch.n; i++) {
            const rcp_event *event = &batch.at[i];
            const uint64_t eid = batch.first.v + i;
            for (; asked < t->questions.len && t->questions.at[asked].cut <= eid; asked++)
                *t->questions.at[asked].answer = t->position.at[t->questions.at[asked].tid];
            const bool is_wanted = wanted < t->wanted.len && t->wanted.at[wanted] == eid;
            if (is_wanted || is_moment(t, event, is_small))
                keep(t, event, eid);
            while (wanted < t->wanted.len && t->wanted.at[wanted] == eid)
                wanted++;
            t->position.at[event->tid.v]++;
        }
        if (!batch.n)
            break;
    }
    for (; asked < t->questions.len; asked++)
        *t->questions.at[asked].answer = t->position.at[t->questions.at[asked].tid];
    return RCP_OK;
}

/* --- what is asked of a trace --- */

static void want_stages(table *t, timeline *line) {
    const rcp_finding *finding = line->finding;
    const rcp_witness *witness = &finding->race->witness;
    for (size_t i = 0; i < witness->steps.len; i++) {
        const rcp_witness_step *step = &witness->steps.at[i];
        stage s = {.tid = step->tid.v, .from = NONE, .to = step->to};
        if (t->last.at[s.tid] != NONE) /* borrowed here for: its stage before */
            s.from = line->stages.at[t->last.at[s.tid]].to;
        t->last.at[s.tid] = (uint32_t)i;
        rcp_vec_push(&line->stages, s);
        rcp_vec_push(&t->wanted, finding->schedule[i].eid.v);
    }
    for (size_t i = 0; i < line->stages.len; i++) {
        stage *s = &line->stages.at[i];
        t->last.at[s->tid] = NONE;
        if (s->from == NONE)
            rcp_vec_push(&t->questions, ((question){witness->recorded, s->tid, &s->from}));
    }
}

static void want_finding(table *t, const rcp_finding *finding) {
    rcp_vec_push(&t->timelines, (timeline){.finding = finding});
    want_stages(t, &t->timelines.at[t->timelines.len - 1]);
    rcp_vec_push(&t->wanted, finding->race->event[0].v);
    rcp_vec_push(&t->wanted, finding->race->event[1].v);
    rcp_ranges_set(&t->racing, finding->address, end_of(finding->address, finding->size), 0);
}

static int by_event(const void *x, const void *y) {
    const uint64_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static int by_cut(const void *x, const void *y) {
    const question *a = x, *b = y;
    return a->cut < b->cut ? -1 : a->cut > b->cut;
}

/* --- which moments a timeline shows --- */

/* The first moment at or after an event. */
static size_t moment_at(const table *t, uint64_t eid) {
    size_t low = 0, high = t->all.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->all.at[middle].eid < eid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A moment gets its number when it is printed: in the order of the trace. */
static void pick(table *t, numbers *to, size_t i) {
    t->all.at[i].number = 0;
    rcp_vec_push(to, (uint32_t)i);
}

/* How many moments may still be shown: of interest, and others; and how many may be looked at. */
typedef struct allowance {
    size_t concerning, others, looks;
} allowance;

static bool is_used_up(const allowance *a) { return !a->concerning || !a->looks; }

static bool allows(allowance *a, const moment *m, const rcp_finding *finding) {
    size_t *left = concerns(m, finding) ? &a->concerning : &a->others;
    const bool is_left = *left > 0;
    *left -= is_left;
    a->looks--;
    return is_left;
}

/* From the race backwards. Where a stage ends is always shown. */
static void pick_stages(table *t, timeline *line, size_t most) {
    allowance left = {most, most, LOOKED_AT * most};
    for (size_t k = line->stages.len; k--;) {
        stage *s = &line->stages.at[k];
        if (is_used_up(&left)) {
            line->left_out = k + 1;
            return;
        }
        size_t i = moment_at(t, line->finding->schedule[k].eid.v);
        pick(t, &s->moments, i);
        left.concerning--;
        for (i = t->all.at[i].before; i != NONE && t->all.at[i].position >= s->from && !is_used_up(&left);
             i = t->all.at[i].before)
            if (allows(&left, &t->all.at[i], line->finding))
                pick(t, &s->moments, i);
    }
}

static bool takes_part(const table *t, const timeline *line, const moment *m) {
    const rcp_finding *finding = line->finding;
    return t->done.at[m->tid] != finding->race->witness.recorded || m->tid == finding->access[0].tid.v ||
           m->tid == finding->access[1].tid.v;
}

static void reverse(numbers *list) {
    for (size_t i = 0, k = list->len; i + 1 < k; i++) {
        uint32_t other = list->at[--k];
        list->at[k] = list->at[i];
        list->at[i] = other;
    }
}

/* The last moments of the recorded order that the schedule begins with; an access that is among its events, too. */
static void pick_before(table *t, timeline *line, size_t looks) {
    const rcp_race *race = line->finding->race;
    const size_t first = moment_at(t, race->witness.recorded);
    const size_t most = line->stages.len ? BEFORE : BEFORE_ALONE;
    allowance left = {most, most, looks};
    bool has_access = false;
    for (size_t i = first; i-- && !is_used_up(&left);)
        if (takes_part(t, line, &t->all.at[i]) && allows(&left, &t->all.at[i], line->finding)) {
            has_access |= t->all.at[i].eid == race->event[0].v;
            pick(t, &line->before, i);
        }
    if (race->event[0].v < race->witness.recorded && !has_access)
        pick(t, &line->before, moment_at(t, race->event[0].v));
    reverse(&line->before);
}

/* What the recorded run did up to the later access, and the schedule does not do. */
static void pick_meanwhile(table *t, timeline *line, size_t looks) {
    const rcp_race *race = line->finding->race;
    size_t low = moment_at(t, race->witness.recorded), high = moment_at(t, race->event[1].v);
    numbers later = {0};
    for (int is_later = 0; is_later < 2; is_later++)
        for (allowance left = {MEANWHILE, MEANWHILE, looks}; low < high && !is_used_up(&left);) {
            const size_t i = is_later ? --high : low++;
            const moment *m = &t->all.at[i];
            if (m->eid >= t->done.at[m->tid] && m->eid != race->event[0].v && takes_part(t, line, m) &&
                allows(&left, m, line->finding))
                pick(t, is_later ? &later : &line->meanwhile, i);
        }
    while (later.len)
        rcp_vec_push(&line->meanwhile, later.at[--later.len]);
    rcp_vec_finish(&later);
}

static void pick_moments(table *t, timeline *line, size_t most) {
    const rcp_race *race = line->finding->race;
    for (size_t i = 0; i < t->done.len; i++)
        t->done.at[i] = race->witness.recorded;
    for (size_t k = 0; k < line->stages.len; k++)
        t->done.at[line->stages.at[k].tid] = line->finding->schedule[k].eid.v + 1;
    pick_stages(t, line, most);
    pick_before(t, line, LOOKED_AT * most);
    pick_meanwhile(t, line, LOOKED_AT * most);
    for (size_t k = 0; k < 2; k++)
        t->all.at[moment_at(t, race->event[k].v)].number = 0;
}

/* --- printing --- */

/* Gives a place or an object its number on the page. */
static uint32_t number_of(rcp_map *seen, numbers *list, uint32_t id) {
    uint32_t *at = rcp_map_at(seen, id);
    if (*at == RCP_MAP_NONE) {
        *at = (uint32_t)list->len;
        rcp_vec_push(list, id);
    }
    return *at;
}

/* What names it: a thread, an object, a function outside, a variable. */
static void put_whom(rcp_text *to, const rcp_defs *defs, const moment *m, rcp_map *seen, numbers *objects) {
    const uint32_t uses = rcp_event_traits((rcp_kind)m->kind)->uses;
    if (uses & RCP_USES_OBJECT)
        rcp_text_printf(to, ", \"object\": %u", number_of(seen, objects, m->object));
    if (uses & RCP_USES_LOCK)
        rcp_text_printf(to, ", \"lock\": %u", number_of(seen, objects, m->lock));
    if (uses & RCP_USES_CHILD)
        rcp_text_printf(to, ", \"child\": %u", m->object);
    else if (uses & RCP_USES_REACH) {
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "callee", rcp_defs_borrow_string(defs, (rcp_str){m->object}));
    } else if (m->size) {
        const char *member = rcp_defs_borrow_string(defs, defs->locations.at[m->loc].member);
        rcp_text name = {0};
        rcp_text_printf(to, ", \"address\": \"0x%llx\", \"size\": %llu", (unsigned long long)m->addr,
                        (unsigned long long)m->size);
        rcp_defs_name_access(defs, rcp_defs_find_variable(defs, m->addr), m->addr, member, &name);
        if (name.len) {
            rcp_text_puts(to, ", ");
            rcp_json_put_string(to, "variable", name.at);
        }
        rcp_text_finish(&name);
    }
}

static void put_moment(rcp_text *to, const rcp_defs *defs, const moment *m, rcp_map *seen, numbers *objects,
                       uint32_t place) {
    const rcp_traits *traits = rcp_event_traits((rcp_kind)m->kind);
    rcp_text_printf(to,
                    "%s\n      { \"event\": %llu, \"thread\": %u, \"position\": %u, \"kind\": \"%s\", \"place\": %u",
                    m->number ? "," : "", (unsigned long long)m->eid, m->tid, m->position, traits->name, place);
    put_whom(to, defs, m, seen, objects);
    if (traits->uses & RCP_USES_MODE && m->mode != RCP_EXCLUSIVE)
        rcp_text_printf(to, ", \"mode\": \"%s\"", rcp_mode_name((rcp_mode)m->mode));
    if (traits->uses & RCP_USES_ORDER && m->mode != RCP_PLAIN)
        rcp_text_printf(to, ", \"order\": \"%s\"", rcp_order_name((rcp_order)m->mode));
    if (m->outcome != RCP_DONE)
        rcp_text_printf(to, ", \"outcome\": \"%s\"", rcp_outcome_name((rcp_outcome)m->outcome));
    if (m->valued) /* strings: a number of JavaScript has 53 bits */
        rcp_text_printf(to, ", \"value\": \"%llu\"", (unsigned long long)m->value);
    if (m->valued && m->kind == RCP_RMW)
        rcp_text_printf(to, ", \"written\": \"%llu\"", (unsigned long long)m->written);
    rcp_text_puts(to, " }");
}

static void put_places(rcp_text *to, const rcp_defs *defs, const numbers *places, rcp_excerpts *excerpts) {
    rcp_text_puts(to, "],\n    \"places\": [");
    for (size_t i = 0; i < places->len; i++) {
        const rcp_location *at = &defs->locations.at[places->at[i]];
        const char *file = rcp_defs_borrow_string(defs, at->file);
        rcp_text_puts(to, i ? ",\n      { " : "\n      { ");
        rcp_json_put_string(to, "file", file);
        rcp_text_printf(to, ", \"line\": %u, \"column\": %u, ", at->line, at->column);
        rcp_json_put_string(to, "function", rcp_defs_borrow_string(defs, at->function));
        rcp_text_puts(to, " }");
        rcp_excerpts_want(excerpts, file, at->line);
    }
}

static void put_objects(rcp_text *to, const rcp_defs *defs, const numbers *objects) {
    rcp_text_puts(to, "],\n    \"objects\": [");
    for (size_t i = 0; i < objects->len; i++) {
        const rcp_object *object = &defs->objects.at[objects->at[i]];
        rcp_text_puts(to, i ? ",\n      { " : "\n      { ");
        rcp_json_put_string(to, "kind", rcp_object_kind_name((rcp_object_kind)object->kind));
        rcp_text_puts(to, ", ");
        rcp_json_put_string(to, "variable", rcp_defs_borrow_string(defs, object->name));
        rcp_text_printf(to, ", \"address\": \"0x%llx\" }", (unsigned long long)object->addr);
    }
}

static void put_trace(rcp_text *to, table *t, rcp_excerpts *excerpts) {
    rcp_map seen_places, seen_objects;
    numbers places = {0}, objects = {0};
    rcp_map_init(&seen_places);
    rcp_map_init(&seen_objects);
    /* the recorded run, or its variant of that number: all findings of a trace are of the same one */
    rcp_text_printf(to, "{ \"variant\": %u, \"threads\": [", t->timelines.at[0].finding->race->variant);
    for (size_t i = 0; i < t->defs->threads.len; i++) {
        rcp_text_puts(to, i ? ", " : "");
        rcp_json_quote(to, rcp_defs_borrow_string(t->defs, t->defs->threads.at[i].name));
    }
    rcp_text_puts(to, "],\n    \"moments\": [");
    for (size_t i = 0; i < t->all.len; i++)
        if (t->all.at[i].number != NONE) {
            t->all.at[i].number = t->shown++;
            put_moment(to, t->defs, &t->all.at[i], &seen_objects, &objects,
                       number_of(&seen_places, &places, t->all.at[i].loc));
        }
    put_places(to, t->defs, &places, excerpts);
    put_objects(to, t->defs, &objects);
    rcp_text_puts(to, "] }");
    rcp_map_finish(&seen_places);
    rcp_map_finish(&seen_objects);
    rcp_vec_finish(&places);
    rcp_vec_finish(&objects);
}

static void put_moments(rcp_text *to, const table *t, const char *key, const numbers *list) {
    rcp_text_printf(to, "\"%s\": [", key);
    for (size_t i = 0; i < list->len; i++)
        rcp_text_printf(to, "%s%u", i ? ", " : "", t->all.at[list->at[i]].number);
    rcp_text_puts(to, "]");
}

static void put_timeline(rcp_text *to, const table *t, size_t trace, timeline *line) {
    const rcp_race *race = line->finding->race;
    rcp_text_printf(to, "{ \"race\": %u, \"trace\": %zu, \"accesses\": [%u, %u], ", line->finding->id, trace,
                    t->all.at[moment_at(t, race->event[0].v)].number, t->all.at[moment_at(t, race->event[1].v)].number);
    put_moments(to, t, "before", &line->before);
    rcp_text_puts(to, ", ");
    put_moments(to, t, "meanwhile", &line->meanwhile);
    rcp_text_printf(to, ", \"left_out\": %zu, \"steps\": [", line->left_out);
    for (size_t k = line->left_out; k < line->stages.len; k++) {
        stage *s = &line->stages.at[k];
        reverse(&s->moments);
        rcp_text_printf(to, "%s\n        { \"thread\": %u, \"from\": %u, \"to\": %u, ", k > line->left_out ? "," : "",
                        s->tid, s->from, s->to);
        put_moments(to, t, "moments", &s->moments);
        rcp_text_puts(to, " }");
    }
    rcp_text_puts(to, "] }");
}

/* --- one trace after the other --- */

static void begin_table(table *t, rcp_reader *reader) {
    *t = (table){.reader = reader, .defs = rcp_reader_borrow_defs(reader)};
    rcp_ranges_init(&t->racing);
    for (size_t i = 0; i < t->defs->threads.len; i++) {
        rcp_vec_push(&t->last, NONE);
        rcp_vec_push(&t->position, 0);
        rcp_vec_push(&t->done, 0);
    }
}

static void finish_table(table *t) {
    for (size_t i = 0; i < t->timelines.len; i++) {
        timeline *line = &t->timelines.at[i];
        for (size_t k = 0; k < line->stages.len; k++)
            rcp_vec_finish(&line->stages.at[k].moments);
        rcp_vec_finish(&line->stages);
        rcp_vec_finish(&line->before);
        rcp_vec_finish(&line->meanwhile);
    }
    rcp_vec_finish(&t->all);
    rcp_vec_finish(&t->wanted);
    rcp_vec_finish(&t->questions);
    rcp_ranges_finish(&t->racing);
    rcp_vec_finish(&t->timelines);
    rcp_vec_finish(&t->last);
    rcp_vec_finish(&t->position);
    rcp_vec_finish(&t->done);
}

/* The findings of one trace, which are not empty. False: it can't be read, and nothing was printed. */
static bool put_table(rcp_text *traces, rcp_text *timelines, size_t number, table *t, size_t most,
                      rcp_excerpts *excerpts) {
    qsort(t->wanted.at, t->wanted.len, sizeof *t->wanted.at, by_event);
    if (t->questions.len)
        qsort(t->questions.at, t->questions.len, sizeof *t->questions.at, by_cut);
    if (read_moments(t) != RCP_OK) {
        rcp_clear_causes();
        return false;
    }
    for (size_t i = 0; i < t->timelines.len; i++)
        pick_moments(t, &t->timelines.at[i], most);
    rcp_text_puts(traces, number ? ",\n    " : "\n    ");
    put_trace(traces, t, excerpts);
    for (size_t i = 0; i < t->timelines.len; i++) {
        rcp_text_puts(timelines, timelines->len ? ",\n    " : "\n    ");
        put_timeline(timelines, t, number, &t->timelines.at[i]);
    }
    return true;
}

void rcp_timelines_put(rcp_text *to, const rcp_findings *findings, rcp_excerpts *excerpts) {
    const size_t n = findings->proven.len, share = n ? OF_ALL / n : 0;
    const size_t most = share > MOST ? MOST : share < LEAST ? LEAST : share;
    RCP_VEC(rcp_reader *) readers = {0};
    rcp_text traces = {0}, timelines = {0};
    size_t printed = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_new = true;
        for (size_t k = 0; k < readers.len && is_new; k++)
            is_new = readers.at[k] != findings->proven.at[i].reader;
        if (is_new)
            rcp_vec_push(&readers, findings->proven.at[i].reader);
    }
    for (size_t r = 0; r < readers.len; r++) {
        table t;
        begin_table(&t, readers.at[r]);
        for (size_t i = 0; i < n; i++)
            if (findings->proven.at[i].reader == readers.at[r])
                want_finding(&t, &findings->proven.at[i]);
        printed += put_table(&traces, &timelines, printed, &t, most, excerpts);
        finish_table(&t);
    }
    rcp_text_printf(to, "\"traces\": [%s],\n  \"timelines\": [%s]", traces.at ? traces.at : "",
                    timelines.at ? timelines.at : "");
    rcp_vec_finish(&readers);
    rcp_text_finish(&traces);
    rcp_text_finish(&timelines);
}
