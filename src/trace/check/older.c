/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/older.h"

#include "base/vec.h"
#include "trace/check/checker.h"
#include "trace/check/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the bytes of the read hold, as far as the trace says. */
typedef struct contents {
    uint64_t lo;
    unsigned size, known; /* known: a bit each */
    uint8_t bytes[RCP_OLDER_BYTES];
} contents;

static void forget(contents *c, uint64_t lo, uint64_t hi) {
    for (unsigned i = 0; i < c->size; i++)
        if (c->lo + i >= lo && c->lo + i < hi)
            c->known &= ~(1u << i);
}

/* NULL: zeros. */
static void learn(contents *c, uint64_t lo, uint64_t hi, const uint8_t *bytes) {
    for (unsigned i = 0; i < c->size; i++)
        if (c->lo + i >= lo && c->lo + i < hi) {
            c->bytes[i] = bytes ? bytes[c->lo + i - lo] : 0;
            c->known |= 1u << i;
        }
}

static bool touches(const rcp_event *e, const contents *c) {
    return e->addr < c->lo + c->size && c->lo < e->addr + rcp_event_extent(e);
}

static bool reaches(const rcp_trace *trace, const rcp_event *e, const contents *c) {
    return rcp_event_is_opaque(e) && rcp_defs_reach_holds(&trace->defs, e->reach, c->lo, c->lo + c->size);
}

static void go_past(contents *c, const rcp_trace *trace, const rcp_event *e) {
    const uint64_t lo = e->addr, hi = lo + rcp_event_extent(e);
    if (reaches(trace, e, c))
        forget(c, c->lo, c->lo + c->size);
    else if (e->kind == RCP_FREE || (e->kind == RCP_ALLOC && e->outcome != RCP_ZEROED))
        forget(c, lo, hi);
    else if (e->kind == RCP_ALLOC)
        learn(c, lo, hi, NULL);
    else if (rcp_event_is_access(e) && touches(e, c) && e->valued)
        learn(c, lo, hi, rcp_event_written(e));
    else if (rcp_event_is_access(e) && rcp_event_writes(e))
        forget(c, lo, hi);
}

typedef RCP_VEC(const rcp_event *) pairs;

/* Pairs nest within their thread. */
static void close_last(pairs *open, rcp_tid tid) {
    size_t k = open->len;
    while (k && open->at[k - 1]->tid.v != tid.v)
        k--;
    if (!k)
        return;
    memmove(&open->at[k - 1], &open->at[k], (open->len - k) * sizeof *open->at);
    open->len--;
}

static bool is_known(const contents *c) { return c->known == (1u << c->size) - 1; }

/* What the bytes held before `write`; and nobody who is not recorded may change them while it is made. NULL: fine. */
static const char *look_back(contents *c, const rcp_trace *trace, rcp_eid write) {
    pairs open = {0};
    const char *why = NULL;
    for (size_t i = 0; i < trace->defs.images.len; i++) {
        const rcp_image *image = &trace->defs.images.at[i];
        learn(c, image->addr, image->addr + image->n, image->bytes);
    }
    for (uint64_t i = 0; i < write.v; i++) {
        const rcp_event *e = &trace->events.at[i];
        go_past(c, trace, e);
        if (e->kind == RCP_OPAQUE_BEGIN)
            rcp_vec_push(&open, e);
        else if (e->kind == RCP_OPAQUE_END)
            close_last(&open, e->tid);
    }
    const rcp_event *w = &trace->events.at[write.v];
    for (size_t i = 0; !why && i < open.len; i++)
        if (reaches(trace, open.at[i], c))
            why = "code that is not recorded could change the bytes at the time of the write";
    if (w->kind == RCP_RMW && w->valued)
        learn(c, w->addr, w->addr + w->size, rcp_event_bytes(w));
    rcp_vec_finish(&open);
    return why;
}

