/* SPDX-License-Identifier: Apache-2.0 */
/* What a query costs: the ladder with the project's own solver, and Z3 with the papers' encoding of the small cone, on
 * the same pairs in one run. Simulated traces (bench/simulate.h) of 500 to 10,000 events; of each size 50 pairs that
 * the prefilters leave, from as many traces as that takes. Then one run of a million events, all its candidates.
 *
 *   bench_predict [--pairs N] [--ladder] [--size N | --million]
 *
 * --pairs N: so many of each size; --ladder: without Z3; --size N: only traces of so many events; --million: only the
 * last part.
 *
 * Each line is measured in a process of its own, so that its memory is its own. Times are CPU milliseconds. Both
 * solvers have 10 seconds of CPU time per query (the ladder so many steps, which take about as long), and what is
 * undecided then, or too large to be tried, counts as 10 seconds. Z3's reading of the text is not counted. */
#include "predict/facts/candidates.h"
#include "base/limits.h"
#include "predict/solve/ladder.h"
#include "papers.h"
#include "predict/rival/z3.h"
#include "simulate.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS = 50, LIMIT_MS = 10000, SEED = 5 };
#define STEPS UINT64_C(300000000) /* about LIMIT_MS */

typedef struct outcome {
    double ms;
    int answer; /* rcp_z3_answer */
} outcome;

typedef struct subject {
    rcp_trace trace;
    rcp_groundwork *ground;
    rcp_ladder *ladder;
    RCP_VEC(rcp_candidate) pairs;
} subject;

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Pairs spread over the static ones, as long as there are any. */
static void choose(subject *s, size_t wanted) {
    rcp_candidates found = {0};
    rcp_candidates_find(&found, &s->ground->facts, &s->ground->forced, false);
    for (uint32_t k = 0; k < rcp_limit(RCP_LIMIT_CANDIDATE_INSTANCES) && s->pairs.len < wanted; k++)
        for (size_t i = 0; i < found.pairs.len && s->pairs.len < wanted; i++)
            if (k < found.pairs.at[i].n)
                rcp_vec_push(&s->pairs, found.pairs.at[i].kept[k]);
    rcp_candidates_finish(&found);
}

static void begin(subject *s, const rcp_simulation *simulation, size_t pairs) {
    *s = (subject){0};
    rcp_trace_init(&s->trace);
    rcp_simulate(&s->trace, simulation);
    rcp_ladder_limits limits = {STEPS, rcp_limit(RCP_LIMIT_QUERY_EVENTS)};
    RCP_CHECK(rcp_groundwork_create(&s->trace, NULL, false, &s->ground) == RCP_OK);
    s->ladder = rcp_ladder_create(s->ground, limits);
    choose(s, pairs);
}

static void end(subject *s) {
    rcp_ladder_destroy(s->ladder);
    rcp_groundwork_destroy(s->ground);
    rcp_vec_finish(&s->pairs);
    rcp_trace_finish(&s->trace);
}

static outcome climb(subject *s, rcp_candidate pair, rcp_relaxation relaxation) {
    rcp_witness witness;
    rcp_answer answer;
    rcp_witness_init(&witness);
    double start = cpu();
    RCP_CHECK(rcp_ladder_climb(s->ladder, relaxation, (rcp_eid){pair.a}, (rcp_eid){pair.b}, &witness, &answer) ==
              RCP_OK);
    double took = cpu() - start;
    rcp_witness_finish(&witness);
    return (outcome){took, answer == RCP_ANSWER_WITNESS ? RCP_Z3_RACE
                           : answer == RCP_ANSWER_NONE  ? RCP_Z3_NONE
                                                        : RCP_Z3_UNKNOWN};
}

static outcome ask_z3(subject *s, const rcp_smt_facts *facts, rcp_candidate pair, rcp_model model) {
    rcp_papers_answer z3 = rcp_papers_ask(s->ladder, facts, (rcp_eid){pair.a}, (rcp_eid){pair.b}, model, LIMIT_MS);
    return (outcome){z3.ms, (int)z3.answer};
}

/* Runs `measure` in a child; what it leaves in `outcomes`, and the child's largest resident set in MB. */
typedef void measure(const rcp_simulation *simulation, size_t *n, outcome *outcomes);

