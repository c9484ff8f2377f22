/* SPDX-License-Identifier: Apache-2.0 */
/* The two solvers against each other: on slices of random traces, too large for the oracle, the ordering solver and Z3
 * must say the same, under every model. A slice is the whole trace or the small cone of a conflicting pair; a witness
 * of either is judged by the checker.
 *
 * A disagreement is shrunk and printed with its seed. */
#include "predict/solve/search.h"
#include "base/limits.h"
#include "predict/rival/z3.h"
#include "prop/args.h"
#include "prop/gen.h"
#include "prop/random.h"
#include "prop/show.h"
#include "prop/shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 2, MODELS = 3 }; /* per trace */

static const rcp_model models[MODELS] = {RCP_MODEL_MC, RCP_MODEL_RV, RCP_MODEL_RECIPE_S};

typedef struct tally {
    uint64_t slices, races, undecided[2];
} tally;

typedef struct comparison {
    const rcp_trace *trace;
    rcp_run_facts facts;
    rcp_smt_facts *smt_facts;
    rcp_evaluator evaluator;
    rcp_checker *checker;
    bool spurious, explain;
    tally *tally;
} comparison;

static const char *const answers[] = {"race", "none", "unknown", "refused"};

/* The ordering solver's answer in Z3's words. */
static rcp_z3_answer search(comparison *c, const rcp_slice *slice, int model) {
    uint64_t steps = 20000000;
    rcp_search_stats stats = {0};
    rcp_check_verdict verdict = {0};
    rcp_witness witness;
    rcp_z3_answer answer = RCP_Z3_UNKNOWN;
    rcp_witness_init(&witness);
    rcp_check_options options = {model ? RCP_VALUES_RELAXED : RCP_VALUES_SAME, c->spurious};
    switch (rcp_search(slice, (rcp_search_options){(rcp_relaxation)model, c->spurious}, &c->evaluator, &steps, &witness,
                       &stats)) {
    case RCP_ANSWER_WITNESS:
        RCP_CHECK(rcp_checker_run(c->checker, &witness, options, &verdict) == RCP_OK);
        answer = verdict.accepted ? RCP_Z3_RACE : RCP_Z3_REFUSED;
        if (!verdict.accepted && c->explain)
            printf("the checker refused the ordering solver's witness: %s\n", verdict.reason);
        break;
    case RCP_ANSWER_NONE: answer = RCP_Z3_NONE; break;
    default: break;
    }
    rcp_witness_finish(&witness);
    return answer;
}

static rcp_z3_answer ask_z3(comparison *c, const rcp_slice *slice, int model) {
    rcp_smt_query query = {{{slice->race[0]}, {slice->race[1]}}, models[model], c->spurious, slice->upto};
    rcp_z3_limits limits = {.milliseconds = 20000, .formulas = rcp_limit(RCP_LIMIT_Z3_FORMULAS)};
    rcp_z3_answer answer;
    rcp_z3_work work;
    rcp_witness witness;
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_z3_solve(c->smt_facts, c->checker, &query, limits, &witness, &answer, &work) == RCP_OK);
    if (answer == RCP_Z3_REFUSED && c->explain)
        printf("the checker refused Z3's witness: %s\n", work.verdict.reason);
    rcp_witness_finish(&witness);
    return answer;
}

static bool agree(comparison *c, const rcp_slice *slice, int model) {
    rcp_z3_answer own = search(c, slice, model), z3 = ask_z3(c, slice, model);
    c->tally->slices++;
    c->tally->races += own == RCP_Z3_RACE;
    c->tally->undecided[0] += own == RCP_Z3_UNKNOWN;
    c->tally->undecided[1] += z3 == RCP_Z3_UNKNOWN;
    bool same =
        own != RCP_Z3_REFUSED && z3 != RCP_Z3_REFUSED && (own == z3 || own == RCP_Z3_UNKNOWN || z3 == RCP_Z3_UNKNOWN);
    if (!same && c->explain)
        printf("%s%s, events %u and %u, %s: the ordering solver says %s, Z3 says %s\n", rcp_model_name(models[model]),
               c->spurious ? ", spurious wake-ups" : "", slice->race[0], slice->race[1],
               rcp_slice_is_whole(slice) ? "whole" : "small cone", answers[own], answers[z3]);
    return same;
}

