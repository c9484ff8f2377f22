/* SPDX-License-Identifier: Apache-2.0 */
/* What the slices of real programs look like, and what each costs: recorded runs that were analysed before (their
 * events are there then).
 *
 *   bench_slices [--list] [--pairs N] [--z3 SECONDS] DIRECTORY…
 *
 * Of each run up to N candidates (default 200), spread over the static pairs: those that are left without looking at
 * values (predict/facts/forced.h does, and leaves few; that is part of the answer here). A line per candidate with
 * --list, and a table of all: events of the small cone (of the window of 400 where the cone was not looked for), reads
 * among them, reads that a branch or an address hangs on, the depth of the deepest term, and the ladder's answer; with
 * --z3 the papers' encoding of the same cones beside it, within so many seconds of CPU time each. */
#include "papers.h"

#include "base/limits.h"
#include "base/map.h"
#include "predict/facts/candidates.h"
#include "predict/facts/must.h"
#include "trace/store/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { PAIRS = 200, WINDOW = 400 };

typedef struct measured {
    double events, reads, deciding, depth, ms, z3_ms;
    rcp_answer answer;
    rcp_z3_answer z3;
} measured;

typedef struct wanted {
    size_t pairs;
    bool list;
    unsigned z3_ms; /* 0: Z3 is not asked */
} wanted;

typedef RCP_VEC(measured) table;

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Depths of all terms; arguments come before what is made of them. */
static uint32_t *depths(const rcp_terms *terms) {
    uint32_t *depth = rcp_alloc_zero(terms->nodes.len + 1, sizeof *depth);
    for (size_t i = 0; i < terms->nodes.len; i++) {
        const rcp_term_node *node = &terms->nodes.at[i];
        const uint32_t arguments[3] = {node->a, node->b, node->c};
        for (unsigned k = 0; k < rcp_op_borrow_traits(node->op)->arity; k++) {
            uint32_t below = depth[arguments[k] - RCP_TERM_FIRST] + 1;
            depth[i] = depth[i] > below ? depth[i] : below;
        }
    }
    return depth;
}

static void look_at_term(const rcp_trace *trace, const uint32_t *depth, rcp_term term, rcp_eids *reads, double *most) {
    if (!rcp_term_is_real(term))
        return;
    rcp_term_reads(&trace->terms, term, reads);
    double d = depth[term.v - RCP_TERM_FIRST];
    *most = *most > d ? *most : d;
}

/* Counts of the events of a slice. */
static void describe(const rcp_slice *slice, const uint32_t *depth, measured *m) {
    const rcp_trace *trace = slice->facts->trace;
    rcp_map deciding;
    rcp_eids reads = {0};
    rcp_map_init(&deciding);
    for (uint32_t i = slice->start; i < slice->end; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (trace->position[i] >= slice->upto[e->tid.v])
            continue;
        m->reads += rcp_event_reads(e);
        reads.len = 0;
        look_at_term(trace, depth, e->cond, &reads, &m->depth);
        look_at_term(trace, depth, e->addr_term, &reads, &m->depth);
        for (size_t k = 0; k < reads.len; k++)
            rcp_map_set(&deciding, reads.at[k].v, 0);
    }
    m->events = (double)slice->size;
    m->deciding = (double)deciding.len;
    rcp_vec_finish(&reads);
    rcp_map_finish(&deciding);
}

static measured measure(rcp_ladder *ladder, const uint32_t *depth, rcp_candidate pair) {
    measured m = {0};
    rcp_eid a = {pair.a}, b = {pair.b};
    rcp_slice slice;
    rcp_witness witness;
    if (pair.b < 4 * rcp_limit(RCP_LIMIT_QUERY_EVENTS))
        rcp_slice_small(&slice, &rcp_ladder_borrow_groundwork(ladder)->facts, a, b);
    else
        rcp_slice_window(&slice, &rcp_ladder_borrow_groundwork(ladder)->facts, a, b, WINDOW, UINT32_MAX);
    describe(&slice, depth, &m);
    rcp_slice_finish(&slice);
    rcp_witness_init(&witness);
    double start = cpu();
    RCP_CHECK(rcp_ladder_climb(ladder, RCP_RELAX_VALUES, a, b, &witness, &m.answer) == RCP_OK);
    m.ms = cpu() - start;
    rcp_witness_finish(&witness);
    return m;
}

/* What the order says without looking at values. */
static rcp_forced plain_order(const rcp_run_facts *facts) {
    rcp_forced plain = {.must = rcp_must_create(facts, NULL, false, false)};
    for (uint32_t i = 0; i < facts->trace->events.len; i++)
        rcp_must_add(plain.must, i);
    return plain;
}

