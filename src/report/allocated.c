/* SPDX-License-Identifier: Apache-2.0 */
#include "report/allocated.h"

#include <stdlib.h>
#include <string.h>

enum { FREED_BY, LOCATION, LINE, COLUMN, NUMBERS };

/* A trace that was made of this one's text may number its locations otherwise: then it is not known. */
static rcp_loc read_fact(const rcp_defs *defs, const char *said, rcp_eid free) {
    unsigned long long number[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        char *end;
        number[i] = strtoull(said, &end, 10);
        said = end + (*end == '\t');
    }
    if (number[FREED_BY] != free.v || number[LOCATION] >= defs->locations.len)
        return (rcp_loc){0};
    const rcp_location *at = &defs->locations.at[number[LOCATION]];
    const bool is_it = at->line == number[LINE] && at->column == number[COLUMN] &&
                       !strcmp(rcp_defs_borrow_string(defs, at->file), said);
    return (rcp_loc){is_it ? (uint32_t)number[LOCATION] : 0};
}

rcp_loc rcp_allocated_where(const rcp_defs *defs, rcp_eid free) {
    rcp_loc found = {0};
    for (size_t i = 0; i < defs->facts.len && !found.v; i++)
        if (!strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), RCP_ALLOCATED_FACT))
            found = read_fact(defs, rcp_defs_borrow_string(defs, defs->facts.at[i].value), free);
    return found;
}
