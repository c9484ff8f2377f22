/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/event.h"

#include "base/status.h"

#define ACCESS           (RCP_USES_ORDER | RCP_USES_ADDR | RCP_USES_SIZE | RCP_USES_VALUE | RCP_USES_ADDR_TERM)
#define ON(kind)         (1u << (kind))
#define LOCKS            (ON(RCP_MUTEX) | ON(RCP_RECURSIVE) | ON(RCP_SPIN) | ON(RCP_RWLOCK))
#define DONE             ON(RCP_DONE)
#define DONE_OR(outcome) (DONE | ON(outcome))

static const rcp_traits traits[RCP_KINDS] = {
    [RCP_BEGIN] = {"begin", 0, DONE, 0},
    [RCP_END] = {"end", 0, DONE, 0},
    [RCP_FORK] = {"fork", RCP_USES_CHILD, DONE, 0},
    [RCP_JOIN] = {"join", RCP_USES_CHILD | RCP_USES_OUTCOME, DONE_OR(RCP_FAILED), 0},
    [RCP_READ] = {"r", ACCESS | RCP_USES_COND, DONE, 0},
    [RCP_WRITE] = {"w", ACCESS | RCP_USES_VALUE_TERM, DONE, 0},
    [RCP_RMW] = {"rmw", ACCESS | RCP_USES_WRITTEN | RCP_USES_VALUE_TERM | RCP_USES_COND, DONE, 0},
    [RCP_FENCE] = {"fence", RCP_USES_ORDER, DONE, 0},
    [RCP_ACQUIRE] = {"acq", RCP_USES_OBJECT | RCP_USES_MODE | RCP_USES_OUTCOME, DONE_OR(RCP_FAILED), LOCKS},
    [RCP_RELEASE] = {"rel", RCP_USES_OBJECT | RCP_USES_MODE, DONE, LOCKS},
    [RCP_WAIT] = {"wait", RCP_USES_OBJECT | RCP_USES_LOCK, DONE, ON(RCP_COND)},
    [RCP_WAKE] = {"wake", RCP_USES_OBJECT | RCP_USES_LOCK | RCP_USES_OUTCOME, DONE | ON(RCP_TIMEOUT) | ON(RCP_SPURIOUS),
                  ON(RCP_COND)},
    [RCP_SIGNAL] = {"signal", RCP_USES_OBJECT, DONE, ON(RCP_COND)},
    [RCP_BROADCAST] = {"broadcast", RCP_USES_OBJECT, DONE, ON(RCP_COND)},
    [RCP_SEM_POST] = {"post", RCP_USES_OBJECT, DONE, ON(RCP_SEM)},
    [RCP_SEM_WAIT] = {"down", RCP_USES_OBJECT | RCP_USES_OUTCOME, DONE_OR(RCP_FAILED), ON(RCP_SEM)},
    [RCP_BARRIER_ENTER] = {"enter", RCP_USES_OBJECT, DONE, ON(RCP_BARRIER)},
    [RCP_BARRIER_LEAVE] = {"leave", RCP_USES_OBJECT | RCP_USES_OUTCOME, DONE_OR(RCP_SERIAL), ON(RCP_BARRIER)},
    [RCP_ONCE_BEGIN] = {"once-begin", RCP_USES_OBJECT, DONE, ON(RCP_ONCE)},
    [RCP_ONCE_END] = {"once-end", RCP_USES_OBJECT, DONE, ON(RCP_ONCE)},
    [RCP_ONCE_SKIP] = {"once-skip", RCP_USES_OBJECT, DONE, ON(RCP_ONCE)},
    [RCP_INIT] = {"init", RCP_USES_OBJECT, DONE, ON(RCP_OBJECT_KINDS) - 1},
    [RCP_DESTROY] = {"destroy", RCP_USES_OBJECT, DONE, ON(RCP_OBJECT_KINDS) - 1},
    [RCP_ALLOC] = {"alloc", RCP_USES_ADDR | RCP_USES_EXTENT | RCP_USES_ADDR_TERM | RCP_USES_OUTCOME,
                   DONE_OR(RCP_ZEROED), 0},
    [RCP_FREE] = {"free", RCP_USES_ADDR | RCP_USES_EXTENT | RCP_USES_ADDR_TERM, DONE, 0},
    [RCP_BRANCH] = {"br", RCP_USES_VALUE | RCP_USES_COND, DONE, 0},
    [RCP_OPAQUE_BEGIN] = {"opaque-begin", RCP_USES_REACH, DONE, 0},
    [RCP_OPAQUE_END] = {"opaque-end", RCP_USES_REACH, DONE, 0},
    [RCP_EXIT] = {"exit", 0, DONE, 0},
};

const rcp_traits *rcp_event_traits(rcp_kind kind) {
    RCP_DCHECK(kind < RCP_KINDS);
    return &traits[kind];
}

const char *rcp_order_name(rcp_order order) {
    static const char *const names[RCP_ORDERS] = {"plain",   "relaxed", "consume", "acquire",
                                                  "release", "acq_rel", "seq_cst"};
    return names[order];
}

const char *rcp_mode_name(rcp_mode mode) {
    static const char *const names[RCP_MODES] = {"exclusive", "shared"};
    return names[mode];
}

const char *rcp_outcome_name(rcp_outcome outcome) {
    static const char *const names[RCP_OUTCOMES] = {"done", "failed", "timeout", "spurious", "serial", "zeroed"};
    return names[outcome];
}

const char *rcp_object_kind_name(rcp_object_kind kind) {
    static const char *const names[RCP_OBJECT_KINDS] = {"mutex", "recursive", "spin",    "rwlock",
                                                        "cond",  "sem",       "barrier", "once"};
    return names[kind];
}

bool rcp_event_conflict(const rcp_event *a, const rcp_event *b) {
    if (a->tid.v == b->tid.v)
        return false;
    bool a_frees = a->kind == RCP_FREE, b_frees = b->kind == RCP_FREE;
    if (!(rcp_event_is_access(a) || a_frees) || !(rcp_event_is_access(b) || b_frees))
        return false;
    if (!(rcp_event_writes(a) || rcp_event_writes(b) || a_frees || b_frees))
        return false;
    if (rcp_event_is_atomic(a) && rcp_event_is_atomic(b))
        return false;
    /* written so that ranges at the top of the address space do not wrap */
    return a->addr < b->addr ? b->addr - a->addr < rcp_event_extent(a) : a->addr - b->addr < rcp_event_extent(b);
}
