/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options as people read it in a terminal. */
#include "cli/options.h"

#include <string.h>

enum { COLUMNS = 100 };

const rcp_option rcp_options_help_row = {"help", 'h', NULL, RCP_OPTION_FLAG, "this help: -h short, --help full"};

/* Fills each line of `words` to COLUMNS; one that begins with a blank stays as it is, and an empty one stays empty. */
static void paragraphs(rcp_text *to, size_t indent, const char *words) {
    for (;; words++) {
        size_t line = strcspn(words, "\n"), column = 0;
        const char *end = words + line;
        if (line && *words == ' ') {
            rcp_text_printf(to, "%*s%.*s", (int)indent, "", (int)line, words);
            words = end;
        }
        while (words < end) {
            size_t n = strcspn(words, " \n");
            if (column && column + 1 + n > COLUMNS) {
                rcp_text_puts(to, "\n");
                column = 0;
            }
            rcp_text_printf(to, "%*s%.*s", column ? 1 : (int)indent, "", (int)n, words);
            column += n + (column ? 1 : indent);
            words += n;
            words += strspn(words, " ");
        }
        rcp_text_puts(to, "\n");
        if (!*words)
            return;
    }
}

/* Columns, not bytes: '…' is one. */
static size_t width(const char *string) {
    size_t n = 0;
    for (; *string; string++)
        n += (*string & 0xc0) != 0x80;
    return n;
}

void rcp_options_describe(rcp_text *to, const rcp_option *option) {
    rcp_text_puts(to, option->help);
    if (option->type == RCP_OPTION_LIST)
        rcp_text_puts(to, "; may be given several times");
    const char *usual = option->otherwise ? option->otherwise : option->usual;
    uint64_t number = option->type == RCP_OPTION_LIMIT ? rcp_limit_borrow(option->limit)->value : option->usual_number;
    if (usual)
        rcp_text_printf(to, "; default: %s", usual);
    else if (number)
        rcp_text_printf(to, "; default: %llu", (unsigned long long)number);
}

void rcp_options_explain(rcp_text *to, const rcp_option *option) {
    if (option->more)
        rcp_text_puts(to, option->more);
    if (option->type == RCP_OPTION_LIMIT)
        rcp_text_printf(to, "%sIt is the limit %s ('recipe help limits').", to->len ? " " : "",
                        rcp_limit_borrow(option->limit)->name);
}

static void option_row(rcp_text *to, const rcp_option *option, bool full) {
    enum { HELP_COLUMN = 32 };
    rcp_text left = {0};
    if (option->letter)
        rcp_text_printf(&left, "  -%c, --%s", option->letter, option->name);
    else
        rcp_text_printf(&left, "      --%s", option->name);
    if (option->argument)
        rcp_text_printf(&left, option->type == RCP_OPTION_SWITCH ? "[=%s]" : " %s", option->argument);
    rcp_text_puts(to, left.at);
    if (width(left.at) + 2 > HELP_COLUMN)
        rcp_text_printf(to, "\n%*s", HELP_COLUMN, "");
    else
        rcp_text_printf(to, "%*s", (int)(HELP_COLUMN - width(left.at)), "");
    rcp_options_describe(to, option);
    rcp_text_puts(to, "\n");
    rcp_text_clear(&left);
    rcp_options_explain(&left, option);
    if (full && left.len)
        paragraphs(to, HELP_COLUMN, left.at);
    rcp_text_finish(&left);
}

void rcp_options_help(rcp_text *to, const rcp_command *command, bool full) {
    bool verbatim = command->most < 0;
    rcp_text_printf(to, "Usage: recipe %s%s%s%s\n", command->name, verbatim ? "" : " [OPTION…]",
                    *command->operands ? " " : "", command->operands);
    rcp_text_printf(to, "%s\n\n", command->summary);
    if (full) {
        paragraphs(to, 0, command->about);
        rcp_text_puts(to, "\n");
    }
    if (verbatim)
        return;
    rcp_text_puts(to, "Options:\n");
    for (size_t i = 0; i < command->n_options; i++)
        option_row(to, &command->options[i], full);
    option_row(to, &rcp_options_help_row, false);
}
