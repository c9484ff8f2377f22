/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/limits.h"

#include <string.h>

enum { COLUMNS = 100, INDENT = 4 };

bool rcp_limits_take(const char *assignment, rcp_text *wrong) {
    if (rcp_limits_assign(assignment) == RCP_OK)
        return true;
    rcp_text_printf(wrong, "--set %s", rcp_borrow_cause(0));
    rcp_clear_causes();
    return false;
}

void rcp_limits_no_fd(const char *option) {
    if (option)
        RCP_CHECK(rcp_limit_set(RCP_LIMIT_DESCRIPTOR_SLOTS, 0) == RCP_OK);
}

/* Words, filled to COLUMNS. */
static void fill(rcp_text *to, const char *words) {
    for (size_t column = 0; *words; words += strspn(words, " ")) {
        size_t n = strcspn(words, " ");
        if (column && column + 1 + n > COLUMNS) {
            rcp_text_puts(to, "\n");
            column = 0;
        }
        rcp_text_printf(to, "%*s%.*s", column ? 1 : INDENT, "", (int)n, words);
        column += n + (column ? 1 : INDENT);
        words += n;
    }
    rcp_text_puts(to, "\n");
}

static void list_row(rcp_text *to, const rcp_limit_row *row) {
    rcp_text_printf(to, "\n  %s = %llu (%llu to %llu)\n", row->name, (unsigned long long)row->value,
                    (unsigned long long)row->least, (unsigned long long)row->most);
    rcp_text what = {0};
    rcp_text_printf(&what, "%s.", row->unit);
    fill(to, what.at);
    rcp_text_finish(&what);
    if (row->sentence)
        fill(to, row->sentence);
}

void rcp_limits_list(rcp_text *to) {
    static const struct {
        rcp_limit_scope scope;
        const char *heading;
    } groups[] = {
        {RCP_LIMIT_OF_RUNS, "Runs of the program: recording and replays"},
        {RCP_LIMIT_OF_EVENTS, "Events that are made of a recorded run; another value makes them anew"},
        {RCP_LIMIT_OF_ANALYSES, "Analyses"},
    };
    rcp_text_puts(to, "Every number that can change an answer. --set NAME=N of 'recipe analyze' and 'recipe run' sets "
                      "one. A limit\n"
                      "with a sentence leaves something out when it is reached: the report then says the sentence and "
                      "how often,\n"
                      "and that it is not complete. The others are matters of effort. Times are limits that can be "
                      "switched off;\n"
                      "then counts and steps alone decide, and every machine says the same.\n");
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        rcp_text_printf(to, "\n%s:\n", groups[g].heading);
        for (int i = 0; i < RCP_LIMITS; i++)
            if (rcp_limit_borrow((rcp_limit_name)i)->scope == groups[g].scope)
                list_row(to, rcp_limit_borrow((rcp_limit_name)i));
    }
}
