/* SPDX-License-Identifier: Apache-2.0 */
/* Handling of races: what is flagged after a race does not hang on it. In each trace z (and its like) is behind the
 * race on x, in the recorded order: were x ordered, there would be none on z. */
#include "order/engine/meetings.h"

#include "order_text.h"
#include "suite.h"

#define XZ "var x 0x1000 8\nvar z 0x2000 8\nvar u 0x3000 8\n"

static void expect_strict(const char *lines, const char *races) {
    expect(RCP_MODEL_WCP, lines, races);
    expect(RCP_MODEL_DC, lines, races);
}

static void expect_three(const char *lines, const char *races) {
    expect_strict(lines, races);
    expect(RCP_MODEL_SDP, lines, races);
}

START_TEST(write_then_read) {
    expect_three(XZ "T1 w z\nT1 w x\nT2 r x\nT2 w z\n", "T2.0~T1.1");
    /* not only the last writer */
    expect_three(XZ "T1 w z\nT1 w x\nT3 w x\nT2 r x\nT2 w z\n", "T3.0~T1.1 T2.0~T1.1 T2.0~T3.0");
}
END_TEST

START_TEST(read_then_write) {
    expect_three(XZ "T1 w z\nT1 r x\nT2 w x\nT2 w z\n", "T2.0~T1.1");
    /* z comes after the racing access: nothing speaks for an order */
    expect_three(XZ "T1 r x\nT1 w z\nT2 w x\nT2 w z\n", "T2.0~T1.0 T2.1~T1.1");
}
END_TEST

START_TEST(write_then_write) {
    expect_strict(XZ "T1 w z\nT1 w x\nT2 w x\nT2 w z\n", "T2.0~T1.1");
    /* sdp: nobody has read x; with the read they are in order */
    expect(RCP_MODEL_SDP, XZ "T1 w z\nT1 w x\nT2 w x\nT2 w z\n", "T2.0~T1.1 T2.1~T1.0");
    expect(RCP_MODEL_SDP, XZ "T1 w z\nT1 w x\nT2 w x\nT2 r x\nT2 w z\n", "T2.0~T1.1");
    /* the read of another thread says nothing */
    expect(RCP_MODEL_SDP, XZ "T1 w z\nT1 w x\nT2 w x\nT2 r u\nT2 w z\n", "T2.0~T1.1 T2.2~T1.0");
}
END_TEST

START_TEST(what_the_earlier_access_knew_comes_along) {
    /* T1 has learned from T3 by a race of its own; T2 learns of T3 from T1 */
    expect_three(XZ "T3 w z\nT3 w u\nT1 r u\nT1 r x\nT2 w x\nT2 w z\n", "T1.0~T3.1 T2.0~T1.1");
    /* T1 learned it after the access that races */
    expect_three(XZ "T3 w z\nT3 w u\nT1 r x\nT1 r u\nT2 w x\nT2 w z\n", "T1.1~T3.1 T2.0~T1.0 T2.1~T3.0");
}
END_TEST

START_TEST(part_of_an_access) {
    expect_three(XZ "T1 w z\nT1 w x+0:4\nT2 r x+2:4\nT2 w z\n", "T2.0~T1.1");
    expect(RCP_MODEL_SDP, XZ "T1 w z\nT1 w x+0:4\nT2 w x+2:4\nT2 r x+4:2\nT2 w z\n", "T2.0~T1.1 T2.2~T1.0");
    expect(RCP_MODEL_SDP, XZ "T1 w z\nT1 w x+0:4\nT2 w x+2:4\nT2 r x+3:2\nT2 w z\n", "T2.0~T1.1");
}
END_TEST

START_TEST(memory_that_is_freed) {
    expect_three(XZ "T1 alloc x:8\nT1 w z\nT1 r x\nT2 free x:8\nT2 w z\n", "T2.0~T1.2");
    expect_three(XZ "T1 w z\nT1 free x:8\nT2 r x\nT2 w z\n", "T2.0~T1.1");
}
END_TEST

START_TEST(wdp_orders_what_depends_on_the_read) {
    const char *lines = XZ "T1 w z\nT1 w x\nT2 r x\nT2 br if all\nT2 w z\n";
    expect(RCP_MODEL_WDP, lines, "T2.0~T1.1");
    expect(RCP_MODEL_WDP, XZ "T1 w z\nT1 w x\nT2 br if all\nT2 r x\nT2 w z\n", "T2.1~T1.1 T2.2~T1.0");
    expect(RCP_MODEL_WDP, XZ "T1 w z\nT1 r x\nT2 br if all\nT2 w x\nT2 w z\n", "T2.1~T1.1 T2.2~T1.0");
    /* only the last writer counts */
    expect(RCP_MODEL_WDP, XZ "T1 w z\nT1 w x\nT3 w x\nT2 r x\nT2 br if all\nT2 w z\n",
           "T3.0~T1.1 T2.0~T1.1 T2.0~T3.0 T2.2~T1.0");
}
END_TEST

START_TEST(what_everybody_knows_is_let_go) {
    rcp_clocks clocks;
    rcp_past past;
    rcp_clocks_init(&clocks);
    rcp_past_init(&past, &clocks);
    rcp_runner a = {.tid = 0}, b = {.tid = 1};
    rcp_stamp stamp;
    rcp_clock weak;
    for (uint32_t i = 1; i <= 10; i++) { /* b's event i knows i events of a, and so does the next of b */
        a.count = i;
        b.count = 2 * i - 1;
        rcp_clock_take(&clocks, &b, (rcp_stamp){a.clock, 0, i});
        rcp_past_note(&past, &b);
        b.count = 2 * i;
        rcp_past_note(&past, &b);
    }
    ck_assert_uint_eq(past.kept, 10);
    ck_assert(rcp_past_find(&past, 1, 8, &stamp, &weak));
    ck_assert_uint_eq(stamp.count, 8);
    ck_assert_uint_eq(rcp_clock_entry(&clocks, stamp.clock, 0), 4);
    rcp_past_let_go(&past, 1, 7); /* event 8 is still needed */
    ck_assert_uint_eq(past.kept, 7);
    ck_assert(rcp_past_find(&past, 1, 8, &stamp, &weak));
    ck_assert_uint_eq(rcp_clock_entry(&clocks, stamp.clock, 0), 4);
    ck_assert(!rcp_past_find(&past, 1, 7, &stamp, &weak));
    past.most = 7;
    b.count = 21;
    rcp_clock_take(&clocks, &b, (rcp_stamp){a.clock, 0, 11});
    rcp_past_note(&past, &b); /* the oldest three are forgotten */
    ck_assert_uint_eq(past.kept, 5);
    ck_assert(!rcp_past_find(&past, 1, 12, &stamp, &weak));
    ck_assert(rcp_past_find(&past, 1, 13, &stamp, &weak));
    ck_assert_uint_eq(rcp_clock_entry(&clocks, stamp.clock, 0), 7);
    ck_assert_uint_eq(past.missing, 2);
    rcp_past_finish(&past);
    rcp_clocks_finish(&clocks);
}
END_TEST

int main(void) {
    return rcp_suite_run("meetings", write_then_read, read_then_write, write_then_write,
                         what_the_earlier_access_knew_comes_along, part_of_an_access, memory_that_is_freed,
                         wdp_orders_what_depends_on_the_read, what_everybody_knows_is_let_go, NULL);
}
