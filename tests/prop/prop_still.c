/* SPDX-License-Identifier: Apache-2.0 */
/* Standstills against the oracle: of small random traces so many first events of each thread are drawn, and of the
 * threads that sleep then some that nothing is to have woken. The ladder must have an order of exactly these events
 * where a schedule leads there, and none where no schedule does; the oracle follows every choice of every SIGNAL. */
#include "predict/solve/ladder.h"
#include "prop/args.h"
#include "prop/contest.h"
#include "prop/gen.h"
#include "prop/oracle.h"
#include "prop/random.h"

#include <inttypes.h>
#include <stdio.h>

enum { DRAWN = 24, STATES = 60000 };

typedef struct tally {
    uint64_t asked, yes, sleepers, undecided, given_up;
} tally;

typedef struct drawn {
    rcp_position upto[RCP_GEN_MAX_THREADS];
    uint32_t asleep[RCP_GEN_MAX_THREADS];
    uint32_t n;
    uint64_t executed, waits; /* the same, a bit each */
} drawn;

static size_t threads_of(const rcp_trace *trace) { return trace->defs.threads.len; }

/* What a schedule leads to; half of the time somewhere near. */
static void draw_prefixes(const rcp_trace *trace, const rcp_oracle *oracle, rcp_random *random, drawn *d) {
    uint64_t woken;
    const uint64_t executed =
        rcp_oracle_executed(oracle, rcp_random_below(random, (uint32_t)rcp_oracle_states(oracle)), &woken);
    *d = (drawn){.n = 0};
    for (size_t i = 0; i < trace->events.len; i++)
        d->upto[trace->events.at[i].tid.v] += executed >> i & 1;
    const uint32_t t = rcp_random_below(random, (uint32_t)threads_of(trace));
    const size_t len = rcp_trace_thread_len(trace, (rcp_tid){t});
    if (rcp_random_percent(random, 50) && len)
        d->upto[t] = rcp_random_below(random, (uint32_t)len + 1);
    for (size_t i = 0; i < trace->events.len; i++)
        d->executed |= (uint64_t)(trace->position[i] < d->upto[trace->events.at[i].tid.v]) << i;
}

/* Of those whose last event is a WAIT, for which a signal may come. */
static void draw_sleepers(const rcp_trace *trace, rcp_random *random, drawn *d) {
    for (uint32_t t = 0; t < threads_of(trace); t++) {
        if (!d->upto[t])
            continue;
        const rcp_eid last = rcp_trace_event_of(trace, (rcp_tid){t}, d->upto[t] - 1);
        const bool has_next = d->upto[t] < rcp_trace_thread_len(trace, (rcp_tid){t});
        const rcp_event *next =
            has_next ? &trace->events.at[rcp_trace_event_of(trace, (rcp_tid){t}, d->upto[t]).v] : NULL;
        if (trace->events.at[last.v].kind != RCP_WAIT || (next && next->outcome != RCP_DONE) ||
            rcp_random_percent(random, 30))
            continue;
        d->asleep[d->n++] = (uint32_t)last.v;
        d->waits |= UINT64_C(1) << last.v;
    }
}

static bool has_exit(const rcp_trace *trace, const drawn *d) {
    for (size_t i = 0; i < trace->events.len; i++)
        if (trace->events.at[i].kind == RCP_EXIT && d->executed >> i & 1)
            return true;
    return false;
}

static bool is_there(const rcp_oracle *oracle, const drawn *d) {
    for (size_t i = 0; i < rcp_oracle_states(oracle); i++) {
        uint64_t woken;
        if (rcp_oracle_executed(oracle, i, &woken) == d->executed && !(woken & d->waits))
            return true;
    }
    return false;
}

static bool agrees(const rcp_trace *trace, rcp_oracle *oracle, rcp_ladder *ladder, const drawn *d, bool explain,
                   tally *t) {
    rcp_witness witness;
    rcp_answer answer;
    const bool truth = is_there(oracle, d);
    rcp_witness_init(&witness);
    RCP_CHECK(rcp_ladder_still(ladder, d->upto, d->asleep, d->n, &witness, &answer) == RCP_OK);
    t->asked++;
    t->yes += answer == RCP_ANSWER_WITNESS;
    t->sleepers += answer == RCP_ANSWER_WITNESS && d->n;
    t->undecided += answer == RCP_ANSWER_LIMIT;
    const bool is_fine =
        answer == RCP_ANSWER_LIMIT || (truth == (answer == RCP_ANSWER_WITNESS) &&
                                       (answer != RCP_ANSWER_WITNESS || rcp_oracle_feasible(oracle, &witness)));
    if (!is_fine && explain) {
        printf("%s:",
               truth ? "the oracle has a schedule, and the ladder none" : "the ladder has a schedule, or a wrong one");
        for (size_t k = 0; k < threads_of(trace); k++)
            printf(" %u", d->upto[k]);
        for (uint32_t k = 0; k < d->n; k++)
            printf(", event %u sleeps", d->asleep[k]);
        printf("\n");
    }
    rcp_witness_finish(&witness);
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
    rcp_oracle *oracle = rcp_oracle_create(trace, RCP_VALUES_RELAXED, false);
    const bool is_whole = rcp_oracle_explore(oracle, STATES);
    t->given_up += !is_whole;
    for (int i = 0; i < DRAWN && is_fine && is_whole; i++) {
        drawn d;
        draw_prefixes(trace, oracle, &random, &d);
        draw_sleepers(trace, &random, &d);
        if (d.executed && !has_exit(trace, &d))
            is_fine = agrees(trace, oracle, ladder, &d, explain, t);
    }
    rcp_oracle_destroy(oracle);
    rcp_ladder_destroy(ladder);
    rcp_groundwork_destroy(ground);
    return is_fine;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 1000);
    tally t = {0};
    bool same;
    const rcp_contest contest = {.who = "the ladder and the oracle", .agree = compare, .tally = sizeof t};
    const uint64_t n = rcp_contest_run(&contest, &args, &t, &same);
    printf("%" PRIu64 " traces, %" PRIu64 " states asked for: to %" PRIu64 " leads a schedule, in %" PRIu64
           " of these somebody sleeps for good; %" PRIu64 " undecided, %" PRIu64 " explorations given up\n",
           n, t.asked, t.yes, t.sleepers, t.undecided, t.given_up);
    same = same && t.undecided * 1000 <= t.asked && (n < 1000 || t.sleepers);
    printf(same ? "ok\n" : "failed\n");
    return !same;
}
