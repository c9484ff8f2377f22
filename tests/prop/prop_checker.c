/* SPDX-License-Identifier: Apache-2.0 */
/* The checker against the oracle: on random small traces both must give the same verdict on every schedule, feasible or
 * not, under each value rule, with and without spurious wake-ups; and the checker must accept the oracle's own witness
 * of every race. And a checker that begins at states that it has kept says the same as one that always begins at the
 * beginning, to the word.
 *
 * A disagreement is shrunk and printed with its seed. The test also fails if a rule saw too few feasible or infeasible
 * schedules or races: it would then show nothing. */
#include "prop/args.h"
#include "prop/gen.h"
#include "prop/oracle.h"
#include "prop/schedule.h"
#include "prop/show.h"
#include "prop/shrink.h"
#include "trace/check/checker.h"
#include "trace/check/wellformed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const rules[] = {"last writer", "same value", "relaxed"};

typedef struct tally {
    uint64_t schedules[3][2]; /* by rule: infeasible, feasible */
    uint64_t claims[3][2];    /* schedules with a race: refused, accepted */
    uint64_t pairs[3][2];     /* conflicting pairs that race nowhere, somewhere */
    uint64_t given_up;        /* too many states */
} tally;

typedef struct comparison {
    const rcp_trace *trace;
    rcp_random random;
    unsigned effort; /* schedules of each sort */
    bool explain;
    tally *tally;
    rcp_value_rule values;
    bool spurious;
    rcp_oracle *oracle;
    const rcp_checker *checker; /* keeps states every few events */
    const rcp_checker *forgetful;
} comparison;

/* The same verdict on one schedule? */
static bool agree(comparison *c, const rcp_witness *witness) {
    bool claims = witness->race[0].v != RCP_NO_EID.v;
    bool feasible = rcp_oracle_feasible(c->oracle, witness);
    rcp_check_verdict verdict = {0};
    rcp_check_options options = {.values = c->values, .spurious_wakeups = c->spurious};
    rcp_code code = rcp_checker_run(c->checker, witness, options, &verdict);
    rcp_check_verdict from_the_beginning = {0};
    if (code == RCP_OK)
        code = rcp_checker_run(c->forgetful, witness, options, &from_the_beginning);
    if (code == RCP_OK && (verdict.accepted != from_the_beginning.accepted || verdict.at.v != from_the_beginning.at.v ||
                           strcmp(verdict.reason, from_the_beginning.reason))) {
        if (c->explain)
            printf("rule '%s': from a state that was kept: '%s', from the beginning: '%s'\n", rules[c->values],
                   verdict.reason, from_the_beginning.reason);
        return false;
    }
    c->tally->schedules[c->values][feasible] += !claims;
    c->tally->claims[c->values][feasible] += claims;
    if (code == RCP_OK && verdict.accepted == feasible)
        return true;
    if (c->explain) {
        printf("rule '%s'%s: the oracle says %s, the checker says %s%s\n", rules[c->values],
               c->spurious ? ", spurious wake-ups" : "", feasible ? "feasible" : "not feasible",
               code != RCP_OK     ? "it failed"
               : verdict.accepted ? "accepted"
                                  : "refused: ",
               code == RCP_OK && !verdict.accepted ? verdict.reason : "");
        if (code != RCP_OK)
            rcp_print_causes(stdout);
        if (!verdict.accepted && verdict.at.v != RCP_NO_EID.v)
            printf("refused at event %" PRIu64 "\n", verdict.at.v);
        rcp_show_witness(stdout, c->trace, witness);
    }
    rcp_clear_causes();
    return false;
}

/* The schedule alone, and with a race claimed at its end. */
static bool agree_on(comparison *c, const rcp_schedule *schedule) {
    rcp_witness witness;
    rcp_witness_init(&witness);
    rcp_schedule_to_witness(c->trace, schedule, rcp_random_below(&c->random, schedule->len + 1), &witness);
    bool same = agree(c, &witness);
    if (same && rcp_schedule_next_pair(c->trace, &c->random, schedule, witness.race))
        same = agree(c, &witness);
    rcp_witness_finish(&witness);
    return same;
}

