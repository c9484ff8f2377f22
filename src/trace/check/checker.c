/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/checker.h"

#include "base/tally.h"
#include "trace/check/execution.h"
#include "trace/check/passing.h"
#include "trace/check/sync.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where an execution is. Its place in memory stays: the execution's evaluator points back. */
typedef struct state {
    uint64_t at; /* the first so many events of the trace were executed, in the recorded order */
    rcp_execution x;
    rcp_sync *sync;
    rcp_passing time;
    bool exited;
    rcp_tid exited_by;
} state;

/* What recorded beginnings lead to, under one rule: a witness begins with one, which is long where the race is late.
 * Kept at every so many events, and where the last witness began, as long as there is room. */
typedef struct beginnings {
    RCP_VEC(state *) kept; /* by `at`, ascending */
    state *last;           /* NULL: none */
    size_t bytes;
} beginnings;

enum { RULES = 4 };                /* same or relaxed values, without or with spurious wake-ups */
#define ROOM    ((size_t)64 << 20) /* bytes of states per rule */
#define BETWEEN 4096               /* events between states, at least */
#define AT_MOST 16                 /* states, evenly over the trace */

struct rcp_checker {
    rcp_observed observed;
    uint64_t spacing;  /* 0: no states are kept */
    beginnings *known; /* RULES of them; a memory of what could be found out again, so a check may add to it */
};

static state *state_begin(const rcp_observed *o, rcp_value_rule values, bool spurious, const rcp_bits *causal) {
    state *s = rcp_alloc_zero(1, sizeof *s);
    rcp_execution_init(&s->x, o, values, causal);
    rcp_passing_init(&s->time);
    s->sync = rcp_sync_create(&o->trace->defs, spurious);
    for (uint32_t i = 0; i < o->trace->defs.objects.len; i++)
        if (o->has_init[i])
            rcp_sync_expect_init(s->sync, (rcp_obj){i});
    return s;
}

static state *state_copy(const state *from) {
    state *s = rcp_alloc(sizeof *s);
    *s = *from;
    rcp_execution_copy(&s->x, &from->x);
    s->sync = rcp_sync_copy(from->sync);
    rcp_passing_copy(&s->time, &from->time);
    return s;
}

static void state_release(state *s) {
    if (!s)
        return;
    rcp_sync_destroy(s->sync);
    rcp_passing_finish(&s->time);
    rcp_execution_finish(&s->x);
    rcp_release(s);
}

void rcp_checker_forget_states(const rcp_checker *checker) {
    for (int i = 0; i < RULES; i++) {
        beginnings *b = &checker->known[i];
        for (size_t k = 0; k < b->kept.len; k++)
            state_release(b->kept.at[k]);
        state_release(b->last);
        rcp_vec_finish(&b->kept);
        *b = (beginnings){0};
    }
}

rcp_code rcp_checker_create(const rcp_trace *trace, rcp_checker **checker) {
    rcp_checker *made = rcp_alloc_zero(1, sizeof *made);
    rcp_tally_count(RCP_TALLY_CHECKERS);
    rcp_code code = rcp_observed_init(&made->observed, trace);
    made->known = rcp_alloc_zero(RULES, sizeof *made->known);
    made->spacing = trace->events.len / AT_MOST > BETWEEN ? trace->events.len / AT_MOST : BETWEEN;
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
    rcp_checker_forget_states(checker);
    rcp_release(checker->known);
    rcp_observed_finish(&checker->observed);
    rcp_release(checker);
}

const rcp_observed *rcp_checker_borrow_observed(const rcp_checker *checker) { return &checker->observed; }

void rcp_checker_keep_states(rcp_checker *checker, uint64_t spacing) {
    rcp_checker_forget_states(checker);
    checker->spacing = spacing;
}

