/* SPDX-License-Identifier: Apache-2.0 */
/* What a granule's mark (program/machine/space.h) says while terms are told: whether its accesses are events, or else
 * which cell has the terms of its contents.
 *
 * Invariant: a granule that is shared has no cell. A granule without a page has mark 0: nothing is known of it.
 */
#ifndef RECIPE_PROGRAM_SYMBOLIC_MARKS_H
#define RECIPE_PROGRAM_SYMBOLIC_MARKS_H

#include "program/machine/space.h"

/* The rest of a mark is its cell's number, 0: none. Of a shared granule it is whoever's who is told of its accesses,
 * and 0 when it becomes shared. */
#define RCP_SYMBOLIC_SHARED (UINT32_C(1) << 31)

/* NULL: there is no page. */
static inline uint32_t *rcp_mark_at(const rcp_space *space, uint64_t address) {
    uint8_t *at = rcp_space_at(space, address, 1);
    return at ? rcp_space_mark(at, address) : NULL;
}
static inline bool rcp_mark_is_shared(const rcp_space *space, uint64_t address) {
    const uint32_t *mark = rcp_mark_at(space, address);
    return mark && *mark & RCP_SYMBOLIC_SHARED;
}

#endif
