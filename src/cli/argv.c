/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/argv.h"

#include "cli/command.h"

void rcp_argv_add(rcp_argv *to, rcp_text *word) {
    rcp_vec_push(&to->argv, word->at);
    rcp_vec_push(&to->made, word->at);
    *word = (rcp_text){0};
}

void rcp_argv_add_option(rcp_argv *to, const rcp_option *rows, const rcp_arguments *arguments, int option) {
    const rcp_option *row = &rows[option];
    rcp_text word = {0};
    if (row->type == RCP_OPTION_LIST) {
        size_t at = 0;
        for (const char *one; (one = rcp_arguments_next(arguments, option, &at));) {
            rcp_text_printf(&word, "--%s=%s", row->name, one);
            rcp_argv_add(to, &word);
        }
    } else if (arguments->word[option]) {
        rcp_text_printf(&word, row->argument ? "--%s=%s" : "--%s", row->name, arguments->word[option]);
        rcp_argv_add(to, &word);
    } else if (row->usual_number) {
        rcp_text_printf(&word, "--%s=%llu", row->name, (unsigned long long)row->usual_number);
        rcp_argv_add(to, &word);
    }
}

rcp_exit rcp_argv_parse(rcp_argv *line, const rcp_command *command, const rcp_command *self, rcp_arguments *parsed) {
    rcp_text wrong = {0};
    int n = (int)line->argv.len;
    rcp_vec_push(&line->argv, NULL);
    rcp_exit code = RCP_EXIT_CLEAN;
    if (rcp_options_parse(command, n, line->argv.at, parsed, &wrong) != RCP_PARSED)
        code = rcp_usage(self, "%s", wrong.at ? wrong.at : "");
    rcp_text_finish(&wrong);
    return code;
}

void rcp_argv_finish(rcp_argv *line) {
    for (size_t i = 0; i < line->made.len; i++)
        rcp_release(line->made.at[i]);
    rcp_vec_finish(&line->made);
    rcp_vec_finish(&line->argv);
}
