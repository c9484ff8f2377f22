/* SPDX-License-Identifier: Apache-2.0 */
/* recipe report: what earlier analyses found. */
#include "cli/command.h"
#include "cli/show.h"

enum { BRIEF, COLOR, FORMAT, FULL_NAMES, OUTPUT, RACE, STRICT, UNCONFIRMED, SUPPRESSIONS, BASELINE, VERBOSE, WITNESS };

static const rcp_option options[] = {
    [BRIEF] = RCP_BRIEF_OPTION,
    [COLOR] = RCP_COLOR_OPTION,
    [FORMAT] = {"format", 0, RCP_REPORT_FORMS, RCP_OPTION_CHOICE, "for people, or for programs",
                "json: the keys are described in docs/report.md and docs/report.schema.json; what is there keeps its "
                "meaning. sarif: SARIF 2.1.0, for code scanning and editors. junit: XML for continuous integration, a "
                "test case per race that fails, or one that passes. html: one page for a browser, with excerpts of the "
                "source as it is now.",
                .usual = "text"},
    [FULL_NAMES] =
        {"full-names", 0, NULL, RCP_OPTION_FLAG, "names of C++ whole, and every frame",
         "Else names are short (std::string, no default arguments of templates, … for long ones), and frames "
         "of the C++ library are folded: an access stands at the program's own line. JSON has all of it."},
    [OUTPUT] = {"output", 'o', "FILE", RCP_OPTION_PATH, "write to FILE instead of standard output",
                "FILE appears when the report is complete; one that is there before is replaced then.",
                .writes_there = true},
    [RACE] = {"race", 0, "ID", RCP_OPTION_NUMBER, "only race ID, with its schedule and what its replay showed",
              "The report says so much of one pair of accesses of each race; of the others this does.", .least = 1,
              .means = "the number of a race"},
    [STRICT] = RCP_STRICT_OPTION,
    [UNCONFIRMED] = RCP_UNCONFIRMED_OPTION,
    [SUPPRESSIONS] = RCP_SUPPRESSIONS_OPTION,
    [BASELINE] = RCP_BASELINE_OPTION,
    [VERBOSE] = {"verbose", 'v', NULL, RCP_OPTION_FLAG, "say which suppressions matched nothing", NULL},
    [WITNESS] = {"witness", 0, "ID", RCP_OPTION_NUMBER,
                 "only the schedule of race ID, for 'recipe trace check --witness'", NULL, .least = 1,
                 .means = "the number of a race"},
};

static rcp_exit run(const rcp_arguments *arguments) {
    if (rcp_show_is_brief_wrong(arguments, BRIEF, arguments->word[FORMAT]))
        return rcp_usage(&rcp_cmd_report, "--brief is of --format text");
    rcp_asides asides;
    rcp_exit outcome = rcp_asides_read(&asides, &rcp_cmd_report, arguments, SUPPRESSIONS, BASELINE);
    asides.says_unmatched = arguments->option[VERBOSE];
    rcp_show what = {.directory = arguments->operand[0],
                     .path = arguments->option[OUTPUT],
                     .form = rcp_report_find_form(arguments->word[FORMAT]),
                     .is_brief = arguments->option[BRIEF],
                     .color = rcp_color_of(arguments->word[COLOR]),
                     .has_full_names = arguments->option[FULL_NAMES],
                     .strict = rcp_strict_of(arguments->option[STRICT]),
                     .count_unconfirmed = arguments->option[UNCONFIRMED],
                     .asides = &asides,
                     .race = arguments->number[RACE],
                     .witness = arguments->number[WITNESS]};
    rcp_code code = outcome == RCP_EXIT_CLEAN ? rcp_show_report(&what, &outcome) : RCP_OK;
    rcp_asides_finish(&asides);
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
