/* SPDX-License-Identifier: Apache-2.0 */
/* Which older bytes a read may take, and which store may come late (docs/semantics.md, 'Older bytes', 'Late stores').
 */
#include "trace/check/older.h"

#include "order_text.h"
#include "suite.h"

#include <string.h>

#define X "var x 0x1000 4 = 7\nvar y 0x2000 4 = 0\nvar z 0x3000 4 = 0\n"

static rcp_older_verdict judge(const char *lines, uint64_t write, uint64_t read) {
    rcp_trace trace;
    rcp_older_verdict verdict;
    parse_trace(&trace, lines);
    rcp_older_check(&trace, (rcp_eid){write}, (rcp_eid){read}, &verdict);
    rcp_trace_finish(&trace);
    return verdict;
}

static void expect_older(const char *lines, uint64_t write, uint64_t read, uint32_t value) {
    rcp_older_verdict verdict = judge(lines, write, read);
    uint32_t is;
    ck_assert_msg(verdict.allowed, "%s: %s", lines, verdict.reason);
    memcpy(&is, verdict.bytes, sizeof is);
    ck_assert_uint_eq(is, value);
}

static void expect_refused(const char *lines, uint64_t write, uint64_t read, const char *why) {
    rcp_older_verdict verdict = judge(lines, write, read);
    ck_assert_msg(!verdict.allowed && strstr(verdict.reason, why), "%s: %s", lines, verdict.reason);
}

START_TEST(a_message_that_is_not_published) {
    expect_older(X "T1 w x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 r x = 9\n", 0, 3, 7);
    expect_older(X "T1 w x = 9\nT1 w y = 1 release\nT2 r y = 1 relaxed\nT2 r x = 9 relaxed\n", 0, 3, 7);
    expect_refused(X "T1 w x = 9\nT1 w y = 1 release\nT2 r y = 1 acquire\nT2 r x = 9\n", 0, 3, "comes before");
    /* what is there is what was written last, or read */
    expect_older(X "T1 w x = 8\nT1 w x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 r x = 9\n", 1, 4, 8);
    expect_older("var x 0x1000 4\nT1 r x = 5\nT1 w x = 9\nT2 r x = 9\n", 1, 2, 5);
    expect_older(X "T1 rmw x = 7 -> 8 relaxed\nT2 r x = 8\n", 0, 1, 7);
    expect_refused("var x 0x1000 4\nT1 w x = 9\nT2 r x = 9\n", 0, 1, "not known");
    expect_refused(X "T1 w x\nT1 w x = 9\nT2 r x = 9\n", 1, 2, "not known");
}
END_TEST

START_TEST(nobody_goes_back) {
    /* its own thread, or one that comes before it, has seen or made what is newer */
    expect_refused(X "T1 w x = 9\nT2 r x = 9\nT2 r x = 9\n", 0, 2, "newer"); /* W6: the first one took it */
    expect_refused(X "T1 w x = 9 relaxed\nT2 r x = 9 relaxed\nT2 r x = 9 relaxed\n", 0, 2, "its thread");
    expect_refused(X "T1 w x = 9\nT2 w x = 10\nT2 r x = 10\n", 0, 2, "its thread");
    expect_refused(X "T1 w x = 9\nT3 r x = 9\nT3 w y = 1 release\nT2 r y = 1 acquire\nT2 r x = 9\n", 0, 4, "newer");
    expect_refused(X "T1 w x = 9\nT3 w x = 10\nT3 w y = 1 release\nT2 r y = 1 acquire\nT2 r x = 10\n", 0, 4, "newer");
    /* and who does not come before it may have */
    expect_older(X "T1 w x = 9\nT3 r x = 9\nT3 w y = 1 relaxed\nT2 r y = 1 acquire\nT2 r x = 9\n", 0, 4, 7);
    expect_older(X "T1 w x = 9\nT3 w x = 10\nT3 w y = 1 release\nT2 r y = 1 relaxed\nT2 r x = 10\n", 0, 4, 7);
    expect_refused(X "T1 w x = 9\nT3 w x = 10\nT3 w y = 1 release\nT2 r y = 1 acquire\nT2 r x = 10\n", 1, 4, "newer");
    /* what it saw before the write was made is no newer */
    expect_older(X "T2 r x = 7\nT1 w x = 9\nT2 r x = 9\n", 1, 2, 7);
}
END_TEST

