/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/vec.h"

#include <string.h>

enum { FIRST_SLOTS = 16 };

void rcp_map_init(rcp_map *map) { *map = (rcp_map){0}; }

void rcp_map_finish(rcp_map *map) {
    rcp_release(map->slots);
    *map = (rcp_map){0};
}

void rcp_map_copy(rcp_map *map, const rcp_map *from) {
    *map = *from;
    map->slots = rcp_copy(from->slots, from->slots ? (from->mask + 1) * sizeof *from->slots : 0);
}

static size_t home(const rcp_map *map, uint64_t key) { return rcp_hash_u64(key) & map->mask; }

static rcp_map_slot *probe(const rcp_map *map, uint64_t key) {
    size_t i = home(map, key);
    while (map->slots[i].value != RCP_MAP_NONE && map->slots[i].key != key)
        i = (i + 1) & map->mask;
    return &map->slots[i];
}

static void rehash(rcp_map *map, size_t slots) {
    rcp_map old = *map;
    map->slots = rcp_alloc(slots * sizeof *map->slots);
    memset(map->slots, 0xff, slots * sizeof *map->slots);
    map->mask = slots - 1;
    RCP_MAP_EACH(&old, slot)
        *probe(map, slot->key) = *slot;
    rcp_release(old.slots);
}

uint32_t rcp_map_get(const rcp_map *map, uint64_t key) { return map->slots ? probe(map, key)->value : RCP_MAP_NONE; }

void rcp_map_expect(const rcp_map *map, uint64_t key) {
    if (map->slots)
        __builtin_prefetch(&map->slots[home(map, key)]);
}

uint32_t *rcp_map_at(rcp_map *map, uint64_t key) {
    if (!map->slots)
        rehash(map, FIRST_SLOTS);
    rcp_map_slot *slot = probe(map, key);
    if (slot->value != RCP_MAP_NONE)
        return &slot->value;
    if ((map->len + 1) * 4 > (map->mask + 1) * 3) {
        rehash(map, (map->mask + 1) * 2);
        slot = probe(map, key);
    }
    map->len++;
    slot->key = key;
    return &slot->value;
}

void rcp_map_set(rcp_map *map, uint64_t key, uint32_t value) {
    RCP_CHECK(value != RCP_MAP_NONE);
    *rcp_map_at(map, key) = value;
}

void rcp_map_remove(rcp_map *map, uint64_t key) {
    if (!map->slots)
        return;
    rcp_map_slot *slot = probe(map, key);
    if (slot->value == RCP_MAP_NONE)
        return;
    map->len--;
    /* Pull later members of the run into the hole, so that no probe is cut short and no tombstone stays. */
    size_t hole = (size_t)(slot - map->slots);
    for (size_t i = (hole + 1) & map->mask; map->slots[i].value != RCP_MAP_NONE; i = (i + 1) & map->mask) {
        size_t want = home(map, map->slots[i].key);
        if (((i - want) & map->mask) >= ((i - hole) & map->mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole].value = RCP_MAP_NONE;
}
