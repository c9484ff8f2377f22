/* SPDX-License-Identifier: Apache-2.0 */
/* recipe report: what earlier analyses found. */
#include "cli/command.h"
#include "cli/show.h"

#include <string.h>

enum { FORMAT, OUTPUT, STRICT, WITNESS };

static const rcp_option options[] = {
    [FORMAT] = {"format", 0, "text|json", true, "for people (default), or for programs",
                "The keys of the JSON report are described in docs/report.md; what is there keeps its meaning."},
    [OUTPUT] = {"output", 'o', "FILE", false, "write to FILE instead of standard output",
                "FILE appears when the report is complete; one that is there before is replaced then."},
    [STRICT] = {"strict", 0, NULL, false, "exit with 4 where something was not looked at, at a limit",
                "Races that were found beat it: then the exit code is 1."},
    [WITNESS] = {"witness", 0, "ID", false, "only the schedule of race ID, for 'recipe trace check --witness'", NULL},
};

static rcp_exit run(const rcp_arguments *arguments) {
    const char *format = arguments->option[FORMAT];
    rcp_show what = {.directory = arguments->operand[0],
                     .path = arguments->option[OUTPUT],
                     .json = format && !strcmp(format, "json"),
                     .strict = arguments->option[STRICT]};
    const char *witness = arguments->option[WITNESS];
    if (witness && (!rcp_options_number(witness, &what.witness) || !what.witness))
        return rcp_usage(&rcp_cmd_report, "--witness %s: not the number of a race", witness);
    rcp_exit outcome;
    rcp_code code = rcp_show_report(&what, &outcome);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

const rcp_command rcp_cmd_report = {
    .name = "report",
    .operands = "DIR",
    .summary = "Prints what the analyses of a trace found.",
    .about = "DIR is a trace directory that 'recipe analyze' has analysed. Two reports of the same results are the "
             "same, byte "
             "for byte.\n\nExit codes: 0 no race, 1 races, 3 bad input, 4 something was not looked at and --strict.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = run,
};
