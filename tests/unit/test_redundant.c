/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/redundant.h"

#include "suite.h"

static rcp_redundant filter;
static uint32_t count;

static bool touch(uint32_t tid, rcp_kind kind, uint64_t addr, uint32_t size, uint32_t loc) {
    return rcp_redundant_is(&filter, &(rcp_event){.kind = kind, .tid = {tid}, .addr = addr, .size = size, .loc = {loc}},
                            ++count);
}

static bool other(uint32_t tid, rcp_kind kind) {
    return rcp_redundant_is(&filter, &(rcp_event){.kind = kind, .tid = {tid}, .cond = RCP_TERM_ALL}, ++count);
}

START_TEST(the_same_access_again) {
    rcp_redundant_init(&filter, false);
    ck_assert(!touch(0, RCP_READ, 0x1000, 4, 1));
    ck_assert(touch(0, RCP_READ, 0x1000, 4, 1));
    ck_assert(!touch(0, RCP_READ, 0x1000, 4, 2)); /* another place in the program */
    ck_assert(!touch(0, RCP_WRITE, 0x1000, 4, 1));
    ck_assert(touch(0, RCP_WRITE, 0x1000, 4, 1));
    ck_assert(!touch(0, RCP_READ, 0x1000, 2, 2)); /* other bytes */
    ck_assert(!touch(1, RCP_READ, 0x1004, 4, 1)); /* somebody else, in the same granule */
    ck_assert(!touch(0, RCP_WRITE, 0x1000, 4, 1));
    ck_assert_uint_eq(filter.accesses, 2);
    rcp_redundant_finish(&filter);
}
END_TEST

START_TEST(synchronisation_ends_the_epoch) {
    rcp_redundant_init(&filter, false);
    ck_assert(!touch(0, RCP_WRITE, 0x1000, 4, 1));
    ck_assert(!other(1, RCP_ACQUIRE));
    ck_assert(touch(0, RCP_WRITE, 0x1000, 4, 1));
    ck_assert(!other(0, RCP_ACQUIRE));
    ck_assert(!touch(0, RCP_WRITE, 0x1000, 4, 1));
    rcp_redundant_finish(&filter);
}
END_TEST

START_TEST(a_write_ends_it_where_others_can_learn_from_it) {
    rcp_redundant_init(&filter, true);
    ck_assert(!touch(0, RCP_READ, 0x1000, 4, 1));
    ck_assert(touch(0, RCP_READ, 0x1000, 4, 1));
    ck_assert(!touch(0, RCP_WRITE, 0x2000, 4, 1));
    ck_assert(!touch(0, RCP_WRITE, 0x2000, 4, 1));
    ck_assert(!touch(0, RCP_READ, 0x1000, 4, 1));
    rcp_redundant_finish(&filter);
}
END_TEST

START_TEST(branches_without_a_new_read) {
    rcp_redundant_init(&filter, true);
    ck_assert(other(0, RCP_BRANCH));
    ck_assert(!touch(0, RCP_READ, 0x1000, 4, 1));
    ck_assert(!other(0, RCP_BRANCH));
    ck_assert(other(0, RCP_BRANCH));
    ck_assert_uint_eq(filter.branches, 2);
    rcp_redundant_finish(&filter);
}
END_TEST

START_TEST(the_history_catches_up_with_the_last_of_them) {
    rcp_redundant_init(&filter, false);
    count = 0;
    touch(0, RCP_READ, 0x1000, 4, 1);
    touch(0, RCP_READ, 0x1000, 4, 1);
    touch(0, RCP_READ, 0x1000, 4, 1);
    ck_assert_uint_eq(filter.late.len, 0);
    touch(1, RCP_READ, 0x2000, 4, 1);
    ck_assert_uint_eq(filter.late.len, 0);
    touch(1, RCP_WRITE, 0x1004, 4, 1);
    ck_assert_uint_eq(filter.late.len, 1);
    const rcp_redundant_late *late = &filter.late.at[0];
    ck_assert_uint_eq(late->granule, 0x1000 / 8);
    ck_assert_uint_eq(late->tid, 0);
    ck_assert_uint_eq(late->analysed, 1);
    ck_assert_uint_eq(late->last, 3);
    ck_assert_uint_eq(late->mask, 0xf);
    ck_assert(!late->writes);
    rcp_redundant_finish(&filter);
}
END_TEST

START_TEST(memory_that_changes_hands_is_forgotten) {
    rcp_redundant_init(&filter, false);
    rcp_event freed = {.kind = RCP_FREE, .tid = {1}, .addr = 0x1000, .value = 64};
    ck_assert(!touch(0, RCP_READ, 0x1008, 8, 1));
    rcp_redundant_is(&filter, &freed, ++count);
    ck_assert(!touch(0, RCP_READ, 0x1008, 8, 1));
    freed.value = 1 << 20;
    rcp_redundant_is(&filter, &freed, ++count);
    ck_assert(!touch(0, RCP_READ, 0x1008, 8, 1));
    rcp_redundant_finish(&filter);
}
END_TEST

int main(void) {
    return rcp_suite_run("redundant", the_same_access_again, synchronisation_ends_the_epoch,
                         a_write_ends_it_where_others_can_learn_from_it, branches_without_a_new_read,
                         the_history_catches_up_with_the_last_of_them, memory_that_changes_hands_is_forgotten, NULL);
}
