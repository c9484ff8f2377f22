/* SPDX-License-Identifier: Apache-2.0 */
/* Orders that are asked for against the oracle: of small random traces some sections of locks are drawn, and whether
 * they can be executed in an order that they did not have: a third thread's section between two of one thread, or one
 * of them before another one (docs/semantics.md, 'An atomicity violation'). The ladder must say 'yes' where the oracle
 * finds such a schedule, and 'no' where there is none; what it says 'yes' to the checker accepts. And of schedules that
 * the oracle explores, drawn at random, the checker accepts those that are arranged so, and refuses the others. */
#include "predict/solve/ladder.h"
#include "prop/args.h"
#include "prop/contest.h"
#include "prop/gen.h"
#include "prop/oracle.h"
#include "prop/random.h"

#include <inttypes.h>
#include <stdio.h>

enum { DRAWN = 12, STATES = 60000 };

typedef struct tally {
    uint64_t asked, yes, undecided, given_up, accepted, refused;
} tally;

/* --- what is asked --- */

static rcp_eid draw(const rcp_trace *trace, rcp_random *random) {
    return (rcp_eid){rcp_random_below(random, (uint32_t)trace->events.len)};
}

static bool is_refused(const rcp_trace *trace, rcp_eid eid) {
    return eid.v != RCP_NO_EID.v &&
           (trace->events.at[eid.v].kind == RCP_BRANCH || trace->events.at[eid.v].kind == RCP_EXIT);
}

/* Has it an event that the ladder is not to be asked about? */
static bool has_refused(const rcp_trace *trace, const rcp_arrangement *as) {
    bool has = is_refused(trace, as->last) || is_refused(trace, as->never);
    for (unsigned i = 0; i < as->n; i++)
        has |= is_refused(trace, as->before[i]) || is_refused(trace, as->after[i]);
    return has;
}

static bool has_next(const rcp_trace *trace, rcp_eid eid) {
    const rcp_tid tid = trace->events.at[eid.v].tid;
    return trace->position[eid.v] + 1 < rcp_trace_thread_len(trace, tid);
}

/* Any. */
static bool draw_order(const rcp_trace *trace, rcp_random *random, rcp_arrangement *as) {
    *as = (rcp_arrangement){.last = draw(trace, random), .never = RCP_NO_EID};
    if (!has_next(trace, as->last))
        return false;
    if (rcp_random_percent(random, 50))
        as->never = draw(trace, random);
    as->n = rcp_random_below(random, RCP_ARRANGED + 1);
    for (unsigned i = 0; i < as->n; i++) {
        as->before[i] = draw(trace, random);
        as->after[i] = i + 1 == as->n && rcp_random_percent(random, 70) ? as->last : draw(trace, random);
        if (as->before[i].v == as->after[i].v)
            return false;
    }
    return (as->n || as->never.v != RCP_NO_EID.v) && !has_refused(trace, as);
}

/* A section of another thread between two of one: release, acquire, release, acquire. */
static bool draw_parting(const rcp_trace *trace, rcp_random *random, rcp_arrangement *as) {
    enum { TRIED = 40 };
    rcp_eid at[4];
    for (int k = 0, tried = 0; k < 4; tried++) {
        at[k] = draw(trace, random);
        const rcp_event *e = &trace->events.at[at[k].v], *first = &trace->events.at[at[0].v];
        bool is_of_first = k == 0 || k == 3;
        bool fits = e->kind == (k % 2 ? RCP_ACQUIRE : RCP_RELEASE) && e->object.v == first->object.v &&
                    is_of_first == (e->tid.v == first->tid.v) && e->outcome == RCP_DONE;
        fits &= k != 2 || (e->tid.v == trace->events.at[at[1].v].tid.v && at[2].v > at[1].v);
        fits &= k != 3 || at[3].v > at[0].v;
        k += fits;
        if (tried == TRIED)
            return false;
    }
    *as = (rcp_arrangement){
        .last = at[3], .never = RCP_NO_EID, .before = {at[0], at[2]}, .after = {at[1], at[3]}, .n = 2};
    return has_next(trace, at[3]);
}

/* --- one trace --- */

static bool complain(const rcp_arrangement *as, const char *what) {
    printf("%s: last %" PRIu64 ", never %" PRId64, what, as->last.v, (int64_t)as->never.v);
    for (unsigned i = 0; i < as->n; i++)
        printf(", %" PRIu64 " before %" PRIu64, as->before[i].v, as->after[i].v);
    printf("\n");
    return false;
}

