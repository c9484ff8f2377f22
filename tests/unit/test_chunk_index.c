/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/chunk_index.h"

#include "random_events.h"
#include "suite.h"

static bool matches(const rcp_bytes *index, rcp_filter filter) {
    bool out = false;
    ck_assert_int_eq(rcp_index_matches(index, &filter, &out), RCP_OK);
    return out;
}

static bool touches(const rcp_bytes *index, uint64_t lo, uint64_t hi) {
    return matches(index, (rcp_filter){.by_address = true, .lo = lo, .hi = hi});
}

START_TEST(it_names_what_the_chunk_touches) {
    random_events r = {.seed = 1};
    rcp_index_builder builder;
    rcp_index_builder_init(&builder);
    rcp_bytes index = {0};
    for (int round = 0; round < 200; round++) {
        rcp_index_builder_reset(&builder);
        bool threads[40] = {0}, objects[40] = {0}, lines[256] = {0};
        for (uint64_t n = random_below(&r, 30); n; n--) {
            uint32_t tid = (uint32_t)random_below(&r, 40), object = (uint32_t)random_below(&r, 40);
            rcp_index_builder_thread(&builder, (rcp_tid){tid});
            rcp_index_builder_object(&builder, (rcp_obj){object});
            threads[tid] = objects[object] = true;
            uint64_t addr = random_below(&r, 128 * 64), extent = 1 + random_below(&r, 300);
            rcp_index_builder_memory(&builder, addr, extent);
            for (uint64_t line = addr / 64; line <= (addr + extent - 1) / 64; line++)
                lines[line] = true;
        }
        index.len = 0;
        rcp_index_builder_put(&builder, &index);
        for (uint32_t i = 0; i < 40; i++) {
            ck_assert_int_eq(matches(&index, (rcp_filter){.by_thread = true, .tid = {i}}), threads[i]);
            ck_assert_int_eq(matches(&index, (rcp_filter){.by_object = true, .object = {i}}), objects[i]);
        }
        for (uint64_t i = 0; i < 256; i++) {
            ck_assert_int_eq(touches(&index, 64 * i, 64 * i + 1), lines[i]);
            ck_assert_int_eq(touches(&index, 64 * i + 63, 64 * i + 64), lines[i]);
        }
    }
    rcp_index_builder_finish(&builder);
    rcp_vec_finish(&index);
}
END_TEST

START_TEST(long_ranges_and_the_ends_of_memory) {
    rcp_index_builder builder;
    rcp_index_builder_init(&builder);
    rcp_bytes index = {0};
    rcp_index_builder_memory(&builder, 0, 1);
    rcp_index_builder_memory(&builder, UINT64_MAX - 8, 8);
    rcp_index_builder_memory(&builder, UINT64_C(1) << 40, UINT64_C(1) << 39);
    rcp_index_builder_memory(&builder, (UINT64_C(1) << 40) + 5, 3);
    rcp_index_builder_put(&builder, &index);
    ck_assert_uint_lt(index.len, 64);
    ck_assert(touches(&index, 0, 1));
    ck_assert(!touches(&index, 64, UINT64_C(1) << 40));
    ck_assert(touches(&index, 64, (UINT64_C(1) << 40) + 1));
    ck_assert(touches(&index, (UINT64_C(3) << 39) - 1, UINT64_C(3) << 39));
    ck_assert(!touches(&index, UINT64_C(3) << 39, UINT64_C(1) << 50));
    ck_assert(touches(&index, UINT64_MAX - 1, UINT64_MAX));
    ck_assert(touches(&index, 0, UINT64_MAX));
    ck_assert(!touches(&index, 5, 5));
    rcp_index_builder_finish(&builder);
    rcp_vec_finish(&index);
}
END_TEST

START_TEST(scattered_memory_is_kept_coarsely) {
    random_events r = {.seed = 2};
    rcp_index_builder builder;
    rcp_index_builder_init(&builder);
    rcp_bytes index = {0};
    static uint64_t addresses[60000];
    for (size_t i = 0; i < 60000; i++) {
        addresses[i] = random_next(&r) >> 20;
        rcp_index_builder_memory(&builder, addresses[i], 8);
    }
    rcp_index_builder_put(&builder, &index);
    ck_assert_uint_lt(index.len, 8192 * 2 * 5);
    for (size_t i = 0; i < 60000; i += 97)
        ck_assert(touches(&index, addresses[i], addresses[i] + 1));
    ck_assert(!touches(&index, UINT64_C(1) << 45, UINT64_C(1) << 46));
    rcp_index_builder_finish(&builder);
    rcp_vec_finish(&index);
}
END_TEST

START_TEST(nonsense_is_refused) {
    random_events r = {.seed = 3};
    rcp_filter filter = {.by_thread = true, .by_address = true, .hi = 100};
    bool out;
    for (int round = 0; round < 20000; round++) {
        uint8_t *bytes = malloc(12);
        for (int i = 0; i < 12; i++)
            bytes[i] = (uint8_t)random_word(&r);
        rcp_bytes index = {.at = bytes, .len = 12, .cap = 12};
        rcp_code code = rcp_index_matches(&index, &filter, &out);
        ck_assert(code == RCP_OK || code == RCP_BAD_INPUT);
        free(bytes);
    }
    rcp_bytes empty = {0};
    ck_assert_int_eq(rcp_index_matches(&empty, &filter, &out), RCP_BAD_INPUT);
}
END_TEST

int main(void) {
    return rcp_suite_run("chunk_index", it_names_what_the_chunk_touches, long_ranges_and_the_ends_of_memory,
                         scattered_memory_is_kept_coarsely, nonsense_is_refused, NULL);
}