static double in_child(measure *what, const rcp_simulation *simulation, size_t *n, outcome *outcomes) {
    int pipes[2];
    RCP_CHECK(!pipe(pipes));
    fflush(stdout);
    pid_t child = fork();
    RCP_CHECK(child >= 0);
    if (!child) {
        size_t count = *n;
        what(simulation, &count, outcomes);
        bool written = write(pipes[1], &count, sizeof count) == sizeof count &&
                       write(pipes[1], outcomes, count * sizeof *outcomes) == (ssize_t)(count * sizeof *outcomes);
        _exit(!written);
    }
    close(pipes[1]);
    FILE *from = fdopen(pipes[0], "r");
    size_t wanted = *n;
    bool whole = fread(n, sizeof *n, 1, from) == 1 && *n <= wanted && fread(outcomes, sizeof *outcomes, *n, from) == *n;
    fclose(from);
    struct rusage usage;
    int status;
    wait4(child, &status, 0, &usage);
    if (!whole || status)
        *n = 0;
    return (double)usage.ru_maxrss / 1024;
}

static void measure_nothing(const rcp_simulation *simulation, size_t *n, outcome *outcomes) {
    subject s;
    (void)outcomes;
    begin(&s, simulation, *n);
    *n = 0;
    end(&s);
}

/* Trace after trace, until there are enough pairs. */
static void measure_pairs(const rcp_simulation *simulation, size_t *n, outcome *outcomes, bool with_z3) {
    size_t wanted = *n;
    rcp_simulation next = *simulation;
    *n = 0;
    for (int traces = 0; traces < 20 && *n < wanted; traces++, next.seed++) {
        subject s;
        begin(&s, &next, wanted - *n);
        rcp_smt_facts *facts = with_z3 ? rcp_smt_facts_create(&s.ground->facts.observed) : NULL;
        for (size_t i = 0; i < s.pairs.len; i++)
            outcomes[(*n)++] = with_z3 ? ask_z3(&s, facts, s.pairs.at[i], RCP_MODEL_RECIPE_S)
                                       : climb(&s, s.pairs.at[i], RCP_RELAX_VALUES);
        rcp_smt_facts_destroy(facts);
        end(&s);
    }
}

static void measure_ladder(const rcp_simulation *simulation, size_t *n, outcome *outcomes) {
    measure_pairs(simulation, n, outcomes, false);
}

static void measure_z3(const rcp_simulation *simulation, size_t *n, outcome *outcomes) {
    measure_pairs(simulation, n, outcomes, true);
}

static int by_time(const void *a, const void *b) {
    const outcome *x = a, *y = b;
    return x->ms < y->ms ? -1 : x->ms > y->ms;
}

typedef struct summary {
    size_t n, races, none, unknown, refused, decided; /* decided: within the limit */
    double median, p90;
} summary;

