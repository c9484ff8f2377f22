/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text/std.h"

#include "parse_text.h"
#include "suite.h"

#include <string.h>

static void parse(rcp_trace *trace, const char *text) {
    rcp_trace_init(trace);
    if (rcp_std_parse("t.std", text, strlen(text), trace) != RCP_OK)
        ck_abort_msg("%s", rcp_borrow_cause(0));
}

START_TEST(comes_out_as_it_went_in) {
    static const char text[] = "T 1|begin|0\nT 1|fork(T2)|1\nT 1|acq(m)|-5\nT 1|acq(m)|6\nT 1|w(x.f[3])|2147483647\n"
                               "T 1|rel(m)|-2147483648\nT 1|rel(m)|8\nT2|r(x.f[3])|9\nT2|r((m))|9\nT2|end|10\n"
                               "T 1|join(T2)|11\n";
    rcp_trace trace;
    rcp_text out = {0};
    rcp_lowering notes;
    parse(&trace, text);
    ck_assert_int_eq(rcp_std_print(&out, &trace, &notes), RCP_OK);
    ck_assert_str_eq(out.at, text);
    rcp_text said = {0};
    rcp_lowering_print(&said, &notes);
    ck_assert_uint_eq(said.len, 0);
    rcp_text_finish(&out);

    /* and through the text form too */
    rcp_text printed = {0};
    rcp_trace back;
    rcp_text_print_trace(&printed, &trace);
    parse_text(&back, printed.at);
    ck_assert_int_eq(rcp_std_print(&out, &back, &notes), RCP_OK);
    ck_assert_str_eq(out.at, text);
    rcp_trace_finish(&trace);
    rcp_trace_finish(&back);
    rcp_text_finish(&out);
    rcp_text_finish(&printed);
}
END_TEST

START_TEST(import_says_how_to_read_it) {
    rcp_trace t;
    parse(&t, "A|acq(m)|3\r\nA|acq(m)|3\nA|w(x)|-7\nA|rel(m)|3\nA|rel(m)|3\nB|acq(n)|3\nB|r(y)|1");
    ck_assert(rcp_defs_implicit_branches(&t.defs));
    ck_assert_uint_eq(t.defs.threads.len, 2);
    ck_assert_uint_eq(t.defs.objects.at[0].kind, RCP_RECURSIVE);
    ck_assert_uint_eq(t.defs.objects.at[1].kind, RCP_MUTEX);
    ck_assert_uint_eq(t.defs.variables.len, 2);
    ck_assert_uint_ne(t.defs.variables.at[0].addr, t.defs.variables.at[1].addr);
    const rcp_event *w = &t.events.at[2];
    ck_assert_uint_eq(w->valued, 0);
    ck_assert_uint_eq(w->addr, t.defs.variables.at[0].addr);
    const rcp_location *l = &t.defs.locations.at[w->loc.v];
    ck_assert_uint_eq(l->line, 7);
    ck_assert_str_eq(rcp_defs_borrow_string(&t.defs, l->file), "t.std");
    rcp_trace_finish(&t);
}
END_TEST

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "t.std:1:1: the file is empty; each line of a trace is thread|operation|location"},
    {"T|r(x)|1\n\nT|r(x)|1\n", "t.std:2:1: a line is empty; each is thread|operation|location"},
    {"T|r(x)\n", "t.std:1:7: a line has exactly two '|': thread|operation|location"},
    {"T|r(x)|1|2\n", "t.std:1:9: a line has exactly two '|': thread|operation|location"},
    {"T|r(x)|\n", "t.std:1:8: a location is a decimal number"},
    {"T|r(x)|1\nT|r(x)|1x\n", "t.std:2:8: a location is a decimal number"},
    {"T|r(x)|2147483648\n", "t.std:1:8: a location has at most 32 bits, with its sign"},
    {"T|r(x)|99999999999999999999\n", "t.std:1:8: a location has at most 32 bits, with its sign"},
    {"T|r()|1\n", "t.std:1:5: the name of a variable is missing here"},
    {"T|r(a b)|1\n", "t.std:1:6: the name of a variable can't hold a blank"},
    {"|r(x)|1\n", "t.std:1:1: the name of a thread is missing here"},
    {"T||1\n", "t.std:1:3: the operation is missing here"},
    {"T|read(x)|1\n", "t.std:1:3: there is no operation 'read': only acq, rel, req, r, w, fork, join, begin and end"},
    {"T|r(x|1\n", "t.std:1:3: an operation is acq(…), rel(…), req(…), r(…), w(…), fork(…), join(…), begin or end"},
    {"# T|r(x)|1\nT|r\001(x)|1\n",
     "t.std:2:3: there is no operation 'r?': only acq, rel, req, r, w, fork, join, begin and end"},
};

