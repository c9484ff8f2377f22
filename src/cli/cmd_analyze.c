/* SPDX-License-Identifier: Apache-2.0 */
/* recipe analyze: what was asked for becomes an analysis (analysis/analyze.h); then the report is printed. */
#include "analysis/analyze.h"
#include "analysis/dump_stage.h"
#include "base/process.h"
#include "base/tally.h"
#include "cli/analysis.h"
#include "cli/command.h"
#include "cli/limits.h"
#include "cli/listener.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
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
    VOLATILE,
    DUMP,
    PAIR,
    STATS,
    STRICT,
    UNCONFIRMED,
    SUPPRESSIONS,
    BASELINE,
    BRIEF,
    COLOR,
    NO_FD,
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
         "c11: the recorded run by the rules of the language: what only an atomic operation or a fence orders whose "
         "memory order is too weak for it; of what recipe and recipe+ explore, too. "
         "auto: all that are there. What other models found in this trace before is kept and reported, too.",
         .otherwise = "auto"},
    [JOBS] = {"jobs", 'j', "N", RCP_OPTION_NUMBER, "processes for mc, rv and recipe-s",
              "The report is the same, whatever N is.", .otherwise = "one per core", .least = 1, .most = 256,
              .means = "a number of processes"},
    [BUDGET] = {"budget", 0, "SECONDS", RCP_OPTION_LIMIT, "time for all models",
                "Bounds everything, the re-execution of a recorded run for its events included: where that takes "
                "longer, the beginning of the run is looked at, and that is said. The partial orders get a part of "
                "what is left (the limit orders-share); where they have not seen the whole trace by then, that is "
                "said. "
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
         "Each pair is then listed as proved, no race, ruled out by what is only assumed (calls outside, memory "
         "that was given out again), unknown, not looked at to the end, or not in the trace. Models: mc, rv and "
         "recipe-s, unless --model says "
         "otherwise."},
    [SOLVER] = {"solver", 0, "own|z3", RCP_OPTION_CHOICE, "models that predict: who answers queries",
                "z3: the papers' encodings, for a second opinion; slow from some thousand events on. recipe and "
                "recipe+: both sides of every branch in one guarded formula. --step-limit is Z3's resource limit "
                "then.",
                .usual = "own"},
    [SAVE_SMT2] =
        {"save-smt2", 0, "DIR", RCP_OPTION_PATH, "leave every query in DIR as SMT-LIB",
         "One file per pair and model, for other solvers to read: 'sat' is a race. Of recipe and recipe+ with "
         "--solver=z3 alone.",
         .writes_there = true},
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
    [VOLATILE] = {"volatile", 0, "plain|atomic", RCP_OPTION_CHOICE, "how volatile accesses count",
                  "plain: as the language has it, they synchronise nothing and race. atomic: as relaxed atomics, for "
                  "code that lives by it. Kept in DIR.",
                  .otherwise = "plain"},
    [DUMP] = {"dump", 0, RCP_DUMP_STAGES, RCP_OPTION_CHOICE, "print what a stage has in its hands, not the report",
              "For whoever debugs an answer; nothing is kept. candidates: the conflicting pairs by their places in the "
              "source, what ruled out how many of their instances, and those that are left. slice: which events may "
              "take part in a witness of a pair, on each rung that is tried. query: the same as the solver has it: "
              "nodes, the order that every witness has, what may be chosen. order: of each partial order of --model "
              "which event comes before which, and the pairs that it flags; of a --pair by which steps it is ordered. "
              "See docs/debugging.md."},
    [PAIR] = {"pair", 0, "EVENT,EVENT", RCP_OPTION_TEXT, "of --dump: two events by their numbers",
              "'recipe trace dump' and --dump=candidates say them. The default is for slice and query.",
              .otherwise = "the first candidate"},
    [STATS] = {"stats", 0, NULL, RCP_OPTION_FLAG, "say on standard error how much work it was", NULL},
    [STRICT] = RCP_STRICT_OPTION,
    [UNCONFIRMED] = RCP_UNCONFIRMED_OPTION,
    [SUPPRESSIONS] = RCP_SUPPRESSIONS_OPTION,
    [BASELINE] = RCP_BASELINE_OPTION,
    [BRIEF] = RCP_BRIEF_OPTION,
    [COLOR] = RCP_COLOR_OPTION,
    [NO_FD] = RCP_NO_FD_OPTION,
    [SET] = RCP_SET_OPTION,
    [VERBOSE] = {"verbose", 'v', NULL, RCP_OPTION_FLAG, "say on standard error what is done, and in the end how often",
                 "How often what is dear was done: loads of the trace, executions of the code, tellings of its events, "
                 "facts, checkers; of the run itself and of its variants apart, by all processes."},
};

