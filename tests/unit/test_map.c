/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/map.h"

#include "suite.h"

/* Every operation against an array: 4,096 keys that collide often, inserted and removed at random. */
START_TEST(same_as_an_array) {
    enum { KEYS = 4096 };
    static uint32_t model[KEYS];
    rcp_map map;
    rcp_map_init(&map);
    for (size_t i = 0; i < KEYS; i++)
        model[i] = RCP_MAP_NONE;
    size_t wrong = 0; /* counted: an assertion of Check's costs a write to a pipe */
    uint64_t seed = 7;
    for (uint32_t step = 0; step < 200000; step++) {
        seed = rcp_hash_u64(seed + 1);
        uint64_t key = seed % KEYS;
        if (seed >> 40 & 1) {
            rcp_map_set(&map, key, step);
            model[key] = step;
        } else {
            rcp_map_remove(&map, key);
            model[key] = RCP_MAP_NONE;
        }
        uint64_t other = (seed >> 20) % KEYS;
        wrong += rcp_map_get(&map, other) != model[other];
    }
    size_t live = 0, seen = 0;
    for (size_t i = 0; i < KEYS; i++) {
        wrong += rcp_map_get(&map, i) != model[i];
        live += model[i] != RCP_MAP_NONE;
    }
    RCP_MAP_EACH(&map, slot) {
        wrong += slot->value != model[slot->key];
        seen++;
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(map.len, live);
    ck_assert_uint_eq(seen, live);
    rcp_map_finish(&map);
}
END_TEST

START_TEST(empty_map_answers) {
    rcp_map map;
    rcp_map_init(&map);
    ck_assert_uint_eq(rcp_map_get(&map, 0), RCP_MAP_NONE);
    rcp_map_remove(&map, 0);
    rcp_map_set(&map, UINT64_MAX, 5);
    ck_assert_uint_eq(rcp_map_get(&map, UINT64_MAX), 5);
    rcp_map_finish(&map);
}
END_TEST

int main(void) { return rcp_suite_run("map", same_as_an_array, empty_map_answers, NULL); }
