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
