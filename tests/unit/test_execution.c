/* SPDX-License-Identifier: Apache-2.0 */
/* Rules M, P, I, V2 and V3 of docs/semantics.md. */
#include "builder.h"
#include "trace/check/barriers.h"

static uint64_t unvalued(unsigned thread, rcp_kind kind, uint64_t addr) {
    return add(thread, (rcp_event){.kind = kind, .addr = addr, .size = 4});
}

static void image(uint64_t addr, uint8_t value) { rcp_defs_image(&trace.defs, addr, (const uint8_t[4]){value}, 4); }

START_TEST(m1_begun_and_not_ended) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t access = wr(2, 0x14, 1);
    block(1, RCP_FREE, 0x10, 8, RCP_DONE);
    uint64_t after = wr(3, 0x14, 2);
    ACCEPT("1213");
    ACCEPT("113");
    REFUSE("2", access, "is not there yet: event 0, the alloc");
    REFUSE("112", access, "is gone: event 2, the free");
    REFUSE("13", after, "is not there yet: event 2, the free");
}
END_TEST

START_TEST(m1_first_life) {
    uint64_t access = wr(1, 0x10, 1);
    block(2, RCP_ALLOC, 0x00, 0x20, RCP_DONE);
    ACCEPT("12");
    REFUSE("21", access, "is gone");
}
END_TEST

START_TEST(m1_allocations_keep_their_order) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t second = block(2, RCP_ALLOC, 0x14, 8, RCP_DONE);
    uint64_t apart = block(3, RCP_ALLOC, 0x40, UINT64_C(1) << 40, RCP_DONE);
    (void)apart;
    ACCEPT("312");
    ACCEPT("12");
    REFUSE("2", second, "is not there yet: event 0");
}
END_TEST

START_TEST(m1_each_byte) {
    block(1, RCP_ALLOC, 0x10, 2, RCP_DONE);
    block(2, RCP_ALLOC, 0x12, 2, RCP_DONE);
    uint64_t access = wr(3, 0x10, 1);
    ACCEPT("123");
    ACCEPT("213");
    REFUSE("13", access, "at 0x12 is not there yet");
    REFUSE("23", access, "at 0x10 is not there yet");
}
END_TEST

START_TEST(m2_contents_stay_in_their_life) {
    wr(1, 0x10, 7);
    block(1, RCP_ALLOC, 0x10, 4, RCP_ZEROED);
    rd(1, 0x10, 0);
    block(1, RCP_FREE, 0x10, 4, RCP_DONE);
    uint64_t read = rd(1, 0x10, 7);
    ACCEPT("111");
    REFUSE("11111", read, "nobody has written");
}
END_TEST

/* What a callback does, and what others do with memory that an open call reaches, keeps its place. */
START_TEST(p1_what_runs_inside_a_pair) {
    opaque(1, RCP_OPAQUE_BEGIN, 0x80, 0x92);
    opaque(2, RCP_OPAQUE_BEGIN, 0x90, 0x94);
    uint64_t mine = wr(1, 0x10, 1), other = wr(2, 0x10, 2), outside = wr(3, 0x10, 3);
    opaque(2, RCP_OPAQUE_END, 0x90, 0x94);
    uint64_t after = wr(2, 0x10, 4);
    opaque(1, RCP_OPAQUE_END, 0x80, 0x92);
    REFUSE("122", other, "events 2 and 3");
    REFUSE_RACE("12", mine, other, other, "events 2 and 3");
    ACCEPT_RACE("12", mine, outside);
    ACCEPT_RACE("12122", outside, after); /* T2 has come out */
}
END_TEST

/* Where both stood before their accesses, at the end of the recorded order, P1 is not asked of the two; all else is. */
START_TEST(p1_of_those_who_stood) {
    opaque(1, RCP_OPAQUE_BEGIN, 0x80, 0x92);
    opaque(2, RCP_OPAQUE_BEGIN, 0x90, 0x94);
    uint64_t mine = wr(1, 0x10, 1), other = wr(2, 0x10, 2), later = wr(1, 0x10, 3);
    rcp_trace_index(&trace);
    const uint64_t second[] = {other, other, later};
    const bool stood[] = {false, true, true}, accepted[] = {false, true, false};
    for (int i = 0; i < 3; i++) {
        rcp_check_verdict verdict;
        rcp_witness witness;
        rcp_witness_init(&witness);
        witness.recorded = 2;
        witness.race[0].v = i < 2 ? mine : other;
        witness.race[1].v = second[i];
        how.stood = stood[i];
        ck_assert_int_eq(rcp_check_witness(&trace, &witness, how, &verdict), RCP_OK);
        ck_assert_msg(verdict.accepted == accepted[i], "%d: %s", i, verdict.reason);
        rcp_witness_finish(&witness);
    }
    REFUSE_RACE("12", mine, other, other, "events 2 and 3"); /* an order that was thought of */
    how.stood = false;
}
END_TEST

