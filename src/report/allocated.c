/* SPDX-License-Identifier: Apache-2.0 */
#include "report/allocated.h"

#include <stdlib.h>
#include <string.h>

rcp_loc rcp_allocated_where(const rcp_finding *finding) {
    const rcp_defs *defs = finding->defs;
    for (size_t i = 0; i < defs->facts.len; i++) {
        unsigned long long words[4] = {0};
        const char *at = rcp_defs_borrow_string(defs, defs->facts.at[i].value);
        if (strcmp(rcp_defs_borrow_string(defs, defs->facts.at[i].key), RCP_ALLOCATED_FACT) != 0)
            continue;
        for (size_t k = 0; k < 4; k++) {
            char *end;
            words[k] = strtoull(at, &end, 10);
            at = end + (*end == '\t');
        }
        for (size_t k = 0; k < 2; k++) {
            const rcp_location *is = words[1] < defs->locations.len ? &defs->locations.at[words[1]] : NULL;
            if (is && finding->access[k].kind == RCP_FREE && finding->race->event[k].v == words[0] &&
                is->line == words[2] && is->column == words[3] && !strcmp(rcp_defs_borrow_string(defs, is->file), at))
                return (rcp_loc){(uint32_t)words[1]};
        }
    }
    return (rcp_loc){0};
}
