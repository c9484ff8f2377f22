/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/spill.h"

#include "order/engine/locks.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(what_is_written_is_found) {
    rcp_spill spill;
    rcp_spill_list list = {0};
    rcp_spilled got;
    rcp_spill_init(&spill);
    for (uint32_t b = 0; b < 3; b++) { /* sections [10, 15), [20, 25) …, of growing width */
        uint32_t clocks[4][5] = {{0}};
        rcp_spilled sections[4];
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t k = b * 4 + i + 1;
            sections[i] = (rcp_spilled){10 * k, 10 * k + 5, clocks[i], i % 2 + b};
            for (uint32_t t = 0; t < sections[i].width; t++)
                clocks[i][t] = 100 * k + t;
        }
        ck_assert(rcp_spill_write(&spill, &list, sections, 4));
    }
    ck_assert_uint_eq(spill.sections, 12);
    ck_assert_uint_eq(list.len, 3);
    ck_assert(!rcp_spill_find(&spill, &list, 9, &got));
    for (uint32_t known = 10; known < 140; known++) {
        uint32_t k = known / 10 > 12 ? 12 : known / 10, b = (k - 1) / 4, width = (k - 1) % 2 + b;
        ck_assert(rcp_spill_find(&spill, &list, known, &got));
        ck_assert_uint_eq(got.acquired, 10 * k);
        ck_assert_uint_eq(got.released, 10 * k + 5);
        ck_assert_uint_eq(got.width, 1 + b);
        for (uint32_t t = 0; t < got.width; t++)
            ck_assert_uint_eq(got.clock[t], t < width ? 100 * k + t : 0);
    }
    rcp_vec_finish(&list);
    rcp_spill_finish(&spill);
}
END_TEST

START_TEST(a_system_that_refuses) {
    rcp_spill spill;
    rcp_spill_list list = {0};
    rcp_spilled section = {1, 2, NULL, 0};
    rcp_spill_init(&spill);
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    ck_assert(!rcp_spill_write(&spill, &list, &section, 1));
    ck_assert(!rcp_spill_write(&spill, &list, &section, 1)); /* nor later */
    ck_assert_uint_eq(spill.sections, 0);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    rcp_spill_finish(&spill);
    ck_assert(rcp_spill_write(&spill, &list, &section, 1));
    ck_assert_int_eq(ftruncate(spill.file, 0), 0);
    ck_assert(!rcp_spill_find(&spill, &list, 1, &section));
    ck_assert(spill.failed);
    rcp_vec_finish(&list);
    rcp_spill_finish(&spill);
}
END_TEST

/* One thread's hundred sections, each of which has learned one event more of another. */
static void make_sections(rcp_clocks *clocks, rcp_locks *locks, rcp_runner *runner) {
    rcp_clocks_init(clocks);
    rcp_locks_init(locks, clocks);
    for (uint32_t i = 1; i <= 100; i++) {
        runner->count = 10 * i;
        rcp_locks_acquire(locks, runner, 0, RCP_EXCLUSIVE);
        runner->count = 10 * i + 5;
        rcp_clock_take(clocks, runner, (rcp_stamp){{0}, 1, i});
        rcp_locks_release(locks, runner, 0, RCP_EXCLUSIVE);
    }
}

static void check_section(rcp_clocks *clocks, rcp_locks *locks, uint32_t known, uint32_t i) {
    rcp_stamp stamp = rcp_locks_latest(locks, 0, 0, RCP_EXCLUSIVE, known);
    ck_assert_uint_eq(stamp.count, 10 * i + 5);
    ck_assert_uint_eq(rcp_clock_entry(clocks, stamp.clock, 1), i);
}

START_TEST(sections_on_disk_are_as_those_in_memory) {
    rcp_clocks clocks;
    rcp_locks locks;
    rcp_runner runner = {.tid = 0};
    make_sections(&clocks, &locks, &runner);
    size_t slots = clocks.slots.len;
    rcp_locks_spill(&locks, 3);
    ck_assert_uint_eq(rcp_locks_in_memory(&locks), 3);
    ck_assert_uint_eq(locks.spill.sections, 97);
    ck_assert_uint_eq(locks.spilled_peak, 97);
    ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, 9).count, 0);
    for (uint32_t i = 1; i <= 100; i++)
        check_section(&clocks, &locks, 10 * i + 9, i);
    ck_assert_uint_eq(locks.fetched.len, 97);
    rcp_locks_next(&locks);
    ck_assert_uint_eq(clocks.slots.len, slots); /* they were given back, and used again */
    rcp_locks_finish(&locks);
    rcp_clocks_finish(&clocks);
}
END_TEST

START_TEST(what_is_not_needed_leaves_the_disk) {
    rcp_clocks clocks;
    rcp_locks locks;
    rcp_runner runner = {.tid = 0};
    make_sections(&clocks, &locks, &runner);
    rcp_locks_spill(&locks, 1);
    rcp_position_list of[2] = {{0}};
    rcp_vec_push(&of[0], 42);  /* inside the fourth */
    rcp_vec_push(&of[0], 777); /* between two */
    rcp_vec_push(&of[0], 993);
    rcp_locks_sweep(&locks, of, 2);
    ck_assert_uint_eq(locks.live, 3); /* the last one stays anyway */
    ck_assert_uint_eq(locks.spill.sections, 2);
    check_section(&clocks, &locks, 42, 4);
    check_section(&clocks, &locks, 777, 4);
    check_section(&clocks, &locks, 999, 99);
    check_section(&clocks, &locks, 1000, 100);
    rcp_vec_finish(&of[0]);
    rcp_vec_finish(&of[1]);
    rcp_locks_finish(&locks);
    rcp_clocks_finish(&clocks);
}
END_TEST

int main(void) {
    return rcp_suite_run("spill", what_is_written_is_found, a_system_that_refuses,
                         sections_on_disk_are_as_those_in_memory, what_is_not_needed_leaves_the_disk, NULL);
}
