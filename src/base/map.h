/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map from a 64-bit key to a 32-bit value: open addressing, linear probing, backward-shift deletion.
 *
 * Invariant: at most 3/4 full, so that every probe ends; the value RCP_MAP_NONE marks an empty slot and can't be
 * stored. The map owns its slots; a pointer from rcp_map_at() holds until the next insertion or removal.
 */
#ifndef RECIPE_BASE_MAP_H
#define RECIPE_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define RCP_MAP_NONE UINT32_MAX

typedef struct rcp_map_slot {
    uint64_t key;
    uint32_t value;
} rcp_map_slot;

typedef struct rcp_map {
    rcp_map_slot *slots;
    size_t len, mask; /* mask + 1 slots, a power of two; no slots while mask is 0 */
} rcp_map;

void rcp_map_init(rcp_map *map);
void rcp_map_finish(rcp_map *map);
/* `map` is not initialised. */
void rcp_map_copy(rcp_map *map, const rcp_map *from);
/* RCP_MAP_NONE where the key is not there. */
uint32_t rcp_map_get(const rcp_map *map, uint64_t key);
/* What rcp_map_get() will look at first is put on its way to the processor's cache. */
void rcp_map_expect(const rcp_map *map, uint64_t key);
void rcp_map_set(rcp_map *map, uint64_t key, uint32_t value);
/* The value's place; RCP_MAP_NONE stands in it when the key is new, and the caller must then store another. */
uint32_t *rcp_map_at(rcp_map *map, uint64_t key);
void rcp_map_remove(rcp_map *map, uint64_t key);

#define RCP_MAP_EACH(map, slot)                                                                                        \
    for (rcp_map_slot *slot = (map)->slots, *slot##_end = slot ? slot + (map)->mask + 1 : slot; slot != slot##_end;    \
         slot++)                                                                                                       \
        if (slot->value != RCP_MAP_NONE)

#endif
