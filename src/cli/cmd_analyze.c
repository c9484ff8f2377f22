/* SPDX-License-Identifier: Apache-2.0 */
/* recipe analyze: runs models over a trace, keeps what they find in results.db, prints the report. */
#include "base/clock.h"
#include "cli/command.h"
#include "cli/dump_stage.h"
#include "cli/judging.h"
#include "cli/limits.h"
#include "cli/opinion.h"
#include "cli/output.h"
#include "cli/recorded.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "cli/variants.h"
#include "order/analyze.h"
#include "predict/analyze.h"
#include "predict/rival/sides.h"
#include "results/fingerprint.h"
#include "results/results.h"
#include "trace/check/wellformed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    MODEL,
    JOBS,
    BUDGET,
    EVENTS,
    STEP_LIMIT,
    PROOF_LIMIT,
    SPURIOUS,
    CANDIDATES,
    SOLVER,
    SAVE_SMT2,
    OPAQUE,
    BARRIERS,
    DUMP,
    PAIR,
    STATS,
    STRICT,
    SET,
    VERBOSE
};

static const rcp_option options[] = {
    [MODEL] =
        {"model", 0, "M[,M…]", RCP_OPTION_TEXT, "which models to run",
         "hb: happens-before. shb: hb with the order of writes and the reads that see them, sound past the first race. "
         "wcp, dc, sdp, wdp: orders that let critical sections swap, each weaker than the one before; wdp misses no "
         "race "
         "in which every read that matters keeps its last writer. What these four flag is vindicated: a race, none, or "
         "unknown. "
         "mc: other orders in which every read takes the value that it took. rv: reads may take other values where no "
         "branch of their thread and no computed address comes after. recipe-s: reads may take other values as long as "
         "every branch keeps its outcome and every address its value. recipe: and branches may go another way, as far "
         "as the "
         "code can be run there. recipe+: and addresses may be others. "
         "auto: all that are there. What other models found in this trace before is kept and reported, too.",
         .otherwise = "auto"},
    [JOBS] = {"jobs", 'j', "N", RCP_OPTION_NUMBER, "processes for mc, rv and recipe-s",
              "The report is the same, whatever N is.", .otherwise = "one per core", .least = 1, .most = 256,
              .means = "a number of processes"},
    [BUDGET] = {"budget", 0, "SECONDS", RCP_OPTION_LIMIT, "time for all models",
                "Not counted: the re-execution of a recorded run for its events. The partial orders get a part of it "
                "(the limit orders-share); where they have not seen the whole trace by then, that is said. "
                "What is not decided by then is undecided: counted, and listed as such.",
                .otherwise = "no end", .limit = RCP_LIMIT_BUDGET, .means = "a number of seconds"},
    [EVENTS] =
        {"events", 0, "N", RCP_OPTION_LIMIT, "mc to recipe+: of how many events at most",
         "A trace is held in memory. Of a longer one the beginning is looked at, and that is said: it is an execution, "
         "so a race in it is a race.",
         .limit = RCP_LIMIT_EVENTS, .means = "a number of events"},
    [STEP_LIMIT] =
        {"step-limit", 0, "N", RCP_OPTION_LIMIT, "solver steps per query",
         "A query that needs more is undecided: counted, and listed as such, never taken for 'no race'. Counted in "
         "steps, so that every machine decides the same.",
         .limit = RCP_LIMIT_SOLVER_STEPS, .means = "a number of steps"},
    [PROOF_LIMIT] =
        {"proof-limit", 0, "N", RCP_OPTION_LIMIT, "events that the checker may execute",
         "A proof executes the trace up to its race. Pairs that the limit leaves out are undecided: counted, and "
         "listed as such, never taken for 'no race'. Counted in events, so that every machine decides the same.",
         .limit = RCP_LIMIT_PROOF_EVENTS, .means = "a number of events"},
    [SPURIOUS] = {"spurious-wakeups", 0, NULL, RCP_OPTION_FLAG, "mc, rv, recipe-s: a wait may wake without a signal",
                  NULL},
    [CANDIDATES] =
        {"candidates", 0, "FILE", RCP_OPTION_PATH, "look only at the pairs that another tool warned of",
         "FILE holds reports of ThreadSanitizer or Helgrind, or lines 'file:line file:line'; '-' is standard input. "
         "Each pair is then listed as proved, no race, unknown, or not in the trace. Models: mc, rv and recipe-s, "
         "unless "
         "--model says otherwise."},
    [SOLVER] = {"solver", 0, "own|z3", RCP_OPTION_CHOICE, "models that predict: who answers queries",
                "z3: the papers' encodings, for a second opinion; slow from some thousand events on. recipe and "
                "recipe+: both sides of every branch in one guarded formula. --step-limit is Z3's resource limit "
                "then.",
                .usual = "own"},
    [SAVE_SMT2] =
        {"save-smt2", 0, "DIR", RCP_OPTION_PATH, "leave every query in DIR as SMT-LIB",
         "One file per pair and model, for other solvers to read: 'sat' is a race. Of recipe and recipe+ with "
         "--solver=z3 alone."},
    [OPAQUE] =
        {"opaque", 0, "FILE", RCP_OPTION_PATH, "what functions that are not recorded do",
         "A line each: a name (* and ? are patterns), then none or pure (nothing that others notice); reads, writes "
         "or on with numbers of arguments, from 0: it works on the objects that these point to; blocks: it may "
         "wait for files, pipes and the like; keeps: it may remember what it is given; everything. Kept in DIR. "
         "recipe.opts may name the file."},
    [BARRIERS] =
        {"barriers", 0, "pairs|trees|simple|off", RCP_OPTION_CHOICE,
         "how calls of functions that are not recorded count",
         "pairs: ordered as they were with what reaches the same. The others are for comparison. "
         "trees: the same, but where an object leads is looked for once and what such functions wrote there is "
         "not followed; what is found may then be false. simple: with all others. off: as if they did nothing; "
         "what is found may then be false.",
         .otherwise = "pairs"},
    [DUMP] = {"dump", 0, RCP_DUMP_STAGES, RCP_OPTION_CHOICE, "print what a stage has in its hands, not the report",
              "For whoever debugs an answer; nothing is kept. candidates: the conflicting pairs by their places in the "
              "source, what ruled out how many of their instances, and those that are left. slice: which events may "
              "take part in a witness of a pair, on each rung that is tried. query: the same as the solver has it: "
              "nodes, the order that every witness has, what may be chosen. order: of each partial order of --model "
              "which event comes before which, and the pairs that it flags; of a --pair by which steps it is ordered."},
    [PAIR] = {"pair", 0, "EVENT,EVENT", RCP_OPTION_TEXT, "of --dump: two events by their numbers",
              "'recipe trace dump' and --dump=candidates say them. The default is for slice and query.",
              .otherwise = "the first candidate"},
    [STATS] = {"stats", 0, NULL, RCP_OPTION_FLAG, "say on standard error how much work it was", NULL},
    [STRICT] = {"strict", 0, NULL, RCP_OPTION_FLAG, "exit with 4 where something was not looked at, at a limit",
                "Races that were found beat it: then the exit code is 1."},
    [SET] = RCP_SET_OPTION,
    [VERBOSE] = RCP_VERBOSE_OPTION,
};