/* One check. */
typedef struct check {
    const rcp_observed *o;
    const rcp_trace *trace;
    state *s;
    rcp_check_verdict *verdict;
    bool stood; /* as of the options */
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
    for (uint32_t t = 0; t < trace->defs.threads.len; t++)
        done[t] = rcp_trace_events_before(trace, t, witness->recorded);
    for (size_t i = 0; i < witness->steps.len; i++) {
        rcp_witness_step step = witness->steps.at[i];
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
    return fork == UINT64_MAX || rcp_execution_has(&c->s->x, (rcp_eid){fork})
               ? true
               : rcp_refuse(why, "%s is not forked yet: event %" PRIu64 " is not executed", THREAD(tid), fork);
}

/* T1 and T4: may this thread execute anything now? */
static bool may_run(const check *c, rcp_tid tid, char *why) {
    if (c->s->exited)
        return rcp_refuse(why, "%s can't go on: %s has ended the process", THREAD(tid), THREAD(c->s->exited_by));
    return c->s->x.done[tid.v] || forked(c, tid, why);
}

/* T1, T2 and T3 */
static bool join(const check *c, const rcp_event *e, char *why) {
    size_t len = rcp_trace_thread_len(c->trace, e->child);
    if (!forked(c, e->child, why))
        return false;
    if (e->outcome == RCP_DONE && c->s->x.done[e->child.v] < len)
        return rcp_refuse(why, "%s joins %s, which has executed only %u of its %zu events", THREAD(e->tid),
                          THREAD(e->child), c->s->x.done[e->child.v], len);
    uint64_t end = c->o->end[e->child.v];
    if (e->outcome == RCP_FAILED && end != UINT64_MAX && rcp_execution_has(&c->s->x, (rcp_eid){end}))
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
    if (!may_run(c, e->tid, why) || !rcp_sync_step(c->s->sync, e, ends_alone(c, eid, e), why) ||
        (e->kind == RCP_JOIN && !join(c, e, why)) || !rcp_execution_step(&c->s->x, eid, why) ||
        !rcp_passing_step(&c->s->time, c->o, eid, why)) {
        c->verdict->is_unwritten = c->s->x.is_unwritten;
        return false;
    }
    if (e->kind == RCP_EXIT) {
        c->s->exited = true;
        c->s->exited_by = e->tid;
    }
    c->s->x.done[e->tid.v]++;
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
        rcp_position position = c->trace->position[pair[i].v], done = c->s->x.done[e[i]->tid.v];
        if (position != done)
            return rcp_refuse(why,
                              "the racing event is not the next one of %s: it is at position %u, and %u are executed",
                              THREAD(e[i]->tid), position, done);
        rcp_eid freed = e[!i]->kind == RCP_FREE ? pair[!i] : RCP_NO_EID;
        if (rcp_sync_sleeps(c->s->sync, e[i]->tid))
            return rcp_refuse(why, "%s sleeps: only its wake can come next", THREAD(e[i]->tid));
        if (!may_run(c, e[i]->tid, why) || (!c->stood && !rcp_execution_in_line(&c->s->x, pair[i], why)) ||
            !rcp_execution_alive(&c->s->x, pair[i], freed, why) || !rcp_execution_address(&c->s->x, pair[i], why))
            return false;
    }
    for (int i = 0; i < 2; i++) { /* R4: as if it came next */
        c->verdict->at = pair[i];
        if (rcp_event_must_succeed(e[i], e[!i]) && !rcp_execution_step(&c->s->x, pair[i], why))
            return false;
    }
    return true;
}

/* D1: may it come next, but for the lock? */
static bool stands(check *c, rcp_eid eid) {
    const rcp_event *e = &c->trace->events.at[eid.v];
    char *why = c->verdict->reason;
    rcp_position position = c->trace->position[eid.v], done = c->s->x.done[e->tid.v];
    c->verdict->at = eid;
    if ((e->kind != RCP_ACQUIRE && e->kind != RCP_SEM_WAIT) || e->outcome != RCP_DONE)
        return rcp_refuse(why, "event %" PRIu64 " takes no lock", eid.v);
    if (position != done)
        return rcp_refuse(why, "it is not the next event of %s: it is at position %u, and %u are executed",
                          THREAD(e->tid), position, done);
    if (rcp_sync_sleeps(c->s->sync, e->tid))
        return rcp_refuse(why, "%s sleeps: only its wake can come next", THREAD(e->tid));
    return may_run(c, e->tid, why) && rcp_execution_in_line(&c->s->x, eid, why) &&
           rcp_sync_may_name(c->s->sync, e, why);
}

static bool deadlock(check *c, const rcp_eid *events, size_t n) {
    char *why = c->verdict->reason;
    c->verdict->at = RCP_NO_EID;
    if (n < 2)
        return rcp_refuse(why, "a deadlock has two threads at least");
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (c->trace->events.at[events[i].v].tid.v == c->trace->events.at[events[k].v].tid.v)
                return rcp_refuse(why, "two of the events are of one thread");
    for (size_t i = 0; i < n; i++)
        if (!stands(c, events[i]))
            return false;
    for (size_t i = 0; i < n; i++) { /* D2 */
        const rcp_event *e = &c->trace->events.at[events[i].v];
        bool waits = false;
        for (size_t k = 0; k < n && !waits; k++)
            waits = k != i && rcp_sync_excludes(c->s->sync, e, c->trace->events.at[events[k].v].tid);
        c->verdict->at = events[i];
        if (!waits)
            return rcp_refuse(why, "%s does not wait: none of the other threads has %s", THREAD(e->tid),
                              rcp_label_object(&c->trace->defs, e->object).at);
    }
    return true;
}

