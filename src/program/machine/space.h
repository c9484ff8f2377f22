/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a re-execution: 48 bits of address, zero where nothing was written.
 *
 * The naive model is an array of 2^48 bytes. Kept as two levels of tables over pages of 64 KiB, made on first touch.
 *
 * Each 8 aligned bytes (a granule) have a mark, a word of the client's own (client.h): say, who touched them. Marks lie
 * behind their page's bytes, so that one look-up finds both; those that nobody uses cost nothing.
 *
 * Invariant: a page that exists stays where it is until rcp_space_finish(). The space owns its pages. An access beyond
 * 48 bits has no page: whoever makes it checks first (rcp_space_holds).
 */
#ifndef RECIPE_PROGRAM_MACHINE_SPACE_H
#define RECIPE_PROGRAM_MACHINE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RCP_SPACE_PAGE = 1 << 16, RCP_SPACE_ENTRIES = 1 << 16, RCP_SPACE_GRANULE = 8 };

typedef struct rcp_space {
    uint8_t ***root; /* RCP_SPACE_ENTRIES tables; those without pages are all the same empty one */
    uint8_t **nothing;
    size_t pages, tables; /* for statistics */
} rcp_space;

void rcp_space_init(rcp_space *space);
void rcp_space_finish(rcp_space *space);

/* The byte's place, its page made if need be. The page goes on to the next multiple of RCP_SPACE_PAGE. */
uint8_t *rcp_space_make(rcp_space *space, uint64_t address);

static inline bool rcp_space_holds(uint64_t address, uint64_t size) {
    return address < UINT64_C(1) << 48 && size <= (UINT64_C(1) << 48) - address;
}

/* NULL: the page is not there yet, or `size` bytes from `address` are not within one page. */
static inline uint8_t *rcp_space_at(const rcp_space *space, uint64_t address, uint64_t size) {
    if (__builtin_expect((address & (RCP_SPACE_PAGE - 1)) + size > RCP_SPACE_PAGE || address >> 48, 0))
        return NULL;
    uint8_t *page = space->root[address >> 32][address >> 16 & (RCP_SPACE_ENTRIES - 1)];
    return __builtin_expect(page != NULL, 1) ? page + (address & (RCP_SPACE_PAGE - 1)) : NULL;
}

/* The mark of the granule that holds the byte at `at`, which rcp_space_at() or rcp_space_make() gave for `address`. */
static inline uint32_t *rcp_space_mark(uint8_t *at, uint64_t address) {
    uint64_t offset = address & (RCP_SPACE_PAGE - 1);
    return (uint32_t *)(void *)(at - offset + RCP_SPACE_PAGE) + offset / RCP_SPACE_GRANULE;
}

/* The first address of a page that exists, from `address` on, which begins a page; 2^48 where there is none. */
uint64_t rcp_space_next(const rcp_space *space, uint64_t address);

/* Any size, any alignment, within 48 bits. */
void rcp_space_read(rcp_space *space, uint64_t address, void *to, uint64_t size);
void rcp_space_write(rcp_space *space, uint64_t address, const void *from, uint64_t size);
void rcp_space_fill(rcp_space *space, uint64_t address, uint8_t byte, uint64_t size);
void rcp_space_copy(rcp_space *space, uint64_t to, uint64_t from, uint64_t size); /* as memmove */

#endif
