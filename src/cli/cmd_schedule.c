/* SPDX-License-Identifier: Apache-2.0 */
/* recipe trace schedule: the schedule of a recorded run, as record's --schedule=file: takes it. */
#include "cli/command.h"
#include "cli/output.h"
#include "program/recording/recording.h"

enum { OUTPUT };

static const rcp_option options[] = {
    [OUTPUT] = {"output", 'o', "FILE", RCP_OPTION_PATH, "write to FILE instead of standard output", NULL,
                .writes_there = true},
};

static rcp_exit run(const rcp_arguments *arguments) {
    rcp_schedule schedule;
    rcp_schedule_init(&schedule);
    rcp_code code = rcp_recording_schedule(arguments->operand[0], &schedule);
    if (code == RCP_OK) {
        rcp_text text = {0};
        rcp_schedule_print(&text, &schedule);
        code = rcp_output_all(arguments->option[OUTPUT], &text);
        rcp_text_finish(&text);
    }
    rcp_schedule_finish(&schedule);
    return code == RCP_OK ? RCP_EXIT_CLEAN : rcp_give_up(code);
}

const rcp_command rcp_cmd_trace_schedule = {
    .name = "trace schedule",
    .operands = "DIR",
    .summary = "Prints the schedule of a recorded run.",
    .about =
        "First the threads in the order of their creation, by their names in the creation tree: 0 is the main thread, "
        "0.1 "
        "the first that it created. Then a line per turn: the thread, and the event before which it stopped (events of "
        "a thread are counted from 0), or 'block' where it blocked, gave way or ended.\n\n"
        "'recipe record --schedule=file:FILE' takes such a text, edited or not, and a recorded directory itself.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
