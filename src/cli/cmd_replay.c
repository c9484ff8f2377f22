/* SPDX-License-Identifier: Apache-2.0 */
/* recipe replay: carries out the witness of a race on the real program. */
#include "base/file.h"
#include "base/place.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/debugging.h"
#include "cli/listener.h"
#include "cli/output.h"
#include "cli/packed.h"
#include "cli/processes.h"
#include "cli/replayed.h"
#include "cli/show.h"
#include "cli/trust.h"
#include "record/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST, FORCE, GDB, GDB_COMMANDS, LIMIT, SHOW_OUTPUT, WHOLE, VERBOSE };

static const rcp_option options[] = {
    [FIRST] = {"first", 0, "A|B", RCP_OPTION_CHOICE, "run only with this access first",
               "A is the access that the report names first.", .otherwise = "both, one after the other"},
    [FORCE] = {"force", 0, NULL, RCP_OPTION_FLAG, "also where DIR belongs to somebody else",
               "A replay runs the command that is written in DIR, with the environment that is written there."},
    [GDB] = {"gdb", 0, NULL, RCP_OPTION_FLAG, "stop where both accesses are next, under gdb",
             "Both threads stand right before their accesses, and gdb's commands access-a and access-b select one of "
             "them. Quitting gdb ends the program."},
    [GDB_COMMANDS] = {"gdb-commands", 0, "FILE", RCP_OPTION_PATH, "the same for a gdb of your own: gdb -x FILE",
                      "FILE is written once the program stands there, and is removed when it has ended: with gdb, or "
                      "by Ctrl-C. For a gdb in another terminal, or in an editor.",
                      .writes_there = true},
    [LIMIT] = {"limit", 0, "SECONDS", RCP_OPTION_SECONDS, "for one run",
               "A run that takes longer is ended, and what it waited for is said.",
               .otherwise = "20, or 20 times what the recorded run took", .least = 1},
    [SHOW_OUTPUT] = {"show-output", 0, NULL, RCP_OPTION_FLAG,
                     "also print what the program printed, with each access first", NULL},
    [WHOLE] =
        {"whole", 0, NULL, RCP_OPTION_FLAG, "also run the whole command again, not the one process alone",
         "Of a run of several processes: where the process by itself does not show the race, the command that was "
         "given to 'recipe run' is run again, with everything that it does."},
    [VERBOSE] = {"verbose", 'v', NULL, RCP_OPTION_FLAG, "say on standard error how long the program ran", NULL},
};

static rcp_code check_trust(const char *directory) {
    return rcp_trust_check(directory,
                           "and a replay runs the command that is written there; where you trust it, --force does");
}

/* What is about to be run is said first. */
static rcp_code show_command(const char *directory, bool force) {
    if (!force)
        RCP_TRY(check_trust(directory));
    return rcp_trust_say_command(directory);
}

/* Those that were not shown before; then the report. CLEAN: all are shown now. */
static rcp_code replay_every(const rcp_arguments *arguments, const rcp_replaying_how *how) {
    const rcp_notices notices = rcp_listener(false);
    const char *directory = arguments->operand[0];
    if (rcp_processes_are_several(directory)) {
        RCP_TRY(show_command(directory, arguments->option[FORCE]));
        return rcp_replayed_every(directory, how, &notices);
    }
    rcp_replayed_set set;
    rcp_code code = rcp_replayed_open(&set, directory);
    if (code == RCP_OK)
        code = show_command(directory, arguments->option[FORCE]);
    if (code == RCP_OK)
        code = rcp_replayed_all(&set, NULL, how, &notices);
    rcp_replayed_close(&set);
    return code;
}

/* Are all of them shown? */
static rcp_code ask_shown(const char *directory, bool *all) {
    rcp_code code;
    if (rcp_processes_are_several(directory)) {
        rcp_processes processes;
        code = rcp_processes_open(&processes, directory, false);
        *all = processes.together.all.confirmed == processes.together.all.proven.len;
        rcp_processes_close(&processes);
        return code;
    }
    rcp_replayed_set set;
    code = rcp_replayed_open(&set, directory);
    *all = set.findings.confirmed == set.findings.proven.len;
    rcp_replayed_close(&set);
    return code;
}

static rcp_exit replay_all(const rcp_arguments *arguments) {
    static const volatile sig_atomic_t never;
    const char *directory = arguments->operand[0];
    const rcp_replaying_how how = {
        .limit = (double)arguments->number[LIMIT], .stop = &never, .whole = arguments->option[WHOLE]};
    const rcp_show what = {.directory = directory};
    rcp_exit outcome = RCP_EXIT_RACES;
    bool all = false;
    rcp_code code = replay_every(arguments, &how);
    if (code == RCP_OK)
        code = rcp_show_report(&what, &outcome);
    if (code == RCP_OK)
        code = ask_shown(directory, &all);
    return code != RCP_OK ? rcp_give_up(code) : all ? RCP_EXIT_CLEAN : RCP_EXIT_RACES;
}

