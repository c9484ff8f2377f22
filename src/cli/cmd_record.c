/* SPDX-License-Identifier: Apache-2.0 */
/* recipe record: runs a program that was built by recipe and leaves a recorded directory. */
#include "base/limits.h"
#include "cli/command.h"
#include "cli/record.h"
#include "cli/recorded_run.h"
#include "program/recording/embedded.h"
#include "program/recording/recording.h"
#include "replay/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { OUTPUT, SCHEDULE, SEED, QUANTUM, DEPTH, LENGTH, LOG_VALUES, THROUGH, VERBOSE };

static const rcp_option options[] = {
    [OUTPUT] = {"output", 'o', "DIR", RCP_OPTION_PATH, "record into DIR, which must not be there",
                "Default: PROG's base name and .recipe in the current directory; where that is there, .recipe.1 and so "
                "on."},
    [SCHEDULE] =
        {"schedule", 0, "rr|random|pct|file:PATH", RCP_OPTION_TEXT, "who runs when",
         "rr: each thread in turn, for a quantum of events. random: a random thread for a random number of events. "
         "pct: "
         "random priorities that change at random places. file: as the file says; or, where PATH is a recorded "
         "directory, as it went there ('recipe trace schedule' prints it).",
         .usual = "rr"},
    [SEED] = {"seed", 0, "N", RCP_OPTION_NUMBER, "for random and pct (rr has no use for it)",
              "The same seed gives the same schedule, unless the world outside answers otherwise: time, input.",
              .otherwise = "a random one"},
    [QUANTUM] = {"quantum", 0, "N", RCP_OPTION_NUMBER, "events until another thread's turn: the limit quantum",
                 "rr: exactly; random: on average (default: the limit random-quantum); pct: how long a thread may spin "
                 "at the top. 'recipe help limits' has their values.",
                 .least = 1, .most = UINT64_MAX / 4},
    [DEPTH] = {"depth", 0, "N", RCP_OPTION_LIMIT, "of pct: finds races that need N ordered events", NULL,
               .limit = RCP_LIMIT_PCT_DEPTH},
    [LENGTH] = {"length", 0, "N", RCP_OPTION_LIMIT, "of pct: about how many events the run has",
                "The places where priorities change are chosen among so many. 'recipe trace stat' says how many a run "
                "had.",
                .limit = RCP_LIMIT_PCT_LENGTH},
    [LOG_VALUES] = {"log-values", 0, NULL, RCP_OPTION_FLAG, "log every event's address and value besides",
                    "Large and slow: what re-execution is tested with."},
    [THROUGH] = {"through", 0, "EMULATOR", RCP_OPTION_PATH, "execute PROG by this program, as qemu-x86_64", NULL},
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
static bool configure(const rcp_arguments *arguments, rcp_recorded_run *run) {
    uint64_t seed = arguments->number[SEED], quantum = arguments->number[QUANTUM];
    uint32_t kind;
    if (!policy(arguments->word[SCHEDULE], &kind, &run->schedule_source))
        return false;
    bool pct = kind == RCP_POLICY_PCT, random = kind == RCP_POLICY_RANDOM || pct;
    for (int i = DEPTH; i <= LENGTH; i++)
        if (given(arguments, i) && !pct) {
            rcp_usage(&rcp_cmd_record, "--%s goes with --schedule=pct", options[i].name);
            return false;
        }
    if (!quantum)
        quantum = rcp_limit(kind == RCP_POLICY_RANDOM ? RCP_LIMIT_RANDOM_QUANTUM : RCP_LIMIT_QUANTUM);
    if (random && !given(arguments, SEED))
        seed = random_seed();
    run->config = (struct rcp_run_config){
        .magic = RCP_RUN_MAGIC,
        .version = RCP_RUN_VERSION,
        .abi = RCP_ABI_VERSION,
        .policy = kind,
        .flags = (given(arguments, LOG_VALUES) ? RCP_RUN_LOG_VALUES : 0u) |
                 (given(arguments, VERBOSE) ? RCP_RUN_VERBOSE : 0u),
        .seed = seed,
        .quantum = quantum,
        .depth = (uint32_t)arguments->number[DEPTH],
        .watchdog = (uint32_t)rcp_limit(RCP_LIMIT_WATCHDOG),
        .length = arguments->number[LENGTH],
    };
    return true;
}

static rcp_code read_schedule(rcp_recorded_run *run, rcp_schedule *schedule) {
    rcp_text text = {0};
    rcp_code code;
    if (rcp_recording_is_there(run->schedule_source))
        code = rcp_recording_schedule(run->schedule_source, schedule);
    else if ((code = rcp_text_read_file(&text, run->schedule_source)) == RCP_OK)
        code = rcp_schedule_parse(run->schedule_source, text.at, text.len, schedule);
    rcp_text_finish(&text);
    run->config.steps = schedule->steps.len;
    return code;
}

/* Is the file a program that was built by recipe? Else says what it is and what to do. */
static rcp_exit must_be_recorded(const char *path) {
    char head[2] = "";
    rcp_elf elf;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0) {
        rcp_say("%s: can't be read, so its code can't be recorded: %s", path, strerror(error));
        return RCP_EXIT_FAILED;
    }
    if (n == 2 && !memcmp(head, "#!", 2)) {
        rcp_say(
            "%s: is a script; name the program that it starts, built with CC=\"recipe cc\" or CXX=\"recipe c++\" (for "
            "a wrapper of libtool: libtool --mode=execute recipe record %s)",
            path, path);
        return RCP_EXIT_FAILED;
    }
    rcp_code code = rcp_elf_open(path, &elf);
    if (code != RCP_OK) {
        rcp_give_up(code);
        return code == RCP_BAD_INPUT ? RCP_EXIT_CANT_RUN : RCP_EXIT_FAILED;
    }
    bool built = rcp_embedded_is_recorded(&elf);
    rcp_elf_close(&elf);
    if (built)
        return RCP_EXIT_CLEAN;
    rcp_say("%s: was not built by recipe, so there is nothing to record it with; build it again with CC=\"recipe cc\" "
            "CXX=\"recipe c++\" (one file: recipe cc -g -pthread FILE.c; CMake: -DCMAKE_C_COMPILER=recipe-cc "
            "-DCMAKE_CXX_COMPILER=recipe-c++)",
            path);
    return RCP_EXIT_FAILED;
}