static rcp_code measure_run(const char *directory, wanted want, table *to) {
    static const char *const answers[] = {"race", "none", "unknown"};
    rcp_trace trace;
    rcp_groundwork *ground = NULL;
    rcp_ladder *ladder = NULL;
    rcp_trace_init(&trace);
    rcp_code code = rcp_trace_load(&trace, directory);
    double start = cpu();
    if (code == RCP_OK)
        code = rcp_groundwork_create(&trace, NULL, false, &ground);
    if (code == RCP_OK) {
        ladder = rcp_ladder_create(ground, rcp_ladder_limits_set());
        uint32_t *depth = depths(&trace.terms);
        rcp_candidates found = {0};
        const rcp_run_facts *facts = &ground->facts;
        rcp_forced plain = plain_order(facts);
        rcp_smt_facts *smt = want.z3_ms ? rcp_smt_facts_create(&facts->observed) : NULL;
        rcp_candidates_find(&found, facts, &plain, false);
        rcp_forced_finish(&plain);
        size_t n = 0;
        for (uint32_t k = 0; k < rcp_limit(RCP_LIMIT_CANDIDATE_INSTANCES); k++)
            for (size_t i = 0; i < found.pairs.len && n < want.pairs; i++) {
                if (k >= found.pairs.at[i].n)
                    continue;
                rcp_candidate pair = found.pairs.at[i].kept[k];
                measured m = measure(ladder, depth, pair);
                if (smt) {
                    rcp_papers_answer z3 = rcp_papers_ask(ladder, smt, (rcp_eid){pair.a}, (rcp_eid){pair.b},
                                                          RCP_MODEL_RECIPE_S, want.z3_ms);
                    m.z3_ms = z3.ms;
                    m.z3 = z3.answer;
                }
                rcp_vec_push(to, m);
                n++;
                if (want.list)
                    printf("%s %u %u: %.0f events, %.0f reads, %.0f decide, depth %.0f: %s, %.3f ms; Z3 %.1f ms\n",
                           directory, pair.a, pair.b, m.events, m.reads, m.deciding, m.depth, answers[m.answer], m.ms,
                           m.z3_ms);
            }
        printf("  %s: %zu events, %zu threads, %zu static pairs, %zu slices, %.1f s\n", directory, trace.events.len,
               trace.defs.threads.len, found.pairs.len, n, (cpu() - start) / 1e3);
        rcp_candidates_finish(&found);
        rcp_smt_facts_destroy(smt);
        rcp_release(depth);
    }
    rcp_ladder_destroy(ladder);
    rcp_groundwork_destroy(ground);
    rcp_trace_finish(&trace);
    return code;
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void quantiles(const char *what, const table *t, size_t offset) {
    double *sorted = rcp_alloc(t->len * sizeof *sorted);
    for (size_t i = 0; i < t->len; i++)
        memcpy(&sorted[i], (const char *)&t->at[i] + offset, sizeof *sorted);
    qsort(sorted, t->len, sizeof *sorted, by_number);
    printf("  %-28s %10.3f %10.3f %10.3f %10.3f\n", what, sorted[0], sorted[t->len / 2], sorted[t->len * 9 / 10],
           sorted[t->len - 1]);
    rcp_release(sorted);
}

/* Of the slices up to a size: how many are decided, and by whom faster. */
static void compare(const table *t, double upto, bool with_z3) {
    size_t n = 0, own = 0, papers = 0, contrary = 0;
    for (size_t i = 0; i < t->len; i++) {
        const measured *m = &t->at[i];
        if (m->events > upto)
            continue;
        n++;
        own += m->answer != RCP_ANSWER_LIMIT;
        papers += m->z3 != RCP_Z3_UNKNOWN;
        contrary += (m->answer == RCP_ANSWER_WITNESS && m->z3 == RCP_Z3_NONE) ||
                    (m->answer == RCP_ANSWER_NONE && m->z3 == RCP_Z3_RACE);
    }
    printf("  %zu of up to %.0f events: decided %.1f %%", n, upto, n ? 100.0 * (double)own / (double)n : 0);
    if (with_z3)
        printf(", by Z3 %.1f %%; contrary answers: %zu", n ? 100.0 * (double)papers / (double)n : 0, contrary);
    puts("");
}

int main(int argc, char **argv) {
    wanted want = {.pairs = PAIRS};
    bool good = true;
    table t = {0};
    for (int i = 1; i < argc && good; i++) {
        if (!strcmp(argv[i], "--list"))
            want.list = true;
        else if (!strcmp(argv[i], "--pairs") && i + 1 < argc)
            want.pairs = strtoul(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--z3") && i + 1 < argc)
            want.z3_ms = 1000 * (unsigned)strtoul(argv[++i], NULL, 10);
        else
            good = measure_run(argv[i], want, &t) == RCP_OK;
    }
    if (!good)
        rcp_print_causes(stderr);
    if (!t.len) {
        printf("no slices: name recorded runs that were analysed before\n");
        return !good;
    }
    uint64_t answers[3] = {0};
    for (size_t i = 0; i < t.len; i++)
        answers[t.at[i].answer]++;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%zu slices                        least     median        p90       most\n", t.len);
    quantiles("events", &t, offsetof(measured, events));
    quantiles("reads", &t, offsetof(measured, reads));
    quantiles("reads that decide", &t, offsetof(measured, deciding));
    quantiles("depth of the deepest term", &t, offsetof(measured, depth));
    quantiles("CPU ms", &t, offsetof(measured, ms));
    if (want.z3_ms)
        quantiles("CPU ms, Z3", &t, offsetof(measured, z3_ms));
    compare(&t, 2000, want.z3_ms);
    compare(&t, 1e9, want.z3_ms);
    printf("  %" PRIu64 " race, %" PRIu64 " none, %" PRIu64 " unknown; %.0f MB in all\n", answers[RCP_ANSWER_WITNESS],
           answers[RCP_ANSWER_NONE], answers[RCP_ANSWER_LIMIT], (double)usage.ru_maxrss / 1024);
    rcp_vec_finish(&t);
    return !good;
}
