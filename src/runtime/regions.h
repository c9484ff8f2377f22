/* SPDX-License-Identifier: Apache-2.0 */
/* What is mapped in this process, as /proc/self/maps has it, one region after the other. Where that can't be read there
 * are none.
 */
#ifndef RECIPE_RUNTIME_REGIONS_H
#define RECIPE_RUNTIME_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_mapped_region {
    uint64_t lo, hi;
    bool is_shared;                    /* what is stored there is stored for all who have it mapped */
    bool is_readable, is_written;      /* may be read, may be written */
    uint64_t offset, device[2], inode; /* of a file; inode 0: it is none's. The last three only tell files apart */
} rcp_mapped_region;

typedef struct rcp_regions {
    long fd;
    long at, n;
    char bytes[4096];
} rcp_regions;

void rcp_regions_open(rcp_regions *regions);
bool rcp_regions_next(rcp_regions *regions, rcp_mapped_region *next);
void rcp_regions_close(rcp_regions *regions);

#endif
