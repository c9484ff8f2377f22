/* SPDX-License-Identifier: Apache-2.0 */
#include "results/statistics.h"

#include "suite.h"

#include <string.h>

START_TEST(words_lead_back_to_their_row) {
    static char keys[RCP_STATISTICS][RCP_STATISTIC_KEY];
    for (unsigned i = 0; i < RCP_STATISTICS; i++) {
        const rcp_statistic_row *row = rcp_statistic_borrow_row((rcp_statistic_id)i);
        rcp_statistic_key((rcp_statistic_id)i, row->group && row->label ? NULL : "wdp", keys[i]);
        ck_assert_msg(rcp_statistic_find(keys[i]) == (rcp_statistic_id)i, "%s is found as another", keys[i]);
        for (unsigned k = 0; k < i; k++)
            ck_assert_str_ne(keys[i], keys[k]);
    }
    ck_assert_str_eq(keys[RCP_STATISTIC_UNKNOWN], "unknown");
    ck_assert_str_eq(keys[RCP_STATISTIC_VINDICATION_UNKNOWN], "vindication: unknown");
    ck_assert_str_eq(keys[RCP_STATISTIC_ORDER_RACES], "wdp: racing pairs");
    ck_assert_str_eq(keys[RCP_STATISTIC_REJECTED_END], "rejected: wdp");
}
END_TEST

START_TEST(words_of_another_version_are_no_row) {
    ck_assert_int_eq(rcp_statistic_find("clocks"), RCP_STATISTICS);
    ck_assert_int_eq(rcp_statistic_find("prediction: clocks"), RCP_STATISTICS);
    ck_assert_int_eq(rcp_statistic_find("flagged events"), RCP_STATISTICS); /* whose? */
    ck_assert_int_eq(rcp_statistic_find(""), RCP_STATISTICS);
    ck_assert_str_eq(rcp_statistic_label("rejected: not asked"), "not asked");
    ck_assert_str_eq(rcp_statistic_label("seconds"), "seconds");
}
END_TEST

/* In one object of the report no key stands twice. */
START_TEST(json_keys_are_unique) {
    for (unsigned i = 0; i < RCP_STATISTICS; i++)
        for (unsigned k = 0; k < i; k++) {
            const char *one = rcp_statistic_borrow_row((rcp_statistic_id)i)->json,
                       *two = rcp_statistic_borrow_row((rcp_statistic_id)k)->json;
            ck_assert(!one || !two || !*one || strcmp(one, two));
        }
}
END_TEST

int main(void) {
    return rcp_suite_run("statistics", words_lead_back_to_their_row, words_of_another_version_are_no_row,
                         json_keys_are_unique, NULL);
}
