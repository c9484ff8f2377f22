/* SPDX-License-Identifier: Apache-2.0 */
/* Who uses descriptors of the program's own (descriptors.h), as the first re-execution keeps it for the second.
 *
 * Invariant: sets are different from each other; visits ascend.
 *
 * Ownership: the sharing owns it.
 */
#ifndef RECIPE_PROGRAM_TELLING_DESCRIPTOR_USES_H
#define RECIPE_PROGRAM_TELLING_DESCRIPTOR_USES_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is used beside objects. */
enum {
    RCP_USED_ELSEWHERE = 1, /* what leads out of the process */
    RCP_USED_ANY = 2,       /* it is not known what */
    RCP_USED_CLOCK = 4,     /* the answer hangs on the time */
    RCP_USED_BESIDE = 8,    /* what else the row says of the call */
    RCP_USED_SETS = 16,     /* it says when a timer goes off */
    RCP_USED_FLAGS = 31,
    /* Of the second re-execution alone, where there is a timer that told nobody that its time has come. */
    RCP_USED_CLOCK_BEFORE = 32, /* it comes after what is with the clocks, and nobody comes after it by that */
    RCP_USED_CLOCK_AT_END = 64  /* when it ends it is with the clocks */
};

/* What an object is. */
enum {
    RCP_DESCRIPTOR_GIVEN = 1, /* somebody else may have it */
    RCP_DESCRIPTOR_TIMER = 2,
    RCP_DESCRIPTOR_TOLD = 4, /* a timer, and somebody may have been told by it that time went by */
    RCP_DESCRIPTOR_FLAGS = 7
};

typedef struct rcp_used_set {
    uint32_t first, n; /* of `members`: objects, ascending */
    uint32_t flags;
} rcp_used_set;

typedef struct rcp_used {
    uint64_t visit; /* ascending */
    uint32_t set;
} rcp_used;

/* `watcher` watches `watched`: an object, or RCP_WATCHED_… */
typedef struct rcp_watched {
    uint32_t watcher, watched;
} rcp_watched;
#define RCP_WATCHED_ELSEWHERE UINT32_MAX
#define RCP_WATCHED_ANY       (UINT32_MAX - 1)

typedef struct rcp_descriptors {
    RCP_VEC(uint8_t) objects; /* RCP_DESCRIPTOR_… */
    RCP_VEC(rcp_used) used;
    RCP_VEC(rcp_used_set) sets;
    RCP_VEC(uint32_t) members;
    RCP_VEC(rcp_watched) watched;
    rcp_map set_index; /* hash → sets; of the first re-execution */
} rcp_descriptors;

void rcp_descriptors_init(rcp_descriptors *descriptors);
void rcp_descriptors_finish(rcp_descriptors *descriptors);

/* A set of objects, in any order and perhaps twice, which are sorted here; one that is there already, or a new one. */
uint32_t rcp_descriptors_set(rcp_descriptors *descriptors, uint32_t *objects, size_t n, uint32_t flags);
/* What the visit uses; NULL: nothing was kept. */
rcp_used *rcp_descriptors_find(const rcp_descriptors *descriptors, uint64_t visit);

#endif
