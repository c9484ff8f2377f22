/* SPDX-License-Identifier: Apache-2.0 */
/* One loop on its way to become a region: what regions.c recognised, for guard.c, which decides at run time whether the
 * copy runs, and plain_copy.c, which makes it.
 *
 * Invariant: what is loaded in one iteration is touched in all of them, and every iteration has the same number of
 * events. An access's address is that of its group plus `offset`, which does not change. A group's `base` is the
 * address of its lowest byte in the first iteration.
 */
#ifndef RECIPE_INSTRUMENT_REGION_H
#define RECIPE_INSTRUMENT_REGION_H

#include "instrument/affine.h"
#include "instrument/emit.h"

#define RCP_REGION_ACCESSES 64
#define RCP_REGION_GROUPS   16

typedef struct rcp_region_access {
    LLVMValueRef instruction;
    unsigned group;
    int64_t offset; /* from the group's base */
    uint32_t size;
    bool is_load;
} rcp_region_access;

typedef struct rcp_region_group {
    rcp_affine address;
    bool loads, stores;
    LLVMValueRef base, shadow; /* pointers, in front of the loop */
    LLVMValueRef step;         /* 64 bits */
} rcp_region_group;

typedef struct rcp_region {
    const rcp_loop *loop;
    rcp_emitter *emitter;
    rcp_affine_scope scope;
    rcp_affine left, right;     /* the loop goes on while left `predicate` right; left grows */
    LLVMIntPredicate predicate; /* of 64 or fewer bits */
    uint32_t events;            /* of an iteration */
    rcp_region_access accesses[RCP_REGION_ACCESSES];
    unsigned n_accesses;
    rcp_region_group groups[RCP_REGION_GROUPS];
    unsigned n_groups;
    LLVMValueRef more; /* iterations after the first */
} rcp_region;

/* Code in front of the loop, up to a new block from which the copy is to go on; `whole` takes the position after the
 * region. NULL: it is known now that the copy would never run, or is not worth it. */
LLVMBasicBlockRef rcp_region_guard(rcp_region *region, LLVMValueRef *whole);

/* The copy, from `from` on, and the way back to what follows the loop. */
void rcp_region_copy(rcp_region *region, LLVMBasicBlockRef from, LLVMValueRef whole);

#endif
