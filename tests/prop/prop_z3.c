/* SPDX-License-Identifier: Apache-2.0 */
/* Z3 and the encoding that it is given against the oracle: on random small traces, for each conflicting pair under mc
 * and recipe-s, with and without spurious wake-ups, the answer must be the oracle's; a 'race' comes with a witness that
 * the checker accepts; the incremental session gives the same answers; and mc is part of rv, rv of recipe-s.
 *
 * A disagreement is shrunk and printed with its seed. */
#include "predict/rival/z3.h"
#include "base/limits.h"
#include "prop/args.h"
#include "prop/gen.h"
#include "prop/oracle.h"
#include "prop/random.h"
#include "prop/show.h"
#include "prop/shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 3 }; /* per trace and model */

typedef struct tally {
    uint64_t asked[RCP_MODELS][3]; /* by answer: race, none, unknown */
    uint64_t given_up;
} tally;

typedef struct comparison {
    const rcp_trace *trace;
    const rcp_checker *checker;
    const rcp_smt_facts *facts;
    bool spurious, explain;
    bool valued; /* every value was recorded: a term over what was not has none under V3, and mc is no part of it */
    tally *tally;
} comparison;

static const char *const answers[] = {"race", "none", "unknown", "refused"};
static rcp_z3_limits limits = {.milliseconds = 20000};

static rcp_z3_answer ask(comparison *c, rcp_model model, const rcp_eid race[2]) {
    rcp_position upto[RCP_GEN_MAX_THREADS + 1];
    for (uint32_t t = 0; t < c->trace->defs.threads.len; t++)
        upto[t] = (rcp_position)rcp_trace_thread_len(c->trace, (rcp_tid){t});
    for (int i = 0; i < 2; i++)
        upto[c->trace->events.at[race[i].v].tid.v] = c->trace->position[race[i].v];
    rcp_smt_query query = {{race[0], race[1]}, model, c->spurious, upto};
    rcp_witness witness;
    rcp_z3_answer answer;
    rcp_z3_work work;
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_z3_solve(c->facts, c->checker, &query, limits, &witness, &answer, &work) == RCP_OK);
    if (c->explain && answer == RCP_Z3_REFUSED)
        printf("%s: the checker refused Z3's witness of %" PRIu64 "-%" PRIu64 " at event %" PRIu64 ": %s\n",
               rcp_model_name(model), race[0].v, race[1].v, work.verdict.at.v, work.verdict.reason);
    rcp_witness_finish(&witness);
    c->tally->asked[model][answer == RCP_Z3_REFUSED ? RCP_Z3_UNKNOWN : answer]++;
    return answer;
}

static bool fail(comparison *c, const char *what, rcp_model model, const rcp_eid race[2], rcp_z3_answer answer,
                 const char *wanted) {
    if (c->explain)
        printf("%s%s, events %" PRIu64 " and %" PRIu64 ": %s says %s, wanted: %s\n", rcp_model_name(model),
               c->spurious ? ", spurious wake-ups" : "", race[0].v, race[1].v, what, answers[answer], wanted);
    return false;
}

/* One pair under every model. */
static bool agree(comparison *c, rcp_oracle *same_value, rcp_oracle *relaxed, rcp_z3 *const sessions[2],
                  const rcp_eid race[2]) {
    rcp_z3_answer mc = ask(c, RCP_MODEL_MC, race), rs = ask(c, RCP_MODEL_RECIPE_S, race),
                  rv = ask(c, RCP_MODEL_RV, race);
    const rcp_z3_answer answer[2] = {mc, rs};
    const rcp_model model[2] = {RCP_MODEL_MC, RCP_MODEL_RECIPE_S};
    for (int i = 0; i < 2; i++) {
        bool races = rcp_oracle_races(i ? relaxed : same_value, race[0], race[1]);
        if (answer[i] != RCP_Z3_UNKNOWN && answer[i] != (races ? RCP_Z3_RACE : RCP_Z3_NONE))
            return fail(c, "the query", model[i], race, answer[i], races ? "race" : "none");
        if (!sessions[i])
            continue;
        rcp_witness witness;
        rcp_z3_answer again;
        rcp_witness_init(&witness);
        RCP_CHECK(rcp_z3_ask(sessions[i], c->checker, race, &witness, &again, NULL) == RCP_OK);
        rcp_witness_finish(&witness);
        if (again != RCP_Z3_UNKNOWN && again != (races ? RCP_Z3_RACE : RCP_Z3_NONE))
            return fail(c, "the incremental session", model[i], race, again, races ? "race" : "none");
    }
    if (mc == RCP_Z3_RACE && rv == RCP_Z3_NONE && c->valued)
        return fail(c, "the query", RCP_MODEL_RV, race, rv, "race, as under mc");
    if (rv == RCP_Z3_REFUSED || (rv == RCP_Z3_RACE && rs == RCP_Z3_NONE))
        return fail(c, "the query", RCP_MODEL_RV, race, rv, "what recipe-s says");
    return true;
}

