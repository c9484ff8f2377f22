/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/closed.h"

#include "base/map.h"
#include "outside/outside.h"

#include <string.h>

/* A lock that was taken by who had the other. */
typedef struct nesting {
    uint32_t outer, inner;
} nesting;
typedef RCP_VEC(uint32_t) locks;

typedef struct looking {
    const rcp_trace *trace;
    locks *held; /* by thread */
    RCP_VEC(nesting) nestings;
    rcp_map nested;   /* the same, to have each once */
    bool *is_created; /* by thread, */
    bool *is_joined;  /* likewise, */
    bool *has_ended;  /* likewise */
    uint32_t others;  /* threads that were created and not joined yet */
    bool has_begun;   /* somebody was created */
    bool may_stand;
} looking;

static const char *look_at_access(const rcp_event *e) {
    if (e->addr_term.v == RCP_TERM_ALL.v || e->value_term.v == RCP_TERM_ALL.v || e->cond.v == RCP_TERM_ALL.v)
        return "of a value it is not known what it depends on";
    return e->valued && rcp_event_is_atomic(e) && e->mode != RCP_SEQ_CST
               ? "an atomic access is weaker than sequentially consistent"
               : NULL;
}

static void let_go(locks *held, uint32_t lock) {
    for (size_t i = held->len; i--;)
        if (held->at[i] == lock) {
            held->at[i] = held->at[--held->len];
            return;
        }
}

static void take(looking *l, locks *held, uint32_t lock) {
    for (size_t i = 0; i < held->len; i++) {
        const nesting n = {held->at[i], lock};
        uint32_t *seen = rcp_map_at(&l->nested, (uint64_t)n.outer << 32 | n.inner);
        l->may_stand |= n.outer == n.inner;
        if (*seen == RCP_MAP_NONE)
            rcp_vec_push(&l->nestings, n);
        *seen = 1;
    }
    rcp_vec_push(held, lock);
}

/* Locks that nest in one order: who has the innermost one waits for nobody. Takes away, again and again, what is nested
 * in nothing that is left. */
static bool nest_in_one_order(looking *l) {
    size_t before;
    do {
        size_t kept = 0;
        before = l->nestings.len;
        for (size_t i = 0; i < before; i++) {
            bool is_inner = false;
            for (size_t k = 0; k < before && !is_inner; k++)
                is_inner = l->nestings.at[k].inner == l->nestings.at[i].outer;
            if (is_inner)
                l->nestings.at[kept++] = l->nestings.at[i];
        }
        l->nestings.len = kept;
    } while (l->nestings.len && l->nestings.len < before);
    return !l->nestings.len;
}

/* Whoever waits for the end of a thread goes on only when that has decided more than here. */
static bool joins(const looking *l, uint32_t tid) {
    const rcp_defs *defs = &l->trace->defs;
    const char *name = rcp_defs_borrow_string(defs, defs->threads.at[tid].name);
    for (size_t i = 0; i < defs->facts.len; i++)
        if (!strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), RCP_JOINS_FACT) &&
            !strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].value), name))
            return true;
    return false;
}

/* Others come to their ends before, while it is about to come (runtime/linger.h): where it comes sooner, they do a part
 * of the same. */
static const char *look_at_exit(const looking *l, const rcp_event *e) {
    for (uint32_t t = 0; t < l->trace->defs.threads.len; t++)
        if (t != e->tid.v && !l->has_ended[t] && !joins(l, t))
            return "the program ends while other threads are on their way";
    return NULL;
}

/* A call that ends the program. */
static bool ends_all(const looking *l, const rcp_event *e) {
    const rcp_outside *row =
        e->kind == RCP_OPAQUE_BEGIN ? rcp_outside_find(rcp_defs_borrow_string(&l->trace->defs, e->callee)) : NULL;
    return row && row->roles & RCP_ROLE_ENDS;
}

static const char calls[] = "code outside is called once there are threads";

