/* SPDX-License-Identifier: Apache-2.0 */
/* recipe report: what earlier analyses found. */
#include "cli/command.h"
#include "cli/entry.h"
#include "cli/output.h"
#include "cli/packed.h"
#include "cli/show.h"
#include "report/diff.h"

#include <string.h>
#include <sys/stat.h>

enum {
    BRIEF,
    COLOR,
    DIFF,
    FORMAT,
    FULL_NAMES,
    OUTPUT,
    RACE,
    STRICT,
    UNCONFIRMED,
    SUPPRESSIONS,
    BASELINE,
    VERBOSE,
    WITNESS
};

static const rcp_option options[] = {
    [BRIEF] = RCP_BRIEF_OPTION,
    [COLOR] = RCP_COLOR_OPTION,
    [DIFF] =
        {"diff", 0, "A", RCP_OPTION_PATH, "what is new in DIR, and what of A is gone",
         "A and DIR are trace directories, or reports by --format json. New is what A as a --baseline would leave. "
         "Exit code 1: something is new. --format text or json."},
    [FORMAT] = {"format", 0, RCP_REPORT_FORMS, RCP_OPTION_CHOICE, "for people, or for programs",
                "json: the keys are described in docs/report.md and docs/report.schema.json; what is there keeps its "
                "meaning. sarif: SARIF 2.1.0, for code scanning and editors. junit: XML for continuous integration, a "
                "test case per race that fails, or one that passes. html: one page for a browser, with excerpts of the "
                "source as it is now.",
                .usual = "text"},
    [FULL_NAMES] =
        {"full-names", 0, NULL, RCP_OPTION_FLAG, "names of C++ whole, every frame, all models",
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

/* --- --diff --- */

/* One side: a report that was kept, or that of a directory. */
static rcp_code read_side(rcp_diff_side *side, const char *path, rcp_asides *asides) {
    struct stat is;
    rcp_text json = {0};
    rcp_exit outcome;
    const char *directory = path;
    RCP_TRY(rcp_packed_open(&directory));
    const rcp_show what = {.directory = directory, .form = rcp_report_json, .asides = asides, .into = &json};
    const bool is_directory = !stat(directory, &is) && S_ISDIR(is.st_mode);
    rcp_code code = is_directory ? rcp_enter(directory, RCP_ENTRY_READ) : rcp_text_read_file(&json, path);
    if (code == RCP_OK && is_directory)
        code = rcp_show_report(&what, &outcome);
    if (code == RCP_OK)
        code = rcp_diff_read(side, path, &json);
    rcp_text_finish(&json);
    return code;
}

static rcp_exit diff(const rcp_arguments *arguments, rcp_asides *asides) {
    rcp_diff_side before = {0}, after = {0};
    rcp_text text = {0};
    rcp_exit outcome = RCP_EXIT_CLEAN;
    asides->says_unmatched = false; /* what one side has nothing of the other may have */
    rcp_code code = read_side(&before, arguments->option[DIFF], asides);
    if (code == RCP_OK)
        code = read_side(&after, arguments->operand[0], asides);
    if (code == RCP_OK) {
        const bool is_coloured = rcp_show_is_coloured(arguments->option[OUTPUT], rcp_color_of(arguments->word[COLOR]));
        outcome = rcp_diff_new(&before, &after) ? RCP_EXIT_RACES : RCP_EXIT_CLEAN;
        if (!strcmp(arguments->word[FORMAT], "json"))
            rcp_diff_json(&text, &before, &after);
        else
            rcp_diff_text(&text, &before, &after, is_coloured);
        code = rcp_output_all(arguments->option[OUTPUT], &text);
    }
    rcp_text_finish(&text);
    rcp_diff_finish(&before);
    rcp_diff_finish(&after);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

static rcp_exit report(const rcp_arguments *arguments, rcp_asides *asides) {
    rcp_exit outcome;
    const char *directory = arguments->operand[0];
    rcp_code code = rcp_packed_open(&directory);
    const rcp_show what = {.directory = directory,
                           .path = arguments->option[OUTPUT],
                           .form = rcp_report_find_form(arguments->word[FORMAT]),
                           .is_brief = arguments->option[BRIEF],
                           .color = rcp_color_of(arguments->word[COLOR]),
                           .has_full_names = arguments->option[FULL_NAMES],
                           .strict = rcp_strict_of(arguments->option[STRICT]),
                           .count_unconfirmed = arguments->option[UNCONFIRMED],
                           .asides = asides,
                           .race = arguments->number[RACE],
                           .witness = arguments->number[WITNESS]};
    if (code == RCP_OK)
        code = rcp_enter(directory, RCP_ENTRY_READ);
    if (code == RCP_OK)
        code = rcp_show_report(&what, &outcome);
    return code == RCP_OK ? outcome : rcp_give_up(code);
}

static rcp_exit run(const rcp_arguments *arguments) {
    const char *form = arguments->word[FORMAT];
    if (rcp_show_is_brief_wrong(arguments, BRIEF, form))
        return rcp_usage(&rcp_cmd_report, "--brief is of --format text");
    if (arguments->option[DIFF] && strcmp(form, "text") != 0 && strcmp(form, "json") != 0)
        return rcp_usage(&rcp_cmd_report, "--diff is of --format text or json, not %s", form);
    rcp_asides asides;
    rcp_exit outcome = rcp_asides_read(&asides, &rcp_cmd_report, arguments, SUPPRESSIONS, BASELINE);
    asides.says_unmatched = arguments->option[VERBOSE];
    if (outcome == RCP_EXIT_CLEAN)
        outcome = arguments->option[DIFF] ? diff(arguments, &asides) : report(arguments, &asides);
    rcp_asides_finish(&asides);
    return outcome;
}

const rcp_command rcp_cmd_report = {
    .name = "report",
    .operands = "DIR",
    .summary = "Prints what the analyses of a trace found.",
    .about = "DIR is a trace directory that 'recipe analyze' has analysed, or a pack of it ('recipe pack'). Two "
             "reports of the same results are the "
             "same, byte "
             "for byte.\n\nExit codes: 0 no race, 1 races or a deadlock, 3 bad input, 4 something was not looked at "
             "and --strict. With --diff: 1 something is new.",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least = 1,
    .most = 1,
    .run = run,
};
