/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void (*no_memory)(void) = abort;

void rcp_no_memory_ends(void (*end)(void)) { no_memory = end; }

static void *must(void *block, size_t bytes) {
    if (!block && bytes) {
        fprintf(stderr, "recipe: out of memory (%zu bytes asked for)\n", bytes);
        no_memory();
        abort();
    }
    return block;
}

void *rcp_grow(void *at, size_t *cap, size_t need, size_t size) {
    RCP_CHECK(need <= SIZE_MAX / 2 / size);
    size_t room = *cap ? *cap : 8;
    while (room < need)
        room += room / 2 + 8;
    *cap = room;
    return must(realloc(at, room * size), room * size);
}

enum { HUGE_PAGE = 1 << 21 };

/* Where a table of many megabytes is looked into at random, half of the waiting is for the processor's table of pages:
 * the system may take its large ones. */
void *rcp_alloc(size_t bytes) {
    if (bytes < 2 * HUGE_PAGE || bytes > SIZE_MAX - HUGE_PAGE)
        return must(malloc(bytes), bytes);
    size_t rounded = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    void *block = must(aligned_alloc(HUGE_PAGE, rounded), rounded);
    madvise(block, bytes & ~(size_t)(HUGE_PAGE - 1), MADV_HUGEPAGE); /* whether it does makes no other difference */
    return block;
}

void *rcp_alloc_zero(size_t n, size_t size) {
    RCP_CHECK(!size || n <= SIZE_MAX / size);
    return must(calloc(n, size), n * size);
}

void rcp_release(void *block) { free(block); }

void *rcp_copy(const void *block, size_t bytes) { return bytes ? memcpy(rcp_alloc(bytes), block, bytes) : NULL; }
