/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/ranges.h"

#include "suite.h"

/* The naive model of ranges.h itself: one value per address. */
START_TEST(same_as_an_array) {
    enum { SPACE = 300 };
    uint32_t model[SPACE];
    size_t again = 0, wrong = 0; /* counted: an assertion of Check's costs a write to a pipe */
    for (uint64_t round = 0; round < 50; round++) {
        rcp_ranges map;
        rcp_ranges_init(&map);
        for (size_t i = 0; i < SPACE; i++)
            model[i] = RCP_RANGES_NONE;
        uint64_t seed = round;
        for (uint32_t step = 0; step < 400; step++) {
            seed = rcp_hash_u64(seed + 1);
            uint64_t lo = seed % SPACE, hi = lo + (seed >> 20) % 20;
            if (hi > SPACE)
                hi = SPACE;
            int put = seed >> 50 & 1;
            rcp_range there;
            if ((seed >> 55) % 3 == 0 && rcp_ranges_next(&map, lo, &there)) { /* exactly what was set once, again */
                lo = there.lo, hi = there.hi;
                again += (size_t)put;
            }
            if (put)
                rcp_ranges_set(&map, lo, hi, step);
            else
                rcp_ranges_erase(&map, lo, hi);
            for (uint64_t a = lo; a < hi; a++)
                model[a] = put ? step : RCP_RANGES_NONE;
            uint64_t probe = (seed >> 30) % SPACE;
            wrong += rcp_ranges_get(&map, probe) != model[probe];
        }
        rcp_range range;
        uint64_t at = 0;
        size_t count = 0;
        while (rcp_ranges_next(&map, at, &range)) { /* ascending, disjoint, and exactly the model's */
            wrong += range.lo < at || range.lo >= range.hi;
            for (uint64_t a = at; a < range.lo; a++)
                wrong += model[a] != RCP_RANGES_NONE;
            for (uint64_t a = range.lo; a < range.hi; a++)
                wrong += model[a] != range.value;
            at = range.hi;
            count++;
        }
        for (; at < SPACE; at++)
            wrong += model[at] != RCP_RANGES_NONE;
        ck_assert_uint_eq(count, map.live);
        ck_assert_uint_eq(wrong, 0);
        rcp_ranges_finish(&map);
    }
    ck_assert_uint_gt(again, 1000);
}
END_TEST

START_TEST(edges_of_the_address_space) {
    rcp_ranges map;
    rcp_ranges_init(&map);
    rcp_ranges_set(&map, 0, 1, 1);
    rcp_ranges_set(&map, UINT64_MAX - 1, UINT64_MAX, 2);
    rcp_ranges_set(&map, 5, 5, 3); /* empty: nothing happens */
    ck_assert_uint_eq(rcp_ranges_get(&map, 0), 1);
    ck_assert_uint_eq(rcp_ranges_get(&map, UINT64_MAX - 1), 2);
    ck_assert_uint_eq(rcp_ranges_get(&map, 5), RCP_RANGES_NONE);
    ck_assert_uint_eq(map.live, 2);
    rcp_ranges_finish(&map);
}
END_TEST

int main(void) { return rcp_suite_run("ranges", same_as_an_array, edges_of_the_address_space, NULL); }