START_TEST(total_orders_are_kept) {
    expect_refused(X "T1 w x = 9\nT2 r x = 9 seq_cst\n", 0, 1, "seq_cst");
    expect_refused(X "T1 w x = 9\nT2 fence seq_cst\nT2 r x = 9 relaxed\n", 0, 2, "fence");
    expect_older(X "T1 w x = 9\nT2 fence seq_cst\nT2 r x = 9\n", 0, 2, 7);
    expect_older(X "T1 w x = 9\nT3 fence seq_cst\nT2 r x = 9 relaxed\n", 0, 2, 7);
    expect_older(X "T2 fence seq_cst\nT1 w x = 9\nT2 r x = 9 relaxed\n", 1, 2, 7);
    expect_older(X "T1 w x = 9\nT2 fence acq_rel\nT2 r x = 9 relaxed\n", 0, 2, 7);
}
END_TEST

START_TEST(whole_objects_alone) {
    expect_refused(X "T1 w x:2 = 9\nT2 r x = 9\n", 0, 1, "part");
    expect_older(X "T1 w x = 9\nT2 r x:2 = 9\n", 0, 1, 7);
    expect_refused(X "T1 w x = 9\nT2 rmw x = 9 -> 10 relaxed\n", 0, 1, "not a write");
    expect_refused(X "T1 r x = 7\nT2 w x = 9\n", 0, 1, "not a write");
    expect_refused(X "T1 w x = 9\nT1 r x = 9\n", 0, 1, "not a write");
    expect_refused(X "T2 r x = 7\nT1 w x = 9\n", 1, 0, "earlier");
    expect_refused("var b 0x1000 16\nT1 w b = 00000000000000000000000000000000\nT2 r b = "
                   "00000000000000000000000000000000\n",
                   0, 1, "more bytes");
}
END_TEST

START_TEST(lives_and_code_that_is_not_known) {
    expect_refused("T1 w 0x1000:4 = 9\nT1 free 0x1000:8\nT1 alloc 0x1000:8\nT2 r 0x1000:4 = 9\n", 0, 3, "not known");
    expect_refused("image 0x1000 00000000\nT1 w 0x1000:4 = 9\nT3 free 0x1000:8\nT3 alloc 0x1000:8 zeroed\n"
                   "T2 r 0x1000:4 = 0\n",
                   0, 3, "life");
    expect_older("T1 alloc 0x1000:8 zeroed\nT1 w 0x1000:4 = 9\nT2 r 0x1000:4 = 9\n", 1, 2, 0);
    expect_refused("T1 alloc 0x1000:8\nT1 w 0x1000:4 = 9\nT2 r 0x1000:4 = 9\n", 1, 2, "not known");
#define D X "reach D 0x1000-0x1002\n"
    expect_refused(D "T1 w x = 9\nT3 opaque-begin f reaches D\nT3 opaque-end f reaches D\nT2 r x = 9\n", 0, 3, "newer");
    expect_refused(D "T1 w x = 9\nT2 r z = 0\nT3 opaque-begin f reaches D\nT2 r x = 9\n", 0, 3, "newer");
    expect_refused(D "T3 opaque-begin f reaches D\nT3 opaque-end f reaches D\nT1 w x = 9\nT2 r x = 9\n", 2, 3,
                   "not known");
    expect_refused(D "T3 opaque-begin f reaches D\nT1 r x = 7\nT1 w x = 9\nT2 r x = 9\n", 2, 3, "not recorded");
    expect_refused(D "T3 opaque-begin f reaches D\nT3 opaque-begin g\nT3 opaque-end g\nT1 r x = 7\nT1 w x = 9\n"
                     "T2 r x = 9\n",
                   4, 5, "not recorded");
    expect_older(D "T3 opaque-begin f reaches D\nT3 opaque-end f reaches D\nT1 r x = 7\nT1 w x = 9\nT2 r x = 9\n", 3, 4,
                 7);
}
END_TEST

/* --- late stores --- */

static void judge_late(const char *lines, uint64_t write, uint64_t other, rcp_late_verdict *verdict) {
    rcp_trace trace;
    parse_trace(&trace, lines);
    ck_assert_int_eq(rcp_late_find(&trace, (rcp_eid){write}, (rcp_eid){other}, verdict), RCP_OK);
    rcp_trace_finish(&trace);
}

/* So many steps lead from the store to the other access. */
static void expect_late(const char *lines, uint64_t write, uint64_t other, size_t steps) {
    rcp_late_verdict verdict;
    judge_late(lines, write, other, &verdict);
    ck_assert_msg(verdict.allowed, "%s: %s", lines, verdict.reason);
    ck_assert_uint_eq(verdict.witness.recorded, write);
    ck_assert_uint_eq(verdict.witness.steps.len, steps);
    rcp_late_verdict_finish(&verdict);
}

static void expect_in_time(const char *lines, uint64_t write, uint64_t other, const char *why) {
    rcp_late_verdict verdict;
    judge_late(lines, write, other, &verdict);
    ck_assert_msg(!verdict.allowed && strstr(verdict.reason, why), "%s: %s", lines, verdict.reason);
    rcp_late_verdict_finish(&verdict);
}

