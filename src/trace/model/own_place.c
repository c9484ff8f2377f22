/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/own_place.h"

#include <ctype.h>
#include <string.h>

bool rcp_own_place_is_ours(const char *file) {
    static const char ours[] = "recipe/stdcxx/";
    return !strncmp(file, ours, sizeof ours - 1);
}

bool rcp_own_place_is_library(const char *file) {
    static const char headers[] = "/c++/";
    if (rcp_own_place_is_ours(file))
        return true;
    const char *include = strstr(file, "/include/");
    const char *version = include ? strstr(include, headers) : NULL;
    return version && (isdigit((unsigned char)version[5]) || !strncmp(version + 5, "v1/", 3));
}

static bool is_library(const rcp_defs *defs, rcp_loc loc) {
    return rcp_own_place_is_library(rcp_defs_borrow_string(defs, defs->locations.at[loc.v].file));
}

rcp_loc rcp_own_place(const rcp_defs *defs, const rcp_event *event) {
    rcp_loc loc = event->loc;
    for (rcp_stack s = event->stack; loc.v && is_library(defs, loc); s = defs->stacks.at[s.v].caller) {
        if (!s.v)
            return event->loc;
        loc = defs->stacks.at[s.v].loc;
    }
    return loc.v ? loc : event->loc;
}