/* Of the two events alone. */
static const char *look_at(const rcp_event *w, const rcp_event *r) {
    if (!rcp_event_is_access(w) || !rcp_event_writes(w) || r->kind != RCP_READ || w->tid.v == r->tid.v)
        return "it is not a write and a later read of another thread";
    if (!r->size || r->size > RCP_OLDER_BYTES)
        return "the read is of more bytes than a word";
    if (r->addr < w->addr || r->addr + r->size > w->addr + w->size)
        return "the write is of a part of what is read";
    return r->mode == RCP_SEQ_CST ? "the read is seq_cst" : NULL;
}

/* Between the two: lives, code that is not recorded, and fences that a stale atomic read may not pass. */
static const char *look_between(const contents *c, const rcp_trace *trace, const rcp_event *e, const rcp_event *r) {
    bool is_fence = e->kind == RCP_FENCE ? e->mode == RCP_SEQ_CST : rcp_event_is_opaque(e);
    if ((e->kind == RCP_ALLOC || e->kind == RCP_FREE) && touches(e, c))
        return "the memory began another life between the two";
    if (reaches(trace, e, c))
        return "code that is not recorded may have touched the bytes between the two";
    if (r->mode != RCP_PLAIN && is_fence && e->tid.v == r->tid.v)
        return "a seq_cst fence stands before the read";
    return NULL;
}

/* Whoever has touched the bytes from the write on has seen, or made, what is newer. A thread's later accesses come
 * after its first one, so that the first one is asked about. */
static const char *look_on(const contents *c, const rcp_trace *trace, rcp_eid write, rcp_eid read) {
    const rcp_event *r = &trace->events.at[read.v];
    bool *asked = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *asked);
    const char *why = NULL;
    for (uint64_t i = write.v; !why && i < read.v; i++) {
        const rcp_event *e = &trace->events.at[i];
        why = look_between(c, trace, e, r);
        if (why || !rcp_event_is_access(e) || !touches(e, c) || asked[e->tid.v])
            continue;
        asked[e->tid.v] = true;
        if (e->tid.v == r->tid.v)
            why = "its thread has touched the bytes since the write";
        else if (rcp_language_orders(trace, (rcp_eid){i}, read, NULL, 0))
            why = "an access of newer bytes comes before the read";
    }
    rcp_release(asked);
    return why;
}

void rcp_older_check(const rcp_trace *trace, rcp_eid write, rcp_eid read, rcp_older_verdict *verdict) {
    *verdict = (rcp_older_verdict){0};
    const rcp_event *w = &trace->events.at[write.v], *r = &trace->events.at[read.v];
    const char *why = write.v < read.v ? look_at(w, r) : "the read is earlier than the write";
    contents c = {.lo = r->addr, .size = why ? 0 : r->size};
    if (!why)
        why = look_back(&c, trace, write);
    if (!why && !is_known(&c))
        why = "what the bytes held before the write is not known";
    if (!why)
        why = look_on(&c, trace, write, read);
    verdict->allowed = !why;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", why ? why : "");
    memcpy(verdict->bytes, c.bytes, sizeof c.bytes);
}

/* --- late stores --- */

/* Of the two events alone. */
static const char *look_at_late(const rcp_event *w, const rcp_event *b) {
    if (w->kind != RCP_WRITE || !rcp_event_is_access(b) || w->tid.v == b->tid.v)
        return "it is not a store and a later access of another thread";
    if (!w->size || w->size > RCP_OLDER_BYTES)
        return "the store is of more bytes than a word";
    if (rcp_order_releases(w->mode))
        return "the store releases";
    if (w->addr >= b->addr + b->size || b->addr >= w->addr + w->size)
        return "the two have no byte in common";
    if ((w->mode != RCP_PLAIN || b->mode != RCP_PLAIN) && (w->addr != b->addr || w->size != b->size))
        return "one of the two is atomic, and they are not of the same bytes";
    return NULL;
}

static bool has_bytes(const contents *c, const rcp_trace *trace, const rcp_event *e) {
    return (rcp_event_extent(e) && touches(e, c)) || reaches(trace, e, c);
}

/* An event of the store's own thread, before which the store need not have come. */
static bool may_pass(const rcp_event *e) {
    return e->kind == RCP_READ || e->kind == RCP_BRANCH || (e->kind == RCP_WRITE && !rcp_order_releases(e->mode));
}

/* The recorded order without what the store can't come after, and without all that hangs on that. False: so does the
 * later access. */