START_TEST(p1_what_an_open_pair_reaches) {
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    uint64_t first = wr(2, 0x10, 1);
    uint64_t second = rd(3, 0x12, 0);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x14);
    (void)first;
    REFUSE_RACE("", first, second, first, "events 0 and 1");
    ACCEPT_RACE("1", first, second); /* who only touch it are free among themselves */
    how.values = RCP_VALUES_LAST_WRITER;
    ACCEPT("1231");
}
END_TEST

/* Opaque code that reaches a thread can ask whether it has ended. */
START_TEST(p1_ends_are_seen_by_opaque_code) {
    wr(2, 0x10, 1);
    plain(2, RCP_END);
    uint64_t asks = opaque(1, RCP_OPAQUE_BEGIN, RCP_REACH_THREAD + 1, RCP_REACH_THREAD + 3);
    opaque(1, RCP_OPAQUE_END, RCP_REACH_THREAD + 1, RCP_REACH_THREAD + 3);
    uint64_t end = plain(3, RCP_END);
    plain(4, RCP_END);
    REFUSE("21", asks, "ended");
    REFUSE("3", end, "events 3 and 4");
    ACCEPT("422113"); /* nobody asks for T4 */
}
END_TEST

START_TEST(p1_opaque_events_keep_their_order) {
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x14);
    uint64_t other = opaque(2, RCP_OPAQUE_BEGIN, 0x13, 0x84);
    opaque(3, RCP_OPAQUE_BEGIN, 0x14, 0x18);
    ACCEPT("112");
    REFUSE("12", other, "events 1 and 2");
    REFUSE("13", 3, "events 2 and 3");
}
END_TEST

/* Something was let out, two took something in, something was let out again. */
START_TEST(p1_who_follows) {
    const uint64_t out = RCP_REACH_KERNEL, in = RCP_REACH_KERNEL + RCP_REACH_UNFOLLOW;
    opaque(1, RCP_OPAQUE_BEGIN, out, out + 1);
    opaque(1, RCP_OPAQUE_END, out, out + 1);
    uint64_t takes = opaque(2, RCP_OPAQUE_BEGIN, in, in + 1);
    opaque(2, RCP_OPAQUE_END, in, in + 1);
    uint64_t takes_too = opaque(3, RCP_OPAQUE_BEGIN, in, in + 1);
    opaque(3, RCP_OPAQUE_END, in, in + 1);
    uint64_t lets = opaque(4, RCP_OPAQUE_BEGIN, out, out + 1);
    opaque(4, RCP_OPAQUE_END, out, out + 1);
    ACCEPT("11223344");
    ACCEPT("11443322"); /* what was taken in was on its way by then */
    REFUSE("2", takes, "events 1 and 2");
    REFUSE("13", takes_too, "events 1 and 4");
    REFUSE("4", lets, "events 1 and 6");
}
END_TEST

/* What comes in while somebody takes can be seen in what he leaves, before he is back. Nobody who lets something out
 * comes after him. */
START_TEST(p1_who_leads) {
    const uint64_t out = RCP_REACH_KERNEL, in = RCP_REACH_KERNEL + RCP_REACH_UNFOLLOW;
    rcp_span spans[] = {{0x10, 0x14}, {in, in + 1}};
    rcp_reach reach;
    ck_assert_int_eq(rcp_defs_reach(&trace.defs, spans, 2, &reach), RCP_OK);
    add(1, (rcp_event){.kind = RCP_OPAQUE_BEGIN, .reach = reach});
    opaque(2, RCP_OPAQUE_BEGIN, out, out + 1);
    opaque(2, RCP_OPAQUE_END, out, out + 1);
    uint64_t sees = rd(3, 0x10, 0);
    add(1, (rcp_event){.kind = RCP_OPAQUE_END, .reach = reach});
    how.values = RCP_VALUES_LAST_WRITER;
    ACCEPT("12231");
    ACCEPT("22131");
    REFUSE("13", sees, "events 2 and 3");
    REFUSE("223", sees, "events 0 and 3");
}
END_TEST

START_TEST(p1_pairs_apart_are_free) {
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x14);
    opaque(2, RCP_OPAQUE_BEGIN, 0x14, 0x18);
    ACCEPT("2");
    ACCEPT("12");
}
END_TEST

