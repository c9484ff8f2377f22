/* SPDX-License-Identifier: Apache-2.0 */
/* Rule V1 of docs/semantics.md: which reads are causal, and that they alone keep their last writer and need
 * one where memory is uninitialised. */
#include "builder.h"

static void by_writer(void) { how.values = RCP_VALUES_LAST_WRITER; }

START_TEST(only_a_branch_makes_a_read_causal) {
    by_writer();
    wr(1, 0x10, 1);
    uint64_t x = rd(2, 0x10, 1);
    wr(2, 0x20, 1);
    br(2, 1, op(RCP_OP_EQ, of(x), lit(1)));
    ACCEPT("1222");
    ACCEPT("22");
    REFUSE("222", x, "would come from the initial contents instead of event 0");
}
END_TEST

/* A division by 0 would end T2 before it gets on. */
START_TEST(whether_a_value_exists) {
    by_writer();
    wr(1, 0x10, 2);
    uint64_t x = rd(2, 0x10, 2);
    wr_term(2, 0x20, 3, op(RCP_OP_ADD, of(x), lit(1)));
    wr_term(2, 0x20, 6, op(RCP_OP_ADD, op(RCP_OP_UDIV, lit(10), of(x)), lit(1)));
    ACCEPT("1222");
    ACCEPT("22");
    REFUSE("222", x, "instead of event 0");
}
END_TEST

START_TEST(a_term_needs_its_reads) {
    uint64_t x = rd(1, 0x10, 1);
    uint64_t branch = br(2, 1, op(RCP_OP_EQ, of(x), lit(1)));
    uint64_t write = wr_term(3, 0x20, 1, of(x));
    uint64_t a = add(
        4, (rcp_event){.kind = RCP_WRITE,
                       .addr = 1,
                       .size = 4,
                       .addr_term = rcp_term_make(&trace.terms, RCP_OP_ZEXT, 64, of(x), (rcp_term){0}, (rcp_term){0})});
    uint64_t b = wr(1, 1, 1);
    for (how.values = RCP_VALUES_LAST_WRITER; how.values <= RCP_VALUES_SAME; how.values++) {
        ACCEPT("1234");
        REFUSE("21", branch, "event 0, on which it depends, is not executed");
        REFUSE("3", write, "event 0, on which it depends, is not executed");
        REFUSE("4", a, "event 0, on which it depends, is not executed");
        ACCEPT_RACE("1", a, b);
    }
}
END_TEST

START_TEST(values_play_no_part) {
    by_writer();
    wr(1, 0x10, 1);
    wr(2, 0x10, 1);
    uint64_t x = rd(3, 0x10, 1);
    br(3, 1, RCP_TERM_ALL);
    ACCEPT("1233");
    ACCEPT("233");
    REFUSE("2133", x, "event 0 instead of event 1");
}
END_TEST

START_TEST(a_branch_on_another_read) {
    by_writer();
    wr(1, 0x10, 1);
    wr(1, 0x20, 1);
    rd(2, 0x10, 1);
    uint64_t y = rd(2, 0x20, 1);
    br(2, 1, of(y));
    br(2, 1, RCP_TERM_CONST);
    ACCEPT("112222");
    REFUSE("2222", y, "instead of event 1");
    ACCEPT("22");
}
END_TEST

START_TEST(all_means_earlier_reads_of_the_thread) {
    by_writer();
    wr(1, 0x10, 1);
    rd(3, 0x10, 1);
    uint64_t x = rd(2, 0x10, 1);
    br(2, 1, RCP_TERM_ALL);
    rd(2, 0x10, 1);
    REFUSE("22", x, "instead of event 0");
    ACCEPT("31222"); /* T3's read is nobody's business */
    wr(4, 0x10, 1);
    ACCEPT("12242"); /* nor is the read after the branch */
}
END_TEST

START_TEST(through_the_writes) {
    by_writer();
    wr(1, 0x10, 1);
    uint64_t x = rd(2, 0x10, 1);
    uint64_t z = rd(2, 0x30, 0);
    wr_term(2, 0x20, 2, op(RCP_OP_ADD, of(x), lit(1)));
    uint64_t y = rd(3, 0x20, 2);
    br(3, 1, of(y));
    wr(4, 0x30, 5);
    (void)z;
    ACCEPT("122233");
    ACCEPT("2223");                /* without the branch */
    REFUSE("22233", x, "event 0"); /* with it */
    ACCEPT("1422233");             /* z does not matter */
}
END_TEST