/* The models that this version has. */
static const rcp_model available[] = {
    RCP_MODEL_HB, RCP_MODEL_SHB, RCP_MODEL_WCP,      RCP_MODEL_DC,     RCP_MODEL_SDP,         RCP_MODEL_WDP,
    RCP_MODEL_MC, RCP_MODEL_RV,  RCP_MODEL_RECIPE_S, RCP_MODEL_RECIPE, RCP_MODEL_RECIPE_PLUS,
};
#define EXPLORING (RCP_MODEL_BIT(RCP_MODEL_RECIPE) | RCP_MODEL_BIT(RCP_MODEL_RECIPE_PLUS))
enum { AVAILABLE = sizeof available / sizeof *available };

static void list_available(rcp_text *to) {
    for (size_t i = 0; i < AVAILABLE; i++)
        rcp_text_printf(to, "%s%s", i ? ", " : "", rcp_model_name(available[i]));
}

/* One word of --model; 0: said what is wrong with it. */
static uint32_t read_model(const char *word, size_t len) {
    char name[32] = {0};
    rcp_model model;
    uint32_t mask = 0;
    for (size_t i = 0; i < AVAILABLE; i++)
        mask |= RCP_MODEL_BIT(available[i]);
    if (len < sizeof name)
        memcpy(name, word, len);
    if (!strcmp(name, "auto"))
        return mask;
    bool known = rcp_model_find(name, &model);
    if (known && mask & RCP_MODEL_BIT(model))
        return RCP_MODEL_BIT(model);
    rcp_text there = {0};
    list_available(&there);
    if (known)
        rcp_usage(&rcp_cmd_analyze, "model '%s' is not built yet in this version, which has %s", name, there.at);
    else
        rcp_usage(&rcp_cmd_analyze, "unknown model '%.*s'; this version has %s, and auto", (int)len, word, there.at);
    rcp_text_finish(&there);
    return 0;
}