/* Whoever looked from outside may have seen the first write, too. */
START_TEST(p1_what_others_can_see) {
    rcp_defs_fact(&trace.defs, "seen", "0x40-0x44 0x10-0x14");
    wr(1, 0x10, 1);
    wr(2, 0x10, 1);
    rd(1, 0x20, 0);
    uint64_t call = opaque(3, RCP_OPAQUE_BEGIN, 0x0, 0x14);
    opaque(3, RCP_OPAQUE_END, 0x0, 0x14);
    uint64_t late = wr(2, 0x13, 1);
    REFUSE("23", call, "events 0 and 3");
    REFUSE("122", late, "events 4 and 5");
    ACCEPT("21"); /* writes are free among each other */
    ACCEPT("12332");
}
END_TEST

START_TEST(p1_what_may_not_be_there) {
    rcp_defs_fact(&trace.defs, "guarded", "0x10-0x14");
    image(0x10, 0);
    uint64_t call = opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x14);
    uint64_t read = rd(2, 0x10, 0);
    (void)call;
    REFUSE("2", read, "events 1 and 2");
    ACCEPT("112");
}
END_TEST

START_TEST(p1_simple_barriers) {
    rcp_defs_fact(&trace.defs, "barriers", "simple");
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    uint64_t other = opaque(2, RCP_OPAQUE_BEGIN, 0x14, 0x18);
    uint64_t end = plain(3, RCP_END);
    REFUSE("2", other, "events 0 and 1");
    REFUSE("3", end, "events 1 and 2");
}
END_TEST

START_TEST(p2_same_last_writer) {
    wr(1, 0x10, 1);
    uint64_t second = wr(2, 0x10, 1);
    uint64_t call = opaque(3, RCP_OPAQUE_BEGIN, 0x0, 0x14);
    opaque(3, RCP_OPAQUE_END, 0x0, 0x14);
    uint64_t later = wr(4, 0x12, 1);
    (void)second;
    (void)later;
    for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED; rule++) {
        how.values = (rcp_value_rule)rule;
        ACCEPT("12334");
        ACCEPT("233");
        REFUSE("3", call, "initial contents instead of event 1");
        REFUSE("213", call, "event 0 instead of event 1");
        REFUSE("1243", call, "event 4 instead of event 1");
    }
}
END_TEST

START_TEST(p2_writes_its_reach) {
    wr(1, 0x10, 1);
    opaque(2, RCP_OPAQUE_BEGIN, 0x10, 0x12);
    opaque(2, RCP_OPAQUE_END, 0x10, 0x12);
    uint64_t read = rd(3, 0x10, 5);
    ACCEPT("1223");
    REFUSE("13", read, "would read 0x01 at 0x10 (from event 0) where it read 0x05 (from event 2)");
}
END_TEST

/* A read after opaque code depends on it, even where a write leaves the same value. */
START_TEST(p2_contents_only_the_recording_shows) {
    opaque(2, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    wr(1, 0x10, 5);
    opaque(2, RCP_OPAQUE_END, 0x10, 0x14);
    uint64_t read = rd(3, 0x10, 6);
    uint64_t sum = wr_term(3, 0x20, 6, of(read));
    (void)sum;
    uint64_t end = 2;
    ACCEPT("21233");
    REFUSE("213", read, "would read 0x05");
    REFUSE("22", end, "events 1 and 2");
    how.values = RCP_VALUES_RELAXED;
    ACCEPT("21233");
}
END_TEST

START_TEST(p2_lives) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t call = opaque(2, RCP_OPAQUE_BEGIN, 0x0, 0x100);
    uint64_t end = opaque(2, RCP_OPAQUE_END, 0x0, 0x100);
    uint64_t free = block(1, RCP_FREE, 0x10, 8, RCP_DONE);
    (void)free;
    ACCEPT("1221");
    REFUSE("2", call, "initial contents instead of event 0");
    REFUSE("112", call, "event 3 instead of event 0");
    REFUSE("1212", end, "event 3 instead of event 1");
}
END_TEST

START_TEST(p2_contents_as_recorded) {
    image(0x20, 1);
    wr(1, 0x20, 2);
    uint64_t x = rd(2, 0x20, 2);
    uint64_t copy = wr_term(2, 0x10, 2, of(x));
    uint64_t call = opaque(3, RCP_OPAQUE_BEGIN, 0x10, 0x14);
    (void)copy;
    for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED; rule++) {
        how.values = (rcp_value_rule)rule;
        ACCEPT("1223");
    }
    how.values = RCP_VALUES_LAST_WRITER;
    REFUSE("223", x, "instead of event 0"); /* the write that P2 compares is causal */
    ACCEPT("22");
    how.values = RCP_VALUES_RELAXED;
    ACCEPT("22");
    REFUSE("223", call, "left another value");
}
END_TEST

