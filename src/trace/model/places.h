/* SPDX-License-Identifier: Apache-2.0 */
/* Which declared variable an access means, by its size too: an index over the variables of a trace, for dumps and
 * statistics (rcp_defs_find_variable() looks at the address alone).
 *
 * Invariant: describes the first `seen` variables of the definitions it was last refreshed with; variables of 0 bytes
 * and ones that reach past the end of the address space are in no place. Owns its memory, borrows nothing.
 */
#ifndef RECIPE_TRACE_MODEL_PLACES_H
#define RECIPE_TRACE_MODEL_PLACES_H

#include "base/map.h"
#include "base/ranges.h"
#include "trace/model/defs.h"

#define RCP_NO_VARIABLE UINT32_MAX

typedef struct rcp_places {
    rcp_map exact;      /* (address, size) -> the first variable that is just that */
    rcp_ranges covered; /* each byte -> the smallest variable that holds it */
    size_t seen;
} rcp_places;

void rcp_places_init(rcp_places *places);
void rcp_places_finish(rcp_places *places);
/* Takes in variables that were added since; cheap where there are none. */
void rcp_places_refresh(rcp_places *places, const rcp_defs *defs);
/* The variable that is [addr, addr + size), else the smallest one at `addr` if it holds that range whole, else
 * RCP_NO_VARIABLE. */
uint32_t rcp_places_find(const rcp_places *places, const rcp_defs *defs, uint64_t addr, uint64_t size);

#endif