static rcp_exit not_found(const char *name, int error) {
    if (error == ENOENT) {
        rcp_say("%s: %s", name, strchr(name, '/') ? "there is no such program" : "is not found in PATH");
        return RCP_EXIT_NOT_FOUND;
    }
    rcp_say("%s: can't be executed: %s", name, strerror(error));
    return RCP_EXIT_CANT_RUN;
}

static rcp_exit not_executed(const rcp_recorded_run *run, int error) {
    if (error == ENOENT) /* the file itself is there: its interpreter, the dynamic linker, is not */
        rcp_say("%s: can't be executed: its dynamic linker is not there", run->program);
    else if (error == ENOEXEC)
        rcp_say("%s: can't be executed: it is not of this machine (for another machine's: --through EMULATOR)",
                run->program);
    else
        rcp_say("%s: can't be executed: %s", run->launch->path, strerror(error));
    return error == ENOENT ? RCP_EXIT_NOT_FOUND : RCP_EXIT_CANT_RUN;
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
    if (run->processes)
        rcp_text_printf(&text, "%-32s %u\n", "further processes", run->processes);
    for (size_t i = 0; i < run->notes.len; i++)
        rcp_text_printf(&text, "note: %s\n", run->notes.at[i]);
    fputs(text.at, stderr);
    rcp_text_finish(&text);
}

static rcp_exit failed(rcp_code code) {
    rcp_give_up(code);
    return RCP_EXIT_FAILED;
}

