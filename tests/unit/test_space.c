/* SPDX-License-Identifier: Apache-2.0 */
#include "program/machine/space.h"

#include "suite.h"

/* The naive model: an array around a page's edge. */
enum { SIZE = 3 * RCP_SPACE_PAGE };
static const uint64_t base = UINT64_C(0xfffff7fe0000);
static uint8_t model[SIZE];

static void same(rcp_space *space) {
    static uint8_t all[SIZE];
    rcp_space_read(space, base, all, SIZE);
    ck_assert_mem_eq(all, model, SIZE);
}

START_TEST(as_an_array) {
    rcp_space space;
    rcp_space_init(&space);
    uint64_t state = 12345;
    for (int i = 0; i < 3000; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t n = state >> 33 & (i % 50 ? 63 : RCP_SPACE_PAGE), at = (state >> 17) % (SIZE - n);
        uint64_t from = (state >> 40) % (SIZE - n);
        if (i % 3) /* near an edge */
            at = RCP_SPACE_PAGE * (1 + (state >> 60 & 1)) - (n ? state % n : 0);
        switch (i % 3) {
        case 0:
            memset(model + at, i, n);
            rcp_space_fill(&space, base + at, (uint8_t)i, n);
            break;
        case 1:
            memmove(model + at, model + from, n);
            rcp_space_copy(&space, base + at, base + from, n);
            break;
        default: {
            uint8_t bytes[RCP_SPACE_PAGE + 1];
            for (uint64_t k = 0; k < n; k++)
                bytes[k] = (uint8_t)(state >> k % 50);
            memcpy(model + at, bytes, n);
            rcp_space_write(&space, base + at, bytes, n);
        }
        }
        if (i % 100 == 0)
            same(&space);
    }
    same(&space);
    rcp_space_finish(&space);
}
END_TEST

START_TEST(overlapping_copies) {
    rcp_space space;
    rcp_space_init(&space);
    for (uint64_t i = 0; i < SIZE; i++) {
        model[i] = (uint8_t)(i * 7 + i / 251);
        rcp_space_write(&space, base + i, &model[i], 1);
    }
    memmove(model + 5, model, 2 * RCP_SPACE_PAGE);
    rcp_space_copy(&space, base + 5, base, 2 * RCP_SPACE_PAGE);
    same(&space);
    memmove(model, model + 9000, 2 * RCP_SPACE_PAGE);
    rcp_space_copy(&space, base, base + 9000, 2 * RCP_SPACE_PAGE);
    same(&space);
    rcp_space_finish(&space);
}
END_TEST

START_TEST(zeros_cost_nothing) {
    rcp_space space;
    rcp_space_init(&space);
    uint64_t word = 1;
    rcp_space_fill(&space, 0x1000, 0, UINT64_C(1) << 40);
    rcp_space_read(&space, 0x123456789a, &word, sizeof word);
    ck_assert_uint_eq(word, 0);
    ck_assert_uint_eq(space.pages, 0);
    ck_assert_ptr_null(rcp_space_at(&space, 0x1000, 8));
    ck_assert(rcp_space_holds((UINT64_C(1) << 48) - 8, 8));
    ck_assert(!rcp_space_holds((UINT64_C(1) << 48) - 8, 9));
    ck_assert(!rcp_space_holds(UINT64_MAX, 1));
    ck_assert_ptr_null(rcp_space_at(&space, UINT64_MAX - 7, 8));
    rcp_space_finish(&space);
}
END_TEST

int main(void) { return rcp_suite_run("space", as_an_array, overlapping_copies, zeros_cost_nothing, NULL); }
