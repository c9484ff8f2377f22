/* SPDX-License-Identifier: Apache-2.0 */
/* What a figure's file (tests/golden/figures) expects. It says so in comments: '# expect hb: x, y', the variables that
 * race with a comma or a blank between them, or 'none'. Nothing is owned. */
#ifndef RECIPE_TESTS_FIGURE_H
#define RECIPE_TESTS_FIGURE_H

#include "trace/model/defs.h"

#include <stdio.h>
#include <string.h>

/* What stands after '# expect WORD:', without the line's end; false where the file does not say. */
static inline bool figure_expects(const char *text, const char *word, char *names, size_t room) {
    char head[64];
    snprintf(head, sizeof head, "# expect %s:", word);
    const char *line = strstr(text, head);
    if (!line)
        return false;
    line += strlen(head);
    snprintf(names, room, "%.*s", (int)strcspn(line, "\n"), line);
    return true;
}

static inline bool figure_lists(const char *names, const char *name) {
    size_t len = strlen(name);
    for (const char *at = names; *at;) {
        at += strspn(at, " ,\t\r");
        size_t word = strcspn(at, " ,\t\r");
        if (word == len && !strncmp(at, name, len))
            return true;
        at += word;
    }
    return false;
}

/* Are the variables found those that are expected? Both are lists of names; where none was found, `found` is blank. */
static inline bool figure_agrees(const rcp_defs *defs, const char *names, const char *found) {
    for (size_t v = 0; v < defs->variables.len; v++) {
        const char *name = rcp_defs_borrow_string(defs, defs->variables.at[v].name);
        if (figure_lists(names, name) != figure_lists(found, name))
            return false;
    }
    return figure_lists(names, "none") == (found[strspn(found, " ")] == 0);
}

#endif
