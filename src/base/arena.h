/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is given back all at once.
 *
 * Invariant: what rcp_arena_alloc() returned stays where it is until rcp_arena_finish(). The arena owns it all.
 */
#ifndef RECIPE_BASE_ARENA_H
#define RECIPE_BASE_ARENA_H

#include <stddef.h>

typedef struct rcp_arena {
    struct rcp_arena_block *blocks;
    size_t used, room; /* of the newest block */
    size_t total;      /* bytes handed out, for statistics */
} rcp_arena;

void rcp_arena_init(rcp_arena *arena);
void rcp_arena_finish(rcp_arena *arena);
/* 16-byte aligned, uninitialised. */
void *rcp_arena_alloc(rcp_arena *arena, size_t bytes);
void *rcp_arena_copy(rcp_arena *arena, const void *from, size_t bytes);

#endif