static uint32_t read_models(const char *words) {
    uint32_t models = 0;
    for (const char *p = words;; p++) {
        size_t n = strcspn(p, ",");
        uint32_t one = read_model(p, n);
        if (!one)
            return 0;
        models |= one;
        p += n;
        if (!*p)
            return models;
    }
}

/* Where results go, one after the other. */
typedef struct store {
    rcp_results *results;
    rcp_reader *reader;
    rcp_judging judging;
    uint32_t models; /* that were asked for */
    rcp_map known;   /* pairs that are proven: rcp_variants_pair() */
    size_t races;    /* found by the models that predict, so far */
    double began;    /* when these were */
} store;

static rcp_code put(store *to, rcp_race *race) {
    rcp_event event[2];
    rcp_judging_race(&to->judging, race);
    for (int k = 0; k < 2; k++)
        RCP_TRY(rcp_reader_fetch(to->reader, race->event[k], &event[k]));
    race->fingerprint = rcp_fingerprint(rcp_reader_borrow_defs(to->reader), &event[0], &event[1]);
    if (rcp_race_is_proven(race))
        rcp_map_set(&to->known, rcp_variants_pair(rcp_reader_borrow_defs(to->reader), &event[0], &event[1]), 1);
    return rcp_results_put(to->results, race);
}

static rcp_code put_predicted(void *context, rcp_race *race) {
    store *to = context;
    /* what recipe-s proves the models that explore prove, too */
    if (race->models & RCP_MODEL_BIT(RCP_MODEL_RECIPE_S))
        race->models |= EXPLORING;
    race->models &= to->models;
    race->model = rcp_model_name(rcp_model_first(race->models));
    rcp_code code = put(to, race);
    to->races += rcp_race_is_proven(race);
    rcp_race_finish(race);
    return code;
}

/* Of a variant: judged already. */
static rcp_code put_explored(void *context, rcp_race *race, const char *directory) {
    store *to = context;
    rcp_reader *reader;
    rcp_event event[2];
    RCP_TRY(rcp_reader_open(directory, &reader));
    rcp_code code = RCP_OK;
    for (int k = 0; k < 2 && code == RCP_OK; k++)
        code = rcp_reader_fetch(reader, race->event[k], &event[k]);
    if (code == RCP_OK) {
        race->fingerprint = rcp_fingerprint(rcp_reader_borrow_defs(reader), &event[0], &event[1]);
        code = rcp_results_put(to->results, race);
        to->races++;
    }
    rcp_reader_close(reader);
    return code;
}

static void tell_progress(void *context, size_t done, size_t all) {
    const store *to = context;
    char left[32];
    rcp_progress_left(left, to->began, done, all);
    rcp_progress_say("analysing: %zu of %zu candidates, %zu races%s", done, all, to->races, left);
}

static bool recall(void *context, uint64_t option, const rcp_eid pair[2], rcp_text *found) {
    const store *to = context;
    return rcp_results_recall_outcome(to->results, option, pair, found);
}

static rcp_code keep(void *context, uint64_t option, const rcp_eid pair[2], const void *found, size_t n) {
    const store *to = context;
    return rcp_results_keep_outcome(to->results, option, pair, found, n);
}

