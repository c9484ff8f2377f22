/* SPDX-License-Identifier: Apache-2.0 */
/* recipe report: what earlier analyses found. */
#include "cli/command.h"
#include "cli/show.h"

#include <string.h>

enum { FORMAT, FULL_NAMES, OUTPUT, STRICT, UNCONFIRMED, WITNESS };

static const rcp_option options[] = {
    [FORMAT] = {"format", 0, "text|json", RCP_OPTION_CHOICE, "for people, or for programs",
                "The keys of the JSON report are described in docs/report.md; what is there keeps its meaning.",
                .usual = "text"},
    [FULL_NAMES] =
        {"full-names", 0, NULL, RCP_OPTION_FLAG, "names of C++ whole, and every frame",
         "Else names are short (std::string, no default arguments of templates, … for long ones), and frames "
         "of the C++ library are folded: an access stands at the program's own line. JSON has all of it."},
    [OUTPUT] = {"output", 'o', "FILE", RCP_OPTION_PATH, "write to FILE instead of standard output",
                "FILE appears when the report is complete; one that is there before is replaced then."},
    [STRICT] = RCP_STRICT_OPTION,
    [UNCONFIRMED] = RCP_UNCONFIRMED_OPTION,
    [WITNESS] = {"witness", 0, "ID", RCP_OPTION_NUMBER,
                 "only the schedule of race ID, for 'recipe trace check --witness'", NULL, .least = 1,
                 .means = "the number of a race"},
};

static rcp_exit run(const rcp_arguments *arguments) {
    rcp_show what = {.directory = arguments->operand[0],
                     .path = arguments->option[OUTPUT],
                     .json = !strcmp(arguments->word[FORMAT], "json"),
                     .has_full_names = arguments->option[FULL_NAMES],
                     .strict = rcp_strict_of(arguments->option[STRICT]),
                     .count_unconfirmed = arguments->option[UNCONFIRMED],
                     .witness = arguments->number[WITNESS]};
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
             "for byte.\n\nExit codes: 0 no race, 1 races or a deadlock, 3 bad input, 4 something was not looked at "
             "and --strict.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .entry = RCP_ENTRY_READ,
    .run = run,
};
