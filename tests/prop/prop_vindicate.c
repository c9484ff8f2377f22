/* SPDX-License-Identifier: Apache-2.0 */
/* Vindication on random traces, against the oracle under 'same last writer': of every pair that wdp leaves unordered,
 * what is called a race is one, what is called none is none, and few stay unknown. And where the access that wdp names
 * of a thread is none, one before it that is a race is found. */
#include "args.h"
#include "base/limits.h"
#include "gen.h"
#include "naive_weak.h"
#include "oracle.h"
#include "order/proof/judge.h"
#include "order/proof/vindicate.h"
#include "show.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct tally {
    uint64_t outcome[RCP_VINDICATIONS], by[RCP_VINDICATIONS][RCP_BY_COUNT];
    uint64_t small, small_unknown; /* of traces of at most 20 events */
    uint64_t left_out, behind;
} tally;

static const char *const words[] = {"race", "no race", "unknown"};

static bool judge(const rcp_trace *trace, rcp_oracle *oracle, rcp_vindicator *v, rcp_eid a, rcp_eid b, tally *sum) {
    rcp_vindicate_result result;
    uint64_t limit = UINT64_MAX;
    bool truth = rcp_oracle_races(oracle, a, b);
    if (rcp_vindicate(v, a, b, &limit, &result) != RCP_OK) {
        rcp_print_causes(stdout);
        return false;
    }
    sum->outcome[result.outcome]++;
    sum->by[result.outcome][result.by]++;
    if (trace->events.len <= 20) {
        sum->small++;
        sum->small_unknown += result.outcome == RCP_UNKNOWN;
    }
    bool ok = result.outcome == RCP_UNKNOWN || (result.outcome == RCP_IS_RACE) == truth;
    if (ok && result.outcome == RCP_IS_RACE)
        ok = rcp_oracle_feasible(oracle, &result.witness);
    if (!ok) {
        printf("%" PRIu64 ", %" PRIu64 " is said to be %s (by %d: %s); the oracle: %s\n", a.v, b.v,
               words[result.outcome], result.by, result.why, truth ? "race" : "no race");
        if (truth) {
            rcp_witness witness;
            rcp_witness_init(&witness);
            rcp_oracle_witness(oracle, a, b, &witness);
            rcp_show_witness(stdout, trace, &witness);
            rcp_witness_finish(&witness);
        }
    }
    rcp_vindicate_result_finish(&result);
    return ok;
}

static size_t last_of(const rcp_trace *trace, uint64_t events, uint32_t tid) {
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < trace->events.len; i++)
        if (events >> i & 1 && trace->events.at[i].tid.v == tid)
            last = i;
    return last;
}

/* Of each thread the last of `earlier` is named. Where that is no race, are those before it found? */
static bool look_behind(const rcp_trace *trace, rcp_oracle *oracle, rcp_vindicator *v, uint64_t earlier, rcp_eid later,
                        tally *sum) {
    for (uint32_t tid = 0; tid < trace->defs.threads.len; tid++) {
        size_t named = last_of(trace, earlier, tid);
        if (named == SIZE_MAX || rcp_oracle_races(oracle, (rcp_eid){named}, later))
            continue;
        rcp_eid found[RCP_MOST_INSTANCES];
        uint64_t limit = UINT64_MAX, races = 0;
        size_t n = rcp_judge_earlier(trace, (rcp_eid){named}, later, &limit, found);
        for (size_t k = 0; k < n; k++) {
            if (!judge(trace, oracle, v, found[k], later, sum))
                return false;
            races |= (uint64_t)rcp_oracle_races(oracle, found[k], later) << found[k].v;
        }
        sum->behind += races != 0;
        for (size_t i = 0; i < named; i++)
            if (trace->events.at[i].tid.v == tid && rcp_oracle_races(oracle, (rcp_eid){i}, later) &&
                !(races >> i & 1)) {
                printf("%zu, %" PRIu64 " is a race, and not found behind %zu\n", i, later.v, named);
                return false;
            }
    }
    return true;
}

static bool run(const rcp_trace *trace, tally *sum) {
    uint64_t pairs[64];
    rcp_vindicator *v;
    rcp_checker *checker;
    RCP_CHECK(rcp_checker_create(trace, &checker) == RCP_OK);
    rcp_oracle *oracle = rcp_oracle_create(trace, RCP_VALUES_LAST_WRITER, false);
    bool ok = true;
    if (!rcp_oracle_explore(oracle, 60000)) {
        sum->left_out++;
    } else if (rcp_vindicator_create(trace, checker, trace->events.len, &v) != RCP_OK) {
        ok = false;
    } else {
        rcp_naive_pairs(trace, RCP_MODEL_WDP, false, pairs);
        for (size_t j = 0; j < trace->events.len && ok; j++)
            for (size_t i = 0; i < j && ok; i++)
                if (pairs[j] >> i & 1)
                    ok = judge(trace, oracle, v, (rcp_eid){i}, (rcp_eid){j}, sum);
        for (size_t j = 0; j < trace->events.len && ok; j++)
            ok = look_behind(trace, oracle, v, pairs[j], (rcp_eid){j}, sum);
        rcp_vindicator_destroy(v);
    }
    rcp_oracle_destroy(oracle);
    rcp_checker_destroy(checker);
    return ok;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 2000);
    uint64_t traces = 0;
    tally sum = {0};
    bool ok = true;
    for (uint64_t i = 0; ok && rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_profile(seed, args.max_events ? args.max_events : 12 + seed % 16);
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        traces++;
        ok = run(&trace, &sum);
        if (!ok) {
            rcp_show_trace(stdout, &trace);
            printf("failed: --exact --seed %" PRIu64 "\n", seed);
        }
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " traces (%" PRIu64 " with too many states)\n", traces, sum.left_out);
    for (int o = 0; o < RCP_VINDICATIONS; o++)
        printf("%-8s %8" PRIu64 ": as recorded %" PRIu64 ", by what is needed %" PRIu64 ", greedily %" PRIu64
               ", by search %" PRIu64 "\n",
               words[o], sum.outcome[o], sum.by[o][RCP_BY_RECORDED], sum.by[o][RCP_BY_CONE], sum.by[o][RCP_BY_GREEDY],
               sum.by[o][RCP_BY_SEARCH]);
    printf("races behind an access that is named and is none: %" PRIu64 "\n", sum.behind);
    printf("traces of at most 20 events: %" PRIu64 " of %" PRIu64 " pairs unknown\n", sum.small_unknown, sum.small);
    if (ok && sum.small_unknown * 100 > sum.small) {
        printf("more than 1 %% are unknown\n");
        ok = false;
    }
    return ok ? 0 : 1;
}