static rcp_code keep_orders(store *to, rcp_order_report *report, uint32_t models) {
    for (size_t i = 0; i < report->races.len; i++)
        RCP_TRY(put(to, &report->races.at[i]));
    for (unsigned m = 0; m < RCP_MODELS; m++) {
        if (!(models & RCP_MODEL_BIT(m)))
            continue;
        const rcp_engine_stats *stats = &report->stats[m];
        const rcp_statistic_value rows[] = {
            {RCP_STATISTIC_ORDER_FLAGGED, (double)stats->flagged},
            {RCP_STATISTIC_ORDER_RACES, (double)stats->races},
            {RCP_STATISTIC_ORDER_CLOCK_COPIES, (double)stats->clock_copies},
            {RCP_STATISTIC_ORDER_CLOCK_JOINS, (double)stats->clock_joins},
            {RCP_STATISTIC_ORDER_CLOCK_BYTES, (double)stats->clock_bytes},
            {RCP_STATISTIC_ORDER_HISTORY_BYTES, (double)stats->history_bytes},
            {RCP_STATISTIC_ORDER_REDUNDANT_ACCESSES, (double)stats->redundant_accesses},
            {RCP_STATISTIC_ORDER_REDUNDANT_BRANCHES, (double)stats->redundant_branches},
            {RCP_STATISTIC_ORDER_SECTIONS, (double)stats->sections},
            {RCP_STATISTIC_ORDER_SECTIONS_PEAK, (double)stats->sections_peak},
            {RCP_STATISTIC_ORDER_SECTIONS_SPILLED, (double)stats->sections_spilled},
            {RCP_STATISTIC_ORDER_FORGOTTEN, (double)stats->forgotten},
        };
        RCP_TRY(
            rcp_results_put_statistics(to->results, rcp_model_name((rcp_model)m), rows, sizeof rows / sizeof *rows));
    }
    for (unsigned o = 0; o < RCP_VINDICATIONS; o++) {
        rcp_statistic_value outcome = {(rcp_statistic_id)(RCP_STATISTIC_VINDICATION_RACES + o), 0};
        for (int by = 0; by < RCP_BY_COUNT; by++)
            outcome.value += (double)report->vindicated[o][by];
        if (outcome.value > 0)
            RCP_TRY(rcp_results_put_statistics(to->results, NULL, &outcome, 1));
    }
    return RCP_OK;
}

static rcp_code keep_prediction(const store *to, const rcp_predict_report *report) {
    const rcp_ladder_stats *ladder = &report->ladder;
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_PREDICTION_CONFLICTS, (double)report->conflicts},
        {RCP_STATISTIC_PREDICTION_BY_LOCK, (double)report->by_lock},
        {RCP_STATISTIC_PREDICTION_BY_ORDER, (double)report->by_order},
        {RCP_STATISTIC_PREDICTION_BY_HISTORY, (double)report->by_history},
        {RCP_STATISTIC_PREDICTION_LEFT, (double)report->left},
        {RCP_STATISTIC_PREDICTION_FORGOTTEN, (double)report->forgotten},
        {RCP_STATISTIC_PREDICTION_OPAQUE, (double)report->by_opaque},
        {RCP_STATISTIC_PREDICTION_RECALLED, (double)report->recalled},
        {RCP_STATISTIC_PREDICTION_QUERIES, (double)ladder->queries},
        {RCP_STATISTIC_PREDICTION_WINDOW_1, (double)ladder->races[0]},
        {RCP_STATISTIC_PREDICTION_WINDOW_2, (double)ladder->races[1]},
        {RCP_STATISTIC_PREDICTION_WINDOW_3, (double)ladder->races[2]},
        {RCP_STATISTIC_PREDICTION_SMALL, (double)ladder->races[RCP_RUNG_SMALL]},
        {RCP_STATISTIC_PREDICTION_WHOLE, (double)ladder->races[RCP_RUNG_WHOLE]},
        {RCP_STATISTIC_PREDICTION_NONE, (double)ladder->none},
        {RCP_STATISTIC_PREDICTION_UNKNOWN, (double)ladder->unknown},
        {RCP_STATISTIC_PREDICTION_TOO_LARGE, (double)ladder->too_large},
        {RCP_STATISTIC_PREDICTION_REFUSED, (double)ladder->refused},
        {RCP_STATISTIC_PREDICTION_ROUNDS, (double)ladder->search.rounds},
        {RCP_STATISTIC_PREDICTION_SOLVER_CONFLICTS, (double)ladder->search.conflicts},
    };
    return rcp_results_put_statistics(to->results, NULL, rows, sizeof rows / sizeof *rows);
}

/* What the trace's checker accepts and the code refuses is a mistake of ours: said, never passed over. */
static rcp_code keep_judgements(const store *to) {
    const rcp_judging *judging = &to->judging;
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_WITNESSES_FEASIBLE, (double)judging->feasible},
        {RCP_STATISTIC_WITNESSES_REFUSED, (double)judging->refused},
        {RCP_STATISTIC_WITNESSES_NOT_JUDGED, (double)judging->not_judged},
    };
    if (judging->refused)
        rcp_say("%llu witnesses were accepted by the checker, but the code does not go along them (not reported as "
                "races; please report this as a bug of recipe): %s",
                (unsigned long long)judging->refused, judging->refusal);
    if (judging->not_judged)
        rcp_say("of %llu witnesses it could not be seen whether the code goes along them: %s",
                (unsigned long long)judging->not_judged, judging->obstacle);
    return judging->feasible + judging->refused + judging->not_judged
               ? rcp_results_put_statistics(to->results, NULL, rows, sizeof rows / sizeof *rows)
               : RCP_OK;
}

