/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/candidates.h"

#include "base/deadline.h"
#include "base/limits.h"
#include "base/text.h"
#include "parse_text.h"
#include "predict/facts/groundwork.h"
#include "suite.h"

enum { BEFORE = 6000 }; /* accesses of one thread alone, more than go by between two looks at the clock */

/* Two threads write x first, and y after all of that. */
static void make(rcp_trace *trace) {
    rcp_text text = {0};
    rcp_text_puts(&text, "recipe trace 1\nthread T1\nthread T2\nvar x 0x1000 4 = 0\nvar y 0x1008 4 = 0\n"
                         "T1 w x = 1 @ a.c:1\nT2 w x = 2 @ a.c:2\n");
    for (int i = 0; i < BEFORE; i++)
        rcp_text_puts(&text, "T1 r x = 2 @ a.c:3\n");
    rcp_text_puts(&text, "T1 w y = 1 @ a.c:4\nT2 w y = 2 @ a.c:5\n");
    parse_text(trace, text.at);
    rcp_trace_index(trace);
    rcp_text_finish(&text);
}

/* Static pairs, with a clock that says so. */
static size_t find(bool is_late, uint64_t *events) {
    rcp_trace trace;
    rcp_groundwork *ground;
    rcp_candidates candidates;
    make(&trace);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_deadline_set(is_late ? rcp_seconds_now() - 1 : 0);
    rcp_candidates_find(&candidates, &ground->facts, &ground->forced, false);
    rcp_deadline_set(0);
    size_t pairs = candidates.pairs.len;
    *events = candidates.events;
    rcp_candidates_finish(&candidates);
    rcp_groundwork_destroy(ground);
    rcp_trace_finish(&trace);
    return pairs;
}

START_TEST(all_without_a_deadline) {
    uint64_t events;
    ck_assert_uint_eq(find(false, &events), 3);
    ck_assert_uint_eq(events, BEFORE + 4);
}
END_TEST

START_TEST(late_what_was_found_and_how_far) {
    uint64_t events;
    ck_assert_uint_eq(find(true, &events), 2);
    ck_assert_uint_gt(events, 2);
    ck_assert_uint_lt(events, BEFORE);
}
END_TEST

/* T1 reads x at many places, and writes it at one more; then T2 reads it. */
static bool is_found(int places) {
    rcp_text text = {0};
    rcp_trace trace;
    rcp_groundwork *ground;
    rcp_candidates candidates;
    rcp_text_puts(&text, "recipe trace 1\nthread T1\nthread T2\nvar x 0x1000 4 = 0\n");
    for (int i = 1; i <= places; i++)
        rcp_text_printf(&text, "T1 r x = 0 @ a.c:%d\n", i);
    rcp_text_puts(&text, "T1 w x = 1 @ b.c:1\nT2 r x = 1 @ b.c:2\n");
    parse_text(&trace, text.at);
    rcp_trace_index(&trace);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_candidates_find(&candidates, &ground->facts, &ground->forced, false);
    bool is = rcp_candidates_of(&candidates, &ground->facts, (uint32_t)places, (uint32_t)places + 1);
    ck_assert_uint_eq(candidates.forgotten, 0);
    rcp_candidates_finish(&candidates);
    rcp_groundwork_destroy(ground);
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
    return is;
}

/* A write is remembered, however many accesses of other places its word has had. */
START_TEST(no_access_is_one_too_many) {
    ck_assert(is_found(1));
    ck_assert(is_found(5 * (int)rcp_limit(RCP_LIMIT_WORD_ACCESSES)));
}
END_TEST

enum { LOCKS = 40 };

/* T1 writes x while it holds m and has taken and given back one, two, three … others; then T2 reads it, without. */
START_TEST(of_many_situations_some_are_left) {
    rcp_text text = {0};
    rcp_trace trace;
    rcp_groundwork *ground;
    rcp_candidates candidates;
    rcp_text_puts(&text, "recipe trace 1\nthread T1\nthread T2\nvar x 0x1000 4 = 0\nmutex m\n");
    for (int i = 0; i < LOCKS; i++)
        rcp_text_printf(&text, "mutex m%d\n", i);
    for (int i = 0; i < LOCKS; i++)
        rcp_text_printf(&text, "T1 acq m\nT1 acq m%d\nT1 rel m%d\nT1 w x = 1 @ b.c:1\nT1 rel m\n", i, i);
    rcp_text_puts(&text, "T2 r x = 1 @ b.c:2\n");
    parse_text(&trace, text.at);
    rcp_trace_index(&trace);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_WORD_ACCESSES, 4), RCP_OK);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_candidates_find(&candidates, &ground->facts, &ground->forced, false);
    const rcp_candidate_pair *pair =
        rcp_candidates_of(&candidates, &ground->facts, 5 * LOCKS - 2, (uint32_t)trace.events.len - 1);
    ck_assert_ptr_nonnull(pair);
    ck_assert_uint_eq(pair->left, 4);
    ck_assert_uint_eq(candidates.forgotten, LOCKS - 4);
    rcp_candidates_finish(&candidates);
    rcp_groundwork_destroy(ground);
    rcp_trace_finish(&trace);
    rcp_text_finish(&text);
}
END_TEST

int main(void) {
    return rcp_suite_run("candidates", all_without_a_deadline, late_what_was_found_and_how_far,
                         no_access_is_one_too_many, of_many_situations_some_are_left, NULL);
}
