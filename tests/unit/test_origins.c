/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges beside their naive model: an array with one origin per address. */
#include "order/engine/origins.h"

#include "suite.h"

enum { SIZE = 200 };

START_TEST(the_same_as_an_array) {
    rcp_clocks clocks;
    rcp_origins origins;
    rcp_clocks_init(&clocks);
    rcp_origins_init(&origins);
    rcp_runner runner = {.tid = 3};
    uint32_t plain[SIZE] = {0}, state = 5;
    for (int i = 0; i < 3000; i++) {
        state = state * 1664525 + 1013904223;
        uint32_t lo = (state >> 4) % SIZE, hi = lo + (state >> 14) % (SIZE - lo);
        runner.count++;
        if ((state >> 24) % 4) {
            rcp_origins_set(&origins, &clocks, lo, hi, &runner, 7, false, 0);
            for (uint32_t at = lo; at < hi; at++)
                plain[at] = runner.count;
        } else {
            rcp_origins_erase(&origins, &clocks, lo, hi);
            for (uint32_t at = lo; at < hi; at++)
                plain[at] = 0;
        }
        uint32_t wrong = 0; /* one assertion per round: they are slow */
        for (uint32_t at = 0; at < SIZE; at++) {
            uint64_t until;
            uint32_t found = rcp_origins_find(&origins, at, &until);
            wrong += (found ? origins.at.at[found].stamp.count : 0) != plain[at] || until <= at;
            wrong += until - 1 < SIZE && plain[until - 1] != plain[at];
        }
        ck_assert_uint_eq(wrong, 0);
    }
    ck_assert_uint_le(origins.at.len, SIZE + 2); /* records are used again */
    rcp_origins_finish(&origins);
    rcp_clocks_finish(&clocks);
}
END_TEST

int main(void) { return rcp_suite_run("origins", the_same_as_an_array, NULL); }