START_TEST(p2_uninitialised_memory_is_as_recorded) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x18);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x18);
    rd(1, 0x10, 5);
    for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED; rule++) {
        how.values = (rcp_value_rule)rule;
        ACCEPT("1111");
    }
}
END_TEST

START_TEST(i1_image) {
    image(0x10, 3);
    wr(1, 0x10, 4);
    uint64_t read = rd(2, 0x10, 4);
    uint64_t same = rd(3, 0x10, 3);
    ACCEPT("12");
    ACCEPT("3");
    REFUSE("2", read, "would read 0x03 at 0x10 (from the initial contents)");
    REFUSE("13", same, "would read 0x04");
}
END_TEST

START_TEST(i1_last_image_wins) {
    image(0x10, 3);
    image(0x10, 4);
    wr(1, 0x10, 9);
    uint64_t read = rd(2, 0x10, 3);
    rd(3, 0x10, 4);
    ACCEPT("3");
    REFUSE("2", read, "would read 0x04");
}
END_TEST

START_TEST(i1_first_read_shows) {
    rd(1, 0x10, 5);
    wr(1, 0x10, 6);
    uint64_t six = rd(2, 0x10, 6);
    uint64_t five = rd(3, 0x10, 5);
    (void)five;
    ACCEPT("112");
    ACCEPT("3"); /* the first read showed that 5 is there */
    REFUSE("2", six, "would read 0x05");
}
END_TEST

START_TEST(i1_unrecorded) {
    wr(1, 0x10, 6);
    uint64_t read = rd(2, 0x10, 6);
    ACCEPT("12");
    REFUSE("2", read, "from the initial contents instead of event 0");
}
END_TEST

START_TEST(i1_first_read_must_be_valued) {
    unvalued(1, RCP_READ, 0x10);
    rd(1, 0x10, 5);
    wr(1, 0x10, 5);
    uint64_t read = rd(2, 0x10, 5);
    ACCEPT("111");
    ACCEPT("1112");
    REFUSE("2", read, "instead of event 2");
}
END_TEST

START_TEST(i1_per_byte) {
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 1, .value = 1, .valued = 1});
    rd(1, 0x10, 0x0201); /* shows the bytes 1 to 3 */
    wr(1, 0x10, 0x0909);
    uint64_t high = add(2, (rcp_event){.kind = RCP_READ, .addr = 0x11, .size = 2, .value = 0x0002, .valued = 1});
    uint64_t low = add(3, (rcp_event){.kind = RCP_READ, .addr = 0x10, .size = 1, .value = 9, .valued = 1});
    (void)high;
    ACCEPT("2");
    REFUSE("3", low, "at 0x10 from the initial contents");
}
END_TEST

START_TEST(i2_zeroed_and_not) {
    block(1, RCP_ALLOC, 0x10, 4, RCP_ZEROED);
    rd(1, 0x10, 0);
    block(1, RCP_ALLOC, 0x20, 4, RCP_DONE);
    uint64_t read = rd(1, 0x20, 0);
    ACCEPT("111");
    REFUSE("1111", read, "nobody has written");
    how.values = RCP_VALUES_RELAXED;
    ACCEPT("1111"); /* nothing depends on it */
}
END_TEST

START_TEST(v2_same_value_from_another) {
    wr(1, 0x10, 1);
    wr(2, 0x10, 1);
    rd(3, 0x10, 1);
    wr(4, 0x10, 0x101);
    ACCEPT("13");
    ACCEPT("213");
    REFUSE("43", 2, "at 0x11");
}
END_TEST

START_TEST(v2_bytes_of_several_writes) {
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 2, .value = 0x1111, .valued = 1});
    add(2, (rcp_event){.kind = RCP_WRITE, .addr = 0x12, .size = 2, .value = 0x2222, .valued = 1});
    uint64_t read = rd(3, 0x10, 0x22221111);
    wr(4, 0x0e, 0);
    ACCEPT("123");
    ACCEPT("4123");
    ACCEPT("213");
    REFUSE("1243", read, "at 0x10 (from event 3) where it read 0x11 (from event 0)");
    REFUSE("13", read, "at 0x12");
}
END_TEST