/* When the witness executes the event: a number that grows with its steps, and within the recorded beginning with the
 * events; UINT64_MAX: never. */
static uint64_t when(const rcp_trace *trace, const rcp_witness *witness, rcp_eid eid) {
    const rcp_event *e = &trace->events.at[eid.v];
    if (eid.v < witness->recorded)
        return eid.v;
    for (size_t i = 0; i < witness->steps.len; i++)
        if (witness->steps.at[i].tid.v == e->tid.v && witness->steps.at[i].to > trace->position[eid.v])
            return witness->recorded + i;
    return UINT64_MAX;
}

/* A1: two events of one thread may be within one step; then program order says which comes first. */
static bool is_arranged(const rcp_trace *trace, const rcp_witness *witness, const rcp_arrangement *as,
                        rcp_check_verdict *verdict) {
    char *why = verdict->reason;
    const uint32_t tid = trace->events.at[as->last.v].tid.v;
    const rcp_position past = trace->position[as->last.v] + 1;
    const bool has_next = past < rcp_trace_thread_len(trace, (rcp_tid){tid});
    verdict->at = as->last;
    if (when(trace, witness, as->last) == UINT64_MAX)
        return rcp_refuse(why, "event %" PRIu64 " is not executed", as->last.v);
    if (has_next && when(trace, witness, rcp_trace_event_of(trace, (rcp_tid){tid}, past)) != UINT64_MAX)
        return rcp_refuse(why, "event %" PRIu64 " is not the last one of its thread", as->last.v);
    if (as->never.v != RCP_NO_EID.v && when(trace, witness, as->never) != UINT64_MAX)
        return rcp_refuse(why, "event %" PRIu64 " is executed", as->never.v);
    for (unsigned i = 0; i < as->n; i++) {
        const uint64_t one = when(trace, witness, as->before[i]), other = when(trace, witness, as->after[i]);
        const bool is_so = one < other || (one == other && as->before[i].v < as->after[i].v);
        verdict->at = as->after[i];
        if (other == UINT64_MAX || !is_so)
            return rcp_refuse(why, "event %" PRIu64 " does not come after event %" PRIu64, as->after[i].v,
                              as->before[i].v);
    }
    return true;
}

/* R4: the event counts as executed. */
static void count_swap(const rcp_trace *trace, const rcp_witness *witness, rcp_position *done) {
    for (int i = 0; i < 2 && witness->race[0].v != RCP_NO_EID.v; i++) {
        const rcp_event *e = &trace->events.at[witness->race[i].v], *other = &trace->events.at[witness->race[!i].v];
        if (rcp_event_must_succeed(e, other) && trace->position[witness->race[i].v] == done[e->tid.v])
            done[e->tid.v]++;
    }
}

/* The state closest before the first `n` events are done; NULL: the beginning. */
static const state *closest(const beginnings *b, uint64_t n) {
    const state *best = b->last && b->last->at <= n ? b->last : NULL;
    for (size_t i = 0; i < b->kept.len && b->kept.at[i]->at <= n; i++)
        if (!best || b->kept.at[i]->at > best->at)
            best = b->kept.at[i];
    return best;
}

static void keep(beginnings *b, const state *s) {
    size_t bytes = rcp_execution_size(&s->x);
    if ((b->kept.len && b->kept.at[b->kept.len - 1]->at >= s->at) || b->bytes + bytes > ROOM)
        return;
    b->bytes += bytes;
    rcp_vec_push(&b->kept, state_copy(s));
}

/* The recorded beginning. `known` is NULL, or remembers states on the way. */
static bool begin(check *c, uint64_t recorded, uint64_t spacing, beginnings *known) {
    uint64_t from = c->s->at;
    while (c->s->at < recorded) {
        if (known && c->s->at > from && c->s->at % spacing == 0)
            keep(known, c->s);
        if (!execute(c, (rcp_eid){c->s->at}))
            return false;
        c->s->at++;
    }
    if (known && recorded - from > spacing / 8) {
        state_release(known->last);
        known->last = state_copy(c->s);
    }
    return true;
}