/* Other tools: fork(7) is about the thread whose lines begin with T7, a thread is forked twice, locks are asked for. */
START_TEST(other_tools_files) {
    rcp_trace t;
    parse(&t, "T1|fork(7)|1\nT1|fork(7)|2\nT7|req(m)|3\nT7|acq(m)|4\nT7|rel(m)|5\nT1|fork(T7)|6\nT1|join(7)|7\n");
    ck_assert_uint_eq(t.defs.threads.len, 2);
    ck_assert_uint_eq(t.events.len, 4);
    ck_assert_uint_eq(t.events.at[0].kind, RCP_FORK);
    ck_assert_uint_eq(t.events.at[0].child.v, t.events.at[1].tid.v);
    ck_assert_uint_eq(t.events.at[3].kind, RCP_JOIN);
    ck_assert_uint_eq(t.events.at[3].child.v, t.events.at[1].tid.v);
    ck_assert_ptr_nonnull(strstr(rcp_defs_borrow_fact(&t.defs, "note names"), "first in line 1:"));
    ck_assert_ptr_nonnull(strstr(rcp_defs_borrow_fact(&t.defs, "note forks"), "2 forks"));
    ck_assert_ptr_nonnull(strstr(rcp_defs_borrow_fact(&t.defs, "note forks"), "first in line 2"));
    ck_assert_ptr_nonnull(rcp_defs_borrow_fact(&t.defs, "note requests"));
    rcp_trace_finish(&t);

    parse(&t, "1|fork(T7)|1\n7|r(x)|2\n1|join(T7)|3\n"); /* the other way round */
    ck_assert_uint_eq(t.defs.threads.len, 2);
    rcp_trace_finish(&t);
}
END_TEST

/* What has both names has two threads, and other names are what they are. */
START_TEST(names_that_are_alike) {
    rcp_trace t;
    parse(&t, "T1|fork(7)|1\nT1|fork(T7)|1\nT7|r(x)|2\n7|r(x)|3\nT1|fork(T)|4\nT1|fork(x7)|4\nT1|fork(8)|5\n");
    ck_assert_uint_eq(t.defs.threads.len, 6);
    ck_assert_uint_eq(t.events.len, 7);
    ck_assert_ptr_null(rcp_defs_borrow_fact(&t.defs, "note names"));
    ck_assert_ptr_null(rcp_defs_borrow_fact(&t.defs, "note forks"));
    rcp_trace_finish(&t);
}
END_TEST

START_TEST(wrong_lines_are_refused) {
    rcp_trace trace;
    rcp_trace_init(&trace);
    const char *text = refused[_i].text;
    ck_assert_int_eq(rcp_std_parse("t.std", text, strlen(text), &trace), RCP_BAD_INPUT);
    ck_assert_str_eq(rcp_borrow_cause(0), refused[_i].message);
    rcp_trace_finish(&trace);
}
END_TEST

#define HEAD                                                                                                           \
    "recipe trace 1\nthread A\nthread B\nvar x 0x1000 4\nvar y 0x1010 8\nmutex m\nrwlock l\nrwlock e\ncond c\nsem s "  \
    "= 1\n"                                                                                                            \
    "reach D\nreach E 0x1003-0x1009\n"

#define STEP(t) t "|acq(opaque)|0\n" t "|r(opaque)|0\n" t "|w(opaque)|0\n" t "|rel(opaque)|0\n"