/* A race is a race of executions: from what is none, anything could follow. */
static rcp_code must_be_execution(rcp_reader *reader, const char *directory) {
    rcp_wellformed *check = rcp_wellformed_create(rcp_reader_borrow_defs(reader), rcp_reader_borrow_terms(reader));
    rcp_code code = rcp_wellformed_read(check, reader);
    if (code == RCP_OK && rcp_wellformed_finish(check)) {
        const rcp_fault *fault = rcp_wellformed_borrow(check, 0);
        code =
            rcp_fail(RCP_BAD_INPUT,
                     "%s: no execution can have left this trace, so nothing is analysed: event %llu: %s ('recipe trace "
                     "check' says all)",
                     directory, (unsigned long long)fault->eid.v, fault->reason);
    }
    rcp_wellformed_destroy(check);
    return code;
}

/* Results that are there are opened first: where they can't be added to, that is said before any work is done. Where
 * there are none, they are made last: a trace that turns out to be damaged is left as it was. */
static rcp_code open_results(const char *directory, rcp_results **results) {
    if (rcp_results_exist(directory))
        return rcp_results_open(directory, results);
    return access(directory, W_OK)
               ? rcp_fail(RCP_SYSTEM, "%s: results.db can't be made there: %s", directory, strerror(errno))
               : RCP_OK;
}

/* What `run` was asked for. */
typedef struct request {
    const char *directory;
    uint32_t models;
    uint64_t proof_limit;
    bool verbose;
    rcp_predict_options predict;
} request;

/* The models that predict look at every conflicting pair; so their counts are the analysis's, where they are run. */
static rcp_analysis sum(const rcp_analysis *orders, const rcp_analysis *prediction) {
    rcp_analysis all = prediction->models ? *prediction : *orders;
    all.models = orders->models | prediction->models;
    all.unproven = orders->unproven;
    all.seconds = orders->seconds + prediction->seconds;
    return all;
}

/* What has become of another tool's warnings, one a line. */
static void list_warnings(const rcp_warnings *warnings, const rcp_predict_report *report) {
    static const char *const words[] = {"not in the trace", "no race", "unknown", "proved"};
    for (size_t i = 0; i < report->warned.len; i++) {
        const rcp_warning *w = &warnings->at.at[i];
        printf("%s:%u %s:%u: %s\n", w->place[0].file, w->place[0].line, w->place[1].file, w->place[1].line,
               words[report->warned.at[i]]);
    }
    if (warnings->incomplete)
        printf("%zu of %zu warnings have no source line for one of their accesses\n", warnings->incomplete,
               warnings->reports);
    if (report->warned.len || warnings->incomplete)
        printf("\n");
}

/* What was not looked at, by the reason: docs/report.md lists them. */
static rcp_code keep_exploration(const store *to, const rcp_variants_report *report) {
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_EXPLORATION_BRANCHES, (double)report->branches},
        {RCP_STATISTIC_EXPLORATION_ASKED, (double)report->asked},
        {RCP_STATISTIC_EXPLORATION_SETTLED, (double)report->settled},
        {RCP_STATISTIC_EXPLORATION_VARIANTS, (double)report->made},
        {RCP_STATISTIC_EXPLORATION_AGAIN, (double)report->again},
    };
    RCP_TRY(rcp_results_put_statistics(to->results, NULL, rows, sizeof rows / sizeof *rows));
    const rcp_statistic_value rejected[] = {
        {RCP_STATISTIC_REJECTED_UNDECIDED, (double)report->undecided},
        {RCP_STATISTIC_REJECTED_NOT_ASKED, (double)report->left},
        {RCP_STATISTIC_REJECTED_OTHER_WAY, (double)report->strayed},
        {RCP_STATISTIC_REJECTED_NO_EXECUTION, (double)report->refused},
        {RCP_STATISTIC_REJECTED_WITNESS, (double)report->not_judged},
        {RCP_STATISTIC_REJECTED_CUT_OFF, (double)report->cut_off},
        {RCP_STATISTIC_REJECTED_INSTANCES, (double)report->instances},
        {RCP_STATISTIC_REJECTED_OUTCOMES, (double)report->outcomes},
    };
    for (int e = RCP_EXPLORE_GOES_ON + 1; e < RCP_EXPLORE_ENDS; e++) {
        const rcp_statistic_value end = {RCP_STATISTIC_REJECTED_END, (double)report->rejected[e]};
        RCP_TRY(rcp_results_put_statistics(to->results, rcp_explore_end_name((rcp_explore_end)e), &end, 1));
    }
    return rcp_results_put_statistics(to->results, NULL, rejected, sizeof rejected / sizeof *rejected);
}

