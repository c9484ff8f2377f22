/* SPDX-License-Identifier: Apache-2.0 */
/* Which event gave an address what it is: the ALLOC or FREE that began its life, or the opaque event that reached it.
 *
 * The naive model is an array with one event per address; a later event overwrites its stretch. Kept as ranges
 * (base/ranges.h), so that a block of a gigabyte costs one record.
 *
 * Invariant: a record lives as long as some address refers to it, and holds its stamp's clock. Record 0 is 'none'.
 * The table owns records and ranges; the clocks stay the pool's.
 */
#ifndef RECIPE_ORDER_ENGINE_ORIGINS_H
#define RECIPE_ORDER_ENGINE_ORIGINS_H

#include "base/ranges.h"
#include "order/engine/clock.h"

typedef struct rcp_origin {
    rcp_stamp stamp;
    uint32_t loc;
    bool frees;     /* a FREE, which others can race with */
    uint32_t set;   /* the locks that it held (order/engine/locks.h) */
    uint64_t bytes; /* how many addresses refer to it */
    uint64_t since; /* for its user: which number it has in some sequence */
    uint32_t next_spare;
} rcp_origin;

typedef struct rcp_origins {
    rcp_ranges map;
    RCP_VEC(rcp_origin) at;
    uint32_t spare;
    rcp_range last; /* what was found last, gaps included (value 0); hi 0: nothing */
} rcp_origins;

void rcp_origins_init(rcp_origins *origins);
void rcp_origins_finish(rcp_origins *origins);
/* The runner's current event becomes the origin of [lo, hi). Returns the record; 0 where there are no addresses. */
uint32_t rcp_origins_set(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi, const rcp_runner *runner,
                         uint32_t loc, bool frees, uint32_t set);
/* The same for the event of a stamp, which is copied. */
uint32_t rcp_origins_put(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi, rcp_stamp stamp);
void rcp_origins_erase(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi);
/* The record of `address`, and in *until the first address above it for which that may no longer hold. */
uint32_t rcp_origins_find(rcp_origins *origins, uint64_t address, uint64_t *until);

#endif