static bool agrees(const rcp_trace *trace, rcp_ladder *ladder, const rcp_arrangement *as, bool explain, tally *t) {
    rcp_oracle *oracle = rcp_oracle_create(trace, RCP_VALUES_RELAXED, false);
    rcp_witness witness;
    rcp_answer answer;
    bool within, is_fine = true, truth = rcp_oracle_arranges(oracle, as, STATES, &within);
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_ladder_arrange(ladder, as, &witness, &answer) == RCP_OK);
    t->asked++;
    t->yes += answer == RCP_ANSWER_WITNESS;
    t->undecided += answer == RCP_ANSWER_LIMIT;
    t->given_up += !within;
    if (answer == RCP_ANSWER_WITNESS)
        is_fine = rcp_oracle_feasible(oracle, &witness) && (truth || !within);
    else if (answer == RCP_ANSWER_NONE)
        is_fine = !truth;
    if (!is_fine && explain)
        complain(as, truth ? "the oracle has a schedule, and the ladder none"
                           : "the ladder has a schedule, or a wrong one");
    rcp_witness_finish(&witness);
    rcp_oracle_destroy(oracle);
    return is_fine;
}

/* Its steps, event by event. */
static bool is_so(const rcp_trace *trace, const rcp_witness *witness, const rcp_arrangement *as) {
    uint64_t done = 0, past_last = 0;
    rcp_position at[RCP_GEN_MAX_THREADS] = {0};
    bool is = true;
    for (size_t i = 0; i < witness->steps.len; i++)
        for (const rcp_witness_step *step = &witness->steps.at[i]; at[step->tid.v] < step->to; at[step->tid.v]++) {
            const rcp_eid e = rcp_trace_event_of(trace, step->tid, at[step->tid.v]);
            for (unsigned k = 0; k < as->n; k++)
                is &= e.v != as->after[k].v || done >> as->before[k].v & 1;
            past_last |= done >> as->last.v & 1 && step->tid.v == trace->events.at[as->last.v].tid.v;
            done |= UINT64_C(1) << e.v;
        }
    for (unsigned k = 0; k < as->n; k++)
        is &= done >> as->after[k].v & 1;
    return is && done >> as->last.v & 1 && !past_last && (as->never.v == RCP_NO_EID.v || !(done >> as->never.v & 1));
}

static bool judges_alike(const rcp_trace *trace, const rcp_groundwork *ground, const rcp_arrangement *as,
                         rcp_random *random, bool explain, tally *t) {
    rcp_oracle *oracle = rcp_oracle_create(trace, RCP_VALUES_RELAXED, false);
    bool is_fine = true;
    if (rcp_oracle_explore(oracle, STATES))
        for (int i = 0; i < DRAWN && is_fine; i++) {
            rcp_witness witness;
            rcp_check_verdict verdict;
            rcp_witness_init(&witness);
            rcp_oracle_schedule(oracle, rcp_random_below(random, (uint32_t)rcp_oracle_states(oracle)), &witness);
            const bool truth = is_so(trace, &witness, as);
            RCP_CHECK(rcp_checker_arrange(ground->checker, &witness, as,
                                          (rcp_check_options){.values = RCP_VALUES_RELAXED}, &verdict) == RCP_OK);
            is_fine = verdict.accepted == truth;
            *(verdict.accepted ? &t->accepted : &t->refused) += 1;
            if (!is_fine && explain)
                complain(as, truth ? "the checker refuses what is so" : "the checker accepts what is not so");
            rcp_witness_finish(&witness);
        }
    rcp_oracle_destroy(oracle);
    return is_fine;
}

static bool compare(const rcp_trace *trace, uint64_t seed, bool explain, void *context) {
    tally *t = context;
    rcp_random random = {seed};
    rcp_groundwork *ground;
    bool is_fine = true;
    if (!trace->events.len)
        return true;
    RCP_CHECK(rcp_groundwork_create(trace, NULL, false, &ground) == RCP_OK);
    rcp_ladder *ladder = rcp_ladder_create(ground, (rcp_ladder_limits){50000000, 1000});
    for (int i = 0; i < DRAWN && is_fine; i++) {
        rcp_arrangement as;
        if (i % 2 ? !draw_order(trace, &random, &as) : !draw_parting(trace, &random, &as))
            continue;
        is_fine =
            agrees(trace, ladder, &as, explain, t) && (i != 1 || judges_alike(trace, ground, &as, &random, explain, t));
    }
    rcp_ladder_destroy(ladder);
    rcp_groundwork_destroy(ground);
    return is_fine;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 1000);
    tally t = {0};
    bool same;
    const rcp_contest contest = {.who = "prediction and oracle", .agree = compare, .tally = sizeof t};
    const uint64_t n = rcp_contest_run(&contest, &args, &t, &same);
    printf("%" PRIu64 " traces, %" PRIu64 " orders asked for: %" PRIu64 " can be, %" PRIu64 " undecided, %" PRIu64
           " explorations given up; the checker accepts %" PRIu64 " schedules and refuses %" PRIu64 "\n",
           n, t.asked, t.yes, t.undecided, t.given_up, t.accepted, t.refused);
    same = same && t.undecided * 1000 <= t.asked;
    printf(same ? "ok\n" : "failed\n");
    return !same;
}
