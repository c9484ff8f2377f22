/* SPDX-License-Identifier: Apache-2.0 */
/* recipe hunt: as 'run', and in between the program is run again, along schedules that lead to what its threads did not
 * do yet (analysis/hunting.h). */
#include "cli/command.h"
#include "cli/running.h"

#include <limits.h>

static rcp_exit hunt(const rcp_arguments *arguments) { return rcp_running_run(arguments, &rcp_cmd_hunt, true); }

const rcp_command rcp_cmd_hunt = {
    .name = "hunt",
    .operands = "COMMAND [ARG…]",
    .summary = "Finds the races of a program in as many runs as prediction asks for.",
    .about =
        "Does what 'run' does; and before the races are replayed, the program is run again and again. From each "
        "recording recipe asks what threads could decide otherwise: a branch, an address, a compare-and-swap, a lock "
        "that is tried. The program is run along a schedule that leads there, and on, and recorded; that recording is "
        "analysed and asked about in its own right. What would be of a class of runs that was seen is not run: two "
        "runs are of one class where each thread decides the same in both.\n\n"
        "It ends when nothing is left to be asked, when the budget is over, or by Ctrl-C. The report says 'All N "
        "classes of runs of this program and input were seen' only where that is certain: nothing stands under 'Not "
        "looked at', and all that threads do is decided by the order of their accesses and locks. Else it says how "
        "many were seen, how many turns are open, and why that can't be all.\n\n"
        "'recipe hunt DIR' goes on with the hunt in DIR, however the last call ended: what is settled is not done "
        "again, and what is not known is asked. Of a directory of 'record' or 'run' a hunt begins.\n\n"
        "A deadlock, a failed assertion or a crash that such a run showed, and showed again when it was made once "
        "more, "
        "is reported with its recording, and counts as a race does for the exit code.\n\n"
        "The program must be one that can be run again: it read nothing from a pipe or a terminal, and nobody can "
        "have answered what it printed. Exit codes are those of 'run'.",
    .options = rcp_running_options,
    .n_options = RCP_RUNNING_OPTIONS,
    .least = 1,
    .most = INT_MAX,
    .runs_program = true,
    .run = hunt,
};