/* The models that this version has. */
static const rcp_model available[] = {
    RCP_MODEL_HB, RCP_MODEL_SHB, RCP_MODEL_WCP,      RCP_MODEL_DC,     RCP_MODEL_SDP,         RCP_MODEL_WDP,
    RCP_MODEL_MC, RCP_MODEL_RV,  RCP_MODEL_RECIPE_S, RCP_MODEL_RECIPE, RCP_MODEL_RECIPE_PLUS, RCP_MODEL_C11,
};
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

/* What has become of another tool's warnings, one a line. */
static void list_warnings(const rcp_warnings *warnings, const rcp_predict_report *report) {
    static const char *const words[] = {
        "not in the trace", "not looked at to the end", "no race", "ruled out by ", "unknown", "proved"};
    for (size_t i = 0; i < report->warned.len; i++) {
        const rcp_warning *w = &warnings->at.at[i];
        const char *by = report->warned_for.at[i];
        printf("%s:%u %s:%u: %s%s\n", w->place[0].file, w->place[0].line, w->place[1].file, w->place[1].line,
               words[report->warned.at[i]], by ? by : "");
    }
    if (warnings->incomplete)
        printf("%zu of %zu warnings have no source line for one of their accesses\n", warnings->incomplete,
               warnings->reports);
    if (report->warned.len || warnings->incomplete)
        printf("\n");
}

static rcp_code read_warnings(const char *path, rcp_warnings *warnings) {
    rcp_text text = {0};
    rcp_code code = rcp_text_read_file(&text, path);
    if (code == RCP_OK)
        code = rcp_warnings_parse(path, text.at ? text.at : "", text.len, warnings);
    rcp_text_finish(&text);
    return code;
}

/* "EVENT,EVENT" */
static bool read_pair(const char *word, rcp_eid pair[2]) {
    const char *end;
    return rcp_options_leading_number(word, &end, &pair[0].v) && *end == ',' &&
           rcp_options_number(end + 1, &pair[1].v) && pair[0].v != pair[1].v;
}

