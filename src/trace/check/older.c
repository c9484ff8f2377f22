/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/older.h"

#include "base/vec.h"
#include "trace/check/language.h"

#include <stdio.h>
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
    if (!why && c->known != (1u << c->size) - 1)
        why = "what the bytes held before the write is not known";
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
    if (!why)
        why = look_on(&c, trace, write, read);
    verdict->allowed = !why;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", why ? why : "");
    memcpy(verdict->bytes, c.bytes, sizeof c.bytes);
}
