/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/candidates.h"

#include "base/deadline.h"
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

int main(void) { return rcp_suite_run("candidates", all_without_a_deadline, late_what_was_found_and_how_far, NULL); }
