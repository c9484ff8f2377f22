/* SPDX-License-Identifier: Apache-2.0 */
/* recipe record: runs a program that was built by recipe and leaves a recorded directory. */
#include "base/limits.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/recording.h"
#include "program/recording/recording.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { OUTPUT, SCHEDULE, SEED, QUANTUM, DEPTH, LENGTH, LOG_VALUES, THROUGH, FOR, CLIENT, VERBOSE };

static const rcp_option options[] = {
    [OUTPUT] = {"output", 'o', "DIR", RCP_OPTION_PATH, "record into DIR, which must not be there",
                "Default: PROG's base name and .recipe in the current directory; where that is there, .recipe.1 and so "
                "on.",
                .writes_there = true},
    [SCHEDULE] =
        {"schedule", 0, "rr|random|pct|file:PATH", RCP_OPTION_TEXT, "who runs when",
         "rr: each thread in turn. random: a random thread for a random number of events. pct: random priorities that "
         "change at random places. file: as the file says; or, where PATH is a recorded "
         "directory, as it went there ('recipe trace schedule' prints it).",
         .usual = "rr"},
    [SEED] = {"seed", 0, "N", RCP_OPTION_NUMBER, "for random and pct (rr has no use for it)",
              "The same seed gives the same schedule, unless the world outside answers otherwise: time, input.",
              .otherwise = "a random one"},
    [QUANTUM] = {"quantum", 0, "N", RCP_OPTION_NUMBER, "events until another thread's turn",
                 "rr: exactly; random: on average; pct: how long a thread may spin at the top. Without it turns are "
                 "short in the beginning and grow with the run: the limits first-turn, turn-growth, quantum and "
                 "random-quantum ('recipe help limits').",
                 .least = 1, .most = UINT64_MAX / 4, .otherwise = "turns that fit the run"},
    [DEPTH] = {"depth", 0, "N", RCP_OPTION_LIMIT, "of pct: finds races that need N ordered events", NULL,
               .limit = RCP_LIMIT_PCT_DEPTH},
    [LENGTH] = {"length", 0, "N", RCP_OPTION_NUMBER, "of pct: about how many events the run has",
                "The places where priorities change are chosen among so many. 'recipe trace stat' says how many a run "
                "had. Without it priorities and places are drawn anew whenever the run has become twice as long (the "
                "limit pct-length: for the first time).",
                .least = 1, .most = UINT64_MAX / 4, .otherwise = "not known"},
    [LOG_VALUES] = {"log-values", 0, NULL, RCP_OPTION_FLAG, "log every event's address and value besides",
                    "Large and slow: what re-execution is tested with."},
    [THROUGH] = {"through", 0, "EMULATOR", RCP_OPTION_PATH, "execute PROG by this program, as qemu-x86_64", NULL,
                 .writes_there = true},
    [FOR] = RCP_FOR_OPTION,
    [CLIENT] = RCP_CLIENT_OPTION,
    [VERBOSE] = {"verbose", 'v', NULL, RCP_OPTION_FLAG, "say what was recorded, how much, and what could not be", NULL},
};

static const char *given(const rcp_arguments *arguments, int option) { return arguments->option[option]; }

static bool policy(const char *word, uint32_t *kind, const char **file) {
    *kind = RCP_POLICY_RR;
    *file = NULL;
    for (uint32_t i = 0; i < RCP_POLICY_FILE; i++)
        if (!strcmp(word, rcp_policy_names[i])) {
            *kind = i;
            return true;
        }
    *kind = RCP_POLICY_FILE;
    *file = word + strlen("file:");
    if (!strncmp(word, "file:", strlen("file:")) && **file)
        return true;
    rcp_usage(&rcp_cmd_record, "--schedule takes one of rr, random, pct, file:PATH, not '%s'", word);
    return false;
}

static uint64_t random_seed(void) {
    uint32_t seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = (uint32_t)time(NULL) ^ (uint32_t)getpid();
    return seed;
}

/* What the options say; false: said what is wrong. */
static bool configure(const rcp_arguments *arguments, rcp_record_options *asked) {
    uint64_t seed = arguments->number[SEED], quantum = arguments->number[QUANTUM];
    uint32_t kind;
    if (!policy(arguments->word[SCHEDULE], &kind, &asked->schedule))
        return false;
    bool pct = kind == RCP_POLICY_PCT, random = kind == RCP_POLICY_RANDOM || pct;
    for (int i = DEPTH; i <= LENGTH; i++)
        if (given(arguments, i) && !pct) {
            rcp_usage(&rcp_cmd_record, "--%s goes with --schedule=pct", options[i].name);
            return false;
        }
    const bool fits = !given(arguments, QUANTUM), any_length = !given(arguments, LENGTH);
    if (fits)
        quantum = rcp_limit(kind == RCP_POLICY_RANDOM ? RCP_LIMIT_RANDOM_QUANTUM : RCP_LIMIT_QUANTUM);
    if (random && !given(arguments, SEED))
        seed = random_seed();
    asked->config = (struct rcp_run_config){
        .magic = RCP_RUN_MAGIC,
        .version = RCP_RUN_VERSION,
        .abi = RCP_ABI_VERSION,
        .policy = kind,
        .flags = (given(arguments, LOG_VALUES) ? RCP_RUN_LOG_VALUES : 0u) |
                 (given(arguments, VERBOSE) ? RCP_RUN_VERBOSE : 0u) | (pct && any_length ? RCP_RUN_ANY_LENGTH : 0u),
        .seed = seed,
        .quantum = quantum,
        .depth = (uint32_t)arguments->number[DEPTH],
        .watchdog = (uint32_t)rcp_limit(RCP_LIMIT_WATCHDOG),
        .length = any_length ? rcp_limit(RCP_LIMIT_PCT_LENGTH) : arguments->number[LENGTH],
        .first_turn = fits ? rcp_limit(RCP_LIMIT_FIRST_TURN) : quantum,
        .growth = rcp_limit(RCP_LIMIT_TURN_GROWTH),
        .last_events = rcp_limit(RCP_LIMIT_LAST_EVENTS),
        .last_sleep = rcp_limit(RCP_LIMIT_LAST_SLEEP),
        .retired_bytes = rcp_limit(RCP_LIMIT_RETIRED_BYTES),
        .spin_turns = rcp_limit(RCP_LIMIT_SPIN_TURNS),
    };
    return true;
}