static bool agree_on_random(comparison *c) {
    rcp_schedule schedule;
    rcp_schedule_observed(c->trace, &schedule);
    bool same = agree_on(c, &schedule);
    for (unsigned i = 0; i < c->effort && same; i++) {
        rcp_schedule_merge(c->trace, &c->random, &schedule);
        same = agree_on(c, &schedule);
    }
    size_t states = rcp_oracle_states(c->oracle);
    for (unsigned i = 0; i < 3 * c->effort && same; i++) {
        rcp_witness witness;
        rcp_witness_init(&witness);
        rcp_oracle_schedule(c->oracle, (size_t)rcp_random_next(&c->random) % states, &witness);
        rcp_schedule_of_witness(c->trace, &witness, &schedule);
        rcp_witness_finish(&witness);
        for (uint32_t changes = rcp_random_below(&c->random, 4); changes > 0; changes--)
            rcp_schedule_mutate(c->trace, &c->random, &schedule);
        same = agree_on(c, &schedule);
    }
    return same;
}

/* A schedule that ends with both events next in their threads, if a random one does. */
static bool agree_on_refusals(comparison *c, rcp_eid a, rcp_eid b) {
    size_t states = rcp_oracle_states(c->oracle);
    for (unsigned i = 0; i < c->effort; i++) {
        rcp_witness witness;
        rcp_witness_init(&witness);
        rcp_oracle_schedule(c->oracle, (size_t)rcp_random_next(&c->random) % states, &witness);
        rcp_position done[2] = {0};
        rcp_eid pair[2] = {a, b};
        for (size_t s = 0; s < witness.steps.len; s++)
            for (int p = 0; p < 2; p++)
                if (witness.steps.at[s].tid.v == c->trace->events.at[pair[p].v].tid.v)
                    done[p] = witness.steps.at[s].to;
        bool same = true;
        if (done[0] <= c->trace->position[a.v] && done[1] <= c->trace->position[b.v]) {
            for (int p = 0; p < 2; p++)
                if (done[p] < c->trace->position[pair[p].v])
                    rcp_witness_run(&witness, c->trace->events.at[pair[p].v].tid, c->trace->position[pair[p].v]);
            witness.race[0] = a;
            witness.race[1] = b;
            same = agree(c, &witness);
        }
        rcp_witness_finish(&witness);
        if (!same)
            return false;
    }
    return true;
}

static bool agree_on_races(comparison *c) {
    for (uint64_t a = 0; a < c->trace->events.len; a++)
        for (uint64_t b = a + 1; b < c->trace->events.len; b++) {
            rcp_eid x = {a}, y = {b};
            bool races = rcp_oracle_races(c->oracle, x, y), same;
            if (!races && !rcp_event_conflict(&c->trace->events.at[a], &c->trace->events.at[b]))
                continue;
            c->tally->pairs[c->values][races]++;
            if (races) {
                rcp_witness witness;
                rcp_witness_init(&witness);
                rcp_oracle_witness(c->oracle, x, y, &witness);
                same = agree(c, &witness);
                rcp_witness_finish(&witness);
            } else {
                same = agree_on_refusals(c, x, y);
            }
            if (!same)
                return false;
        }
    return true;
}

static bool has_wakes(const rcp_trace *trace) {
    for (size_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].kind == RCP_WAKE || trace->events.at[i].kind == RCP_WAIT)
            return true;
    return false;
}

static bool compare(const rcp_trace *trace, uint64_t seed, unsigned effort, bool explain, tally *t) {
    bool same = true, wakes = has_wakes(trace);
    rcp_checker *checker, *forgetful;
    RCP_CHECK(rcp_checker_create(trace, &checker) == RCP_OK && rcp_checker_create(trace, &forgetful) == RCP_OK);
    rcp_checker_keep_states(checker, 1 + seed % 4);
    rcp_checker_keep_states(forgetful, 0);
    for (int mode = 0; mode < (wakes ? 6 : 3) && same; mode++) {
        comparison c = {.trace = trace,
                        .random = {seed},
                        .effort = effort,
                        .explain = explain,
                        .tally = t,
                        .values = (rcp_value_rule)(mode % 3),
                        .spurious = mode >= 3,
                        .checker = checker,
                        .forgetful = forgetful};
        c.oracle = rcp_oracle_create(trace, c.values, c.spurious);
        bool complete = rcp_oracle_explore(c.oracle, 100000);
        t->given_up += !complete;
        same = agree_on_random(&c) && (!complete || agree_on_races(&c));
        rcp_oracle_destroy(c.oracle);
    }
    rcp_checker_destroy(checker);
    rcp_checker_destroy(forgetful);
    return same;
}

