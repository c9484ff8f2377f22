/* SPDX-License-Identifier: Apache-2.0 */
/* recipe run: record, analyze, replay every race, report. And recipe hunt, which runs the program again in between
 * (analysis/hunting.h).
 *
 * Each stage is the command of that name, with its own options. The analysis runs in a process of its own: what ends it
 * (Ctrl-C, too little memory) leaves us to say what was found until then. Everything is in the recorded directory at
 * every moment, so that 'analyze' and 'replay' can go on where this was interrupted.
 */
#include "analysis/atomicity.h"
#include "analysis/budget.h"
#include "analysis/hunting.h"
#include "analysis/recorded.h"
#include "analysis/steering.h"
#include "base/process.h"
#include "base/tally.h"
#include "base/workers.h"
#include "cli/analysis.h"
#include "cli/command.h"
#include "cli/entry.h"
#include "cli/inputs.h"
#include "cli/limits.h"
#include "cli/argv.h"
#include "cli/listener.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/progress.h"
#include "cli/recording.h"
#include "cli/replayed.h"
#include "cli/running.h"
#include "cli/show.h"
#include "cli/trust.h"
#include "program/recording/recording.h"
#include "record/inputs.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    OUTPUT,
    SCHEDULE,
    SEED,
    QUANTUM,
    DEPTH,
    LENGTH,
    LOG_VALUES,
    THROUGH,
    FOR,
    CLIENT,
    MODEL,
    JOBS,
    BUDGET,
    OPAQUE,
    VOLATILE,
    FORMAT,
    REPORT,
    LIMIT,
    STRICT,
    UNCONFIRMED,
    SUPPRESSIONS,
    BASELINE,
    BRIEF,
    COLOR,
    NO_FD,
    SET,
    VERBOSE,
    INPUTS,
    ATOMICITY,
    HUNT
};

const rcp_option rcp_running_options[] = {
    [OUTPUT] = {"output", 'o', "DIR", RCP_OPTION_PATH, "record into DIR, which must not be there",
                "Default: PROG's base name and .recipe, then .recipe.1 and so on.", .writes_there = true},
    [SCHEDULE] = {"schedule", 0, "rr|random|pct|file:PATH", RCP_OPTION_TEXT, "of 'record': who runs when", NULL,
                  .otherwise = "rr"},
    [SEED] = {"seed", 0, "N", RCP_OPTION_NUMBER, "of 'record': for random and pct", NULL},
    [QUANTUM] = {"quantum", 0, "N", RCP_OPTION_NUMBER, "of 'record': events of a turn", NULL, .least = 1,
                 .most = UINT64_MAX / 4, .otherwise = "turns that fit the run"},
    [DEPTH] = {"depth", 0, "N", RCP_OPTION_LIMIT, "of 'record', for pct: finds races that need N ordered events", NULL,
               .limit = RCP_LIMIT_PCT_DEPTH},
    [LENGTH] = {"length", 0, "N", RCP_OPTION_NUMBER, "of 'record', for pct: about how many events", NULL, .least = 1,
                .most = UINT64_MAX / 4, .otherwise = "not known"},
    [LOG_VALUES] = {"log-values", 0, NULL, RCP_OPTION_FLAG, "of 'record': log every event's address and value besides",
                    NULL},
    [THROUGH] = {"through", 0, "EMULATOR", RCP_OPTION_PATH, "of 'record': execute PROG by this program", NULL,
                 .writes_there = true},
    [FOR] = RCP_FOR_OPTION,
    [CLIENT] = RCP_CLIENT_OPTION,
    [MODEL] = {"model", 0, "M[,M…]", RCP_OPTION_TEXT, "of 'analyze': which models", NULL,
               .otherwise = "auto, all of them"},
    [JOBS] = {"jobs", 0, "N", RCP_OPTION_NUMBER, "of 'analyze': processes at a time", NULL, .least = 1, .most = 256,
              .means = "a number of processes"},
    [BUDGET] =
        {"budget", 0, "SECONDS", RCP_OPTION_LIMIT, "time for everything after the recording",
         "A part of it is kept for replays (the limit replay-share); one replay is made even where it takes longer. "
         "What is not decided by then is undecided, and said to be: 'recipe analyze DIR' goes on without an end.",
         .limit = RCP_LIMIT_RUN_BUDGET, .means = "a number of seconds"},
    [OPAQUE] = {"opaque", 0, "FILE", RCP_OPTION_PATH, "of 'analyze': what functions that are not recorded do", NULL},
    [VOLATILE] = {"volatile", 0, "plain|atomic", RCP_OPTION_CHOICE, "of 'analyze': how volatile accesses count", NULL,
                  .otherwise = "plain"},
    [FORMAT] = {"format", 0, RCP_REPORT_FORMS, RCP_OPTION_CHOICE, "of 'report': for people, or for programs", NULL,
                .usual = "text"},
    [REPORT] = {"report", 0, "FILE", RCP_OPTION_PATH, "write the report to FILE; - is standard output",
                "Standard output is the program's: without this the report goes to standard error, in whatever format. "
                "FILE appears when the report is complete; one that is there before is replaced then.",
                .otherwise = "standard error", .writes_there = true},
    [LIMIT] = {"limit", 0, "SECONDS", RCP_OPTION_SECONDS, "of 'replay': for one run", NULL},
    [STRICT] = RCP_STRICT_OPTION,
    [UNCONFIRMED] = RCP_UNCONFIRMED_OPTION,
    [SUPPRESSIONS] = RCP_SUPPRESSIONS_OPTION,
    [BASELINE] = RCP_BASELINE_OPTION,
    [BRIEF] = RCP_BRIEF_OPTION,
    [COLOR] = RCP_COLOR_OPTION,
    [NO_FD] = RCP_NO_FD_OPTION,
    [SET] = RCP_SET_OPTION,
    [VERBOSE] = {"verbose", 'v', NULL, RCP_OPTION_FLAG, "say what each stage did", NULL},
    [INPUTS] = {"inputs", 0, "DIR", RCP_OPTION_PATH, "run the program once for each file in DIR",
                "As standard input; or, where one of its arguments has @@ in it, with the file's name there. Each run "
                "is a process of one recording."},
    [ATOMICITY] =
        {"atomicity", 0, NULL, RCP_OPTION_FLAG, "report what another thread's section of a lock parts",
         "The program is run again, with the other thread's section between the two, and with the two apart. "
         "What comes of the one alone is reported, in a list of its own; it is no race, and makes the exit code "
         "1."},
    [HUNT] = {"hunt", 0, NULL, RCP_OPTION_FLAG, "as 'recipe hunt': run the program again where prediction asks for it",
              NULL},
};
_Static_assert(sizeof rcp_running_options / sizeof *rcp_running_options == RCP_RUNNING_OPTIONS + 1, "and --hunt");