static bool leave_out(const rcp_trace *trace, const contents *c, rcp_eid write, rcp_eid other, rcp_witness *witness) {
    bool *out = rcp_alloc_zero(other.v + 1, sizeof *out);
    const uint32_t own = trace->events.at[write.v].tid.v;
    for (uint64_t i = write.v + 1; i < other.v; i++) {
        const rcp_event *e = &trace->events.at[i];
        out[i] = has_bytes(c, trace, e) || (e->tid.v == own && !may_pass(e));
    }
    rcp_language_mark_after(trace, out, other.v + 1);
    witness->recorded = write.v;
    for (uint64_t i = write.v; i < other.v; i++)
        if (!out[i])
            rcp_witness_run(witness, trace->events.at[i].tid, trace->position[i] + 1);
    const bool is_left = !out[other.v];
    rcp_release(out);
    return is_left;
}

/* Nobody who made the schedule is asked: over the execution that it is. */
static const char *look_on_late(contents *c, const rcp_trace *trace, const rcp_witness *witness, rcp_eid write,
                                rcp_eid other) {
    rcp_trace run;
    rcp_witness_execute(witness, trace, other, &run);
    const rcp_eid last = {run.events.len - 1};
    const char *why = look_back(c, &run, write);
    for (uint64_t i = write.v + 1; !why && i < last.v; i++) {
        const rcp_event *e = &run.events.at[i];
        if (has_bytes(c, &run, e))
            why = "the bytes are used between the two";
        else if (e->tid.v == run.events.at[write.v].tid.v && !may_pass(e))
            why = "the store's thread does between the two what the store can't come after";
    }
    if (!why && rcp_language_orders(&run, write, last, NULL, 0))
        why = "the rules of the language order the two";
    rcp_witness_release(&run);
    return why;
}

static rcp_code look_at_run(const rcp_trace *trace, rcp_late_verdict *verdict) {
    static const rcp_value_rule rules[] = {RCP_VALUES_LAST_WRITER, RCP_VALUES_SAME, RCP_VALUES_RELAXED};
    rcp_checker *checker;
    rcp_check_verdict is = {0};
    RCP_TRY(rcp_checker_create(trace, &checker));
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && !is.accepted && i < sizeof rules / sizeof *rules; i++)
        code = rcp_checker_run(checker, &verdict->witness, (rcp_check_options){.values = rules[i]}, &is);
    verdict->allowed = code == RCP_OK && is.accepted;
    if (!is.accepted)
        snprintf(verdict->reason, sizeof verdict->reason, "what is left of the recorded order is no execution: %.100s",
                 is.reason);
    rcp_checker_destroy(checker);
    return code;
}

rcp_code rcp_late_find(const rcp_trace *trace, rcp_eid write, rcp_eid other, rcp_late_verdict *verdict) {
    rcp_late_verdict_init(verdict);
    const rcp_event *w = &trace->events.at[write.v];
    const char *why = write.v < other.v ? look_at_late(w, &trace->events.at[other.v]) : "the store is the later one";
    contents c = {.lo = w->addr, .size = why ? 0 : w->size};
    const char *anchor = rcp_defs_borrow_fact(&trace->defs, "anchor");
    if (!why && anchor && write.v < strtoull(anchor, NULL, 10))
        why = "the store is in the part of the run that was told before it";
    if (!why && !leave_out(trace, &c, write, other, &verdict->witness))
        why = "the later access hangs on what the store can't come after";
    if (!why)
        why = look_on_late(&c, trace, &verdict->witness, write, other);
    verdict->known = is_known(&c);
    memcpy(verdict->bytes, c.bytes, sizeof c.bytes);
    snprintf(verdict->reason, sizeof verdict->reason, "%s", why ? why : "");
    return why ? RCP_OK : look_at_run(trace, verdict);
}

void rcp_late_verdict_init(rcp_late_verdict *verdict) {
    *verdict = (rcp_late_verdict){0};
    rcp_witness_init(&verdict->witness);
}

void rcp_late_verdict_finish(rcp_late_verdict *verdict) { rcp_witness_finish(&verdict->witness); }
