/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "base/opts.h"
#include "program/reach/opaque_file.h"

#include <string.h>

START_TEST(rules) {
    rcp_opaque_file file = {0};
    ck_assert_int_eq(rcp_opaque_file_parse(&file, "f",
                                           "# all\nBZ2_* none\nqueue_? on 0 3, blocks # a comment\n\n"
                                           "  log reads 1, writes 2, keeps\nBZ2_open everything\nbarriers simple\n"),
                     RCP_OK);
    const rcp_opaque_rule *rule = rcp_opaque_file_find(&file, "BZ2_close");
    ck_assert(rule && rule->is_harmless && !rule->arguments);
    rule = rcp_opaque_file_find(&file, "BZ2_open"); /* the last one counts */
    ck_assert(rule && rule->is_everything && !rule->is_harmless);
    rule = rcp_opaque_file_find(&file, "queue_a");
    ck_assert(rule && rule->arguments == 9 && rule->blocks && !rule->keeps);
    rule = rcp_opaque_file_find(&file, "log");
    ck_assert(rule && rule->arguments == 6 && rule->keeps && !rule->blocks);
    ck_assert_ptr_null(rcp_opaque_file_find(&file, "queue_ab"));
    ck_assert_ptr_null(rcp_opaque_file_find(NULL, "log"));
    ck_assert(file.is_simple && !file.is_off);
    rcp_opaque_file_finish(&file);
}
END_TEST

static void expect_refused(const char *text, const char *why) {
    rcp_opaque_file file = {0};
    ck_assert_int_eq(rcp_opaque_file_parse(&file, "f", text), RCP_BAD_INPUT);
    ck_assert_msg(strstr(rcp_borrow_cause(0), why), "'%s' does not say '%s'", rcp_borrow_cause(0), why);
    rcp_clear_causes();
    rcp_opaque_file_finish(&file);
}

START_TEST(refused) {
    expect_refused("a none\nb\n", "f:2: nothing is said of 'b'");
    expect_refused("a 1\n", "f:1: '1' says nothing");
    expect_refused("a reads 32\n", "'32'");
    expect_refused("a sometimes", "'sometimes'");
    expect_refused("barriers none0", "'none0'");
}
END_TEST

START_TEST(options_of_a_project) {
    const char *at = "# comment\n\n --exclude=a,b \r\n--opaque=f x\n", *end, *begin = rcp_opts_next(&at, &end);
    ck_assert_int_eq(end - begin, 13);
    ck_assert(!memcmp(begin, "--exclude=a,b", 13));
    begin = rcp_opts_next(&at, &end);
    ck_assert(end - begin == 12 && !memcmp(begin, "--opaque=f x", 12));
    ck_assert_ptr_null(rcp_opts_next(&at, &end));
}
END_TEST

int main(void) { return rcp_suite_run("opaque_file", rules, refused, options_of_a_project, NULL); }
