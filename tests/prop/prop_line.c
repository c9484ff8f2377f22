/* SPDX-License-Identifier: Apache-2.0 */
/* Rule P1 in one pass (src/trace/check/barriers.c) against its naive definition (prop/line.c): with program order, both
 * must put the same events before the same events. A schedule seldom turns on a single edge of a pair's own address;
 * here every edge counts, of the recorded order and of one that was shuffled: the rule asks for no feasible trace, but
 * for the order of each thread. */
#include "prop/args.h"
#include "prop/gen.h"
#include "prop/line.h"
#include "prop/random.h"
#include "prop/show.h"
#include "trace/check/barriers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 2 * RCP_GEN_MAX_EVENTS };

typedef struct stats {
    uint64_t traces, ordered, free, followed;
} stats;

static void add_program_order(const rcp_trace *trace, bool *edges) {
    size_t n = trace->events.len;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            edges[i * n + j] |= trace->events.at[i].tid.v == trace->events.at[j].tid.v;
}

static void close_order(size_t n, bool *edges) {
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = k + 1; edges[i * n + k] && j < n; j++)
                edges[i * n + j] |= edges[k * n + j];
}

static void in_one_pass(const rcp_trace *trace, bool *edges) {
    size_t n = trace->events.len;
    uint32_t event_of[MOST + 1];
    rcp_barriers line;
    memset(edges, 0, n * n * sizeof *edges);
    rcp_barriers_init(&line, &trace->defs);
    for (size_t j = 0; j < n; j++) {
        uint32_t tag = rcp_barriers_add(&line, &trace->events.at[j]);
        for (size_t k = 0; k < line.needs.len; k++)
            edges[event_of[line.needs.at[k]] * n + j] = true;
        if (tag != RCP_BARRIERS_NONE)
            event_of[tag] = (uint32_t)j;
    }
    rcp_barriers_finish(&line);
}

/* Another interleaving of the same threads. */
static void shuffle(rcp_trace *trace, rcp_random *random) {
    size_t n = trace->events.len, threads = trace->defs.threads.len, at[RCP_GEN_MAX_THREADS] = {0};
    rcp_event shuffled[MOST];
    for (size_t i = 0; i < n;) {
        uint32_t t = rcp_random_below(random, (uint32_t)threads);
        while (at[t] < n && trace->events.at[at[t]].tid.v != t)
            at[t]++;
        if (at[t] < n)
            shuffled[i++] = trace->events.at[at[t]++];
    }
    if (n)
        memcpy(trace->events.at, shuffled, n * sizeof *shuffled);
}

static bool compare(const rcp_trace *trace, stats *s) {
    static bool naive[MOST * MOST], quick[MOST * MOST];
    size_t n = trace->events.len;
    rcp_line_edges(trace, naive);
    in_one_pass(trace, quick);
    add_program_order(trace, naive);
    add_program_order(trace, quick);
    close_order(n, naive);
    close_order(n, quick);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            if (naive[i * n + j] != quick[i * n + j]) {
                printf("event %zu comes before event %zu %s\n", i, j,
                       naive[i * n + j] ? "by the rule, not in one pass" : "in one pass, not by the rule");
                return false;
            }
            s->ordered += naive[i * n + j] && trace->events.at[i].tid.v != trace->events.at[j].tid.v;
            s->free += !naive[i * n + j];
        }
    s->traces++;
    for (size_t i = 0; i < n; i++)
        s->followed +=
            rcp_event_is_opaque(&trace->events.at[i]) && trace->defs.reaches.at[trace->events.at[i].reach.v].followed;
    return true;
}

int main(int argc, char **argv) {
    rcp_args args = rcp_args_parse(argc, argv, 3000);
    stats s = {0};
    bool is_same = true;
    for (uint64_t i = 0; is_same && rcp_args_go_on(&args, i); i++) {
        uint64_t seed = rcp_args_seed(&args, i);
        rcp_gen_options options = rcp_gen_defaults();
        rcp_random random = {.state = seed};
        options.max_events = args.max_events ? args.max_events : 40;
        options.features = RCP_GEN_OPAQUE | (i % 2 ? RCP_GEN_LOCKS : 0) | (i % 3 ? 0 : RCP_GEN_HEAP);
        options.focused = true;
        rcp_trace trace;
        rcp_trace_init(&trace);
        rcp_gen_trace(&trace, &options, seed);
        is_same = compare(&trace, &s);
        for (int k = 0; is_same && k < 3; k++) {
            shuffle(&trace, &random);
            is_same = compare(&trace, &s);
        }
        if (!is_same) {
            printf("not the same: --exact --seed %" PRIu64 "\n", seed);
            rcp_show_trace(stdout, &trace);
        }
        rcp_trace_finish(&trace);
    }
    printf("%" PRIu64 " orders of events; %" PRIu64 " pairs of two threads ordered, %" PRIu64 " free; %" PRIu64
           " events that follow\n",
           s.traces, s.ordered, s.free, s.followed);
    if (is_same && (!s.ordered || !s.free || !s.followed)) {
        printf("a kind is missing: nothing was tested\n");
        return 1;
    }
    return !is_same;
}
