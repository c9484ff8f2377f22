/* SPDX-License-Identifier: Apache-2.0 */
/* The memory against its naive model: one record per byte. */
#include "trace/check/memory.h"

#include "base/hash.h"
#include "suite.h"

#include <string.h>

enum { BYTES = 100, STEPS = 20000, BASE = 3 };

static struct {
    uint32_t life, writer;
    uint8_t cell;
} naive[BYTES];

static uint64_t seed;
static uint64_t below(uint64_t n) {
    seed += UINT64_C(0x9e3779b97f4a7c15);
    return rcp_hash_u64(seed) % n;
}

static void pick(uint64_t longest, unsigned *lo, unsigned *hi) {
    *lo = (unsigned)below(BYTES);
    *hi = *lo + 1 + (unsigned)below(longest);
    if (*hi > BYTES)
        *hi = BYTES;
}

START_TEST(random_steps) {
    rcp_memory memory;
    rcp_memory_init(&memory);
    memset(naive, 0, sizeof naive);
    seed = (uint64_t)_i;
    for (uint32_t step = 1; step <= STEPS; step++) {
        unsigned lo, hi;
        uint64_t what = below(20);
        pick(what < 2 ? 40 : 20, &lo, &hi);
        if (what == 0) {
            rcp_memory_begin_life(&memory, BASE + lo, BASE + hi, step);
            for (unsigned i = lo; i < hi; i++)
                naive[i].life = step, naive[i].writer = 0, naive[i].cell = RCP_CELL_FRESH;
            continue;
        }
        if (what == 1) {
            rcp_memory_opaque(&memory, BASE + lo, BASE + hi, step);
            for (unsigned i = lo; i < hi; i++)
                naive[i].writer = step, naive[i].cell = RCP_CELL_AS_RECORDED;
            continue;
        }
        rcp_cursor c = rcp_cursor_of(BASE + lo, hi - lo);
        unsigned seen = 0;
        while (rcp_memory_step(&memory, &c)) {
            ck_assert_uint_eq(c.offset, seen);
            for (unsigned i = 0; i < c.count; i++, seen++) {
                bool same = (BASE + lo + seen) % 8 == c.lane + i && c.life == naive[lo + seen].life &&
                            c.word->writer[c.lane + i] == naive[lo + seen].writer &&
                            c.word->cell[c.lane + i] == naive[lo + seen].cell;
                if (!same)
                    ck_abort_msg("step %u, byte %u", step, lo + seen);
                if (what < 12) {
                    c.word->writer[c.lane + i] = naive[lo + seen].writer = step;
                    c.word->cell[c.lane + i] = naive[lo + seen].cell = RCP_CELL_KNOWN;
                }
            }
        }
        ck_assert_uint_eq(seen, hi - lo);
    }
    ck_assert_uint_le(memory.words.len, (BYTES / 8 + 2) * 9); /* records of ended lives are used again */
    rcp_memory_finish(&memory);
}
END_TEST

START_TEST(large_ranges_cost_nothing) {
    rcp_memory memory;
    rcp_memory_init(&memory);
    uint64_t upto;
    for (uint32_t life = 1; life < 1000; life++)
        rcp_memory_begin_life(&memory, 0, UINT64_MAX, life);
    rcp_memory_opaque(&memory, 0, UINT64_MAX, 7);
    ck_assert_uint_eq(rcp_memory_life(&memory, 5, UINT64_MAX, &upto), 999);
    ck_assert_uint_eq(upto, UINT64_MAX);
    rcp_cursor c = rcp_cursor_of(UINT64_MAX - 4, 4); /* the last word of all */
    ck_assert(rcp_memory_step(&memory, &c));
    ck_assert_uint_eq(c.count, 4);
    ck_assert_uint_eq(c.word->writer[c.lane], 7);
    ck_assert(!rcp_memory_step(&memory, &c));
    ck_assert_uint_eq(memory.words.len, 1);
    rcp_memory_finish(&memory);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_loop_test(tests, random_steps, 0, 10);
    tcase_add_test(tests, large_ranges_cost_nothing);
    return rcp_suite_run_case("memory", tests);
}
