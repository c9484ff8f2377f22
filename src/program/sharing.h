/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory is shared: touched by two threads, and written by one, within one life (docs/semantics.md).
 *
 * The first re-execution finds out; the second one tells events of shared memory alone. Kept per granule
 * (program/space.h): while the first runs, its mark is who touched it. Two variables of one granule may so be called
 * shared though neither is: more events, no other meaning.
 *
 * The life of heap memory ends where it is freed: what was shared is kept by the number of its ALLOC record, everything
 * else (globals, stacks) for the whole run.
 */
#ifndef RECIPE_PROGRAM_SHARING_H
#define RECIPE_PROGRAM_SHARING_H

#include "program/space.h"

typedef struct rcp_sharing rcp_sharing;

/* A mark: 0 untouched; else who (thread number + 1, or RCP_TOUCHED_BY_MANY), and whether it was written. */
enum { RCP_TOUCH_WRITTEN = 1, RCP_TOUCH_SHARED = 2, RCP_TOUCH_SHIFT = 2 };
#define RCP_TOUCHED_BY_MANY (UINT32_MAX >> RCP_TOUCH_SHIFT)

/* The rare part of rcp_sharing_touch: a first touch, another thread's, more than one granule. */
void rcp_sharing_touch_slow(rcp_space *space, uint32_t thread, uint64_t address, uint64_t size, bool writes);

/* `at` is the place of the bytes; NULL where they are not within one page. */
static inline void rcp_sharing_touch(rcp_space *space, uint8_t *at, uint32_t thread, uint64_t address, uint64_t size,
                                     bool writes) {
    if (__builtin_expect(at && address % RCP_SPACE_GRANULE + size <= RCP_SPACE_GRANULE, 1)) {
        uint32_t mark = *rcp_space_mark(at, address);
        if (mark & RCP_TOUCH_SHARED || (mark >> RCP_TOUCH_SHIFT == thread + 1 && (!writes || mark & RCP_TOUCH_WRITTEN)))
            return;
    }
    rcp_sharing_touch_slow(space, thread, address, size, writes);
}

#endif