/* From here on signals are the program's. */
static rcp_exit record(rcp_recorded_run *run, rcp_launch *launch, const rcp_arguments *arguments, bool quietly) {
    rcp_code code = rcp_recorded_run_make(run, given(arguments, OUTPUT));
    if (code != RCP_OK)
        return failed(code);
    rcp_environment ours;
    rcp_environment_make(&ours, environ, run->absolute);
    launch->environment = ours.at.at;
    rcp_exit outcome = RCP_EXIT_CLEAN;
    code = rcp_recorded_run_begin(run);
    if (code == RCP_OK)
        code = rcp_launch_run(launch);
    if (code != RCP_OK) {
        rcp_recorded_run_discard(run);
        outcome = failed(code);
    } else if (launch->exec_error) {
        rcp_recorded_run_discard(run);
        outcome = not_executed(run, launch->exec_error);
    } else {
        if (launch->addresses_error)
            rcp_say(
                "address-space randomisation can't be switched off here (%s): two recordings will differ in addresses",
                strerror(launch->addresses_error));
        code = rcp_recorded_run_end(run);
        if (code == RCP_OK && given(arguments, VERBOSE))
            say_what(run);
        if (code != RCP_OK)
            outcome = failed(code);
        else if (!quietly)
            say_where(run);
    }
    rcp_environment_finish(&ours);
    return outcome;
}

rcp_exit rcp_record_program(const rcp_arguments *arguments, bool quietly, rcp_recorded *recorded) {
    rcp_recorded_run run = {.command = arguments->operand, .words = arguments->operands};
    *recorded = (rcp_recorded){0};
    rcp_launch launch = {.argv = arguments->operand, .keep_addresses = true, .usage = &run.usage};
    if (!configure(arguments, &run))
        return RCP_EXIT_FAILED;
    int error;
    char *program = rcp_launch_take_path(arguments->operand[0], &error);
    if (!program)
        return not_found(arguments->operand[0], error);
    run.program = launch.path = program;
    run.launch = &launch;
    rcp_exit outcome = must_be_recorded(program);
    RCP_VEC(char *) emulated = {0};
    char *emulator = NULL;
    if (outcome == RCP_EXIT_CLEAN && given(arguments, THROUGH)) {
        emulator = rcp_launch_take_path(given(arguments, THROUGH), &error);
        if (!emulator)
            outcome = not_found(given(arguments, THROUGH), error);
        rcp_vec_push(&emulated, emulator);
        rcp_vec_push(&emulated, program);
        for (int i = 1; i <= arguments->operands; i++) /* the NULL behind the last one, too */
            rcp_vec_push(&emulated, i < arguments->operands ? arguments->operand[i] : NULL);
        launch.path = run.through = emulator;
        launch.argv = emulated.at;
    }
    rcp_schedule schedule;
    rcp_schedule_init(&schedule);
    run.schedule = &schedule;
    if (outcome == RCP_EXIT_CLEAN && run.schedule_source) {
        rcp_code code = read_schedule(&run, &schedule);
        outcome = code == RCP_OK ? RCP_EXIT_CLEAN : failed(code);
    }
    if (outcome == RCP_EXIT_CLEAN) {
        rcp_launch_block(&launch);
        outcome = record(&run, &launch, arguments, quietly);
        recorded->ran = run.ended;
        if (!run.ended)
            rcp_launch_unblock(&launch); /* else what comes now comes too late: the program has ended */
    }
    if (outcome == RCP_EXIT_CLEAN) {
        recorded->directory = run.directory;
        run.directory = NULL;
    }
    recorded->launch = launch;
    rcp_recorded_run_finish(&run);
    rcp_schedule_finish(&schedule);
    rcp_vec_finish(&emulated);
    rcp_release(emulator);
    rcp_release(program);
    return outcome;
}

static rcp_exit run(const rcp_arguments *arguments) {
    rcp_recorded recorded;
    rcp_exit outcome = rcp_record_program(arguments, false, &recorded);
    rcp_release(recorded.directory);
    return outcome == RCP_EXIT_CLEAN && recorded.ran ? (rcp_exit)rcp_launch_end_alike(&recorded.launch) : outcome;
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
        "PROG not found.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = INT_MAX,
    .runs_program = true,
    .run = run,
};
