/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/closed.h"

#include <string.h>

typedef struct looking {
    const rcp_trace *trace;
    uint32_t *held;    /* by thread: locks */
    bool *is_created;  /* by thread, */
    bool *is_joined;   /* likewise */
    uint32_t others;   /* threads that were created and not joined yet */
    bool has_begun;    /* somebody was created */
    uint64_t compared; /* accesses with what calls outside reach */
} looking;

enum { MOST_COMPARED = 10000000 };

/* What a call reaches is as it was recorded: nothing shared may be among it. */
static const char *look_at_call(looking *l, const rcp_event *call) {
    const rcp_trace *trace = l->trace;
    if (l->others)
        return "code outside is called while other threads are there";
    if (!l->has_begun)
        return NULL;
    l->compared += trace->events.len;
    for (size_t i = 0; i < trace->events.len && l->compared < MOST_COMPARED; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (rcp_event_is_access(e) && rcp_defs_reach_holds(&trace->defs, call->reach, e->addr, e->addr + e->size))
            return "a call outside reaches shared memory";
    }
    return l->compared < MOST_COMPARED ? NULL : "there are many calls outside";
}

static const char *look_at_access(const rcp_event *e) {
    if (e->addr_term.v == RCP_TERM_ALL.v || e->value_term.v == RCP_TERM_ALL.v || e->cond.v == RCP_TERM_ALL.v)
        return "of a value it is not known what it depends on";
    return e->valued && rcp_event_is_atomic(e) && e->mode != RCP_SEQ_CST
               ? "an atomic access is weaker than sequentially consistent"
               : NULL;
}

/* One lock at a time: no two threads can wait for each other. */
static const char *look_at_lock(looking *l, const rcp_event *e) {
    uint32_t *held = &l->held[e->tid.v];
    if (e->kind == RCP_RELEASE)
        *held -= *held > 0;
    else if (e->outcome == RCP_DONE && (*held)++)
        return "a thread has two locks at a time";
    return NULL;
}

static const char *look_at(looking *l, const rcp_event *e) {
    switch ((rcp_kind)e->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return look_at_access(e);
    case RCP_BRANCH: return e->cond.v == RCP_TERM_ALL.v ? "of a branch it is not known what it depends on" : NULL;
    case RCP_ACQUIRE:
    case RCP_RELEASE: return look_at_lock(l, e);
    case RCP_FORK:
        l->has_begun = l->is_created[e->child.v] = true;
        l->others++;
        return NULL;
    case RCP_JOIN:
        if (e->outcome != RCP_DONE || l->held[e->tid.v])
            return "a thread is waited for with a lock, or not for good";
        l->others -= !l->is_joined[e->child.v];
        l->is_joined[e->child.v] = true;
        return NULL;
    case RCP_ALLOC:
    case RCP_FREE: return l->others ? "memory is given out or freed while other threads are there" : NULL;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: return look_at_call(l, e);
    case RCP_EXIT: return l->others ? "the program ends while other threads are there" : NULL;
    case RCP_BEGIN:
    case RCP_END:
    case RCP_FENCE:
    case RCP_INIT:
    case RCP_DESTROY: return NULL;
    default: return "threads wait for each other by more than locks and their ends";
    }
}

static const char *look_at_threads(const looking *l) {
    const rcp_trace *trace = l->trace;
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        size_t len = rcp_trace_thread_len(trace, (rcp_tid){t});
        rcp_eid last = len ? rcp_trace_event_of(trace, (rcp_tid){t}, (rcp_position)len - 1) : RCP_NO_EID;
        if (!len || (trace->events.at[last.v].kind != RCP_END && trace->events.at[last.v].kind != RCP_EXIT))
            return "a thread did not come to its end";
        if (l->held[t])
            return "a thread ends with a lock";
        if (t && (!l->is_created[t] || !l->is_joined[t]))
            return "a thread is not joined";
    }
    return NULL;
}

static const char *look_at_whole(const rcp_groundwork *g) {
    const rcp_defs *defs = &g->facts.trace->defs;
    if (g->facts.trace->loss || rcp_defs_borrow_fact(defs, "cut") || rcp_defs_borrow_fact(defs, "told until"))
        return "a run was not recorded, or looked at, to its end";
    if (rcp_defs_borrow_fact(defs, "deadlock"))
        return "a run deadlocked";
    return g->holds[0] != UINT32_MAX || g->holds[1] != UINT32_MAX || rcp_defs_borrow_fact(defs, "seen")
               ? "memory is not the program's own"
               : NULL;
}

const char *rcp_closed_why_not(const rcp_groundwork *g) {
    const rcp_trace *trace = g->facts.trace;
    const size_t threads = trace->defs.threads.len + 1;
    looking l = {.trace = trace,
                 .held = rcp_alloc_zero(threads, sizeof *l.held),
                 .is_created = rcp_alloc_zero(threads, sizeof *l.is_created),
                 .is_joined = rcp_alloc_zero(threads, sizeof *l.is_joined)};
    const char *why = look_at_whole(g);
    for (size_t i = 0; !why && i < trace->events.len; i++)
        why = look_at(&l, &trace->events.at[i]);
    why = why ? why : look_at_threads(&l);
    rcp_release(l.held);
    rcp_release(l.is_created);
    rcp_release(l.is_joined);
    return why;
}
