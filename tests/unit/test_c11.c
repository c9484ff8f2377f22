/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the language (docs/semantics.md, W1 to W6), and its judge. */
#include "order/engine/c11.h"

#include "order_text.h"
#include "suite.h"
#include "trace/check/language.h"

#define X "var x 0x1000 4\nvar y 0x2000 4\nvar z 0x3000 4\n"

static void expect_c11(const char *lines, const char *races) { expect(RCP_MODEL_C11, lines, races); }

/* What the judge says of two events. */
static rcp_language_verdict judge(const char *lines, uint64_t earlier, uint64_t later) {
    rcp_trace trace;
    rcp_language_verdict verdict;
    parse_trace(&trace, lines);
    rcp_language_check(&trace, (rcp_eid){earlier}, (rcp_eid){later}, &verdict);
    rcp_trace_finish(&trace);
    return verdict;
}

static const char *const orders[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
enum { ORDERS = sizeof orders / sizeof *orders };

static bool releases(int order) { return order >= 3; }
static bool acquires(int order) { return order == 1 || order == 2 || order >= 4; }

START_TEST(a_message_needs_both_sides) {
    for (int w = 0; w < ORDERS; w++)
        for (int r = 0; r < ORDERS; r++) {
            char lines[200];
            snprintf(lines, sizeof lines, X "T1 w x\nT1 w y %s\nT2 r y %s\nT2 r x\n", orders[w], orders[r]);
            bool ordered = releases(w) && acquires(r);
            expect_c11(lines, ordered ? "" : "T2.1~T1.0");
            rcp_language_verdict verdict = judge(lines, 0, 3);
            ck_assert(verdict.accepted == !ordered && verdict.is_before && verdict.conflict);
            snprintf(lines, sizeof lines,
                     X "T1 w x\nT1 fence %s\nT1 w y relaxed\nT2 r y relaxed\nT2 fence %s\nT2 r x\n", orders[w],
                     orders[r]);
            expect_c11(lines, ordered ? "" : "T2.2~T1.0");
            ck_assert(judge(lines, 0, 5).accepted == !ordered);
        }
}
END_TEST

START_TEST(release_sequences) {
    /* the same thread's store, and anybody's read-modify-write, go on with it; another one's store ends it */
    expect_c11(X "T1 w x\nT1 w y release\nT1 w y relaxed\nT2 r y acquire\nT2 r x\n", "");
    expect_c11(X "T1 w x\nT1 w y release\nT3 rmw y relaxed\nT2 r y acquire\nT2 r x\n", "");
    expect_c11(X "T1 w x\nT1 w y release\nT3 rmw y relaxed\nT1 w y relaxed\nT2 r y acquire\nT2 r x\n", "");
    expect_c11(X "T1 w x\nT1 w y release\nT3 r y acquire\nT3 w y relaxed\nT2 r y acquire\nT2 r x\n", "T2.1~T1.0");
    expect_c11(X "T1 w x\nT1 w y release\nT3 r y acquire\nT3 w y release\nT2 r y acquire\nT2 r x\n", "");
    /* one that a fence would head, and one that goes on over a part of the bytes */
    expect_c11(X "T1 w x\nT1 fence release\nT1 w y relaxed\nT3 rmw y relaxed\nT2 r y acquire\nT2 r x\n", "");
    expect_c11(X "T1 w x\nT1 w y release\nT3 w y:2 relaxed\nT2 r y acquire\nT2 r x\n", "");
    expect_c11(X "T1 w x\nT1 w y release\nT3 w y:2 relaxed\nT2 r y:2 acquire\nT2 r x\n", "T2.1~T1.0");
}
END_TEST

START_TEST(fences_count_where_they_stand) {
    expect_c11(X "T1 w x\nT1 w y relaxed\nT1 fence seq_cst\nT2 r y acquire\nT2 r x\n", "T2.1~T1.0");
    expect_c11(X "T1 w x\nT1 w y release\nT2 fence seq_cst\nT2 r y relaxed\nT2 r x\n", "T2.2~T1.0");
    /* two fences and no value between them */
    expect_c11(X "T1 w x\nT1 fence seq_cst\nT2 fence seq_cst\nT2 r x\n", "T2.1~T1.0");
    /* what comes after the fence is not in it */
    expect_c11(X "T1 fence release\nT1 w x\nT1 w y relaxed\nT2 r y acquire\nT2 r x\n", "T2.1~T1.1");
}
END_TEST

START_TEST(code_that_is_not_known_may_hold_a_fence) {
    expect_c11(X "T1 w x\nT1 opaque-begin f\nT1 opaque-end f\nT1 w y relaxed\nT2 r y acquire\nT2 r x\n", "");
    expect_c11(X "T1 w x\nT1 w y release\nT2 r y relaxed\nT2 opaque-begin f\nT2 opaque-end f\nT2 r x\n", "");
    /* in every thread */
    const char *all =
        X "T1 w x\nT3 opaque-begin \"a fence in every thread\"\nT3 opaque-end \"a fence in every thread\"\nT1 w y "
          "relaxed\nT2 r y relaxed\n"
          "T3 opaque-begin \"a fence in every thread\"\nT3 opaque-end \"a fence in every thread\"\nT2 r x\n";
    expect_c11(all, "");
    ck_assert(judge(all, 0, 7).is_ordered);
    /* wherever that is: the publisher need not have one between its writes */
    const char *one = X "T1 w x\nT1 w y relaxed\nT2 r y relaxed\nT2 opaque-begin \"a fence in every thread\"\n"
                        "T2 opaque-end \"a fence in every thread\"\nT2 r x\n";
    expect_c11(one, "");
    ck_assert(judge(one, 0, 5).is_ordered);
    const char *own = X "T1 w x\nT3 opaque-begin other\nT3 opaque-end other\nT1 w y relaxed\nT2 r y relaxed\n"
                        "T3 opaque-begin other\nT3 opaque-end other\nT2 r x\n";
    expect_c11(own, "T2.1~T1.0");
    ck_assert(judge(own, 0, 7).accepted);
}
END_TEST

START_TEST(what_a_race_makes_possible_is_none) {
    /* T2 has taken y from T1: from then on it is ordered, and x is no second race */
    expect_c11(X "T1 w x\nT1 w y\nT2 r y\nT2 r x\n", "T2.0~T1.1");
    expect_c11(X "T1 w x\nT1 w y\nT2 r y relaxed\nT2 r x\n", "T2.0~T1.1");
    expect_c11(X "T1 w x\nT1 w y relaxed\nT2 r y\nT2 r x\n", "T2.0~T1.1");
}
END_TEST

START_TEST(locks_order_as_ever) {
    expect_c11(X "mutex m\nT1 acq m\nT1 w x\nT1 rel m\nT2 acq m\nT2 r x\nT2 rel m\n", "");
    expect_c11(X "T1 w x\nT1 fork T2\nT2 r x\nT2 end\nT3 join T2\nT3 w x\n", "");
}
END_TEST

START_TEST(what_hb_leaves_unordered_is_not_ours) {
    rcp_language_verdict verdict = judge(X "T1 w x\nT2 r x\n", 0, 1);
    ck_assert(!verdict.accepted && verdict.conflict && !verdict.is_ordered && !verdict.is_before);
    verdict = judge(X "T1 w x\nT1 w y relaxed\nT2 r y relaxed\nT2 r z\n", 0, 3);
    ck_assert(!verdict.accepted && !verdict.conflict);
    /* another life */
    verdict = judge("T1 w 0x1000:4\nT1 free 0x1000:8\nT1 alloc 0x1000:8\nT1 w 0x2000:4 relaxed\nT2 r 0x2000:4 relaxed\n"
                    "T2 w 0x1000:4\n",
                    0, 5);
    ck_assert(!verdict.accepted && !verdict.conflict);
}
END_TEST

START_TEST(other_orders_may_be_asked_about) {
    rcp_trace trace;
    parse_trace(&trace, X "T1 w x\nT1 w y relaxed @ a.c:2\nT2 r y relaxed @ a.c:3\nT2 r x\n");
    const rcp_event *w = &trace.events.at[1], *r = &trace.events.at[2];
    const rcp_order_change both[] = {{w->loc, RCP_WRITE, RCP_REL}, {r->loc, RCP_READ, RCP_ACQ}};
    ck_assert(!rcp_language_orders(&trace, (rcp_eid){0}, (rcp_eid){3}, both, 0));
    ck_assert(!rcp_language_orders(&trace, (rcp_eid){0}, (rcp_eid){3}, both, 1));
    ck_assert(rcp_language_orders(&trace, (rcp_eid){0}, (rcp_eid){3}, both, 2));
    rcp_trace_finish(&trace);
}
END_TEST

int main(void) {
    return rcp_suite_run("c11", a_message_needs_both_sides, release_sequences, fences_count_where_they_stand,
                         code_that_is_not_known_may_hold_a_fence, what_a_race_makes_possible_is_none,
                         locks_order_as_ever, what_hb_leaves_unordered_is_not_ours, other_orders_may_be_asked_about,
                         NULL);
}