/* Of several processes: whose race it is, and its number there. `of` is the caller's to finish. */
static rcp_code find_process(const char *directory, uint64_t id, rcp_text *of, uint64_t *own) {
    rcp_processes all;
    rcp_code code = rcp_processes_open(&all, directory, false);
    if (code == RCP_OK && id > all.together.all.proven.len)
        code = rcp_fail(RCP_BAD_INPUT, "%s: there is no race %llu; the report has %zu", directory,
                        (unsigned long long)id, all.together.all.proven.len);
    if (code == RCP_OK) {
        rcp_text_puts(of, all.parts.at[all.together.part.at[id - 1]]->directory);
        *own = all.together.id.at[id - 1];
    }
    rcp_processes_close(&all);
    return code;
}

static rcp_exit run(const rcp_arguments *arguments) {
    uint64_t id;
    const char *first = arguments->option[FIRST];
    if (!strcmp(arguments->operand[1], "all")) {
        for (int o = FIRST; o <= SHOW_OUTPUT; o++)
            if (arguments->option[o] && (o == FIRST || o == GDB || o == GDB_COMMANDS || o == SHOW_OUTPUT))
                return rcp_usage(&rcp_cmd_replay, "--%s is for one race, not for all", options[o].name);
        return replay_all(arguments);
    }
    if (!rcp_options_number(arguments->operand[1], &id) || !id)
        return rcp_usage(&rcp_cmd_replay, "%s: not the number of a race; 'recipe report %s' has them",
                         arguments->operand[1], arguments->operand[0]);
    if (arguments->option[GDB] && arguments->option[GDB_COMMANDS])
        return rcp_usage(&rcp_cmd_replay, "--gdb and --gdb-commands don't go together");
    rcp_replay_options wanted = {.first = !first ? -1 : !strcmp(first, "B"),
                                 .pause = arguments->option[GDB] || arguments->option[GDB_COMMANDS],
                                 .limit = (double)arguments->number[LIMIT],
                                 .whole = arguments->option[WHOLE]};
    if (wanted.pause && wanted.first < 0)
        wanted.first = 0;
    rcp_replayed_set set = {0};
    rcp_replay replay = {0};
    rcp_text directory = {0};
    uint64_t own = id;
    rcp_code code = arguments->option[FORCE] ? RCP_OK : check_trust(arguments->operand[0]);
    if (code == RCP_OK && rcp_processes_are_several(arguments->operand[0]))
        code = find_process(arguments->operand[0], id, &directory, &own);
    else if (code == RCP_OK)
        rcp_text_puts(&directory, arguments->operand[0]);
    if (code == RCP_OK)
        code = rcp_replayed_open(&set, directory.at);
    if (code == RCP_OK)
        code = show_command(directory.at, arguments->option[FORCE]);
    if (code == RCP_OK && wanted.whole)
        code = show_command(arguments->operand[0], arguments->option[FORCE]);
    if (code == RCP_OK)
        code = rcp_replayed_one(&set, own, &wanted, &replay);
    rcp_exit outcome = RCP_EXIT_RACES;
    if (code == RCP_OK) {
        rcp_text text = {0};
        rcp_replayed_print(&text, &set, own, (unsigned)id, &replay);
        for (int i = 0; i < 2 && arguments->option[SHOW_OUTPUT]; i++)
            if (wanted.first < 0 || wanted.first == i)
                rcp_text_printf(&text, "\nOutput with access %c first:\n%s", "AB"[i],
                                replay.output[i].at ? replay.output[i].at : "");
        if (arguments->option[VERBOSE])
            fprintf(stderr, "recipe: the program ran for %.3f s\n", replay.seconds);
        code = rcp_output_all(NULL, &text);
        rcp_text_finish(&text);
        if (replay.status == RCP_RACE_CONFIRMED)
            outcome = RCP_EXIT_CLEAN;
        const rcp_finding *finding = &set.findings.proven.at[own - 1];
        if (code == RCP_OK && replay.paused.pid && arguments->option[GDB_COMMANDS])
            code = rcp_debugging_wait(finding, &replay, arguments->option[GDB_COMMANDS]);
        else if (code == RCP_OK && replay.paused.pid)
            outcome = rcp_debugging_run(finding, &replay);
    }
    rcp_replay_finish(&replay);
    rcp_replayed_close(&set);
    rcp_text_finish(&directory);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

const rcp_command rcp_cmd_replay = {
    .name = "replay",
    .operands = "DIR ID|all",
    .summary = "Carries out the schedule of a race on the real program.",
    .about =
        "The program runs again as it was recorded (arguments, environment, directory, input), led along the "
        "schedule of race ID until both accesses are next in their threads at the same moment: then the race is "
        "confirmed. It is let go on with one access first, then again with the other first, and what differs is "
        "said. What comes of it is kept, and 'recipe report' shows it; what was confirmed once stays so. With all: "
        "every race that was not shown before, as 'recipe run' does it, and then the report. A race of c11 happened in "
        "the recorded run; of it is carried out what an older value leads to that the standard lets its read take, or "
        "a "
        "store that it lets come late. One that "
        "happens in an explored run is confirmed where the program, led along that run, leaves the two unordered by "
        "the "
        "rules of the language.\n\n"
        "The command is printed before it is run, on standard error; it is run only where the program is the "
        "very build that was recorded. docs/replay.md says what a recording from elsewhere can make you run.\n\n"
        "Exit codes: 0 confirmed, 1 not, 3 bad input.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 2,
    .most = 2,
    .entry = RCP_ENTRY_WORK,
    .run = run,
};