static const char *look_at(looking *l, const rcp_event *e) {
    locks *held = &l->held[e->tid.v];
    switch ((rcp_kind)e->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return look_at_access(e);
    case RCP_BRANCH: return e->cond.v == RCP_TERM_ALL.v ? "of a branch it is not known what it depends on" : NULL;
    case RCP_ACQUIRE:
        if (e->outcome == RCP_DONE)
            take(l, held, e->object.v);
        return NULL;
    case RCP_RELEASE: let_go(held, e->object.v); return NULL;
    case RCP_WAIT:
        l->may_stand = true;
        let_go(held, e->lock.v);
        return NULL;
    case RCP_WAKE:
        take(l, held, e->lock.v);
        return e->outcome == RCP_DONE ? NULL : "a wait for a condition ended without a signal";
    case RCP_FORK:
        if (e->tid.v)
            return "others than the main thread make threads: whose stack is where is up to who comes first";
        l->has_begun = l->is_created[e->child.v] = true;
        l->others++;
        return NULL;
    case RCP_JOIN:
        if (e->outcome != RCP_DONE)
            return "a thread is waited for, but not for good";
        l->may_stand |= held->len > 0;
        l->others -= !l->is_joined[e->child.v];
        l->is_joined[e->child.v] = true;
        return NULL;
    case RCP_ALLOC:
    case RCP_FREE: return l->others ? "memory is given out or freed while other threads are there" : NULL;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: return l->has_begun && !ends_all(l, e) ? calls : NULL;
    case RCP_END: l->has_ended[e->tid.v] = true; return NULL;
    case RCP_EXIT: return look_at_exit(l, e);
    case RCP_BEGIN:
    case RCP_FENCE:
    case RCP_INIT:
    case RCP_DESTROY: return NULL;
    case RCP_SEM_WAIT:
    case RCP_BARRIER_LEAVE:
    case RCP_ONCE_BEGIN:
    case RCP_ONCE_SKIP: l->may_stand = true; return NULL;
    case RCP_SIGNAL:
    case RCP_BROADCAST:
    case RCP_SEM_POST:
    case RCP_BARRIER_ENTER:
    case RCP_ONCE_END:
    default: return NULL;
    }
}

static const char *look_at_threads(looking *l) {
    const rcp_trace *trace = l->trace;
    for (uint32_t t = 0; t < trace->defs.threads.len; t++) {
        size_t len = rcp_trace_thread_len(trace, (rcp_tid){t});
        rcp_eid last = len ? rcp_trace_event_of(trace, (rcp_tid){t}, (rcp_position)len - 1) : RCP_NO_EID;
        const uint8_t kind = len ? trace->events.at[last.v].kind : RCP_KINDS;
        if (kind != RCP_END && kind != RCP_EXIT && !joins(l, t))
            return "a thread did not come to its end";
        l->may_stand |= l->held[t].len > 0;
        if (t && !l->is_created[t])
            return "a thread was made by nobody that is known";
    }
    return NULL;
}

static const char *look_at_whole(const rcp_groundwork *g) {
    const rcp_defs *defs = &g->facts.trace->defs;
    const char *beyond = rcp_defs_borrow_fact(defs, RCP_BEYOND_FACT);
    if (beyond)
        return !strcmp(beyond, RCP_BEYOND_SIGNALS) ? "signals or timers may come at any time"
               : !strcmp(beyond, RCP_BEYOND_KINDS) ? "a lock looks at who waits for it"
                                                   : calls;
    if (g->facts.trace->loss || rcp_defs_borrow_fact(defs, "cut") || rcp_defs_borrow_fact(defs, "told until"))
        return "a run was not recorded, or looked at, to its end";
    if (rcp_defs_borrow_fact(defs, "deadlock"))
        return "a run deadlocked";
    return g->holds[0] != UINT32_MAX || g->holds[1] != UINT32_MAX || rcp_defs_borrow_fact(defs, "seen")
               ? "memory is not the program's own"
               : NULL;
}

const char *rcp_closed_why_not(const rcp_groundwork *g, bool *may_stand) {
    const rcp_trace *trace = g->facts.trace;
    const size_t threads = trace->defs.threads.len + 1;
    looking l = {.trace = trace,
                 .held = rcp_alloc_zero(threads, sizeof *l.held),
                 .is_created = rcp_alloc_zero(threads, sizeof *l.is_created),
                 .is_joined = rcp_alloc_zero(threads, sizeof *l.is_joined),
                 .has_ended = rcp_alloc_zero(threads, sizeof *l.has_ended)};
    rcp_map_init(&l.nested);
    const char *why = look_at_whole(g);
    for (size_t i = 0; !why && i < trace->events.len; i++)
        why = look_at(&l, &trace->events.at[i]);
    why = why ? why : look_at_threads(&l);
    *may_stand = l.may_stand || !nest_in_one_order(&l);
    if (*may_stand && g->spurious_wakeups)
        why = why ? why : "waits for conditions may end by themselves";
    for (size_t t = 0; t < threads; t++)
        rcp_vec_finish(&l.held[t]);
    rcp_release(l.held);
    rcp_vec_finish(&l.nestings);
    rcp_map_finish(&l.nested);
    rcp_release(l.is_created);
    rcp_release(l.is_joined);
    rcp_release(l.has_ended);
    return why;
}