static bool compare(const rcp_trace *trace, uint64_t seed, bool explain, bool all, tally *t) {
    rcp_random random = {seed};
    comparison c = {.trace = trace, .explain = explain, .tally = t, .spurious = seed % 8 == 0};
    RCP_CHECK(rcp_run_facts_init(&c.facts, trace) == RCP_OK && rcp_checker_create(trace, &c.checker) == RCP_OK);
    c.smt_facts = rcp_smt_facts_create(&c.facts.observed);
    rcp_evaluator_init(&c.evaluator, &trace->terms, NULL, NULL);
    RCP_VEC(rcp_slice) slices = {0};
    for (uint64_t a = 0; a < trace->events.len; a++)
        for (uint64_t b = a + 1; b < trace->events.len; b++)
            if (rcp_event_conflict(&trace->events.at[a], &trace->events.at[b])) {
                rcp_slice_whole(rcp_vec_extend(&slices, 1), &c.facts, (rcp_eid){a}, (rcp_eid){b});
                rcp_slice_small(rcp_vec_extend(&slices, 1), &c.facts, (rcp_eid){a}, (rcp_eid){b});
            }
    bool same = true;
    size_t n = all || slices.len < PAIRS ? slices.len : PAIRS;
    for (size_t i = 0; i < n && same; i++) {
        size_t which = all ? i : rcp_random_below(&random, (uint32_t)slices.len);
        for (int m = 0; m < MODELS && same; m++)
            same = agree(&c, &slices.at[which], m);
    }
    for (size_t i = 0; i < slices.len; i++)
        rcp_slice_finish(&slices.at[i]);
    rcp_vec_finish(&slices);
    rcp_evaluator_finish(&c.evaluator);
    rcp_smt_facts_destroy(c.smt_facts);
    rcp_checker_destroy(c.checker);
    rcp_run_facts_finish(&c.facts);
    return same;
}

static bool still_disagree(void *context, const rcp_trace *trace) {
    tally ignored = {0};
    return rcp_shrink_is_execution(trace) && !compare(trace, *(uint64_t *)context, false, true, &ignored);
}

static void report(const rcp_trace *trace, uint64_t seed, uint64_t i) {
    printf("trace %" PRIu64 ": disagreement. To see it again: --seed %" PRIu64 " --exact\n", i, seed);
    tally ignored = {0};
    rcp_trace small;
    rcp_trace_init(&small);
    bool shrunk = still_disagree(&seed, trace);
    if (shrunk)
        rcp_shrink(trace, still_disagree, &seed, &small);
    rcp_show_trace(stdout, shrunk ? &small : trace);
    compare(shrunk ? &small : trace, seed, true, shrunk, &ignored);
    rcp_trace_finish(&small);
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 300);
    tally t = {0};
    bool same = true;
    uint64_t i = 0;
    for (; rcp_args_go_on(&args, i) && same; i++) {
        rcp_trace trace;
        rcp_trace_init(&trace);
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events ? args.max_events : RCP_GEN_MAX_EVENTS);
        rcp_gen_trace(&trace, &options, seed);
        same = compare(&trace, seed, false, false, &t);
        if (!same)
            report(&trace, seed, i);
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " traces, %" PRIu64 " slices and models: %" PRIu64 " races; undecided: %" PRIu64
           " by the ordering solver, %" PRIu64 " by Z3\n",
           i, t.slices, t.races, t.undecided[0], t.undecided[1]);
    bool plenty = args.exact || (t.races * 10 >= t.slices && (t.slices - t.races) * 10 >= t.slices &&
                                 t.undecided[0] * 100 <= t.slices && t.undecided[1] * 100 <= t.slices);
    printf("%s\n", !same ? "failed" : !plenty ? "too few of one sort, or too many undecided" : "ok");
    return !same || !plenty;
}
