/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/values.h"

#include "trace/model/own_place.h"

#include <inttypes.h>
#include <string.h>

void rcp_values_name(const rcp_defs *defs, const rcp_event *access, rcp_text *to) {
    const rcp_variable *variable = rcp_defs_find_variable(defs, access->addr);
    const rcp_location *at = &defs->locations.at[access->loc.v];
    rcp_text name = {0};
    const bool is_inside = variable && rcp_own_place_is_library(rcp_defs_borrow_string(defs, at->file));
    rcp_defs_name_access(defs, variable, is_inside ? variable->addr : access->addr,
                         rcp_defs_borrow_string(defs, at->member), &name);
    if (name.len)
        rcp_text_printf(to, "`%s`", name.at);
    else
        rcp_text_printf(to, "0x%" PRIx64, access->addr);
    rcp_text_finish(&name);
}

void rcp_values_place(const rcp_defs *defs, rcp_loc loc, rcp_text *to) {
    const rcp_location *at = &defs->locations.at[loc.v];
    const char *file = rcp_defs_borrow_string(defs, at->file), *slash = strrchr(file, '/');
    if (*file)
        rcp_text_printf(to, "%s:%u", slash ? slash + 1 : file, at->line);
}

static int64_t signed_of(uint64_t value, uint64_t size) {
    unsigned by = size < 8 ? (unsigned)(64 - 8 * size) : 0;
    return (int64_t)(value << by) >> by;
}

void rcp_values_put(uint64_t value, uint64_t size, rcp_text *to) {
    if (size == 8 && value >> 32 && value >> 48 == 0)
        rcp_text_printf(to, "0x%" PRIx64, value);
    else
        rcp_text_printf(to, "%" PRId64, signed_of(value, size));
}
