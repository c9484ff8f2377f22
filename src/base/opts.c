/* SPDX-License-Identifier: Apache-2.0 */
#include "base/opts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool rcp_opts_find(rcp_text *path, rcp_text *text) {
    char *here = getcwd(NULL, 0);
    bool found = false;
    for (char *end = here ? here + strlen(here) : NULL; end && !found;) {
        *end = 0;
        path->len = 0;
        rcp_text_printf(path, "%s/recipe.opts", here);
        found = rcp_text_read_file(text, path->at) == RCP_OK;
        if (!found)
            rcp_clear_causes();
        end = *here ? strrchr(here, '/') : NULL;
    }
    free(here);
    return found;
}

/* One word, appended. */
static const char *add_word(const char *at, rcp_text *to) {
    char quote = 0;
    for (; *at && (quote || !strchr(" \t\r\n", *at)); at++)
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? 0 : *at;
        else
            rcp_text_add(to, at, 1);
    return at;
}

bool rcp_opts_next_word(const char **at, rcp_text *option) {
    static const char blanks[] = " \t\r\n";
    const char *p = *at + strspn(*at, blanks);
    rcp_text_clear(option);
    rcp_text_puts(option, "");
    if (!*p)
        return false;
    p = add_word(p, option);
    p += strspn(p, blanks);
    if (*option->at == '-' && !strchr(option->at, '=') && *p && *p != '-') {
        rcp_text_puts(option, "=");
        p = add_word(p, option);
    }
    *at = p;
    return true;
}

const char *rcp_opts_next(const char **at, const char **end) {
    for (const char *p = *at; p && *p;) {
        size_t n = strcspn(p, "\n");
        const char *begin = p + strspn(p, " \t\r");
        const char *last = p + n;
        *at = p = last + (*last == '\n');
        if (begin >= last || *begin == '#')
            continue;
        while (last > begin && strchr(" \t\r", last[-1]))
            last--;
        *end = last;
        return begin;
    }
    return NULL;
}
