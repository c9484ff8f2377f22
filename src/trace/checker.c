/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/checker.h"

#include "trace/execution.h"
#include "trace/sync.h"

#include <inttypes.h>
#include <stdlib.h>

struct rcp_checker {
    rcp_observed observed;
};

rcp_code rcp_checker_create(const rcp_trace *trace, rcp_checker **checker) {
    rcp_checker *made = rcp_alloc_zero(1, sizeof *made);
    rcp_code code = rcp_observed_init(&made->observed, trace);
    if (code != RCP_OK) {
        rcp_checker_destroy(made);
        return code;
    }
    *checker = made;
    return RCP_OK;
}

void rcp_checker_destroy(rcp_checker *checker) {
    if (!checker)
        return;
    rcp_observed_finish(&checker->observed);
    rcp_release(checker);
}

/* One check. */
typedef struct check {
    const rcp_observed *o;
    const rcp_trace *trace;
    rcp_execution x;
    rcp_sync *sync;
    bool exited;
    rcp_tid exited_by;
    rcp_verdict *verdict;
} check;

#define THREAD(tid) rcp_label_thread(&c->trace->defs, tid).at

/* Does the witness name only what exists? Leaves in done[] how far each thread gets. */
static rcp_code measure(const rcp_trace *trace, const rcp_witness *witness, rcp_position *done) {
    if (witness->recorded > trace->events.len)
        return rcp_fail(RCP_BAD_INPUT, "the witness begins with %" PRIu64 " recorded events; the trace has %zu",
                        witness->recorded, trace->events.len);
    const char *anchor = rcp_defs_borrow_fact(&trace->defs, "anchor");
    if (anchor && witness->recorded < strtoull(anchor, NULL, 10))
        return rcp_fail(RCP_BAD_INPUT,
                        "the witness begins with %" PRIu64 " recorded events; of this trace, which was told "
                        "again from there on, it must be at least %s",
                        witness->recorded, anchor);
    for (uint64_t i = 0; i < witness->recorded; i++)
        done[trace->events.at[i].tid.v]++;
    for (size_t i = 0; i < witness->steps.len; i++) {
        rcp_step step = witness->steps.at[i];
        if (step.tid.v >= trace->defs.threads.len)
            return rcp_fail(RCP_BAD_INPUT, "step %zu of the witness names thread %u; the trace has %zu", i + 1,
                            step.tid.v, trace->defs.threads.len);
        const rcp_label thread = rcp_label_thread(&trace->defs, step.tid);
        if (step.to > rcp_trace_thread_len(trace, step.tid))
            return rcp_fail(RCP_BAD_INPUT, "step %zu of the witness: %s is to run to %u but has only %zu events", i + 1,
                            thread.at, step.to, rcp_trace_thread_len(trace, step.tid));
        if (step.to < done[step.tid.v])
            return rcp_fail(RCP_BAD_INPUT, "step %zu of the witness: %s has executed %u events and can't go back to %u",
                            i + 1, thread.at, done[step.tid.v], step.to);
        done[step.tid.v] = step.to;
    }
    bool claimed = witness->race[0].v != RCP_NO_EID.v;
    if (claimed != (witness->race[1].v != RCP_NO_EID.v))
        return rcp_fail(RCP_BAD_INPUT, "the witness names one racing event; a race has two");
    for (int i = 0; claimed && i < 2; i++)
        if (witness->race[i].v >= trace->events.len)
            return rcp_fail(RCP_BAD_INPUT, "the witness names event %" PRIu64 " as racing; the trace has %zu events",
                            witness->race[i].v, trace->events.len);
    return RCP_OK;
}

/* T1: is the thread's FORK, if the trace has one, executed? */
static bool forked(const check *c, rcp_tid tid, char *why) {
    uint64_t fork = c->o->fork[tid.v];
    return fork == UINT64_MAX || rcp_execution_has(&c->x, (rcp_eid){fork})
               ? true
               : rcp_refuse(why, "%s is not forked yet: event %" PRIu64 " is not executed", THREAD(tid), fork);
}

