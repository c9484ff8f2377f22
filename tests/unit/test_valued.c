/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/valued.h"

#include "parse_text.h"
#include "suite.h"

#include <string.h>

START_TEST(comes_out_as_it_went_in) {
    static const char text[] =
        "Begin T|1 0 0\nFork T|1 T2 0\nAcq T|1 m 0\nWrite T|1 x 18446744073709551615\nRel T|1 m 0\n"
        "Read T2 x -1\nEnd T2 0 0\nJoin T|1 T2 0\n";
    rcp_trace t;
    rcp_text out = {0};
    rcp_lowering notes;
    rcp_trace_init(&t);
    ck_assert_int_eq(rcp_valued_parse("t", text, sizeof text - 1, &t), RCP_OK);
    ck_assert(rcp_defs_implicit_branches(&t.defs));
    ck_assert_uint_eq(t.events.at[5].valued, 1);
    ck_assert_uint_eq(t.events.at[5].value, UINT64_MAX);
    ck_assert_uint_eq(t.defs.locations.at[t.events.at[5].loc.v].line, 6);
    ck_assert_int_eq(rcp_valued_print(&out, &t, &notes), RCP_OK);
    ck_assert_str_eq(out.at,
                     "Begin T|1 0 0\nFork T|1 T2 0\nAcq T|1 m 0\nWrite T|1 x 18446744073709551615\nRel T|1 m 0\n"
                     "Read T2 x 18446744073709551615\nEnd T2 0 0\nJoin T|1 T2 0\n");
    rcp_trace_finish(&t);
    rcp_text_finish(&out);
}
END_TEST

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "t:1:1: the file is empty; each line of a trace has four fields"},
    {"Read T x\n", "t:1:1: a line has four fields, as in 'Read T1 x 5' or 'Acq T1 m 0'"},
    {"Read T x 1 2\n", "t:1:1: a line has four fields, as in 'Read T1 x 5' or 'Acq T1 m 0'"},
    {"Read T x 1\n\n", "t:2:1: a line has four fields, as in 'Read T1 x 5' or 'Acq T1 m 0'"},
    {"Load T x 1\n", "t:1:1: a line begins with Read, Write, Acq, Rel, Fork, Join, Begin or End, not 'Load'"},
    {"Read T x 1\nRead T x y\n", "t:2:10: a value is a decimal number"},
    {"Read T x -\n", "t:1:10: a value is a decimal number"},
    {"Read T x 18446744073709551616\n", "t:1:10: a value has at most 64 bits"},
    {"Read T x -9223372036854775809\n", "t:1:10: a value has at most 64 bits"},
    {"Acq T m 1\n", "t:1:9: only Read and Write have a value; 0 must stand here"},
    {"Begin T 1 0\n", "t:1:9: after Begin and End '0 0' must stand"},
    {"Read T x\0019 1\n", "t:1:9: the name of a variable, lock or thread can't hold a control character"},
};

START_TEST(wrong_lines_are_refused) {
    rcp_trace t;
    rcp_trace_init(&t);
    ck_assert_int_eq(rcp_valued_parse("t", refused[_i].text, strlen(refused[_i].text), &t), RCP_BAD_INPUT);
    ck_assert_str_eq(rcp_borrow_cause(0), refused[_i].message);
    rcp_trace_finish(&t);
}
END_TEST

START_TEST(export_of_richer_traces) {
    static const char text[] = "recipe trace 1\nthread A\nvar wide 0x1000 16\nsem s = 1\n"
                               "A w wide = 0100000000000000ff00000000000000\nA r wide+8:1 = 255\nA down s\nA post s\n"
                               "A rmw 0x2000:4 = 3 -> 4 seq_cst\n";
    rcp_trace t;
    rcp_text out = {0}, said = {0};
    rcp_lowering notes;
    parse_text(&t, text);
    ck_assert_int_eq(rcp_valued_print(&out, &t, &notes), RCP_OK);
    ck_assert_str_eq(out.at,
                     "Write A wide+0:8 1\nWrite A wide+8:1 255\nWrite A wide+9:7 0\nRead A wide+8:1 255\n"
                     "Acq A s 0\nRead A s 0\nWrite A s 1\nRel A s 0\nAcq A s 0\nRead A s 1\nWrite A s 2\nRel A s 0\n"
                     "Acq A 0x2000:4 0\nRead A 0x2000:4 3\nWrite A 0x2000:4 4\nRel A 0x2000:4 0\n");
    rcp_lowering_print(&said, &notes);
    ck_assert_str_eq(said.at, "1 'rmw' kept only in their order, as steps on a lock of their own\n"
                              "1 'post' kept only in their order, as steps on a lock of their own\n"
                              "1 'down' kept only in their order, as steps on a lock of their own\n"
                              "1 accesses became several, because others touch a part of their bytes\n");
    rcp_trace_finish(&t);
    rcp_text_finish(&out);
    rcp_text_finish(&said);
}
END_TEST

START_TEST(export_needs_values) {
    static const char text[] = "recipe trace 1\nthread A\nvar x 0x1000 4\nA w x = 1\nA r x\n";
    rcp_trace t;
    rcp_text out = {0};
    rcp_lowering notes;
    parse_text(&t, text);
    ck_assert_int_eq(rcp_valued_print(&out, &t, &notes), RCP_BAD_INPUT);
    ck_assert_str_eq(rcp_borrow_cause(0),
                     "event 1 has no value, and this form needs one at every access: export as std");
    rcp_trace_finish(&t);
    rcp_text_finish(&out);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_test(tests, comes_out_as_it_went_in);
    tcase_add_loop_test(tests, wrong_lines_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, export_of_richer_traces);
    tcase_add_test(tests, export_needs_values);
    return rcp_suite_run_case("valued", tests);
}