/* For shrinking: the trace is still an execution by the oracle, and the two still disagree somewhere. */
static bool still_disagree(void *context, const rcp_trace *trace) {
    uint64_t seed = *(uint64_t *)context;
    tally ignored = {0};
    rcp_schedule observed;
    rcp_witness witness;
    rcp_witness_init(&witness);
    rcp_schedule_observed(trace, &observed);
    rcp_schedule_to_witness(trace, &observed, 0, &witness);
    rcp_oracle *oracle = rcp_oracle_create(trace, RCP_VALUES_LAST_WRITER, false);
    bool holds = rcp_oracle_feasible(oracle, &witness) && !compare(trace, seed, 60, false, &ignored);
    rcp_oracle_destroy(oracle);
    rcp_witness_finish(&witness);
    return holds;
}

static void report(const rcp_trace *trace, uint64_t seed, uint64_t i) {
    printf("trace %" PRIu64 ": checker and oracle disagree. To see it again: --seed %" PRIu64 " --exact\n", i, seed);
    tally ignored = {0};
    rcp_trace small;
    rcp_trace_init(&small);
    if (still_disagree(&seed, trace)) {
        rcp_shrink(trace, still_disagree, &seed, &small);
        rcp_show_trace(stdout, &small);
        compare(&small, seed, 60, true, &ignored);
    } else {
        rcp_show_trace(stdout, trace);
        compare(trace, seed, 8, true, &ignored);
    }
    rcp_trace_finish(&small);
}

/* The recorded trace is an execution: the well-formedness check must find nothing. */
static bool well_formed(const rcp_trace *trace) {
    rcp_wellformed *check = rcp_wellformed_create(&trace->defs, &trace->terms);
    for (size_t i = 0; i < trace->events.len; i++)
        RCP_CHECK(rcp_wellformed_add(check, (rcp_eid){i}, &trace->events.at[i]) == RCP_OK);
    bool fine = rcp_wellformed_finish(check) == 0;
    const rcp_fault *finding = rcp_wellformed_borrow(check, 0);
    if (!fine && finding)
        printf("event %" PRIu64 ": %s\n", finding->eid.v, finding->reason);
    rcp_wellformed_destroy(check);
    return fine;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    tally t = {0};
    bool same = true;
    uint64_t i = 0;
    for (; rcp_args_go_on(&args, i) && same; i++) {
        rcp_trace trace;
        rcp_trace_init(&trace);
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events);
        rcp_gen_trace(&trace, &options, seed);
        if (!well_formed(&trace)) {
            printf("trace %" PRIu64 " (--seed %" PRIu64 " --exact) did happen but is called malformed\n", i, seed);
            rcp_show_trace(stdout, &trace);
            same = false;
        } else if (!compare(&trace, seed, 8, false, &t)) {
            report(&trace, seed, i);
            same = false;
        }
        rcp_trace_finish(&trace);
    }
    bool plenty = true;
    printf("%" PRIu64 " traces compared, %" PRIu64 " explorations given up\n", i, t.given_up);
    for (int v = 0; v < 3; v++) {
        printf("%-12s schedules: %" PRIu64 " feasible, %" PRIu64 " not; claims of a race: %" PRIu64 " hold, %" PRIu64
               " don't; conflicting pairs: %" PRIu64 " race, %" PRIu64 " don't\n",
               rules[v], t.schedules[v][1], t.schedules[v][0], t.claims[v][1], t.claims[v][0], t.pairs[v][1],
               t.pairs[v][0]);
        for (int k = 0; k < 2; k++)
            plenty = plenty && t.schedules[v][k] >= i && t.claims[v][k] >= i / 2 && t.pairs[v][k] >= i / 10;
    }
    if (same && !plenty && !args.exact)
        printf("too few of one sort: the comparison shows nothing\n");
    if (same && (plenty || args.exact))
        printf("ok\n");
    return !same || (!plenty && !args.exact);
}