/* T1 and T4: may this thread execute anything now? */
static bool may_run(const check *c, rcp_tid tid, char *why) {
    if (c->exited)
        return rcp_refuse(why, "%s can't go on: %s has ended the process", THREAD(tid), THREAD(c->exited_by));
    return c->x.done[tid.v] || forked(c, tid, why);
}

/* T1, T2 and T3 */
static bool join(const check *c, const rcp_event *e, char *why) {
    size_t len = rcp_trace_thread_len(c->trace, e->child);
    if (!forked(c, e->child, why))
        return false;
    if (e->outcome == RCP_DONE && c->x.done[e->child.v] < len)
        return rcp_refuse(why, "%s joins %s, which has executed only %u of its %zu events", THREAD(e->tid),
                          THREAD(e->child), c->x.done[e->child.v], len);
    uint64_t end = c->o->end[e->child.v];
    if (e->outcome == RCP_FAILED && end != UINT64_MAX && rcp_execution_has(&c->x, (rcp_eid){end}))
        return rcp_refuse(why, "%s fails to join %s, which has ended", THREAD(e->tid), THREAD(e->child));
    return true;
}

/* C5: a WAIT that ends by itself. */
static bool ends_alone(const check *c, rcp_eid eid, const rcp_event *e) {
    rcp_position next = c->trace->position[eid.v] + 1;
    if (e->kind != RCP_WAIT || next >= rcp_trace_thread_len(c->trace, e->tid))
        return false;
    const rcp_event *wake = &c->trace->events.at[rcp_trace_event_of(c->trace, e->tid, next).v];
    return wake->kind == RCP_WAKE && wake->outcome != RCP_DONE;
}

static bool execute(check *c, rcp_eid eid) {
    const rcp_event *e = &c->trace->events.at[eid.v];
    char *why = c->verdict->reason;
    c->verdict->at = eid;
    if (!may_run(c, e->tid, why) || !rcp_sync_step(c->sync, e, ends_alone(c, eid, e), why) ||
        (e->kind == RCP_JOIN && !join(c, e, why)) || !rcp_execution_step(&c->x, eid, why))
        return false;
    if (e->kind == RCP_EXIT) {
        c->exited = true;
        c->exited_by = e->tid;
    }
    c->x.done[e->tid.v]++;
    return true;
}

/* R2's byte in common: in one life, or in the life that the FREE among them begins. */
static bool meet(const check *c, rcp_eid a, rcp_eid b) {
    const rcp_event *ea = &c->trace->events.at[a.v], *eb = &c->trace->events.at[b.v];
    uint64_t end_a = ea->addr + rcp_event_extent(ea), end_b = eb->addr + rcp_event_extent(eb);
    uint64_t at = ea->addr > eb->addr ? ea->addr : eb->addr, end = end_a < end_b ? end_a : end_b;
    while (at < end) {
        uint64_t upto_a, upto_b;
        uint32_t life_a = rcp_observed_life(c->o, a, at, &upto_a), life_b = rcp_observed_life(c->o, b, at, &upto_b);
        if (life_a == life_b || (ea->kind == RCP_FREE && life_b == a.v + 1) ||
            (eb->kind == RCP_FREE && life_a == b.v + 1))
            return true;
        at = upto_a < upto_b ? upto_a : upto_b;
    }
    return false;
}

