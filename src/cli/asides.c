/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/asides.h"

#include "cli/command.h"
#include "program/recording/plain_name.h"

/* What a file that is bad input ends a command with. */
static rcp_exit give_up(const rcp_command *command, rcp_code code) {
    const rcp_exit end = rcp_give_up(code);
    return command->runs_program ? RCP_EXIT_FAILED : end;
}

/* A file that is not there is bad input; one that breaks the syntax is as a command line that does. */
static rcp_exit read_suppressions(rcp_asides *asides, const rcp_command *command, const char *file) {
    rcp_text text = {0};
    rcp_exit end = RCP_EXIT_CLEAN;
    rcp_code code = rcp_text_read_file(&text, file);
    if (code != RCP_OK) {
        end = give_up(command, code);
    } else if (rcp_suppressions_parse(&asides->suppressions, file, text.at ? text.at : "", text.len,
                                      rcp_take_plain_name) != RCP_OK) {
        end = rcp_usage(command, "--suppressions %s", rcp_borrow_cause(0));
        rcp_clear_causes();
    }
    rcp_text_finish(&text);
    return end;
}

static rcp_exit read_baseline(rcp_asides *asides, const rcp_command *command, const char *file) {
    rcp_text text = {0};
    rcp_code code = rcp_text_read_file(&text, file);
    if (code == RCP_OK)
        code = rcp_baseline_parse(&asides->baseline, file, text.at ? text.at : "", text.len);
    asides->has_baseline = true;
    rcp_text_finish(&text);
    return code == RCP_OK ? RCP_EXIT_CLEAN : give_up(command, code);
}

rcp_exit rcp_asides_read(rcp_asides *asides, const rcp_command *command, const rcp_arguments *arguments,
                         int suppressions, int baseline) {
    *asides = (rcp_asides){0};
    rcp_baseline_init(&asides->baseline);
    rcp_exit end = RCP_EXIT_CLEAN;
    size_t at = 0;
    for (const char *file; end == RCP_EXIT_CLEAN && (file = rcp_arguments_next(arguments, suppressions, &at));)
        end = read_suppressions(asides, command, file);
    at = 0;
    for (const char *file; end == RCP_EXIT_CLEAN && (file = rcp_arguments_next(arguments, baseline, &at));)
        end = read_baseline(asides, command, file);
    return end;
}

void rcp_asides_finish(rcp_asides *asides) {
    rcp_suppressions_finish(&asides->suppressions);
    rcp_baseline_finish(&asides->baseline);
}

void rcp_asides_apply(rcp_asides *asides, rcp_findings *findings) {
    const rcp_suppressions *all = &asides->suppressions;
    rcp_suppressions_apply(&asides->suppressions, findings);
    if (asides->has_baseline)
        rcp_baseline_apply(&asides->baseline, findings);
    for (size_t i = 0; asides->says_unmatched && i < all->lines.len; i++)
        if (!all->lines.at[i].matched)
            rcp_say("%s:%u: %s matched nothing", all->lines.at[i].file, all->lines.at[i].line, all->lines.at[i].words);
}