static rcp_exit dump(const rcp_arguments *arguments, const rcp_study_options *asked, const rcp_notices *notices) {
    rcp_dump what = {.stage = arguments->option[DUMP], .has_pair = arguments->option[PAIR]};
    if (what.has_pair && !read_pair(arguments->option[PAIR], what.pair))
        return rcp_usage(&rcp_cmd_analyze, "--pair %s: not the numbers of two events, EVENT,EVENT",
                         arguments->option[PAIR]);
    bool is_order = !strcmp(what.stage, "order");
    if (is_order ? !rcp_study_orders(asked) : !asked->predict.models)
        return rcp_usage(&rcp_cmd_analyze, "--dump=%s is for %s, and none of them is among the models", what.stage,
                         is_order ? "partial orders" : "mc, rv, recipe-s, recipe and recipe+");
    rcp_text text = {0};
    rcp_code code = rcp_dump_stage(asked, &what, notices, &text);
    if (code == RCP_OK)
        code = rcp_output_all(NULL, &text);
    rcp_text_finish(&text);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

rcp_exit rcp_analysis_run(const rcp_arguments *arguments, rcp_asides *asides) {
    const char *warned = arguments->option[CANDIDATES];
    uint32_t models = read_models(arguments->option[MODEL] ? arguments->option[MODEL]
                                  : warned                 ? "mc,rv,recipe-s"
                                                           : "auto");
    if (!models)
        return RCP_EXIT_USAGE;
    for (int o = CANDIDATES; o <= SAVE_SMT2; o++)
        if (arguments->option[o] && !(models & (RCP_PREDICT_MODELS | (o == CANDIDATES ? 0 : RCP_EXPLORING_MODELS))))
            return rcp_usage(&rcp_cmd_analyze, "--%s is for the models mc, rv and recipe-s%s, and none of them is run",
                             options[o].name, o == CANDIDATES ? "" : ", recipe and recipe+");
    rcp_study_options asked = {
        .directory = arguments->operand[0],
        .opaque = arguments->option[OPAQUE],
        .barriers = arguments->option[BARRIERS],
        .volatiles = arguments->option[VOLATILE],
        .models = models,
        .proof_limit = rcp_limit(RCP_LIMIT_PROOF_EVENTS),
        .predict = {.models = (models & RCP_PREDICT_MODELS) |
                              (models & RCP_EXPLORING_MODELS ? RCP_MODEL_BIT(RCP_MODEL_RECIPE_S) : 0),
                    .jobs = (unsigned)arguments->number[JOBS],
                    .limits = rcp_ladder_limits_set(),
                    .seconds = (double)rcp_limit(RCP_LIMIT_BUDGET),
                    .spurious_wakeups = arguments->option[SPURIOUS],
                    .z3 = !strcmp(arguments->word[SOLVER], "z3"),
                    .smt2 = arguments->option[SAVE_SMT2]},
    };
    if (arguments->option[PAIR] && !arguments->option[DUMP])
        return rcp_usage(&rcp_cmd_analyze, "--pair goes with --dump");
    const rcp_notices notices = rcp_listener(arguments->option[VERBOSE]);
    if (arguments->option[DUMP])
        return dump(arguments, &asked, &notices);
    rcp_show what = {.directory = arguments->operand[0],
                     .statistics = arguments->option[STATS],
                     .strict = rcp_strict_of(arguments->option[STRICT]),
                     .count_unconfirmed = arguments->option[UNCONFIRMED],
                     .is_brief = arguments->option[BRIEF],
                     .color = rcp_color_of(arguments->word[COLOR]),
                     .asides = asides};
    rcp_exit outcome;
    rcp_predict_report prediction = {0};
    rcp_warnings warnings;
    rcp_warnings_init(&warnings);
    asked.predict.warnings = warned ? &warnings : NULL;
    if (notices.verbose)
        rcp_tally_begin();
    rcp_code code = warned ? read_warnings(warned, &warnings) : RCP_OK;
    if (code == RCP_OK)
        code = rcp_analyze(&asked, &notices, &prediction);
    if (code == RCP_OK && warned)
        list_warnings(&warnings, &prediction);
    if (code == RCP_OK && notices.verbose)
        rcp_analyze_say_tally(&notices);
    rcp_predict_report_finish(&prediction);
    rcp_warnings_finish(&warnings);
    what.is_alone = !asides;
    what.is_silent = !asides;
    if (code == RCP_OK)
        code = rcp_show_report(&what, &outcome);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

/* One process after the other, each by a copy of this one; then the report of all. */
static rcp_exit analyze_several(const rcp_arguments *arguments, rcp_asides *asides) {
    rcp_processes_list directories = {0};
    const rcp_show what = {.directory = arguments->operand[0],
                           .statistics = arguments->option[STATS],
                           .strict = rcp_strict_of(arguments->option[STRICT]),
                           .count_unconfirmed = arguments->option[UNCONFIRMED],
                           .is_brief = arguments->option[BRIEF],
                           .color = rcp_color_of(arguments->word[COLOR]),
                           .asides = asides};
    rcp_exit outcome = RCP_EXIT_INTERNAL;
    rcp_code code = rcp_processes_threaded(arguments->operand[0], &directories);
    for (size_t i = 0; code == RCP_OK && i < directories.len; i++) {
        rcp_arguments one = *arguments;
        int status = 0;
        one.operand = &directories.at[i];
        pid_t child = rcp_process_fork();
        if (!child)
            _exit((int)rcp_analysis_run(&one, NULL));
        if (child < 0 || !rcp_process_await(child, &status))
            code = rcp_fail(RCP_SYSTEM, "no process could be made: %s", strerror(errno));
        else if (WIFSIGNALED(status))
            rcp_say("%s: its analysis was killed by %s", directories.at[i], rcp_process_signal_name(WTERMSIG(status)));
        else if (WEXITSTATUS(status) == RCP_EXIT_USAGE || WEXITSTATUS(status) == RCP_EXIT_INTERNAL) {
            rcp_processes_list_finish(&directories);
            return (rcp_exit)WEXITSTATUS(status);
        }
    }
    rcp_processes_list_finish(&directories);
    if (code == RCP_OK)
        code = rcp_show_report(&what, &outcome);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

static rcp_exit run(const rcp_arguments *arguments) {
    rcp_limits_no_fd(arguments->option[NO_FD]);
    bool is_of_one = arguments->option[DUMP] || arguments->option[CANDIDATES] || arguments->option[SAVE_SMT2];
    rcp_asides asides;
    rcp_exit end = rcp_asides_read(&asides, &rcp_cmd_analyze, arguments, SUPPRESSIONS, BASELINE);
    asides.says_unmatched = arguments->option[VERBOSE];
    if (end == RCP_EXIT_CLEAN && !is_of_one && rcp_processes_are_several(arguments->operand[0]))
        end = analyze_several(arguments, &asides);
    else if (end == RCP_EXIT_CLEAN)
        end = rcp_analysis_run(arguments, &asides);
    rcp_asides_finish(&asides);
    return end;
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
        "'recipe report' prints it again. A model that is run again replaces what it found before. Where replays were "
        "made of this trace before, they are the judge: what they did not show is unconfirmed, and no race. Where "
        "several processes were recorded in DIR, each is analysed, and one report has what all of them have; --dump, "
        "--candidates and --save-smt2 are for one: DIR/process.N.\n\n"
        "Exit codes: 0 no race, 1 races or a deadlock, 3 bad input, 4 something was not looked at and --strict, 5 "
        "internal.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_WORK,
    .run = run,
};