static bool race(check *c, const rcp_eid pair[2]) {
    char *why = c->verdict->reason;
    const rcp_event *e[2] = {&c->trace->events.at[pair[0].v], &c->trace->events.at[pair[1].v]};
    c->verdict->at = RCP_NO_EID;
    if (e[0]->tid.v == e[1]->tid.v)
        return rcp_refuse(why, "both events are of %s", THREAD(e[0]->tid));
    if (!rcp_event_conflict(e[0], e[1]))
        return rcp_refuse(why,
                          "events %" PRIu64 " and %" PRIu64 " don't conflict: accesses or frees with a byte in common, "
                          "one of them writing or freeing, not both atomic",
                          pair[0].v, pair[1].v);
    if (!meet(c, pair[0], pair[1]))
        return rcp_refuse(why,
                          "events %" PRIu64 " and %" PRIu64
                          " have no byte in common: the memory was allocated or freed "
                          "between them",
                          pair[0].v, pair[1].v);
    for (int i = 0; i < 2; i++) {
        c->verdict->at = pair[i];
        rcp_position position = c->trace->position[pair[i].v], done = c->x.done[e[i]->tid.v];
        if (position != done)
            return rcp_refuse(why,
                              "the racing event is not the next one of %s: it is at position %u, and %u are executed",
                              THREAD(e[i]->tid), position, done);
        rcp_eid freed = e[!i]->kind == RCP_FREE ? pair[!i] : RCP_NO_EID;
        if (rcp_sync_sleeps(c->sync, e[i]->tid))
            return rcp_refuse(why, "%s sleeps: only its wake can come next", THREAD(e[i]->tid));
        if (!may_run(c, e[i]->tid, why) || !rcp_execution_in_line(&c->x, pair[i], why) ||
            !rcp_execution_alive(&c->x, pair[i], freed, why) || !rcp_execution_address(&c->x, pair[i], why))
            return false;
    }
    return true;
}

static bool follow(check *c, const rcp_witness *witness) {
    for (uint64_t i = 0; i < witness->recorded; i++)
        if (!execute(c, (rcp_eid){i}))
            return false;
    for (size_t i = 0; i < witness->steps.len; i++) {
        rcp_step step = witness->steps.at[i];
        while (c->x.done[step.tid.v] < step.to)
            if (!execute(c, rcp_trace_event_of(c->trace, step.tid, c->x.done[step.tid.v])))
                return false;
    }
    return witness->race[0].v == RCP_NO_EID.v || race(c, witness->race);
}

rcp_code rcp_checker_run(const rcp_checker *checker, const rcp_witness *witness, rcp_check_options options,
                         rcp_verdict *verdict) {
    const rcp_observed *o = &checker->observed;
    const rcp_trace *trace = o->trace;
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    rcp_code code = measure(trace, witness, done);
    if (code != RCP_OK) {
        rcp_release(done);
        return code;
    }
    *verdict = (rcp_verdict){.at = RCP_NO_EID};
    bool by_writer = options.values == RCP_VALUES_LAST_WRITER;
    rcp_bits *causal = by_writer ? rcp_causal_reads(o, done, witness->race) : NULL;
    rcp_release(done);

    check c = {.o = o, .trace = trace, .verdict = verdict};
    rcp_execution_init(&c.x, o, options.values, causal);
    c.sync = rcp_sync_create(&trace->defs, options.spurious_wakeups);
    for (uint32_t i = 0; i < trace->defs.objects.len; i++)
        if (o->has_init[i])
            rcp_sync_expect_init(c.sync, (rcp_obj){i});
    verdict->accepted = follow(&c, witness);
    if (verdict->accepted)
        *verdict = (rcp_verdict){.accepted = true, .at = RCP_NO_EID};
    rcp_sync_destroy(c.sync);
    rcp_execution_finish(&c.x);
    rcp_release(causal);
    return RCP_OK;
}

rcp_code rcp_check_witness(const rcp_trace *trace, const rcp_witness *witness, rcp_check_options options,
                           rcp_verdict *verdict) {
    rcp_checker *checker;
    RCP_TRY(rcp_checker_create(trace, &checker));
    rcp_code code = rcp_checker_run(checker, witness, options, verdict);
    rcp_checker_destroy(checker);
    return code;
}
