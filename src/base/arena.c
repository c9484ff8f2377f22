/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include "base/vec.h"

#include <string.h>

enum { ALIGN = 16, FIRST_BLOCK = 1 << 14, LARGEST_BLOCK = 1 << 22 };

typedef struct rcp_arena_block {
    struct rcp_arena_block *older;
    size_t bytes;
    _Alignas(ALIGN) unsigned char data[];
} rcp_arena_block;

void rcp_arena_init(rcp_arena *arena) { *arena = (rcp_arena){0}; }

void rcp_arena_finish(rcp_arena *arena) {
    for (rcp_arena_block *block = arena->blocks, *older; block; block = older) {
        older = block->older;
        rcp_release(block);
    }
    *arena = (rcp_arena){0};
}

void *rcp_arena_alloc(rcp_arena *arena, size_t bytes) {
    size_t rounded = ((bytes ? bytes : 1) + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (arena->room - arena->used < rounded) {
        size_t step = arena->room ? arena->room * 2 : FIRST_BLOCK;
        if (step > LARGEST_BLOCK - sizeof(rcp_arena_block))
            step = LARGEST_BLOCK - sizeof(rcp_arena_block);
        if (step < rounded)
            step = rounded;
        rcp_arena_block *block = rcp_alloc(sizeof *block + step);
        *block = (rcp_arena_block){.older = arena->blocks, .bytes = step};
        arena->blocks = block;
        arena->used = 0;
        arena->room = step;
    }
    void *at = arena->blocks->data + arena->used;
    arena->used += rounded;
    arena->total += rounded;
    return at;
}

void *rcp_arena_copy(rcp_arena *arena, const void *from, size_t bytes) {
    void *at = rcp_arena_alloc(arena, bytes);
    if (bytes)
        memcpy(at, from, bytes);
    return at;
}