/* At least a little: 0 would be no end. */
static double left_until(double end) {
    double left = end - rcp_seconds_now();
    return left > 0.1 ? left : 0.1;
}

/* The same by the guarded formula. */
static rcp_code form_opinion(store *to, const rcp_variants_options *how) {
    rcp_opinion_report report;
    RCP_TRY(rcp_opinion_explore(how, &to->known, put_explored, to, &report));
    RCP_TRY(keep_exploration(to, &report.variants));
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_GUARDED_PAIRS, (double)report.pairs},
        {RCP_STATISTIC_GUARDED_RACES, (double)report.races},
        {RCP_STATISTIC_GUARDED_NONE, (double)report.none},
        {RCP_STATISTIC_GUARDED_UNKNOWN, (double)report.unknown},
        {RCP_STATISTIC_GUARDED_REFUSED, (double)report.refused},
        {RCP_STATISTIC_GUARDED_FORMULAS, (double)report.formulas},
    };
    RCP_TRY(rcp_results_put_statistics(to->results, NULL, rows, sizeof rows / sizeof *rows));
    rcp_text why = {0};
    for (int c = 0; c < RCP_CUTS; c++) {
        const rcp_statistic_value cut = {RCP_STATISTIC_GUARDED_CUT, (double)report.cuts[c]};
        RCP_TRY(rcp_results_put_statistics(to->results, rcp_ways_cut_name((rcp_ways_cut)c), &cut, 1));
        if (report.cuts[c])
            rcp_text_printf(&why, "%s%llu at %s", why.len ? ", " : "", (unsigned long long)report.cuts[c],
                            rcp_ways_cut_name((rcp_ways_cut)c));
    }
    if (report.is_too_large)
        rcp_say(
            "the guarded formula does not know what other runs have: they have more than %llu events, or their formula "
            "more than %llu subformulas",
            (unsigned long long)rcp_limit(RCP_LIMIT_GUARDED_EVENTS),
            (unsigned long long)rcp_limit(RCP_LIMIT_Z3_FORMULAS));
    if (report.unknown)
        rcp_say("of %llu pairs the guarded formula does not know whether they race%s%s",
                (unsigned long long)report.unknown, why.len ? "; threads that it does not follow to their ends: " : "",
                why.len ? why.at : "");
    rcp_text_finish(&why);
    return RCP_OK;
}

/* Runs that the recorded one is a neighbour of. They get a part of the budget, or, where there is none, so many
 * seconds: how long the analysis before them took says nothing about them. */
static rcp_code explore(const request *asked, store *to, double left) {
    double budget = asked->predict.seconds;
    rcp_limit_name time = budget > 0 ? RCP_LIMIT_EXPLORE_SHARE : RCP_LIMIT_EXPLORE_SECONDS;
    double seconds = budget > 0 ? budget * (double)rcp_limit(time) / 100 : (double)rcp_limit(time);
    rcp_variants_report report;
    const rcp_variants_options how = {.directory = asked->directory,
                                      .models = asked->models & EXPLORING,
                                      .verbose = asked->verbose,
                                      .depth = (unsigned)rcp_limit(RCP_LIMIT_EXPLORE_DEPTH),
                                      .most = (size_t)rcp_limit(RCP_LIMIT_EXPLORE_RUNS),
                                      .seconds = seconds,
                                      .time = time,
                                      .budget = left > 0 ? left : 0,
                                      .predict = asked->predict};
    if (asked->predict.z3)
        return form_opinion(to, &how);
    RCP_TRY(rcp_variants_explore(&how, &to->known, put_explored, to, &report));
    return keep_exploration(to, &report);
}

/* How often something was left out at a limit, by its name. */
static rcp_code keep_limits(const store *to) {
    rcp_limit_counts reached;
    rcp_limits_sum(&reached);
    for (int i = 0; i < RCP_LIMITS; i++) {
        const rcp_statistic_value limit = {RCP_STATISTIC_LIMIT, (double)reached.at[i]};
        if (reached.at[i])
            RCP_TRY(rcp_results_put_statistics(to->results, rcp_limit_borrow((rcp_limit_name)i)->name, &limit, 1));
    }
    return RCP_OK;
}