START_TEST(v2_wide_accesses) {
    uint8_t bytes[20] = {0};
    bytes[19] = 9;
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x13, .size = 20, .bytes = bytes, .valued = 1});
    uint64_t read = add(2, (rcp_event){.kind = RCP_READ, .addr = 0x13, .size = 20, .bytes = bytes, .valued = 1});
    add(3, (rcp_event){.kind = RCP_WRITE, .addr = 0x26, .size = 1, .value = 8, .valued = 1});
    ACCEPT("12");
    ACCEPT("312");
    REFUSE("132", read, "0x08 at 0x26");
}
END_TEST

START_TEST(v2_unvalued_needs_the_same_writer) {
    unvalued(1, RCP_WRITE, 0x10);
    unvalued(2, RCP_WRITE, 0x10);
    uint64_t read = unvalued(3, RCP_READ, 0x10);
    ACCEPT("123");
    ACCEPT("23");
    REFUSE("13", read, "event 0 instead of event 1");
    REFUSE("213", read, "event 0 instead of event 1");
    REFUSE("3", read, "the initial contents instead of event 1");
}
END_TEST

START_TEST(v2_unvalued_read_of_valued_writes) {
    wr(1, 0x10, 1);
    wr(2, 0x10, 1);
    uint64_t read = unvalued(3, RCP_READ, 0x10);
    ACCEPT("123");
    REFUSE("213", read, "event 0 instead of event 1");
}
END_TEST

START_TEST(v2_rmw_reads) {
    rcp_event rmw = {
        .kind = RCP_RMW, .addr = 0x10, .size = 4, .value = 0, .written = 1, .valued = 1, .mode = RCP_RELAXED};
    image(0x10, 0);
    add(1, rmw);
    rmw.value = 1;
    rmw.written = 2;
    uint64_t second = add(2, rmw);
    rd(3, 0x10, 2);
    ACCEPT("123");
    REFUSE("2", second, "would read 0x00");
}
END_TEST

START_TEST(v2_implicit_branches_change_nothing) {
    rcp_defs_fact(&trace.defs, "branches", "implicit");
    wr(1, 0x10, 1);
    wr(2, 0x10, 1);
    rd(3, 0x10, 1);
    ACCEPT("13");
}
END_TEST

/* T1: w x 2. T2: r x 2, w y = x + 1 (3), br (y > 1). Initially x is 1. */
static uint64_t v3_read, v3_write, v3_branch;
static void v3_trace(rcp_term (*cond)(rcp_term)) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 1);
    image(0x20, 0);
    wr(1, 0x10, 2);
    v3_read = rd(2, 0x10, 2);
    v3_write = wr_term(2, 0x20, 3, op(RCP_OP_ADD, of(v3_read), lit(1)));
    v3_branch = br(2, 1, cond(of(v3_read)));
}
static rcp_term above_0(rcp_term x) { return op(RCP_OP_ULT, lit(0), x); }
static rcp_term above_1(rcp_term x) { return op(RCP_OP_ULT, lit(1), x); }
static rcp_term all(rcp_term x) {
    (void)x;
    return RCP_TERM_ALL;
}
static rcp_term none(rcp_term x) {
    (void)x;
    return RCP_TERM_CONST;
}

START_TEST(v3_branch_keeps_its_value) {
    v3_trace(above_0);
    ACCEPT("1222");
    ACCEPT("222");
}
END_TEST

START_TEST(v3_branch_changes) {
    v3_trace(above_1);
    ACCEPT("1222");
    ACCEPT("22");
    REFUSE("222", v3_branch, "condition would be 0, recorded was 0x1");
}
END_TEST

START_TEST(v3_all) {
    v3_trace(all);
    ACCEPT("1222");
    ACCEPT("22");
    REFUSE("222", v3_branch, "may depend on every earlier read");
}
END_TEST

START_TEST(v3_const) {
    v3_trace(none);
    ACCEPT("222");
}
END_TEST

START_TEST(v3_written_terms_flow_on) {
    v3_trace(none);
    uint64_t y = rd(3, 0x20, 3);
    uint64_t is_2_or_3 = br(3, 1, op(RCP_OP_ULT, lit(1), of(y)));
    uint64_t is_3 = br(3, 1, op(RCP_OP_EQ, lit(3), of(y)));
    (void)is_2_or_3;
    ACCEPT("1222333");
    ACCEPT("2233"); /* y is 2 */
    REFUSE("22333", is_3, "would be 0");
    REFUSE("33", is_2_or_3, "would be 0"); /* y is 0 */
}
END_TEST