static bool compare(const rcp_trace *trace, uint64_t seed, bool explain, bool all, tally *t) {
    rcp_random random = {seed};
    rcp_checker *checker;
    rcp_observed observed;
    comparison c = {.trace = trace, .explain = explain, .tally = t};
    c.spurious = seed % 8 == 0;
    c.valued = true;
    for (size_t i = 0; i < trace->events.len; i++)
        c.valued &= !(rcp_event_is_access(&trace->events.at[i]) || trace->events.at[i].kind == RCP_BRANCH) ||
                    trace->events.at[i].valued;
    RCP_CHECK(rcp_checker_create(trace, &checker) == RCP_OK && rcp_observed_init(&observed, trace) == RCP_OK);
    rcp_smt_facts *facts = rcp_smt_facts_create(&observed);
    c.checker = checker;
    c.facts = facts;
    rcp_oracle *same_value = rcp_oracle_create(trace, RCP_VALUES_SAME, c.spurious);
    rcp_oracle *relaxed = rcp_oracle_create(trace, RCP_VALUES_RELAXED, c.spurious);
    bool same = true;
    if (!rcp_oracle_explore(same_value, 200000) || !rcp_oracle_explore(relaxed, 200000)) {
        t->given_up++;
    } else {
        RCP_VEC(uint64_t) pairs = {0};
        for (uint64_t a = 0; a < trace->events.len; a++)
            for (uint64_t b = a + 1; b < trace->events.len; b++)
                if (rcp_event_conflict(&trace->events.at[a], &trace->events.at[b]))
                    rcp_vec_push(&pairs, a << 32 | b);
        rcp_z3 *sessions[2] = {NULL, NULL};
        if (pairs.len && (all || seed % 4 == 0))
            for (int i = 0; i < 2; i++)
                sessions[i] = rcp_z3_create_all(facts, i ? RCP_MODEL_RECIPE_S : RCP_MODEL_MC, c.spurious, limits);
        size_t n = all || pairs.len < PAIRS ? pairs.len : PAIRS;
        for (size_t i = 0; i < n && same; i++) {
            uint64_t pair = pairs.at[all || pairs.len <= PAIRS ? i : rcp_random_below(&random, (uint32_t)pairs.len)];
            rcp_eid race[2] = {{pair >> 32}, {pair & UINT32_MAX}};
            same = agree(&c, same_value, relaxed, sessions, race);
        }
        for (int i = 0; i < 2; i++)
            rcp_z3_destroy(sessions[i]);
        rcp_vec_finish(&pairs);
    }
    rcp_oracle_destroy(same_value);
    rcp_oracle_destroy(relaxed);
    rcp_smt_facts_destroy(facts);
    rcp_observed_finish(&observed);
    rcp_checker_destroy(checker);
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
    if (still_disagree(&seed, trace)) {
        rcp_shrink(trace, still_disagree, &seed, &small);
        rcp_show_trace(stdout, &small);
        compare(&small, seed, true, true, &ignored);
    } else {
        rcp_show_trace(stdout, trace);
        compare(trace, seed, true, false, &ignored);
    }
    rcp_trace_finish(&small);
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 300);
    tally t = {0};
    bool same = true;
    limits.formulas = rcp_limit(RCP_LIMIT_Z3_FORMULAS);
    uint64_t i = 0, asked = 0, unknown = 0;
    for (; rcp_args_go_on(&args, i) && same; i++) {
        rcp_trace trace;
        rcp_trace_init(&trace);
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events);
        rcp_gen_trace(&trace, &options, seed);
        same = compare(&trace, seed, false, false, &t);
        if (!same)
            report(&trace, seed, i);
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " traces, %" PRIu64 " explorations given up\n", i, t.given_up);
    for (rcp_model m = RCP_MODEL_MC; m <= RCP_MODEL_RECIPE_S; m++) {
        printf("%-10s %" PRIu64 " race, %" PRIu64 " none, %" PRIu64 " unknown\n", rcp_model_name(m), t.asked[m][0],
               t.asked[m][1], t.asked[m][2]);
        asked += t.asked[m][0] + t.asked[m][1] + t.asked[m][2];
        unknown += t.asked[m][2];
    }
    bool plenty = args.exact || (t.asked[RCP_MODEL_RECIPE_S][0] >= i / 10 && t.asked[RCP_MODEL_RECIPE_S][1] >= i / 10);
    printf("%s\n", !same ? "failed" : !plenty ? "too few of one sort: the comparison shows nothing" : "ok");
    return !same || !plenty || unknown * 100 > asked;
}