/* The partial orders first: they are done soon. */
static rcp_code run_models(const request *asked, store *to) {
    uint32_t orders = asked->models & ~RCP_PREDICT_MODELS & ~EXPLORING;
    uint32_t fresh = rcp_variants_next(asked->directory);
    rcp_order_report report;
    rcp_predict_report prediction = {0};
    rcp_order_report_init(&report);
    double seconds = asked->predict.seconds, end = rcp_seconds_now() + seconds;
    double share = seconds * (double)rcp_limit(RCP_LIMIT_ORDERS_SHARE) / 100;
    rcp_code code = orders ? rcp_order_analyze(asked->directory, orders, asked->proof_limit, share, &report) : RCP_OK;
    if (code == RCP_OK && report.seen < report.events)
        rcp_say("the budget of %.0f seconds ends the partial orders at event %llu of %llu: what they would flag after "
                "that is not known",
                seconds, (unsigned long long)report.seen, (unsigned long long)report.events);
    if (code == RCP_OK && !to->results)
        code = rcp_results_open(asked->directory, &to->results);
    if (code == RCP_OK)
        code = rcp_results_begin(to->results, rcp_results_key(to->reader), asked->models);
    if (code == RCP_OK)
        code = keep_orders(to, &report, orders);
    if (code == RCP_OK && asked->predict.models) {
        const rcp_predict_memory memory = {.recall = recall, .keep = keep, .context = to};
        rcp_predict_options how = asked->predict;
        how.memory = &memory;
        how.progress = tell_progress;
        how.seconds = seconds > 0 ? left_until(end) : 0;
        to->began = rcp_seconds_now();
        code = rcp_predict_analyze(asked->directory, &how, put_predicted, to, &prediction);
        rcp_progress_clear();
        if (code == RCP_OK)
            code = keep_prediction(to, &prediction);
        if (prediction.seen < prediction.events)
            rcp_say("mc to recipe+ look at the first %llu of %llu events; --events raises it, for %.0f MB more",
                    (unsigned long long)prediction.seen, (unsigned long long)prediction.events,
                    (double)(prediction.events - prediction.seen) * 150 / 1e6);
        if (code == RCP_OK && asked->predict.warnings)
            list_warnings(asked->predict.warnings, &prediction);
        if (prediction.unsaved)
            rcp_say("%llu queries were too large to be saved in %s", (unsigned long long)prediction.unsaved,
                    asked->predict.smt2);
    }
    bool explores = asked->models & EXPLORING && to->judging.is_recorded && !asked->predict.warnings;
    if (code == RCP_OK && explores)
        code = explore(asked, to, seconds > 0 ? left_until(end) : 0);
    rcp_predict_report_finish(&prediction);
    prediction.analysis.models = asked->models & (RCP_PREDICT_MODELS | EXPLORING);
    rcp_analysis all = sum(&report.analysis, &prediction.analysis);
    all.unproven += to->judging.refused;
    if (code == RCP_OK)
        code = keep_judgements(to);
    if (code == RCP_OK)
        code = keep_limits(to);
    if (code == RCP_OK)
        code = rcp_results_end(to->results, &all);
    if (code == RCP_OK && explores)
        rcp_variants_remove(asked->directory, fresh);
    rcp_order_report_finish(&report);
    return code;
}

static rcp_code analyze(const request *asked) {
    store to = {.models = asked->models};
    rcp_map_init(&to.known);
    RCP_TRY(rcp_reader_open(asked->directory, &to.reader));
    if (rcp_reader_borrow_loss(to.reader))
        rcp_say("%s", rcp_reader_borrow_loss(to.reader));
    rcp_code code = open_results(asked->directory, &to.results);
    if (code == RCP_OK)
        code = must_be_execution(to.reader, asked->directory);
    rcp_judging_init(&to.judging, asked->directory);
    if (code == RCP_OK)
        code = run_models(asked, &to);
    rcp_judging_finish(&to.judging);
    rcp_results_close(to.results);
    rcp_reader_close(to.reader);
    rcp_map_finish(&to.known);
    return code;
}

static rcp_code read_warnings(const char *path, rcp_warnings *warnings) {
    rcp_text text = {0};
    rcp_code code = rcp_text_read_file(&text, path);
    if (code == RCP_OK)
        code = rcp_warnings_parse(path, text.at ? text.at : "", text.len, warnings);
    rcp_text_finish(&text);
    return code;
}