START_TEST(v3_write_of_all_is_unknown_after_a_deviation) {
    image(0x10, 1);
    how.values = RCP_VALUES_RELAXED;
    wr(1, 0x10, 2);
    rd(2, 0x10, 2);
    wr_term(2, 0x20, 3, RCP_TERM_ALL);
    uint64_t y = rd(3, 0x20, 3);
    uint64_t any = br(3, 1, op(RCP_OP_ULE, of(y), of(y)));
    uint64_t changed = wr_term(3, 0x30, 0, op(RCP_OP_XOR, of(y), of(y)));
    (void)changed;
    ACCEPT("122333");
    ACCEPT("223");
    REFUSE("2233", any, "unknown");
}
END_TEST

START_TEST(v3_write_of_const_holds_after_a_deviation) {
    image(0x10, 1);
    how.values = RCP_VALUES_RELAXED;
    wr(1, 0x10, 2);
    rd(2, 0x10, 2);
    wr(2, 0x20, 3);
    uint64_t y = rd(3, 0x20, 3);
    br(3, 1, op(RCP_OP_EQ, of(y), lit(3)));
    br(3, 1, RCP_TERM_ALL);
    ACCEPT("22333");
}
END_TEST

START_TEST(v3_rmw_and_its_own_read) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 0);
    rcp_event add_one = {.kind = RCP_RMW, .addr = 0x10, .size = 4, .valued = 1, .mode = RCP_SEQ_CST};
    add_one.value = 0, add_one.written = 1, add_one.value_term = op(RCP_OP_ADD, of(0), lit(1));
    add(1, add_one);
    add_one.value = 1, add_one.written = 2, add_one.value_term = op(RCP_OP_ADD, of(1), lit(1));
    add(2, add_one);
    uint64_t sum = rd(3, 0x10, 2);
    uint64_t is_2 = br(3, 1, op(RCP_OP_EQ, of(sum), lit(2)));
    add_one.value = 2, add_one.written = 9, add_one.value_term = RCP_TERM_ALL;
    add(4, add_one);
    uint64_t after = rd(3, 0x10, 9), is_9 = br(3, 1, op(RCP_OP_EQ, of(after), lit(9)));
    ACCEPT("1233433");
    ACCEPT("2133");
    REFUSE("233", is_2, "would be 0");
    REFUSE("1433", is_2, "unknown"); /* the last rmw reads 1: what it writes is anybody's guess */
    (void)is_9;
}
END_TEST

START_TEST(v3_compare_and_swap) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 0);
    rcp_event cas = {
        .kind = RCP_RMW, .addr = 0x10, .size = 4, .value = 0, .written = 1, .valued = 1, .mode = RCP_SEQ_CST};
    cas.cond = op(RCP_OP_EQ, of(0), lit(0));
    uint64_t won = add(1, cas);
    rcp_event lost = {.kind = RCP_READ, .addr = 0x10, .size = 4, .value = 1, .valued = 1, .mode = RCP_SEQ_CST};
    lost.cond = op(RCP_OP_EQ, of(1), lit(0));
    uint64_t failed = add(2, lost);
    add(3, (rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 4, .value = 5, .valued = 1, .mode = RCP_SEQ_CST});
    ACCEPT("12");
    ACCEPT("32"); /* fails for another reason */
    REFUSE("2", failed, "compare-and-swap would be 0x1, recorded was 0");
    REFUSE("31", won, "compare-and-swap would be 0, recorded was 0x1");
}
END_TEST

START_TEST(v3_compare_and_swap_of_all) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 0);
    wr(1, 0x10, 1);
    rcp_event cas = {.kind = RCP_READ, .addr = 0x10, .size = 4, .value = 1, .valued = 1, .cond = RCP_TERM_ALL};
    uint64_t own = add(2, cas);
    ACCEPT("12");
    REFUSE("2", own, "may depend on every earlier read");
}
END_TEST

START_TEST(v3_address) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 1);
    wr(1, 0x10, 2);
    uint64_t i = rd(2, 0x10, 2);
    rcp_term index = rcp_term_make(&trace.terms, RCP_OP_ZEXT, 64, of(i), (rcp_term){0}, (rcp_term){0});
    rcp_term eight = rcp_term_const(&trace.terms, 64, 8);
    uint64_t access = add(2, (rcp_event){.kind = RCP_READ,
                                         .addr = 16,
                                         .size = 4,
                                         .value = 2,
                                         .valued = 1,
                                         .addr_term = op(RCP_OP_MUL, index, eight)});
    ACCEPT("122");
    REFUSE("22", access, "address would be 0x8, recorded was 0x10");
}
END_TEST

START_TEST(v3_address_of_all) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 1);
    wr(1, 0x10, 2);
    add(2, (rcp_event){.kind = RCP_READ, .addr = 0x10, .size = 4, .value = 2, .valued = 1, .addr_term = RCP_TERM_ALL});
    uint64_t second = block(2, RCP_FREE, 0x20, 4, RCP_DONE);
    trace.events.at[second].addr_term = RCP_TERM_ALL;
    ACCEPT("122");
    ACCEPT("2"); /* an address does not depend on the event's own read */
    REFUSE("22", second, "address may depend");
}
END_TEST