static const struct {
    const char *events, *std, *said;
} lowered[] = {
    {"A w x = 1\nA r x = 1\n", "A|w(x)|0\nA|r(x)|0\n", "2 accesses without their values\n"},
    {"A r x acquire\nA w x release\nB rmw x seq_cst\n",
     "A|acq(x)|0\nA|r(x)|0\nA|rel(x)|0\nA|acq(x)|0\nA|w(x)|0\nA|rel(x)|0\nB|acq(x)|0\nB|r(x)|0\nB|w(x)|0\nB|rel(x)|0\n",
     "1 'r' kept only in their order, as steps on a lock of their own\n"
     "1 'w' kept only in their order, as steps on a lock of their own\n"
     "1 'rmw' kept only in their order, as steps on a lock of their own\n"},
    /* bytes in common are variables in common, and nothing else is */
    {"A w x\nB r x+1:2\nB w y+4:4\nB w 0x2000:2\n",
     "A|w(x+0:1)|0\nA|w(x+1:2)|0\nA|w(x+3:1)|0\nB|r(x+1:2)|0\nB|w(y+4:4)|0\nB|w(0x2000:2)|0\n",
     "1 accesses became several, because others touch a part of their bytes\n"},
    /* another life, another variable */
    {"A w x\nA free x\nA alloc x\nA w x\n", "A|w(x)|0\nA|w(x@2)|0\n", "1 'alloc' left out\n1 'free' left out\n"},
    {"A acq l\nA rel l\nA acq e\nA rel e\nB acq l shared\nB rel l shared\nB acq m failed\n",
     "A|acq(l)|0\nA|r(l)|0\nA|w(l)|0\nA|rel(l)|0\nA|acq(l)|0\nA|r(l)|0\nA|w(l)|0\nA|rel(l)|0\nA|acq(e)|0\nA|rel(e)|0\n"
     "B|acq(l)|0\nB|r(l)|0\nB|w(l)|0\nB|rel(l)|0\nB|acq(l)|0\nB|r(l)|0\nB|w(l)|0\nB|rel(l)|0\n"
     "B|acq(m)|0\nB|r(m)|0\nB|w(m)|0\nB|rel(m)|0\n",
     "3 'acq' kept only in their order, as steps on a lock of their own\n"
     "2 'rel' kept only in their order, as steps on a lock of their own\n"},
    /* an atomic access stays one step */
    {"A rmw x seq_cst\nB w x:1\n",
     "A|acq(x+0:1)|0\nA|acq(x+1:3)|0\nA|r(x+0:1)|0\nA|r(x+1:3)|0\nA|w(x+0:1)|0\nA|w(x+1:3)|0\nA|rel(x+1:3)|0\n"
     "A|rel(x+0:1)|0\nB|w(x+0:1)|0\n",
     "1 'rmw' kept only in their order, as steps on a lock of their own\n"
     "1 accesses became several, because others touch a part of their bytes\n"},
    {"A acq m\nA wait c m\nB signal c\nA wake c m\n",
     "A|acq(m)|0\nA|acq(c)|0\nA|r(c)|0\nA|w(c)|0\nA|rel(c)|0\nA|rel(m)|0\nB|acq(c)|0\nB|r(c)|0\nB|w(c)|0\nB|rel(c)|0\n"
     "A|acq(m)|0\nA|acq(c)|0\nA|r(c)|0\nA|w(c)|0\nA|rel(c)|0\n",
     "1 'wait' kept only in their order, as steps on a lock of their own\n"
     "1 'wake' kept only in their order, as steps on a lock of their own\n"
     "1 'signal' kept only in their order, as steps on a lock of their own\n"},
    {"A init m\nA down s\nA br\nA fence\nA join B failed\nA opaque-begin f reaches D\nB end\nA exit\n",
     "A|acq(m)|0\nA|rel(m)|0\nA|acq(s)|0\nA|r(s)|0\nA|w(s)|0\nA|rel(s)|0\n"
     "A|acq(B.end)|0\nA|r(B.end)|0\nA|w(B.end)|0\nA|rel(B.end)|0\n"
     "A|acq(opaque)|0\nA|r(opaque)|0\nA|w(opaque)|0\nA|rel(opaque)|0\n"
     "B|acq(opaque)|0\nB|r(opaque)|0\nB|w(opaque)|0\nB|rel(opaque)|0\n"
     "B|acq(B.end)|0\nB|r(B.end)|0\nB|w(B.end)|0\nB|rel(B.end)|0\nB|end|0\n",
     "1 'join' kept only in their order, as steps on a lock of their own\n"
     "1 'down' kept only in their order, as steps on a lock of their own\n"
     "1 'init' kept only in their order, as steps on a lock of their own\n"
     "1 'opaque-begin' kept only in their order, as steps on a lock of their own\n"
     "1 'fence' left out\n1 'br' left out\n1 'exit' left out\n"},
    {"a: A r x\nA w y <- (zext:64 $a)\nA br if all\n", "A|r(x)|0\nA|w(y)|0\n",
     "1 'br' left out\n1 events without their terms\n"},
    /* a callback: its accesses and its locking keep their place among opaque events */
    {"A opaque-begin f reaches E\nA acq m\nA w y\nA opaque-end f reaches E\nA rel m\n",
     STEP("A") STEP("A") "A|acq(m)|0\n" STEP("A") STEP("A") "A|w(y)|0\n" STEP("A") STEP("A") "A|rel(m)|0\n",
     "1 'w' kept only in their order, as steps on a lock of their own\n"
     "1 'opaque-begin' kept only in their order, as steps on a lock of their own\n"
     "1 'opaque-end' kept only in their order, as steps on a lock of their own\n"},
    /* y is out of reach; x may be what f waits for */
    {"A w y\nA w x\nB opaque-begin f reaches E\n",
     "A|w(y)|0\nA|acq(opaque)|0\nA|r(opaque)|0\nA|w(opaque)|0\nA|rel(opaque)|0\nA|w(x)|0\n"
     "A|acq(opaque)|0\nA|r(opaque)|0\nA|w(opaque)|0\nA|rel(opaque)|0\n"
     "B|acq(opaque)|0\nB|r(opaque)|0\nB|w(opaque)|0\nB|rel(opaque)|0\n",
     "1 'w' kept only in their order, as steps on a lock of their own\n"
     "1 'opaque-begin' kept only in their order, as steps on a lock of their own\n"},
    {"A w x @ f.c:30\nB r x @ g.c:30\n", "A|w(x)|1\nB|r(x)|2\n",
     "2 events without the file and line of their location\n"},
};