static rcp_exit dump(const rcp_arguments *arguments, const request *asked) {
    const rcp_dump what = {.stage = arguments->option[DUMP],
                           .directory = asked->directory,
                           .pair = arguments->option[PAIR],
                           .orders = asked->models & ~RCP_PREDICT_MODELS & ~EXPLORING,
                           .models = asked->predict.models,
                           .events = rcp_limit(RCP_LIMIT_EVENTS),
                           .limits = asked->predict.limits,
                           .spurious_wakeups = asked->predict.spurious_wakeups};
    bool is_order = !strcmp(what.stage, "order");
    if (is_order ? !what.orders : !what.models)
        return rcp_usage(&rcp_cmd_analyze, "--dump=%s is for %s, and none of them is among the models", what.stage,
                         is_order ? "partial orders" : "mc, rv, recipe-s, recipe and recipe+");
    rcp_text text = {0};
    rcp_code code = rcp_recorded_opaque(what.directory, arguments->option[OPAQUE], arguments->option[BARRIERS]);
    if (code == RCP_OK)
        code = rcp_recorded_prepare(what.directory, arguments->option[VERBOSE]);
    if (code == RCP_OK)
        code = rcp_dump_stage(&what, &text);
    if (code == RCP_OK)
        code = rcp_output_all(NULL, &text);
    rcp_text_finish(&text);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

static rcp_exit run(const rcp_arguments *arguments) {
    const char *warned = arguments->option[CANDIDATES];
    uint32_t models = read_models(arguments->option[MODEL] ? arguments->option[MODEL]
                                  : warned                 ? "mc,rv,recipe-s"
                                                           : "auto");
    if (!models)
        return RCP_EXIT_USAGE;
    for (int o = CANDIDATES; o <= SAVE_SMT2; o++)
        if (arguments->option[o] && !(models & (RCP_PREDICT_MODELS | (o == CANDIDATES ? 0 : EXPLORING))))
            return rcp_usage(&rcp_cmd_analyze, "--%s is for the models mc, rv and recipe-s%s, and none of them is run",
                             options[o].name, o == CANDIDATES ? "" : ", recipe and recipe+");
    request asked = {
        .directory = arguments->operand[0],
        .models = models,
        .proof_limit = rcp_limit(RCP_LIMIT_PROOF_EVENTS),
        .verbose = arguments->option[VERBOSE],
        .predict = {.models =
                        (models & RCP_PREDICT_MODELS) | (models & EXPLORING ? RCP_MODEL_BIT(RCP_MODEL_RECIPE_S) : 0),
                    .jobs = (unsigned)arguments->number[JOBS],
                    .limits = rcp_ladder_limits_set(),
                    .seconds = (double)rcp_limit(RCP_LIMIT_BUDGET),
                    .spurious_wakeups = arguments->option[SPURIOUS],
                    .z3 = !strcmp(arguments->word[SOLVER], "z3"),
                    .smt2 = arguments->option[SAVE_SMT2]},
    };
    if (arguments->option[PAIR] && !arguments->option[DUMP])
        return rcp_usage(&rcp_cmd_analyze, "--pair goes with --dump");
    if (arguments->option[DUMP])
        return dump(arguments, &asked);
    rcp_show what = {.directory = arguments->operand[0],
                     .statistics = arguments->option[STATS],
                     .strict = arguments->option[STRICT]};
    rcp_exit outcome;
    rcp_warnings warnings;
    rcp_warnings_init(&warnings);
    asked.predict.warnings = warned ? &warnings : NULL;
    rcp_code code = warned ? read_warnings(warned, &warnings) : RCP_OK;
    if (code == RCP_OK)
        code = rcp_recorded_opaque(arguments->operand[0], arguments->option[OPAQUE], arguments->option[BARRIERS]);
    if (code == RCP_OK)
        code = rcp_recorded_renew(arguments->operand[0], arguments->option[VERBOSE]);
    if (code == RCP_OK)
        code = rcp_recorded_prepare(arguments->operand[0], arguments->option[VERBOSE]);
    if (code == RCP_OK)
        code = analyze(&asked);
    rcp_warnings_finish(&warnings);
    if (code == RCP_OK)
        code = rcp_show_report(&what, &outcome);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

const rcp_command rcp_cmd_analyze = {
    .name = "analyze",
    .operands = "DIR",
    .summary = "Finds races in a trace, proves each with a schedule, and prints the report.",
    .about =
        "DIR is a trace directory. What no execution can have left is refused ('recipe trace check' says why). A race "
        "is "
        "reported only where the checker has accepted a schedule that leads to both accesses; pairs that a model flags "
        "without one are counted apart. What is found is kept in DIR/results.db: "
        "'recipe report' prints it again. A model that is run again replaces what it found before.\n\n"
        "Exit codes: 0 no race, 1 races, 3 bad input, 4 something was not looked at and --strict, 5 internal.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = run,
};