/* What T1 writes is unknown, perhaps 0; then T2's division would end it. */
START_TEST(v3_perhaps_undefined) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 0);
    wr(3, 0x30, 1);
    rd(1, 0x30, 1);
    wr_term(1, 0x10, 2, RCP_TERM_ALL);
    uint64_t x = rd(2, 0x10, 2);
    wr_term(2, 0x20, 4, op(RCP_OP_MUL, lit(2), of(x)));
    uint64_t write = wr_term(2, 0x20, 4, op(RCP_OP_UDIV, lit(8), of(x)));
    ACCEPT("311222");
    ACCEPT("1122");
    REFUSE("11222", write, "may have no value");
}
END_TEST

START_TEST(v3_undefined) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 0);
    wr(1, 0x10, 2);
    uint64_t x = rd(2, 0x10, 2);
    rcp_term quotient = op(RCP_OP_UDIV, lit(8), of(x));
    uint64_t branch = br(3, 4, quotient); /* T3 was handed T2's quotient */
    uint64_t write = wr_term(2, 0x20, 4, quotient);
    ACCEPT("1223");
    REFUSE("23", branch, "has no value");
    REFUSE("22", write, "has no value");
}
END_TEST

/* A term over another thread's read that is executed only later: unknown now, known then. */
START_TEST(v3_read_not_executed_yet) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 2);
    uint64_t x = rd(1, 0x10, 2);
    wr_term(2, 0x20, 2, of(x));
    uint64_t y = rd(3, 0x20, 2);
    uint64_t branch = br(3, 1, op(RCP_OP_EQ, of(y), lit(2)));
    uint64_t handed = br(4, 1, op(RCP_OP_EQ, of(x), lit(2)));
    (void)handed;
    ACCEPT("1233");
    REFUSE("2133", branch, "unknown");
    ACCEPT("214");
    REFUSE("24", handed, "unknown");
}
END_TEST

START_TEST(v3_unvalued_branch) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 1);
    wr(1, 0x10, 2);
    uint64_t x = rd(2, 0x10, 2);
    uint64_t branch =
        add(2, (rcp_event){.kind = RCP_BRANCH, .cond = op(RCP_OP_ULT, lit(0), of(x))}); /* true of 1 and of 2 */
    uint64_t handed = add(3, (rcp_event){.kind = RCP_BRANCH, .cond = op(RCP_OP_ULT, lit(0), of(x))});
    ACCEPT("122");
    REFUSE("22", branch, "has no recorded value");
    ACCEPT("123");
    REFUSE("13", handed, "not executed"); /* what it depends on another thread has still to read */
}
END_TEST

START_TEST(v3_unvalued_reads) {
    how.values = RCP_VALUES_RELAXED;
    unvalued(1, RCP_WRITE, 0x10);
    unvalued(2, RCP_READ, 0x10);
    uint64_t x = 1, branch = add(2, (rcp_event){.kind = RCP_BRANCH, .cond = RCP_TERM_ALL});
    uint64_t valued = br(2, 1, op(RCP_OP_ULE, of(x), of(x)));
    ACCEPT("122");
    REFUSE("1222", valued, "unknown"); /* no value was recorded to compute with */
    REFUSE("22", branch, "may depend");
}
END_TEST

/* Contents that are as recorded give a valued read its recorded value. */
START_TEST(v3_as_recorded_is_known_to_a_valued_read) {
    how.values = RCP_VALUES_RELAXED;
    unvalued(1, RCP_WRITE, 0x10);
    uint64_t x = rd(2, 0x10, 7);
    uint64_t branch = br(2, 1, op(RCP_OP_EQ, of(x), lit(7)));
    ACCEPT("122");
    REFUSE("22", branch, "unknown");
}
END_TEST

START_TEST(v3_implicit_branches) {
    rcp_defs_fact(&trace.defs, "branches", "implicit");
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 1);
    wr(1, 0x10, 2);
    uint64_t x = rd(2, 0x10, 2);
    ACCEPT("12");
    REFUSE("2", x, "branch that follows this read may depend");
}
END_TEST

