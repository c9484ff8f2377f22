/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/locks.h"

#include "suite.h"

static rcp_clocks clocks;
static rcp_locks locks;

static void setup(void) {
    rcp_clocks_init(&clocks);
    rcp_locks_init(&locks, &clocks);
}

static void teardown(void) {
    rcp_locks_finish(&locks);
    rcp_clocks_finish(&clocks);
}

static void acquire(rcp_runner *runner, uint32_t lock, rcp_mode mode) {
    runner->count++;
    rcp_locks_acquire(&locks, runner, lock, mode);
}

static void release(rcp_runner *runner, uint32_t lock, rcp_mode mode) {
    runner->count++;
    rcp_locks_release(&locks, runner, lock, mode);
}

START_TEST(equal_sets_have_equal_numbers) {
    setup();
    rcp_runner a = {.tid = 0}, b = {.tid = 1};
    acquire(&a, 3, RCP_SHARED);
    acquire(&a, 5, RCP_EXCLUSIVE);
    uint32_t both = rcp_locks_set(&locks, 0);
    acquire(&b, 5, RCP_SHARED);
    ck_assert_uint_ne(rcp_locks_set(&locks, 1), both);
    ck_assert(rcp_locks_exclude(&locks, both, rcp_locks_set(&locks, 1)));
    release(&b, 5, RCP_SHARED);
    ck_assert_uint_eq(rcp_locks_set(&locks, 1), 0);
    acquire(&b, 3, RCP_SHARED);
    ck_assert(!rcp_locks_exclude(&locks, both, rcp_locks_set(&locks, 1))); /* both shared */
    release(&a, 3, RCP_SHARED);
    release(&a, 5, RCP_EXCLUSIVE);
    acquire(&a, 5, RCP_EXCLUSIVE);
    acquire(&a, 3, RCP_SHARED);
    ck_assert_uint_eq(rcp_locks_set(&locks, 0), both);
    teardown();
}
END_TEST

START_TEST(a_recursive_lock_has_one_section) {
    setup();
    rcp_runner a = {.tid = 0};
    acquire(&a, 0, RCP_EXCLUSIVE);
    acquire(&a, 0, RCP_EXCLUSIVE);
    ck_assert(!rcp_locks_ends(&locks, 0, 0, RCP_EXCLUSIVE));
    release(&a, 0, RCP_EXCLUSIVE);
    ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, 9).count, 0); /* still open */
    ck_assert(rcp_locks_ends(&locks, 0, 0, RCP_EXCLUSIVE));
    release(&a, 0, RCP_EXCLUSIVE);
    ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, 9).count, 4);
    ck_assert_uint_eq(locks.sections, 1);
    teardown();
}
END_TEST

START_TEST(the_latest_known_section) {
    setup();
    rcp_runner a = {.tid = 0};
    for (int i = 0; i < 100; i++) { /* acquired at 2 i + 1, released at 2 i + 2 */
        acquire(&a, 0, RCP_EXCLUSIVE);
        release(&a, 0, RCP_EXCLUSIVE);
    }
    ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, 0).count, 0);
    for (uint32_t known = 1; known <= 200; known++)
        ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, known).count, (known + 1) / 2 * 2);
    ck_assert_uint_eq(rcp_locks_news(&locks, 0, 0, RCP_EXCLUSIVE, 7, 199).count, 8);
    ck_assert_uint_eq(rcp_locks_news(&locks, 0, 0, RCP_EXCLUSIVE, 7, 200).count, 0);
    teardown();
}
END_TEST

START_TEST(rule_b) {
    setup();
    rcp_runner a = {.tid = 0}, b = {.tid = 1};
    acquire(&a, 0, RCP_EXCLUSIVE); /* 1 */
    rcp_stamp inside = {a.clock, 0, a.count};
    release(&a, 0, RCP_EXCLUSIVE); /* 2 */
    acquire(&b, 0, RCP_EXCLUSIVE);
    rcp_locks_pass(&locks, &b, 0, RCP_EXCLUSIVE);
    ck_assert(!rcp_runner_knows(&b, 0, 1));
    rcp_clock_receive(&clocks, &b, inside);
    rcp_locks_pass(&locks, &b, 0, RCP_EXCLUSIVE);
    ck_assert(rcp_runner_knows(&b, 0, 2));
    teardown();
}
END_TEST

START_TEST(what_nobody_can_need_is_let_go) {
    setup();
    rcp_runner a = {.tid = 0};
    for (int i = 0; i < 10; i++) { /* the outer one from 4 i + 1 to 4 i + 4, the inner one from 4 i + 2 to 4 i + 3 */
        acquire(&a, 0, RCP_EXCLUSIVE);
        acquire(&a, 1, RCP_EXCLUSIVE);
        release(&a, 1, RCP_EXCLUSIVE);
        release(&a, 0, RCP_EXCLUSIVE);
    }
    rcp_position_list of[1] = {{0}};
    rcp_vec_push(&of[0], 10); /* inside the third inner section, whose release can then be taken */
    rcp_vec_push(&of[0], 8);  /* a release: whoever knows it knows all of the second one */
    rcp_locks_sweep(&locks, of, 1);
    ck_assert_uint_eq(locks.live, 4); /* these two, and the last ones */
    ck_assert_uint_eq(locks.peak, 20);
    ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, 10).count, 12);
    ck_assert_uint_eq(rcp_locks_latest(&locks, 1, 0, RCP_EXCLUSIVE, 10).count, 11);
    ck_assert_uint_eq(rcp_locks_latest(&locks, 0, 0, RCP_EXCLUSIVE, 40).count, 40);
    rcp_vec_finish(&of[0]);
    teardown();
}
END_TEST

int main(void) {
    return rcp_suite_run("locks", equal_sets_have_equal_numbers, a_recursive_lock_has_one_section,
                         the_latest_known_section, rule_b, what_nobody_can_need_is_let_go, NULL);
}
