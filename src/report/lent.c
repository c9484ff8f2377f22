/* SPDX-License-Identifier: Apache-2.0 */
#include "report/lent.h"

#include "report/excerpts.h"

#include <ctype.h>
#include <string.h>

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Takes that '&' an address, or is it an operator between two operands? */
static bool takes_address(const char *line, const char *at) {
    const char *before = at;
    while (before > line && isspace((unsigned char)before[-1]))
        before--;
    const char last = before > line ? before[-1] : '=';
    return at[1] != '&' && at[1] != '=' && !is_of_name(last) && !strchr(")]&", last);
}

/* The one name whose address the line takes, with its length; NULL: there is none, or there are several. */
static const char *only_name(const char *line, size_t *n) {
    const char *found = NULL;
    for (const char *at = line; (at = strchr(at, '&')); at++) {
        if (!takes_address(line, at))
            continue;
        const char *name = at + 1 + strspn(at + 1, " \t");
        size_t length = 0;
        while (is_of_name(name[length]))
            length++;
        const bool is_part = name[length] && strchr("(.[-:", name[length]);
        if (found || !length || isdigit((unsigned char)name[0]) || is_part)
            return NULL;
        found = name;
        *n = length;
    }
    return found;
}

bool rcp_lent_name(rcp_text *to, const rcp_finding *finding) {
    const rcp_location *at = &finding->defs->locations.at[finding->lent.v];
    rcp_text line = {0};
    const char *name = NULL;
    size_t n = 0;
    if (finding->lent.v &&
        rcp_excerpts_line(&line, rcp_defs_borrow_string(finding->defs, at->file), at->line, finding->recorded_at))
        name = only_name(line.at, &n);
    if (name)
        rcp_text_add(to, name, n);
    rcp_text_finish(&line);
    return name != NULL;
}