static summary sum_up(const outcome *outcomes, size_t n) {
    summary s = {.n = n};
    outcome *sorted = rcp_alloc(n * sizeof *sorted + 1);
    memcpy(sorted, outcomes, n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        if (sorted[i].answer == RCP_Z3_UNKNOWN)
            sorted[i].ms = LIMIT_MS;
    qsort(sorted, n, sizeof *sorted, by_time);
    for (size_t i = 0; i < n; i++) {
        s.races += outcomes[i].answer == RCP_Z3_RACE;
        s.none += outcomes[i].answer == RCP_Z3_NONE;
        s.unknown += outcomes[i].answer == RCP_Z3_UNKNOWN;
        s.refused += outcomes[i].answer == RCP_Z3_REFUSED;
        s.decided += outcomes[i].answer != RCP_Z3_UNKNOWN && outcomes[i].ms <= LIMIT_MS;
    }
    if (n) {
        s.median = sorted[n / 2].ms;
        s.p90 = sorted[n * 9 / 10].ms;
    }
    rcp_release(sorted);
    return s;
}

static void line(const char *what, summary s, double mb) {
    printf("    %-28s %9.2f %10.2f   %3zu race %3zu none %3zu unknown %s; %3.0f %% decided in time; %.1f MB\n", what,
           s.median, s.p90, s.races, s.none, s.unknown, s.refused ? "REFUSED" : "",
           s.n ? 100.0 * (double)s.decided / (double)s.n : 0, mb);
}

/* One size: both solvers on the same pairs. Returns whether they agreed. */
static bool compare(size_t events, uint32_t threads, size_t pairs, bool with_z3) {
    rcp_simulation simulation = rcp_simulation_default(events, threads, SEED + events);
    outcome own[PAIRS] = {0}, z3[PAIRS] = {0};
    size_t n = pairs, m = pairs, none = pairs;
    double base = in_child(measure_nothing, &simulation, &none, own);
    double own_mb = in_child(measure_ladder, &simulation, &n, own);
    summary ours = sum_up(own, n);
    printf("  %zu events, %u threads: %zu pairs\n", events, threads, n);
    line("ladder, ordering solver", ours, own_mb - base);
    if (!with_z3)
        return n > 0 && !ours.refused;
    double z3_mb = in_child(measure_z3, &simulation, &m, z3);
    summary rival = sum_up(z3, m);
    line("Z3, papers' way, small cone", rival, z3_mb - base);
    bool agree = n == m;
    for (size_t i = 0; i < n && agree; i++) /* from the small cone only 'race' follows */
        agree = z3[i].answer != RCP_Z3_RACE || own[i].answer != RCP_Z3_NONE;
    printf("    %-28s %9.0f x%s%s\n", "the ladder is faster", ours.median > 0 ? rival.median / ours.median : 0,
           rival.median >= LIMIT_MS ? " at least: Z3's median is its limit" : "", agree ? "" : " BUT THEY DISAGREE");
    return agree && n > 0 && !ours.refused && !rival.refused;
}

/* A long run: every static pair, its kept instances until one is proved. */
static bool whole_run(size_t events, uint32_t threads) {
    rcp_simulation simulation = rcp_simulation_default(events, threads, SEED);
    simulation.loosely = 4;
    rcp_trace trace;
    rcp_ladder *ladder;
    rcp_candidates found = {0};
    rcp_trace_init(&trace);
    rcp_simulate(&trace, &simulation);
    double start = cpu();
    rcp_ladder_limits limits = rcp_ladder_limits_set();
    rcp_groundwork *ground;
    RCP_CHECK(rcp_groundwork_create(&trace, NULL, false, &ground) == RCP_OK);
    ladder = rcp_ladder_create(ground, limits);
    rcp_candidates_find(&found, &ground->facts, &ground->forced, false);
    uint64_t left = 0, asked = 0, answers[3] = {0};
    for (size_t i = 0; i < found.pairs.len; i++)
        left += found.pairs.at[i].left;
    double prepared = cpu();
    for (size_t i = 0; i < found.pairs.len; i++) {
        rcp_answer best = RCP_ANSWER_NONE;
        for (uint32_t k = 0; k < found.pairs.at[i].n && best != RCP_ANSWER_WITNESS; k++, asked++) {
            rcp_witness witness;
            rcp_answer answer;
            rcp_candidate pair = found.pairs.at[i].kept[k];
            rcp_witness_init(&witness);
            RCP_CHECK(rcp_ladder_climb(ladder, RCP_RELAX_VALUES, (rcp_eid){pair.a}, (rcp_eid){pair.b}, &witness,
                                       &answer) == RCP_OK);
            rcp_witness_finish(&witness);
            best = answer == RCP_ANSWER_NONE ? best : answer;
        }
        answers[best]++;
    }
    double done = cpu();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("  %zu events, %u threads: %" PRIu64 " conflicting pairs, %" PRIu64 " after the prefilters, %zu static\n",
           events, threads, found.conflicts, left, found.pairs.len);
    printf("    facts and candidates %.1f s, %" PRIu64 " queries %.1f s; static pairs: %" PRIu64 " race, %" PRIu64
           " none, %" PRIu64 " unknown; %.0f MB in all\n",
           (prepared - start) / 1e3, asked, (done - prepared) / 1e3, answers[RCP_ANSWER_WITNESS],
           answers[RCP_ANSWER_NONE], answers[RCP_ANSWER_LIMIT], (double)usage.ru_maxrss / 1024);
    bool good = !rcp_ladder_statistics(ladder).refused;
    rcp_candidates_finish(&found);
    rcp_ladder_destroy(ladder);
    rcp_groundwork_destroy(ground);
    rcp_trace_finish(&trace);
    return good;
}

int main(int argc, char **argv) {
    bool million = false, ladder = false, good = true;
    size_t pairs = PAIRS, only = 0;
    for (int i = 1; i < argc; i++) {
        million |= !strcmp(argv[i], "--million");
        ladder |= !strcmp(argv[i], "--ladder");
        if (!strcmp(argv[i], "--pairs") && i + 1 < argc)
            pairs = strtoul(argv[++i], NULL, 10);
        if (!strcmp(argv[i], "--size") && i + 1 < argc)
            only = strtoul(argv[++i], NULL, 10);
    }
    pairs = pairs < PAIRS ? pairs : PAIRS;
    const struct {
        size_t events;
        uint32_t threads;
    } sizes[] = {{500, 4}, {1000, 6}, {2000, 8}, {5000, 10}, {10000, 10}};
    if (!million) {
        printf("queries, recipe-s: CPU ms                       median        p90\n");
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (!only || only == sizes[i].events)
                good &= compare(sizes[i].events, sizes[i].threads, pairs, !ladder);
    }
    if (only)
        return !good;
    printf("a whole run\n");
    good &= whole_run(1000000, 8);
    return !good;
}
