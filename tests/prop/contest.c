/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/contest.h"

#include "base/vec.h"
#include "prop/gen.h"
#include "prop/show.h"
#include "prop/shrink.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct again {
    const rcp_contest *contest;
    uint64_t seed;
    void *ignored; /* a tally */
} again;

static bool still_disagree(void *context, const rcp_trace *trace) {
    const again *a = context;
    return rcp_shrink_is_execution(trace) && !a->contest->agree(trace, a->seed, false, a->ignored);
}

static void report(const rcp_contest *contest, const rcp_trace *trace, uint64_t seed, uint64_t i) {
    printf("trace %" PRIu64 ": %s disagree. To see it again: --seed %" PRIu64 " --exact\n", i, contest->who, seed);
    again a = {contest, seed, rcp_alloc_zero(1, contest->tally)};
    rcp_trace small;
    rcp_trace_init(&small);
    const bool is_small = still_disagree(&a, trace);
    if (is_small)
        rcp_shrink(trace, still_disagree, &a, &small);
    rcp_show_trace(stdout, is_small ? &small : trace);
    contest->agree(is_small ? &small : trace, seed, true, a.ignored);
    rcp_trace_finish(&small);
    rcp_release(a.ignored);
}

uint64_t rcp_contest_run(const rcp_contest *contest, const rcp_args *args, void *tally, bool *agreed) {
    uint64_t i = 0;
    *agreed = true;
    for (; rcp_args_go_on(args, i) && *agreed; i++) {
        const uint64_t seed = rcp_args_seed(args, i);
        const rcp_gen_options options = rcp_gen_profile(seed, args->max_events);
        rcp_trace trace;
        rcp_trace_init(&trace);
        if (contest->make)
            contest->make(args, seed, &trace);
        else
            rcp_gen_trace(&trace, &options, seed);
        *agreed = contest->agree(&trace, seed, false, tally);
        if (!*agreed)
            report(contest, &trace, seed, i);
        rcp_trace_finish(&trace);
    }
    return i;
}
