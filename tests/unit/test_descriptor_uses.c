/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/descriptor_uses.h"

#include "suite.h"

/* The same objects in another order, and twice, are the same set; other flags are another. */
START_TEST(sets) {
    rcp_descriptors d = {0};
    rcp_descriptors_init(&d);
    uint32_t some[] = {7, 3, 7}, again[] = {3, 7}, fewer[] = {3};
    uint32_t set = rcp_descriptors_set(&d, some, 3, RCP_USED_CLOCK);
    ck_assert_uint_eq(d.sets.at[set].n, 2);
    ck_assert_uint_eq(d.members.at[d.sets.at[set].first], 3);
    ck_assert_uint_eq(rcp_descriptors_set(&d, again, 2, RCP_USED_CLOCK), set);
    ck_assert_uint_ne(rcp_descriptors_set(&d, again, 2, 0), set);
    ck_assert_uint_ne(rcp_descriptors_set(&d, fewer, 1, RCP_USED_CLOCK), set);
    ck_assert_uint_ne(rcp_descriptors_set(&d, NULL, 0, RCP_USED_CLOCK), set);
    ck_assert_uint_eq(d.sets.len, 4);
    rcp_descriptors_finish(&d);
}
END_TEST

START_TEST(uses) {
    rcp_descriptors d = {0};
    rcp_descriptors_init(&d);
    ck_assert_ptr_null(rcp_descriptors_find(&d, 0));
    for (uint32_t i = 0; i < 100; i++)
        rcp_vec_push(&d.used, ((rcp_used){3 * i + 1, i}));
    for (uint64_t visit = 0; visit < 310; visit++) {
        const rcp_used *found = rcp_descriptors_find(&d, visit);
        ck_assert_int_eq(found != NULL, visit % 3 == 1 && visit < 300);
        ck_assert(!found || found->set == visit / 3);
    }
    rcp_descriptors_finish(&d);
}
END_TEST

int main(void) { return rcp_suite_run("descriptor_uses", sets, uses, NULL); }
