/* SPDX-License-Identifier: Apache-2.0 */
/* An ordered map from disjoint ranges of addresses to a 32-bit value: which block lives where.
 *
 * The naive model is an array with one value per address, RCP_RANGES_NONE at first; set() and erase() overwrite a
 * stretch of it. Kept as a treap of maximal stretches that were set together: every operation is logarithmic in the
 * number of stretches plus the number it overwrites.
 *
 * Invariant: ranges are half-open [lo, hi), not empty, disjoint. The map owns its nodes.
 */
#ifndef RECIPE_BASE_RANGES_H
#define RECIPE_BASE_RANGES_H

#include <stddef.h>
#include <stdint.h>

#define RCP_RANGES_NONE UINT32_MAX

typedef struct rcp_range {
    uint64_t lo, hi;
    uint32_t value;
} rcp_range;

typedef struct rcp_ranges {
    struct rcp_ranges_node *nodes;
    size_t len, cap; /* nodes ever made; node 0 is 'none' */
    uint32_t root, spare;
    uint64_t seed;
    size_t live;
} rcp_ranges;

void rcp_ranges_init(rcp_ranges *map);
void rcp_ranges_finish(rcp_ranges *map);
/* `map` is not initialised. */
void rcp_ranges_copy(rcp_ranges *map, const rcp_ranges *from);
void rcp_ranges_set(rcp_ranges *map, uint64_t lo, uint64_t hi, uint32_t value);
void rcp_ranges_erase(rcp_ranges *map, uint64_t lo, uint64_t hi);
/* RCP_RANGES_NONE where no range holds `address`. */
uint32_t rcp_ranges_get(const rcp_ranges *map, uint64_t address);
/* The first range that ends after `address`: the one that holds it, or else the next one above. 0: there is none. */
int rcp_ranges_next(const rcp_ranges *map, uint64_t address, rcp_range *found);
/* The value of a range map at `addr`, RCP_RANGES_NONE included, and how far it goes on, at most to `hi`. */
uint32_t rcp_ranges_stretch(const rcp_ranges *map, uint64_t addr, uint64_t hi, uint64_t *upto);

#endif