START_TEST(through_a_write_of_all) {
    by_writer();
    wr(1, 0x10, 1);
    uint64_t x = rd(2, 0x10, 1);
    wr_term(2, 0x20, 2, RCP_TERM_ALL);
    uint64_t late = rd(2, 0x10, 1);
    rd(3, 0x20, 2);
    br(3, 1, RCP_TERM_ALL);
    wr(4, 0x10, 1);
    (void)late;
    REFUSE("2233", x, "event 0");
    ACCEPT("1224233"); /* the read after the write is free */
}
END_TEST

START_TEST(rmw_depends_on_its_own_read) {
    by_writer();
    rcp_event rmw = {
        .kind = RCP_RMW, .addr = 0x10, .size = 4, .valued = 1, .mode = RCP_SEQ_CST, .value_term = RCP_TERM_ALL};
    rmw.value = 0, rmw.written = 1;
    add(1, rmw);
    rmw.value = 1, rmw.written = 2;
    uint64_t second = add(2, rmw);
    rd(3, 0x10, 2);
    br(3, 1, RCP_TERM_ALL);
    ACCEPT("1233");
    ACCEPT("2");
    REFUSE("233", second, "instead of event 0");
}
END_TEST

START_TEST(compare_and_swap_depends_on_its_own_read) {
    by_writer();
    wr(1, 0x10, 1);
    uint64_t cas =
        add(2, (rcp_event){.kind = RCP_READ, .addr = 0x10, .size = 4, .value = 1, .valued = 1, .cond = RCP_TERM_ALL});
    ACCEPT("12");
    REFUSE("2", cas, "instead of event 0");
}
END_TEST

START_TEST(addresses) {
    by_writer();
    wr(1, 0x10, 0x20);
    uint64_t p = rd(2, 0x10, 0x20);
    add(2, (rcp_event){.kind = RCP_WRITE, .addr = 0x20, .size = 4, .value = 1, .valued = 1, .addr_term = RCP_TERM_ALL});
    ACCEPT("122");
    ACCEPT("2");
    REFUSE("22", p, "instead of event 0");
}
END_TEST

START_TEST(each_byte) {
    by_writer();
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 2, .value = 1, .valued = 1});
    add(2, (rcp_event){.kind = RCP_WRITE, .addr = 0x12, .size = 2, .value = 1, .valued = 1});
    uint64_t x = rd(3, 0x10, 0x10001);
    br(3, 1, RCP_TERM_ALL);
    ACCEPT("2133");
    REFUSE("133", x, "at 0x12 would come from the initial contents instead of event 1");
}
END_TEST

START_TEST(implicit_branches) {
    by_writer();
    rcp_defs_fact(&trace.defs, "branches", "implicit");
    wr(1, 0x10, 1);
    uint64_t x = rd(2, 0x10, 1);
    ACCEPT("12");
    REFUSE("2", x, "instead of event 0");
    ACCEPT_RACE("", 0, x);
}
END_TEST

/* What lay there by chance may be different next time. */
START_TEST(uninitialised_after_alloc) {
    by_writer();
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    wr(1, 0x10, 1);
    uint64_t written = rd(1, 0x10, 1);
    br(1, 1, of(written));
    uint64_t x = rd(1, 0x14, 7);
    wr(1, 0x20, 1);
    br(1, 1, of(x));
    ACCEPT("111111"); /* nothing depends on x yet */
    REFUSE("1111111", x, "at 0x14 is uninitialised: nobody has written it since event 0, the alloc");
}
END_TEST

START_TEST(uninitialised_after_free) {
    by_writer();
    wr(1, 0x10, 1);
    block(1, RCP_FREE, 0x10, 4, RCP_DONE);
    uint64_t x = rd(2, 0x10, 1);
    wr(2, 0x20, 1);
    br(2, 1, RCP_TERM_ALL);
    ACCEPT("1122");
    REFUSE("11222", x, "nobody has written it since event 1, the free");
}
END_TEST

START_TEST(uninitialised_in_one_byte) {
    by_writer();
    block(1, RCP_ALLOC, 0x10, 4, RCP_DONE);
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 3, .valued = 1});
    uint64_t x = rd(1, 0x10, 0);
    br(1, 0, of(x));
    REFUSE("1111", x, "at 0x13 is uninitialised");
}
END_TEST