START_TEST(v3_part_of_a_read) {
    how.values = RCP_VALUES_RELAXED;
    image(0x10, 0);
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x11, .size = 1, .value = 5, .valued = 1});
    uint64_t x = rd(2, 0x10, 0x500);
    rcp_term low = rcp_term_read(&trace.terms, (rcp_eid){x}, 0, 8),
             high = rcp_term_read(&trace.terms, (rcp_eid){x}, 1, 8);
    br(2, 0, low);
    uint64_t second = br(2, 5, high);
    ACCEPT("1222");
    ACCEPT("22");
    REFUSE("222", second, "would be 0, recorded was 0x5");
}
END_TEST

/* What a later life showed says nothing of the first one. */
START_TEST(i1_first_life_alone) {
    wr(1, 0x10, 0);
    uint64_t read = rd(2, 0x10, 0);
    block(3, RCP_ALLOC, 0x10, 4, RCP_ZEROED);
    rd(3, 0x10, 0);
    ACCEPT("1233");
    REFUSE("2", read, "the initial contents instead of event 0");
}
END_TEST

START_TEST(v3_term_over_bytes_that_were_not_read) {
    how.values = RCP_VALUES_RELAXED;
    uint64_t x = rd(1, 0x10, 0);
    uint64_t branch = br(1, 0, rcp_term_read(&trace.terms, (rcp_eid){x}, 2, 32));
    uint64_t none_at_all = br(2, 0, rcp_term_read(&trace.terms, (rcp_eid){99}, 0, 32));
    REFUSE("11", branch, "unknown");
    REFUSE("2", none_at_all, "unknown");
}
END_TEST

/* An unvalued read of a write whose value is known only by its term: nobody can say that it is the recorded one. */
START_TEST(v3_unvalued_read_of_a_computed_value) {
    how.values = RCP_VALUES_RELAXED;
    uint64_t x = rd(1, 0x10, 0);
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x20, .size = 4, .value_term = of(x)});
    unvalued(2, RCP_READ, 0x20);
    uint64_t branch = br(2, 1, RCP_TERM_ALL);
    ACCEPT("112");
    REFUSE("1122", branch, "may depend");
}
END_TEST

START_TEST(v3_unvalued_read_of_a_recorded_value) {
    how.values = RCP_VALUES_RELAXED;
    wr(1, 0x10, 1);
    uint64_t x = unvalued(2, RCP_READ, 0x10);
    br(2, 1, op(RCP_OP_EQ, of(x), lit(1)));
    uint64_t not_2 = br(2, 1, op(RCP_OP_EQ, of(x), lit(2)));
    ACCEPT("122");
    REFUSE("1222", not_2, "would be 0");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        m1_begun_and_not_ended,
        m1_first_life,
        m1_allocations_keep_their_order,
        m1_each_byte,
        m2_contents_stay_in_their_life,
        p1_opaque_events_keep_their_order,
        p1_pairs_apart_are_free,
        p1_who_follows,
        p1_who_leads,
        p1_simple_barriers,
        p1_what_others_can_see,
        p1_what_may_not_be_there,
        p1_what_runs_inside_a_pair,
        p1_of_those_who_stood,
        p1_what_an_open_pair_reaches,
        p1_ends_are_seen_by_opaque_code,
        p2_same_last_writer,
        p2_writes_its_reach,
        p2_contents_only_the_recording_shows,
        p2_lives,
        p2_contents_as_recorded,
        p2_uninitialised_memory_is_as_recorded,
        i1_image,
        i1_last_image_wins,
        i1_first_read_shows,
        i1_unrecorded,
        i1_first_read_must_be_valued,
        i1_per_byte,
        i2_zeroed_and_not,
        v2_same_value_from_another,
        v2_bytes_of_several_writes,
        v2_wide_accesses,
        v2_unvalued_needs_the_same_writer,
        v2_unvalued_read_of_valued_writes,
        v2_rmw_reads,
        v2_implicit_branches_change_nothing,
        v3_branch_keeps_its_value,
        v3_branch_changes,
        v3_all,
        v3_const,
        v3_written_terms_flow_on,
        v3_write_of_all_is_unknown_after_a_deviation,
        v3_write_of_const_holds_after_a_deviation,
        v3_rmw_and_its_own_read,
        v3_compare_and_swap,
        v3_compare_and_swap_of_all,
        v3_address,
        v3_address_of_all,
        v3_undefined,
        v3_perhaps_undefined,
        v3_read_not_executed_yet,
        v3_unvalued_branch,
        v3_unvalued_reads,
        v3_as_recorded_is_known_to_a_valued_read,
        v3_implicit_branches,
        v3_part_of_a_read,
        i1_first_life_alone,
        v3_term_over_bytes_that_were_not_read,
        v3_unvalued_read_of_a_computed_value,
        v3_unvalued_read_of_a_recorded_value,
    };
    return RUN_TESTS("execution", tests);
}