START_TEST(export_says_what_it_can_not_hold) {
    rcp_text text = {0}, out = {0}, said = {0};
    rcp_trace trace;
    rcp_lowering notes;
    rcp_text_printf(&text, HEAD "%s", lowered[_i].events);
    parse_text(&trace, text.at);
    ck_assert_int_eq(rcp_std_print(&out, &trace, &notes), RCP_OK);
    rcp_text_add(&said, "", 0);
    rcp_lowering_print(&said, &notes);
    ck_assert_str_eq(out.at, lowered[_i].std);
    ck_assert_str_eq(said.at, lowered[_i].said);
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
    rcp_text_finish(&out);
    rcp_text_finish(&said);
}
END_TEST

/* Names that can't stand there, or that two things have, are replaced; different things keep different names. */
START_TEST(names_stay_apart) {
    rcp_trace trace;
    rcp_text out = {0};
    rcp_lowering notes;
    parse_text(&trace,
               "recipe trace 1\nthread A \"a|b\"\nthread B \"same\"\nthread C \"same\"\nthread D \"the child\"\n"
               "var x \"v\" 0x1000 4\nvar y \"v\" 0x1008 4\nvar z \"0x1008:4\" 0x1010 4\nmutex m \"m m\"\nmutex v\n"
               "A w x\nB w z\nB w y\nC acq m\nC w x relaxed\nA acq v\nA fork D\nD begin\n");
    ck_assert_int_eq(rcp_std_print(&out, &trace, &notes), RCP_OK);
    ck_assert_str_eq(out.at, "T0|w(v)|0\nsame|w(0x1008:4)|0\nsame|w(0x1008:4')|0\nT2|acq(o0)|0\n"
                             "T2|acq(v')|0\nT2|w(v)|0\nT2|rel(v')|0\nT0|acq(v)|0\nT0|fork(T3)|0\nT3|begin|0\n");
    rcp_trace_finish(&trace);
    rcp_text_finish(&out);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_test(tests, comes_out_as_it_went_in);
    tcase_add_test(tests, import_says_how_to_read_it);
    tcase_add_test(tests, other_tools_files);
    tcase_add_test(tests, names_that_are_alike);
    tcase_add_loop_test(tests, wrong_lines_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_loop_test(tests, export_says_what_it_can_not_hold, 0, sizeof lowered / sizeof *lowered);
    tcase_add_test(tests, names_stay_apart);
    return rcp_suite_run_case("std", tests);
}
