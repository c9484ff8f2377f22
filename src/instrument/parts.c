/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/parts.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

rcp_code rcp_parts_find(const char *name, rcp_text *path) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return rcp_fail(RCP_SYSTEM,
                        "/proc/self/exe: %s; recipe finds its parts beside its program and needs /proc for it",
                        strerror(errno));
    self[n] = 0;
    *strrchr(self, '/') = 0;
    static const char *const places[] = {"lib/recipe", "../lib/recipe"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        rcp_text_clear(path);
        rcp_text_printf(path, "%s/%s/%s", self, places[i], name);
        if (!access(path->at, R_OK))
            return RCP_OK;
    }
    return rcp_fail(RCP_SYSTEM, "%s is neither in %s/lib/recipe nor in %s/../lib/recipe; build or install recipe whole",
                    name, self, self);
}

static bool find_in_path(const char *name, rcp_text *path) {
    const char *list = getenv("PATH");
    for (const char *at = list; at && *at;) {
        size_t n = strcspn(at, ":");
        rcp_text_clear(path);
        rcp_text_printf(path, "%.*s%s%s", (int)n, at, n ? "/" : "", name);
        if (!access(path->at, X_OK))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

rcp_code rcp_parts_find_clang(rcp_text *path) {
    const char *named = getenv("RECIPE_CLANG");
    if (named && *named) {
        rcp_text_puts(path, named);
        if (!access(named, X_OK))
            return RCP_OK;
        return rcp_fail(RCP_SYSTEM, "RECIPE_CLANG=%s: %s", named, strerror(errno));
    }
    if (find_in_path("clang-19", path))
        return RCP_OK;
    rcp_text_clear(path);
    rcp_text_puts(path, RECIPE_CLANG);
    if (!access(path->at, X_OK))
        return RCP_OK;
    return rcp_fail(RCP_SYSTEM, "clang 19 is neither in PATH as clang-19 nor at %s; install it (Debian: clang-19)",
                    RECIPE_CLANG);
}