static bool follow(check *c, const rcp_witness *witness) {
    for (size_t i = 0; i < witness->steps.len; i++) {
        rcp_witness_step step = witness->steps.at[i];
        while (c->s->x.done[step.tid.v] < step.to)
            if (!execute(c, rcp_trace_event_of(c->trace, step.tid, c->s->x.done[step.tid.v])))
                return false;
    }
    return witness->race[0].v == RCP_NO_EID.v || race(c, witness->race);
}

static rcp_code run(const rcp_checker *checker, const rcp_witness *witness, const rcp_eid *events, size_t n,
                    rcp_check_options options, rcp_check_verdict *verdict) {
    const rcp_observed *o = &checker->observed;
    const rcp_trace *trace = o->trace;
    rcp_position *done = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *done);
    rcp_code code = measure(trace, witness, done);
    if (code != RCP_OK) {
        rcp_release(done);
        return code;
    }
    *verdict = (rcp_check_verdict){.at = RCP_NO_EID};
    bool by_writer = options.values == RCP_VALUES_LAST_WRITER;
    if (by_writer)
        count_swap(trace, witness, done);
    rcp_bits *causal = by_writer ? rcp_causal_reads(o, done, witness->race) : NULL;
    rcp_release(done);

    /* which reads are causal is the witness's own matter, so under V1 every check begins at the beginning */
    unsigned rule = (options.values == RCP_VALUES_RELAXED) * 2u + options.spurious_wakeups;
    beginnings *known = by_writer || !checker->spacing ? NULL : &checker->known[rule];
    const state *start = known ? closest(known, witness->recorded) : NULL;
    check c = {.o = o, .trace = trace, .verdict = verdict, .stood = options.stood && !witness->steps.len};
    c.s = start ? state_copy(start) : state_begin(o, options.values, options.spurious_wakeups, causal);
    verdict->accepted =
        begin(&c, witness->recorded, checker->spacing, known) && follow(&c, witness) && (!n || deadlock(&c, events, n));
    if (verdict->accepted)
        *verdict = (rcp_check_verdict){.accepted = true, .at = RCP_NO_EID};
    state_release(c.s);
    rcp_release(causal);
    return RCP_OK;
}

rcp_code rcp_checker_run(const rcp_checker *checker, const rcp_witness *witness, rcp_check_options options,
                         rcp_check_verdict *verdict) {
    return run(checker, witness, NULL, 0, options, verdict);
}

rcp_code rcp_checker_stand(const rcp_checker *checker, const rcp_witness *witness, const rcp_eid *events, size_t n,
                           rcp_check_options options, rcp_check_verdict *verdict) {
    for (size_t i = 0; i < n; i++)
        if (events[i].v >= checker->observed.trace->events.len)
            return rcp_fail(RCP_BAD_INPUT, "a deadlock names event %" PRIu64 "; the trace has %zu events", events[i].v,
                            checker->observed.trace->events.len);
    if (!n || witness->race[0].v != RCP_NO_EID.v)
        return rcp_fail(RCP_BAD_INPUT, "a deadlock has events, and its schedule claims no race");
    return run(checker, witness, events, n, options, verdict);
}

rcp_code rcp_checker_arrange(const rcp_checker *checker, const rcp_witness *witness, const rcp_arrangement *arranged,
                             rcp_check_options options, rcp_check_verdict *verdict) {
    const rcp_trace *trace = checker->observed.trace;
    const uint64_t n = trace->events.len;
    bool is_there = arranged->last.v < n && (arranged->never.v < n || arranged->never.v == RCP_NO_EID.v);
    for (unsigned i = 0; i < arranged->n; i++)
        is_there &= arranged->before[i].v < n && arranged->after[i].v < n;
    if (!is_there || arranged->n > RCP_ARRANGED || witness->race[0].v != RCP_NO_EID.v)
        return rcp_fail(RCP_BAD_INPUT, "an order that is asked for names events, and its schedule claims no race");
    RCP_TRY(run(checker, witness, NULL, 0, options, verdict));
    if (verdict->accepted)
        verdict->accepted = is_arranged(trace, witness, arranged, verdict);
    if (verdict->accepted)
        verdict->at = RCP_NO_EID;
    return RCP_OK;
}

rcp_code rcp_check_witness(const rcp_trace *trace, const rcp_witness *witness, rcp_check_options options,
                           rcp_check_verdict *verdict) {
    rcp_checker *checker;
    RCP_TRY(rcp_checker_create(trace, &checker));
    rcp_code code = rcp_checker_run(checker, witness, options, verdict);
    rcp_checker_destroy(checker);
    return code;
}