static volatile sig_atomic_t interrupted;
enum { MOST_AT_ONCE = 64 };
static volatile pid_t analysing[MOST_AT_ONCE]; /* the processes that do; 0: none */
/* Whatever is at work ends: the analysis by the same signal, a replay by whoever waits for it. */
static void interrupt(int signal_number) {
    interrupted = rcp_process_is_interrupted = 1;
    for (int i = 0; i < MOST_AT_ONCE; i++)
        if (analysing[i] > 0)
            kill(analysing[i], signal_number);
}

static const rcp_command *self = &rcp_cmd_run; /* who is asked for help */

/* --- the stages --- */

/* What is run: the command that was given, or for each input that. */
static rcp_exit add_command(rcp_argv *to, const rcp_arguments *arguments) {
    rcp_inputs_words words = {0};
    rcp_code code = RCP_OK;
    if (arguments->option[INPUTS])
        code = rcp_inputs_command(arguments->option[INPUTS], arguments->operand, (size_t)arguments->operands, &words);
    else
        for (int i = 0; i < arguments->operands; i++)
            rcp_vec_push(&words, arguments->operand[i]);
    for (size_t i = 0; i < words.len; i++)
        rcp_vec_push(&to->argv, words.at[i]);
    rcp_vec_finish(&words);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

/* Of inputs: called after the program, as where it is run once. */
static void add_directory(rcp_argv *to, const char *program) {
    const char *slash = strrchr(program, '/');
    rcp_text name = {0}, word = {0};
    for (unsigned n = 0; !n || !access(name.at, F_OK); n++) {
        rcp_text_clear(&name);
        rcp_text_printf(&name, "%s.recipe", slash ? slash + 1 : program);
        if (n)
            rcp_text_printf(&name, ".%u", n);
    }
    rcp_text_printf(&word, "--output=%s", name.at);
    rcp_text_finish(&name);
    rcp_argv_add(to, &word);
}

static rcp_exit record(const rcp_arguments *arguments, rcp_record *recorded) {
    static const int handed_on[] = {OUTPUT,     SCHEDULE, SEED, QUANTUM, DEPTH,  LENGTH,
                                    LOG_VALUES, THROUGH,  FOR,  CLIENT,  VERBOSE};
    static char end_of_options[] = "--";
    rcp_argv l = {0};
    rcp_arguments parsed;
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
        rcp_argv_add_option(&l, rcp_running_options, arguments, handed_on[i]);
    if (arguments->option[INPUTS] && !arguments->option[OUTPUT])
        add_directory(&l, arguments->operand[0]);
    rcp_vec_push(&l.argv, end_of_options);
    *recorded = (rcp_record){0};
    rcp_exit code = add_command(&l, arguments);
    if (code == RCP_EXIT_CLEAN)
        code = rcp_argv_parse(&l, &rcp_cmd_record, self, &parsed);
    if (code == RCP_EXIT_CLEAN)
        code = rcp_recording_run(&parsed, RCP_RECORDING_COMMAND, recorded);
    rcp_argv_finish(&l);
    return code;
}

/* Did the runtime end the program, because it can't be recorded any further? It has said why. */
static bool is_refused(const rcp_record *recorded) { return recorded->run.log.ended == RCP_ENDED_REFUSED; }

static void say_end(const rcp_record *recorded, const char *program) {
    int status = recorded->launch.status;
    if (is_refused(recorded))
        rcp_say("%s could not be recorded to its end; what it did until then is analysed", program);
    if (recorded->run.log.ended == RCP_ENDED_DEADLOCK)
        rcp_say("%s deadlocked, and was ended; what it did until then is analysed", program);
    if (recorded->launch.asked == SIGKILL)
        rcp_say("%s did not end by SIGTERM within %.0f s and was killed; what it did until then is analysed", program,
                recorded->launch.grace);
    if (!status || is_refused(recorded) || recorded->run.log.ended == RCP_ENDED_DEADLOCK ||
        (WIFSIGNALED(status) && WTERMSIG(status) == recorded->launch.asked))
        return;
    rcp_text end = {0};
    rcp_process_print_end(&end, status);
    rcp_say("%s %s; %s", program, end.at,
            WIFSIGNALED(status) ? "what it did until then is analysed" : "its run is analysed all the same");
    rcp_text_finish(&end);
}

/* In a process of its own, which prints no report. Its number; 0: there is none, and `code` says why. `jobs`: of it;
 * 0: as usual. */
static pid_t begin_analysis(const rcp_arguments *arguments, char *directory, double seconds, unsigned jobs,
                            rcp_exit *code) {
    static const int handed_on[] = {MODEL, OPAQUE, VOLATILE, VERBOSE};
    rcp_argv l = {0};
    rcp_text word = {0};
    for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
        rcp_argv_add_option(&l, rcp_running_options, arguments, handed_on[i]);
    if (jobs) {
        rcp_text_printf(&word, "--jobs=%u", jobs);
        rcp_argv_add(&l, &word);
    } else {
        rcp_argv_add_option(&l, rcp_running_options, arguments, JOBS);
    }
    RCP_CHECK(rcp_limit_set(RCP_LIMIT_BUDGET, (uint64_t)seconds) == RCP_OK);
    rcp_vec_push(&l.argv, directory);
    rcp_arguments parsed;
    pid_t child = 0;
    *code = rcp_argv_parse(&l, &rcp_cmd_analyze, self, &parsed);
    if (*code == RCP_EXIT_CLEAN) {
        child = rcp_process_fork();
        if (!child) {
            signal(SIGINT, SIG_DFL);
            signal(SIGTERM, SIG_DFL);
            if (interrupted) /* by a signal that came to the handler that we had */
                _exit(RCP_EXIT_INTERNAL);
            _exit((int)rcp_analysis_run(&parsed, NULL));
        }
        *code = child > 0 ? RCP_EXIT_CLEAN : RCP_EXIT_INTERNAL;
        child = child > 0 ? child : 0;
    }
    rcp_argv_finish(&l);
    return child;
}

/* The exit code of one that has ended; INTERNAL where it was killed. */
static rcp_exit end_analysis(const char *directory, int status) {
    if (WIFSIGNALED(status) && !interrupted)
        rcp_say("the analysis was killed by %s; 'recipe analyze %s' goes on with it",
                rcp_process_signal_name(WTERMSIG(status)), directory);
    return WIFEXITED(status) ? (rcp_exit)WEXITSTATUS(status) : RCP_EXIT_INTERNAL;
}

static void attend(int place, pid_t child) {
    analysing[place] = child;
    if (child && interrupted) /* before we could say whom it is for */
        kill(child, SIGTERM);
}

static rcp_exit analyze_once(const rcp_arguments *arguments, char *directory, double seconds) {
    rcp_exit code;
    int status = 0;
    pid_t child = begin_analysis(arguments, directory, seconds, 0, &code);
    if (!child)
        return code;
    attend(0, child);
    rcp_process_await(child, &status);
    analysing[0] = 0;
    return end_analysis(directory, status);
}

/* A busy machine may leave time for a little of the run alone to be told, which is soon looked at: as long as half of
 * the time is left, half of that goes to telling more of it, and the rest to looking at that. */
static rcp_exit analyze(const rcp_arguments *arguments, char *directory, double seconds) {
    const double end = rcp_seconds_now() + seconds;
    rcp_exit code = analyze_once(arguments, directory, seconds);
    double left = end - rcp_seconds_now();
    while (seconds > 0 && left > seconds / 2 && left > 2 && !interrupted && rcp_recorded_is_begun(directory)) {
        seconds = left;
        code = analyze_once(arguments, directory, left / 2);
        left = end - rcp_seconds_now();
        if (left > 1 && !interrupted)
            code = analyze_once(arguments, directory, left);
        left = end - rcp_seconds_now();
    }
    return code;
}

/* --- several processes --- */

typedef struct analyses {
    const rcp_arguments *arguments;
    rcp_processes_list directories;
    double end;        /* of rcp_seconds_now(); 0: none */
    unsigned at_once;  /* so many beside each other, */
    unsigned jobs;     /* each with so many */
    size_t next, done; /* of the directories */
    size_t of[MOST_AT_ONCE];
    bool has_races, has_some;
} analyses;

/* The next one, at a free place; each gets an equal part of the time that is left. */
static void begin_next(analyses *a, unsigned place) {
    char *directory = a->directories.at[a->next];
    size_t left = a->directories.len - a->next;
    double now = rcp_seconds_now(), seconds = 0;
    rcp_exit code;
    if (a->end > 0) {
        seconds = (a->end - now) * (double)(left < a->at_once ? left : a->at_once) / (double)left;
        seconds = seconds < 1 ? 1 : seconds;
    }
    rcp_progress_say("analysing: %s (%zu of %zu processes)", directory, a->next + 1, a->directories.len);
    a->of[place] = a->next++;
    attend((int)place, begin_analysis(a->arguments, directory, seconds, a->jobs, &code));
    a->done += !analysing[place];
}

static void take_ended(analyses *a, unsigned place) {
    int status = 0;
    if (!analysing[place] || !rcp_process_await_for(analysing[place], 0, &status))
        return;
    analysing[place] = 0;
    a->done++;
    rcp_exit code = end_analysis(a->directories.at[a->of[place]], status);
    a->has_races |= code == RCP_EXIT_RACES;
    a->has_some |= code == RCP_EXIT_RACES || code == RCP_EXIT_CLEAN;
}

/* Was it analysed to its end, which was not that of the time? By a call before this one: what is asked for now, if it
 * is anything, is another analysis. */
static bool is_analysed(const rcp_arguments *arguments, const char *directory) {
    static const rcp_limit_name of_time[] = {RCP_LIMIT_BUDGET, RCP_LIMIT_TELL_SHARE, RCP_LIMIT_CHECK_SHARE,
                                             RCP_LIMIT_DEADLOCK_SHARE, RCP_LIMIT_EXPLORE_SHARE};
    const uint32_t of_runs = RCP_MODEL_BIT(RCP_MODEL_HUNT) | RCP_MODEL_BIT(RCP_MODEL_BOLD);
    rcp_limit_counts reached = {0};
    rcp_replaying r = {.directory = NULL};
    if (arguments->option[MODEL] || arguments->option[OPAQUE] || arguments->option[VOLATILE] ||
        !rcp_results_exist(directory))
        return false;
    bool is =
        rcp_replaying_open(&r, directory) == RCP_OK && r.summary.work.models & ~of_runs && !(r.summary.cut & ~of_runs);
    rcp_clear_causes(); /* who works with it says what is wrong with it */
    rcp_summary_limits(&r.summary, &reached);
    for (size_t i = 0; i < sizeof of_time / sizeof *of_time; i++)
        is &= !reached.at[of_time[i]];
    rcp_replaying_close(&r);
    return is;
}

static void leave_out_analysed(const rcp_arguments *arguments, rcp_processes_list *directories) {
    size_t n = 0;
    for (size_t i = 0; i < directories->len; i++)
        if (is_analysed(arguments, directories->at[i]))
            rcp_release(directories->at[i]);
        else
            directories->at[n++] = directories->at[i];
    directories->len = n;
}

/* Those in which something may race, as many beside each other as one would have had jobs. What time is too short for
 * is not analysed, which the report says. */
static rcp_exit analyze_all(const rcp_arguments *arguments, const char *directory, const rcp_budget *budget) {
    analyses a = {.arguments = arguments};
    rcp_code code = rcp_processes_threaded(directory, &a.directories);
    if (code != RCP_OK)
        return rcp_give_up(code);
    leave_out_analysed(arguments, &a.directories);
    unsigned jobs = arguments->number[JOBS] ? (unsigned)arguments->number[JOBS] : rcp_workers_cores();
    a.at_once = jobs < a.directories.len ? jobs : (unsigned)a.directories.len;
    a.at_once = a.at_once < MOST_AT_ONCE ? a.at_once : MOST_AT_ONCE;
    a.jobs = a.at_once ? jobs / a.at_once : 1;
    double seconds = rcp_budget_before_replays(budget);
    a.end = seconds > 0 ? rcp_seconds_now() + seconds : 0;
    bool is_over = false;
    while (a.done < a.directories.len && !is_over) {
        bool is_late = interrupted || (a.end > 0 && a.has_some && rcp_seconds_now() >= a.end);
        bool is_busy = false;
        for (unsigned i = 0; i < a.at_once; i++) {
            take_ended(&a, i);
            if (!analysing[i] && a.next < a.directories.len && !is_late)
                begin_next(&a, i);
            is_busy |= analysing[i] != 0;
        }
        is_over = is_late && !is_busy;
        if (is_busy)
            nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
    rcp_progress_clear();
    rcp_processes_list_finish(&a.directories);
    return a.has_races ? RCP_EXIT_RACES : RCP_EXIT_CLEAN;
}

/* What replays took. */
typedef struct cost {
    uint64_t runs;
    double seconds;
} cost;

static rcp_code replay_all(const char *directory, double limit, const rcp_budget *budget, bool verbose, cost *took) {
    const rcp_notices notices = rcp_listener(false);
    const double began = rcp_seconds_now();
    rcp_tally_begin();
    const rcp_replaying_how how = {
        .limit = limit, .end = rcp_budget_end_of_replays(budget), .stop = &interrupted, .whole = true};
    rcp_code code = RCP_OK;
    if (rcp_processes_are_several(directory)) {
        code = rcp_replayed_every(directory, &how, &notices);
    } else {
        rcp_replayed_set set;
        code = rcp_replayed_open(&set, directory);
        if (code == RCP_OK)
            code = rcp_replayed_all(&set, NULL, &how, &notices);
        rcp_replayed_close(&set);
    }
    *took = (cost){rcp_tally_of(RCP_TALLY_REPLAYS, false), rcp_seconds_now() - began};
    if (verbose)
        rcp_say("replays: %llu %s, %.1f s", (unsigned long long)took->runs, rcp_tally_name(RCP_TALLY_REPLAYS),
                took->seconds);
    return code;
}

/* In a process of its own, as the analysis is; Ctrl-C ends the program that it runs. */
static void steer(const char *directory, const rcp_steering_how *how, bool verbose) {
    pid_t child = rcp_process_fork();
    if (!child) {
        const rcp_notices notices = rcp_listener(verbose);
        rcp_code code = rcp_steering_run(directory, how, &notices);
        _exit(code == RCP_OK ? RCP_EXIT_CLEAN : (int)rcp_give_up(code));
    }
    if (child < 0)
        return;
    attend(0, child);
    rcp_process_await(child, NULL);
    analysing[0] = 0;
}

/* By a call before this one. */
static bool is_steered(const char *directory) {
    const uint32_t bold = RCP_MODEL_BIT(RCP_MODEL_BOLD);
    rcp_replaying r = {.directory = NULL};
    const bool is =
        rcp_replaying_open(&r, directory) == RCP_OK && r.summary.work.models & bold && !(r.summary.cut & bold);
    rcp_clear_causes();
    rcp_replaying_close(&r);
    return is;
}

/* Each process that was analysed; of several each has an equal part of the time that is left. */
static rcp_code steer_all(const char *directory, double limit, const rcp_budget *budget, bool verbose,
                          const cost *replays) {
    rcp_processes_list parts = {0};
    rcp_code code = rcp_processes_analysed(directory, &parts);
    const double spent = budget->end > 0 ? budget->seconds - rcp_budget_left(budget) : 0;
    for (size_t i = 0; code == RCP_OK && i < parts.len && !interrupted; i++) {
        double left = rcp_budget_left(budget) / (double)(parts.len - i);
        if (is_steered(parts.at[i]))
            continue;
        const rcp_steering_how how = {.limit = limit,
                                      .end = budget->end > 0 ? rcp_seconds_now() + left : 0,
                                      .spent = spent / (double)parts.len,
                                      .replays = i ? 0 : replays->runs, /* of all parts, told once */
                                      .replay_seconds = i ? 0 : replays->seconds,
                                      .stop = &interrupted,
                                      .prints_to_nobody = rcp_inputs_prints_to_nobody(directory)};
        steer(parts.at[i], &how, verbose);
    }
    rcp_processes_list_finish(&parts);
    return code;
}

/* In a process of its own, likewise. */
static void hunt(const char *directory, const rcp_hunting_how *how, bool verbose) {
    pid_t child = rcp_process_fork();
    if (!child) {
        const rcp_notices notices = rcp_listener(verbose);
        rcp_code code = rcp_hunting_run(directory, how, &notices);
        _exit(code == RCP_OK ? RCP_EXIT_CLEAN : (int)rcp_give_up(code));
    }
    if (child < 0)
        return;
    attend(0, child);
    int status = 0;
    rcp_process_await(child, &status);
    if (WIFSIGNALED(status) && !interrupted)
        rcp_say("the hunt of %s was ended by %s: what it saw is not in the report", directory,
                rcp_process_signal_name(WTERMSIG(status)));
    analysing[0] = 0;
}

/* In a process of its own, likewise. */
static void part(const char *directory, const rcp_atomicity_how *how, bool verbose) {
    pid_t child = rcp_process_fork();
    if (!child) {
        const rcp_notices notices = rcp_listener(verbose);
        rcp_code code = rcp_atomicity_run(directory, how, &notices);
        _exit(code == RCP_OK ? RCP_EXIT_CLEAN : (int)rcp_give_up(code));
    }
    if (child < 0)
        return;
    attend(0, child);
    rcp_process_await(child, NULL);
    analysing[0] = 0;
}

/* Each process that was analysed, in an equal share of its part of the time that is left. */
static rcp_code part_all(const char *directory, double limit, const rcp_budget *budget, bool verbose) {
    rcp_processes_list parts = {0};
    rcp_code code = rcp_processes_analysed(directory, &parts);
    const double share = rcp_budget_left(budget) * (double)rcp_limit(RCP_LIMIT_ATOMICITY_SHARE) / 100;
    const double end = rcp_seconds_now() + share;
    for (size_t i = 0; code == RCP_OK && i < parts.len && !interrupted; i++) {
        const double now = rcp_seconds_now(), left = end > now ? end - now : 0.1;
        const rcp_atomicity_how how = {.limit = limit,
                                       .end = budget->end > 0 ? now + left / (double)(parts.len - i) : 0,
                                       .stop = &interrupted,
                                       .prints_to_nobody = rcp_inputs_prints_to_nobody(directory)};
        rcp_progress_say("looking for sections that others part: %s", parts.at[i]);
        part(parts.at[i], &how, verbose);
    }
    rcp_progress_clear();
    rcp_processes_list_finish(&parts);
    return code;
}

/* Until the time of the replays begins; of several processes each has an equal part of that. */
static rcp_code hunt_all(const rcp_arguments *arguments, const char *directory, double began,
                         const rcp_budget *budget) {
    rcp_processes_list parts = {0};
    rcp_code code = rcp_processes_analysed(directory, &parts);
    const double end = budget->end - budget->seconds + rcp_budget_before_replays(budget);
    for (size_t i = 0; code == RCP_OK && i < parts.len && !interrupted; i++) {
        const double now = rcp_seconds_now(), left = end > now ? end - now : 0.1;
        const rcp_hunting_how how = {.limit = (double)arguments->number[LIMIT],
                                     .began = began,
                                     .end = budget->end > 0 ? now + left / (double)(parts.len - i) : 0,
                                     .stop = &interrupted,
                                     .prints_to_nobody = rcp_inputs_prints_to_nobody(directory),
                                     .usual_signal = rcp_inputs_signal(directory),
                                     .atomicity = arguments->option[ATOMICITY]};
        rcp_progress_say("hunting: %s", parts.at[i]);
        hunt(parts.at[i], &how, arguments->option[VERBOSE]);
    }
    rcp_progress_clear();
    rcp_processes_list_finish(&parts);
    return code;
}

/* The recorded run alone, of a hunt: what that leaves, if it takes so long. */
static double before_hunt(const rcp_budget *budget) {
    const double seconds = budget->seconds * (double)(100 - rcp_limit(RCP_LIMIT_HUNT_SHARE)) / 100;
    return budget->seconds <= 0 ? 0 : seconds < 1 ? 1 : seconds;
}

/* --budget, or --set budget, or the usual one. */
static rcp_budget begin_budget(const rcp_arguments *arguments) {
    bool is_set = !arguments->option[BUDGET] && rcp_limit(RCP_LIMIT_BUDGET);
    return rcp_budget_begin((double)rcp_limit(is_set ? RCP_LIMIT_BUDGET : RCP_LIMIT_RUN_BUDGET));
}

static rcp_exit run(const rcp_arguments *arguments) {
    return rcp_running_run(arguments, &rcp_cmd_run, arguments->option[HUNT]);
}

/* What is analysed, hunted and reported: what was recorded now, or by a call before. */
typedef struct job {
    const rcp_arguments *arguments;
    rcp_asides *asides;
    char *directory;
    double began; /* by rcp_seconds_now(): the recording, where it is made now */
    bool is_hunt;
    bool is_older;   /* what was done before is not done again */
    bool is_refused; /* the recording had to end before the program did */
} job;

static rcp_exit report(const job *j, bool are_several, rcp_exit outcome) {
    const char *path = j->arguments->option[REPORT];
    rcp_show what = {.directory = j->directory,
                     .path = path ? path : rcp_output_to_stderr,
                     .form = rcp_report_find_form(j->arguments->word[FORMAT]),
                     .after_program = true,
                     .strict = rcp_strict_of(j->arguments->option[STRICT]),
                     .count_unconfirmed = j->arguments->option[UNCONFIRMED],
                     .is_judged = true,
                     .is_brief = j->arguments->option[BRIEF],
                     .color = rcp_color_of(j->arguments->word[COLOR]),
                     .asides = j->asides};
    const bool is_there =
        are_several || outcome == RCP_EXIT_CLEAN || outcome == RCP_EXIT_RACES || rcp_results_exist(j->directory);
    rcp_code code = is_there ? rcp_show_report(&what, &outcome) : RCP_OK;
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

static rcp_exit analyze_job(const job *j, bool are_several, const rcp_budget *budget) {
    if (are_several)
        return analyze_all(j->arguments, j->directory, budget);
    return j->is_older && is_analysed(j->arguments, j->directory)
               ? RCP_EXIT_CLEAN
               : analyze(j->arguments, j->directory,
                         j->is_hunt ? before_hunt(budget) : rcp_budget_before_replays(budget));
}

static void say_where(const job *j, rcp_exit outcome) {
    if (interrupted && j->is_hunt)
        rcp_say("interrupted; 'recipe hunt %s' goes on from here", j->directory);
    else if (interrupted)
        rcp_say("interrupted; 'recipe analyze %s' and 'recipe replay %s all' go on from here", j->directory,
                j->directory);
    else if (outcome == RCP_EXIT_RACES)
        rcp_say("everything is in %s; 'recipe replay %s N' leads the program to race N, with --gdb in a debugger",
                j->directory, j->directory);
    else
        rcp_say("everything is in %s", j->directory);
}

/* All that comes after the recording. */
static rcp_exit do_job(const job *j) {
    const rcp_arguments *arguments = j->arguments;
    const double limit = (double)arguments->number[LIMIT];
    const bool is_verbose = arguments->option[VERBOSE], are_several = rcp_processes_are_several(j->directory);
    rcp_progress_say("analysing: the events of %s are made", j->directory);
    rcp_budget budget = begin_budget(arguments);
    budget.hunts = j->is_hunt;
    cost replays = {0};
    rcp_code code = RCP_OK;
    rcp_exit outcome = analyze_job(j, are_several, &budget);
    if (j->is_hunt && !interrupted && (are_several || rcp_results_exist(j->directory)))
        code = hunt_all(arguments, j->directory, j->began, &budget);
    if (code == RCP_OK && !interrupted && (are_several || outcome == RCP_EXIT_RACES || rcp_results_exist(j->directory)))
        code = replay_all(j->directory, limit, &budget, is_verbose, &replays);
    if (code == RCP_OK && !interrupted && !j->is_hunt && arguments->option[ATOMICITY] &&
        (are_several || rcp_results_exist(j->directory)))
        code = part_all(j->directory, limit, &budget, is_verbose);
    if (!interrupted && code == RCP_OK && !arguments->option[MODEL] && rcp_limit(RCP_LIMIT_STEER_SHARE))
        code = steer_all(j->directory, limit, &budget, is_verbose, &replays);
    if (code == RCP_OK)
        outcome = report(j, are_several, outcome);
    if (j->is_refused && outcome != RCP_EXIT_RACES)
        outcome = RCP_EXIT_FAILED;
    say_where(j, outcome);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

/* From here on Ctrl-C is ours. */
static void take_interrupts(void) {
    struct sigaction ours = {.sa_handler = interrupt};
    sigaction(SIGINT, &ours, NULL);
    sigaction(SIGTERM, &ours, NULL);
}

static rcp_exit run_and_report(const rcp_arguments *arguments, rcp_asides *asides, bool is_hunt) {
    rcp_record recorded;
    const double began = rcp_seconds_now();
    rcp_exit outcome = record(arguments, &recorded);
    if (outcome != RCP_EXIT_CLEAN || !recorded.ran) {
        rcp_record_finish(&recorded);
        return outcome;
    }
    const job j = {.arguments = arguments,
                   .asides = asides,
                   .directory = recorded.run.directory,
                   .began = began,
                   .is_hunt = is_hunt,
                   .is_refused = is_refused(&recorded)};
    say_end(&recorded, arguments->operand[0]);
    signal(SIGINT, SIG_IGN); /* one that ended the program has done its work */
    rcp_launch_unblock(&recorded.launch);
    take_interrupts();
    rcp_code code = rcp_enter(j.directory, RCP_ENTRY_WORK);
    if (code == RCP_OK && recorded.outliving)
        rcp_say("%zu recorded process%s still; what %s until now is analysed", recorded.outliving,
                recorded.outliving == 1 ? " runs" : "es run", recorded.outliving == 1 ? "it did" : "they did");
    outcome = code == RCP_OK ? do_job(&j) : rcp_give_up(code);
    rcp_record_finish(&recorded);
    return outcome;
}

/* --- a directory is hunted on --- */

static bool is_directory(const char *path) {
    struct stat is;
    return !stat(path, &is) && S_ISDIR(is.st_mode);
}

/* Of a recording that is made; NULL: none is given. What a file of options says is for whom it concerns. */
static const char *find_option_of_record(const rcp_arguments *arguments) {
    static const int of_record[] = {OUTPUT,     SCHEDULE, SEED, QUANTUM, DEPTH, LENGTH,
                                    LOG_VALUES, THROUGH,  FOR,  CLIENT,  INPUTS};
    for (size_t i = 0; i < sizeof of_record / sizeof *of_record; i++)
        if (arguments->option[of_record[i]] && arguments->source[of_record[i]] == RCP_SOURCE_LINE)
            return rcp_running_options[of_record[i]].name;
    return NULL;
}

/* A hunt that was begun there, or the recording that one begins from. */
static rcp_exit go_on_and_report(const rcp_arguments *arguments, rcp_asides *asides) {
    const char *wrong = find_option_of_record(arguments);
    if (wrong)
        return rcp_usage(self, "--%s is of a recording that is made, and %s has one", wrong, arguments->operand[0]);
    rcp_text directory = {0};
    rcp_text_puts(&directory, arguments->operand[0]);
    while (directory.len > 1 && directory.at[directory.len - 1] == '/')
        directory.at[--directory.len] = 0;
    rcp_code code = rcp_enter(directory.at, RCP_ENTRY_WORK);
    if (code == RCP_OK && !rcp_recording_is_there(directory.at) && !rcp_processes_are_several(directory.at))
        code = rcp_fail(RCP_BAD_INPUT, "%s: is no recording of a program, which alone can be run again", directory.at);
    if (code == RCP_OK)
        code = rcp_trust_check(directory.at, "and a hunt runs the command that is written there; where you trust it, "
                                             "record it anew");
    if (code == RCP_OK)
        code = rcp_trust_say_command(directory.at);
    const job j = {.arguments = arguments,
                   .asides = asides,
                   .directory = directory.at,
                   .began = rcp_seconds_now(),
                   .is_hunt = true,
                   .is_older = true};
    take_interrupts();
    rcp_exit outcome = code == RCP_OK ? do_job(&j) : rcp_give_up(code);
    rcp_text_finish(&directory);
    return outcome;
}

static rcp_exit begin(const rcp_arguments *arguments, rcp_asides *asides, bool is_hunt) {
    const char *path = arguments->option[REPORT];
    if (path && rcp_output_try(path) != RCP_OK) { /* now, not when all is done */
        rcp_give_up(RCP_SYSTEM);
        return RCP_EXIT_FAILED;
    }
    return is_hunt && arguments->operands == 1 && is_directory(arguments->operand[0])
               ? go_on_and_report(arguments, asides)
               : run_and_report(arguments, asides, is_hunt);
}

rcp_exit rcp_running_run(const rcp_arguments *arguments, const rcp_command *command, bool is_hunt) {
    self = command;
    rcp_limits_no_fd(arguments->option[NO_FD]);
    if (rcp_show_is_brief_wrong(arguments, BRIEF, arguments->word[FORMAT]))
        return rcp_usage(command, "--brief is of --format text");
    rcp_asides asides;
    rcp_exit outcome =
        rcp_asides_read(&asides, command, arguments, SUPPRESSIONS, BASELINE); /* before the program is run */
    asides.says_unmatched = arguments->option[VERBOSE];
    if (outcome == RCP_EXIT_CLEAN)
        outcome = begin(arguments, &asides, is_hunt);
    rcp_asides_finish(&asides);
    return outcome;
}

const rcp_command rcp_cmd_run = {
    .name = "run",
    .operands = "COMMAND [ARG…]",
    .summary = "Records a program, finds its races, carries each out, and reports.",
    .about =
        "Does what 'record', 'analyze', 'replay' (of every race) and 'report' do, one after the other. COMMAND is a "
        "program that was built by 'recipe cc', or anything that starts such programs: make test, ctest, a script. "
        "Every process of it that was built by recipe is recorded and analysed, children by fork included; all others "
        "run as they are. One report has the races of all, each with its process. A race is replayed in its process "
        "alone where that can be fed; else the whole command is run again, and that process follows the schedule.\n\n"
        "Input, output and signals pass through; the report goes to standard error, or where --report says. Where "
        "the command fails, its run is analysed all the same. Ctrl-C during the analysis leaves a directory that can "
        "be gone on with, and prints what was found.\n\n"
        "Then the program is run again with threads held before accesses at which two may meet, to show what nobody "
        "could prove (model bold): where it read nothing from a pipe or a terminal, and nobody can have answered what "
        "it printed.\n\n"
        "A race is what a replay, or such a run, showed on the program. What the checkers accepted and no replay "
        "showed is listed "
        "apart, as unconfirmed, and counts with --count-unconfirmed alone.\n\n"
        "Exit codes: 0 no race, 1 races, a deadlock, or an atomicity violation (--atomicity), 3 bad input, 4 something "
        "was not looked at and --strict, 5 "
        "internal; where "
        "nothing could be recorded 125, 126 and 127 as 'record' has them. 125 also where the recording had to end "
        "before "
        "the program did and there is no race in what was recorded.",
    .options = rcp_running_options,
    .n_options = RCP_RUNNING_OPTIONS + 1,
    .least = 1,
    .most = INT_MAX,
    .runs_program = true,
    .run = run,
};