/* One line: where the trace is. */
static void say_where(const rcp_recorded_run *run) {
    if (run->config.policy == RCP_POLICY_RANDOM || run->config.policy == RCP_POLICY_PCT)
        rcp_say("recorded in %s (%s, seed %llu)", run->directory, rcp_policy_names[run->config.policy],
                (unsigned long long)run->config.seed);
    else
        rcp_say("recorded in %s", run->directory);
}

/* -v: how much was recorded, and what could not be. */
static void say_what(const rcp_recorded_run *run) {
    rcp_text text = {0};
    rcp_recording recording = {.header = run->log, .bytes = run->log_bytes};
    rcp_recording_print(&text, &recording);
    if (run->processes > 1)
        rcp_text_printf(&text, "%-32s %u\n", "further processes", run->processes - 1);
    for (size_t i = 0; i < run->notes.len; i++)
        rcp_text_printf(&text, "note: %s\n", run->notes.at[i]);
    fputs(text.at, stderr);
    rcp_text_finish(&text);
}

static rcp_exit exit_of(rcp_record_end end) {
    static const rcp_exit codes[] = {
        [RCP_RECORDED] = RCP_EXIT_CLEAN,
        [RCP_RECORD_FAILED] = RCP_EXIT_FAILED,
        [RCP_RECORD_CANT_RUN] = RCP_EXIT_CANT_RUN,
        [RCP_RECORD_NOT_FOUND] = RCP_EXIT_NOT_FOUND,
    };
    if (end != RCP_RECORDED)
        rcp_give_up(RCP_BAD_INPUT);
    return codes[end];
}

/* How clients ended, where that is not as it should be. */
static void say_clients(const rcp_record *record, char *const *commands) {
    if (commands && !record->clients.begun)
        rcp_say("the program ended before its client could be started");
    for (size_t i = 0; i < record->clients.at.len; i++) {
        rcp_text end = {0};
        rcp_process_print_end(&end, record->clients.at.at[i].status);
        if (record->clients.at.at[i].status)
            rcp_say("the client '%s' %s", commands[i], end.at);
        rcp_text_finish(&end);
    }
}

rcp_exit rcp_recording_run(const rcp_arguments *arguments, rcp_recording_what what, rcp_record *record) {
    const bool is_command = what == RCP_RECORDING_COMMAND;
    rcp_record_options asked = {.output = given(arguments, OUTPUT),
                                .through = given(arguments, THROUGH),
                                .command = arguments->operand,
                                .words = arguments->operands,
                                .seconds = (double)arguments->number[FOR],
                                .restore = rcp_restore_signals,
                                .takes_commands = is_command,
                                .outlive = is_command ? (double)rcp_limit(RCP_LIMIT_OUTLIVE_SECONDS) : 0};
    RCP_VEC(char *) clients = {0};
    size_t at = 0;
    for (const char *one; (one = rcp_arguments_next(arguments, CLIENT, &at));)
        rcp_vec_push(&clients, (char *)(uintptr_t)one);
    if (clients.len) {
        rcp_vec_push(&clients, NULL);
        asked.clients = clients.at;
    }
    *record = (rcp_record){0};
    if (!configure(arguments, &asked)) {
        rcp_vec_finish(&clients);
        return RCP_EXIT_FAILED;
    }
    rcp_record_end end = rcp_record_program(&asked, record);
    if (record->ran)
        say_clients(record, asked.clients);
    rcp_vec_finish(&clients); /* nobody asks for them any more */
    if (record->ran && record->launch.addresses_error)
        rcp_say("address-space randomisation can't be switched off here (%s): two recordings will differ in addresses",
                strerror(record->launch.addresses_error));
    if (end == RCP_RECORDED && given(arguments, VERBOSE))
        say_what(&record->run);
    if (end == RCP_RECORDED && !is_command)
        say_where(&record->run);
    return exit_of(end);
}

static rcp_exit run(const rcp_arguments *arguments) {
    rcp_record record;
    rcp_exit outcome = rcp_recording_run(arguments, RCP_RECORDING_PROGRAM, &record);
    const rcp_launch launch = record.launch;
    bool ends_alike = outcome == RCP_EXIT_CLEAN && record.ran;
    rcp_record_finish(&record);
    return ends_alike ? (rcp_exit)rcp_launch_end_alike(&launch) : outcome;
}

const rcp_command rcp_cmd_record = {
    .name = "record",
    .operands = "PROG [ARG…]",
    .summary = "Runs a program that was built by 'recipe cc' and records it.",
    .about =
        "PROG runs as it would without recipe, one thread at a time: input, output, signals and the exit code pass "
        "through. In the end one line on standard error says where the recording is. Processes that PROG starts are "
        "recorded in DIR/process.1 and so on, where they were built by recipe.\n\n"
        "Exit codes: PROG's own; killed by a signal, recipe dies of the same. 125 recipe failed, 126 PROG can't run, "
        "127 "
        "PROG not found; 1 where it deadlocked, and was ended.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = INT_MAX,
    .runs_program = true,
    .run = run,
};
