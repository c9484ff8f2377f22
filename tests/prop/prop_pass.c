/* SPDX-License-Identifier: Apache-2.0 */
/* Calls outside that are to come the other way round (rcp_ladder_pass()) against the oracle: of small random traces
 * every two of different threads. Where a schedule leads up to both, and the earlier one could come next, the ladder
 * must have an order; what it has is feasible, and ends before both. */
#include "predict/solve/ladder.h"
#include "prop/args.h"
#include "prop/contest.h"
#include "prop/oracle.h"

#include <inttypes.h>
#include <stdio.h>

enum { STATES = 60000 };

typedef struct tally {
    uint64_t asked, yes, undecided, given_up;
} tally;

typedef struct asking {
    const rcp_trace *trace;
    rcp_oracle *oracle;
    rcp_ladder *ladder;
    uint64_t earlier, later;
} asking;

static uint64_t bit(uint64_t event) { return UINT64_C(1) << event; }

/* Its thread is there, and has all before it, and nothing from it on. */
static bool is_next(const rcp_trace *trace, uint64_t executed, uint64_t event) {
    bool is = true;
    for (uint64_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].tid.v == trace->events.at[event].tid.v)
            is &= (bool)(executed & bit(i)) == (i < event);
        else if (trace->events.at[i].kind == RCP_FORK && trace->events.at[i].child.v == trace->events.at[event].tid.v)
            is &= (bool)(executed & bit(i));
    return is;
}

/* With the state itself there is one more, in which the earlier call has come. */
static bool is_there(const asking *a) {
    const size_t n = rcp_oracle_states(a->oracle);
    for (size_t i = 0; i < n; i++) {
        uint64_t woken, ignored;
        const uint64_t executed = rcp_oracle_executed(a->oracle, i, &woken);
        if (!is_next(a->trace, executed, a->earlier) || !is_next(a->trace, executed, a->later))
            continue;
        for (size_t k = 0; k < n; k++)
            if (rcp_oracle_executed(a->oracle, k, &ignored) == (executed | bit(a->earlier)))
                return true;
    }
    return false;
}

static bool is_right(const asking *a, const rcp_witness *witness) {
    uint64_t executed = 0;
    for (uint64_t i = 0; i < a->trace->events.len; i++) {
        bool is = i < witness->recorded;
        for (size_t k = 0; k < witness->steps.len; k++)
            is |= witness->steps.at[k].tid.v == a->trace->events.at[i].tid.v &&
                  witness->steps.at[k].to > a->trace->position[i];
        executed |= is ? bit(i) : 0;
    }
    return witness->race[0].v == RCP_NO_EID.v && is_next(a->trace, executed, a->earlier) &&
           is_next(a->trace, executed, a->later) && rcp_oracle_feasible(a->oracle, witness);
}

static bool agrees(const asking *a, bool explain, tally *t) {
    rcp_witness witness;
    rcp_answer answer;
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_ladder_pass(a->ladder, (rcp_eid){a->earlier}, (rcp_eid){a->later}, &witness, &answer) == RCP_OK);
    t->asked++;
    t->yes += answer == RCP_ANSWER_WITNESS;
    t->undecided += answer == RCP_ANSWER_LIMIT;
    const bool is_fine =
        answer == RCP_ANSWER_WITNESS ? is_right(a, &witness) : answer == RCP_ANSWER_LIMIT || !is_there(a);
    if (!is_fine && explain)
        printf("events %" PRIu64 " and %" PRIu64 ": %s\n", a->earlier, a->later,
               answer == RCP_ANSWER_WITNESS ? "the ladder has a wrong schedule"
                                            : "a schedule leads there, and the ladder has none");
    rcp_witness_finish(&witness);
    return is_fine;
}

static bool compare(const rcp_trace *trace, uint64_t seed, bool explain, void *context) {
    (void)seed; /* every pair is asked about */
    tally *t = context;
    rcp_groundwork *ground;
    bool is_fine = true;
    if (!trace->events.len)
        return true;
    RCP_CHECK(rcp_groundwork_create(trace, NULL, false, &ground) == RCP_OK);
    asking a = {.trace = trace,
                .oracle = rcp_oracle_create(trace, RCP_VALUES_RELAXED, false),
                .ladder = rcp_ladder_create(ground, (rcp_ladder_limits){50000000, 1000})};
    const bool is_whole = rcp_oracle_explore(a.oracle, STATES);
    t->given_up += !is_whole;
    for (a.later = 0; a.later < trace->events.len && is_whole; a.later++)
        for (a.earlier = 0; a.earlier < a.later && is_fine; a.earlier++)
            if (trace->events.at[a.earlier].kind == RCP_OPAQUE_BEGIN &&
                trace->events.at[a.later].kind == RCP_OPAQUE_BEGIN &&
                trace->events.at[a.earlier].tid.v != trace->events.at[a.later].tid.v)
                is_fine = agrees(&a, explain, t);
    rcp_oracle_destroy(a.oracle);
    rcp_ladder_destroy(a.ladder);
    rcp_groundwork_destroy(ground);
    return is_fine;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 1000);
    tally t = {0};
    bool same;
    const rcp_contest contest = {.who = "the ladder and the oracle", .agree = compare, .tally = sizeof t};
    const uint64_t n = rcp_contest_run(&contest, &args, &t, &same);
    printf("%" PRIu64 " traces, %" PRIu64 " pairs of calls asked about: to %" PRIu64 " leads a schedule; %" PRIu64
           " undecided, %" PRIu64 " explorations given up\n",
           n, t.asked, t.yes, t.undecided, t.given_up);
    same = same && t.undecided * 1000 <= t.asked && (n < 1000 || t.yes);
    printf(same ? "ok\n" : "failed\n");
    return !same;
}