START_TEST(uninitialised_through_a_copy) {
    by_writer();
    block(1, RCP_ALLOC, 0x10, 4, RCP_DONE);
    uint64_t x = rd(1, 0x10, 3);
    wr_term(1, 0x20, 3, of(x));
    uint64_t copy = rd(2, 0x20, 3);
    br(2, 1, of(copy));
    ACCEPT("1112");
    REFUSE("11122", x, "at 0x10 is uninitialised");
}
END_TEST

/* An RMW's own write comes after its read; a racing access is not executed, but its address counts. */
START_TEST(uninitialised_rmw_and_address) {
    by_writer();
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t cas = add(2, (rcp_event){.kind = RCP_RMW,
                                      .addr = 0x10,
                                      .size = 4,
                                      .valued = 1,
                                      .written = 1,
                                      .mode = RCP_SEQ_CST,
                                      .cond = RCP_TERM_ALL});
    uint64_t p = rd(3, 0x14, 0x20);
    uint64_t a = add(3, (rcp_event){.kind = RCP_WRITE, .addr = 0x20, .size = 4, .addr_term = RCP_TERM_ALL});
    uint64_t b = wr(4, 0x20, 1), r = rd(4, 0x10, 1), q = wr(4, 0x10, 1);
    ACCEPT("13");
    REFUSE("12", cas, "at 0x10 is uninitialised");
    REFUSE_RACE("13", a, b, p, "at 0x14 is uninitialised");
    REFUSE_RACE("14", cas, r, cas, "at 0x10 is uninitialised"); /* nobody knows whether it succeeds (R4) */
    ACCEPT_RACE("144", cas, q);                                 /* what a racing access reads itself is free */
}
END_TEST

START_TEST(initialised_without_a_write) {
    by_writer();
    uint64_t first = rd(1, 0x10, 7); /* the trace's beginning */
    br(1, 1, of(first));
    block(1, RCP_ALLOC, 0x10, 4, RCP_ZEROED);
    uint64_t zero = rd(1, 0x10, 0);
    br(1, 0, of(zero));
    block(1, RCP_FREE, 0x10, 4, RCP_DONE);
    block(1, RCP_ALLOC, 0x10, 4, RCP_DONE);
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x14);
    uint64_t filled = rd(1, 0x10, 5);
    br(1, 1, of(filled));
    ACCEPT("11111111111");
    block(1, RCP_FREE, 0x10, 4, RCP_DONE); /* what opaque code wrote was another life's */
    uint64_t gone = rd(1, 0x10, 5);
    br(1, 1, of(gone));
    REFUSE("11111111111111", gone, "since event 11, the free");
}
END_TEST

/* Seed 002's Figure 1(b): T1's read of z feeds no branch, so T2's and T3's critical sections may come first. */
START_TEST(figure_1b) {
    by_writer();
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    uint64_t x = 0x10, y = 0x20, z = 0x30;
    on(1, RCP_ACQUIRE, m);
    uint64_t rz = rd(1, z, 0);
    uint64_t wy = wr_term(1, y, 1, RCP_TERM_ALL);
    on(1, RCP_RELEASE, m);
    on(2, RCP_ACQUIRE, m);
    wr(2, z, 1);
    wr(2, x, 1);
    on(2, RCP_RELEASE, m);
    on(3, RCP_ACQUIRE, m);
    rd(3, x, 1);
    br(3, 1, RCP_TERM_ALL);
    on(3, RCP_RELEASE, m);
    uint64_t ry = rd(3, y, 1);
    ACCEPT_RACE("2222333311", wy, ry);
    how.values = RCP_VALUES_SAME;
    REFUSE_RACE("2222333311", wy, ry, rz, "would read 0x01");
    by_writer();
    trace.events.at[rz].cond = RCP_TERM_ALL; /* as if a branch followed: Figure 1(e) */
    REFUSE_RACE("2222333311", wy, ry, rz, "instead of the initial contents");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        only_a_branch_makes_a_read_causal,
        whether_a_value_exists,
        a_term_needs_its_reads,
        values_play_no_part,
        a_branch_on_another_read,
        all_means_earlier_reads_of_the_thread,
        through_the_writes,
        through_a_write_of_all,
        rmw_depends_on_its_own_read,
        compare_and_swap_depends_on_its_own_read,
        addresses,
        each_byte,
        implicit_branches,
        uninitialised_after_alloc,
        uninitialised_after_free,
        uninitialised_in_one_byte,
        uninitialised_through_a_copy,
        uninitialised_rmw_and_address,
        initialised_without_a_write,
        figure_1b,
    };
    return RUN_TESTS("causal", tests);
}