START_TEST(what_is_published_overtakes) {
    const char *hangs = "hangs on";
    expect_late(X "T1 w x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 3, 2);
    expect_late(X "T1 w x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 acquire\nT2 r x = 9\n", 0, 3, 2);
    expect_late(X "T1 w x = 9\nT2 rmw x = 9 -> 10 relaxed\n", 0, 1, 1);
    expect_late(X "T1 w x = 9\nT1 r z = 0 acquire\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 4, 2);
    /* a release, a fence, a read-modify-write, its own access */
    expect_in_time(X "T1 w x = 9\nT1 w y = 1 release\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 3, hangs);
    expect_in_time(X "T1 w x = 9\nT1 fence acquire\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 4,
                   hangs);
    expect_in_time(X "T1 w x = 9\nT1 rmw y = 0 -> 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 3, hangs);
    expect_in_time(X "T1 w x = 9\nT1 r x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 4, hangs);
    /* what comes before it does not matter */
    expect_late(
        X "T1 w z = 1 release\nT1 fence seq_cst\nT1 w x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 2,
        5, 2);
}
END_TEST

START_TEST(what_it_need_not_pass_is_left_out) {
    /* after what publishes: a release, and whoever takes it */
    expect_late(
        X "T1 w x = 9\nT1 w y = 1 relaxed\nT1 w z = 1 release\nT3 r z = 1 acquire\nT2 r y = 1 relaxed\nT2 w x = 10\n",
        0, 5, 2);
    expect_in_time(
        X "T1 w x = 9\nT1 w y = 1 relaxed\nT1 w z = 1 release\nT2 r z = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n",
        0, 5, "hangs on");
    /* who has seen it, unless the other access comes after that */
    expect_late(X "T1 w x = 9\nT3 r x = 9\nT1 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 4, 2);
    expect_in_time(X "T1 w x = 9\nT3 r x = 9\nT3 w y = 1 relaxed\nT2 r y = 1 relaxed\nT2 w x = 10\n", 0, 4, "hangs on");
    expect_in_time(X "T1 w x = 9\nT2 r x = 9\nT2 w x = 10\n", 0, 2, "hangs on");
    expect_in_time(X "T1 w x = 9\nT1 free 0x1000:4\nT2 w x = 10\n", 0, 2, "hangs on");
    expect_in_time(X "T1 w x = 9\nT1 w y = 1\nT2 r y = 1\nT2 w x = 10\n", 0, 3, "order the two"); /* W6 */
    /* a release sequence of before that it would go on with, were it not for another store: over what is left */
    expect_in_time(X "T1 w y = 1 release\nT1 w x = 9\nT1 w y = 2 relaxed\nT2 r y = 2 acquire\nT2 free 0x1000:4\n", 1, 4,
                   "not a store");
}
END_TEST

START_TEST(stores_that_are_in_time) {
    expect_in_time(X "T1 w x = 9 release\nT2 w x = 10\n", 0, 1, "releases");
    expect_in_time(X "T1 w x = 9 seq_cst\nT2 r x = 9\n", 0, 1, "releases");
    expect_late(X "T1 w x = 9 relaxed\nT2 r x = 9\n", 0, 1, 1);
    expect_in_time(X "T1 w x:2 = 9 relaxed\nT2 r x = 9\n", 0, 1, "atomic");
    expect_late(X "T1 w x:2 = 9\nT2 r x = 9\n", 0, 1, 1);
    expect_in_time(X "T1 rmw x = 7 -> 9 relaxed\nT2 w x = 10\n", 0, 1, "not a store");
    expect_in_time(X "T1 r x = 7\nT2 w x = 10\n", 0, 1, "not a store");
    expect_in_time(X "T1 w x = 9\nT1 w x = 10\n", 0, 1, "not a store");
    expect_in_time(X "T1 w x = 9\nT2 w y = 10\n", 0, 1, "no byte");
    expect_in_time(X "T1 w x = 9\nT2 w x = 10\n", 1, 0, "later");
    expect_in_time(D "T3 opaque-begin f reaches D\nT1 w x = 9\nT2 w x = 10\n", 1, 2, "not recorded");
    expect_in_time(D "T1 w x = 9\nT2 opaque-begin f reaches D\nT2 opaque-end f reaches D\nT2 w x = 10\n", 0, 3,
                   "hangs on");
}
END_TEST

int main(void) {
    return rcp_suite_run("older", a_message_that_is_not_published, nobody_goes_back, total_orders_are_kept,
                         whole_objects_alone, lives_and_code_that_is_not_known, what_is_published_overtakes,
                         what_it_need_not_pass_is_left_out, stores_that_are_in_time, NULL);
}
