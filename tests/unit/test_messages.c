/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages could come the other way round, and which call each one came after (analysis/messages.h). */
#include "predict/solve/ladder.h" /* before 'trace' is a name */

#include "builder.h"

#include "analysis/decisions.h"
#include "analysis/messages.h"
#include "trace/check/barriers.h"

enum { X = 0x1000 };
#define PIPE  (RCP_REACH_DESCRIPTOR + 1)
#define OTHER (RCP_REACH_DESCRIPTOR + 3)

static uint64_t begin(unsigned thread, uint64_t object) { return opaque(thread, RCP_OPAQUE_BEGIN, object, object + 1); }
static uint64_t end(unsigned thread, uint64_t object) { return opaque(thread, RCP_OPAQUE_END, object, object + 1); }
static uint64_t call(unsigned thread, uint64_t object) {
    const uint64_t event = begin(thread, object);
    end(thread, object);
    return event;
}

static rcp_overtakings list;
static rcp_groundwork *ground;

/* Once in a test. */
static size_t find(void) {
    rcp_trace_index(&trace);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_messages_list(ground, &list);
    return list.len;
}

static void forget(void) {
    rcp_vec_finish(&list);
    rcp_groundwork_destroy(ground);
}

static void is_pair(size_t i, uint64_t earlier, uint64_t later) {
    ck_assert_uint_eq(list.at[i].earlier, earlier);
    ck_assert_uint_eq(list.at[i].later, later);
}

START_TEST(only_what_comes_next) {
    const uint64_t a = call(1, PIPE), b = call(2, PIPE), c = call(3, PIPE);
    ck_assert_uint_eq(find(), 2);
    is_pair(0, a, b);
    is_pair(1, b, c);
    forget();
}
END_TEST

START_TEST(who_waits_in_a_call) {
    const uint64_t a = begin(1, PIPE), b = call(2, PIPE), c = call(3, PIPE);
    end(1, PIPE);
    ck_assert_uint_eq(find(), 3);
    is_pair(0, a, b);
    is_pair(1, a, c);
    is_pair(2, b, c);
    forget();
}
END_TEST

START_TEST(not_of_one_thread_or_of_two_objects) {
    call(1, PIPE);
    call(1, PIPE);
    call(2, OTHER);
    opaque(3, RCP_OPAQUE_BEGIN, RCP_REACH_KERNEL, RCP_REACH_LIBRARY); /* with everything, and with none */
    opaque(3, RCP_OPAQUE_END, RCP_REACH_KERNEL, RCP_REACH_LIBRARY);
    opaque(4, RCP_OPAQUE_BEGIN, RCP_REACH_DESCRIPTOR, RCP_REACH_LIBRARY);
    opaque(4, RCP_OPAQUE_END, RCP_REACH_DESCRIPTOR, RCP_REACH_LIBRARY);
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

START_TEST(not_what_is_ordered_anyway) {
    call(1, PIPE);
    about(1, RCP_FORK, 2, RCP_DONE);
    plain(2, RCP_BEGIN);
    call(2, PIPE);
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

/* Up to both, and whatever was sent before is there. */
START_TEST(there_is_an_order) {
    rcp_witness witness;
    rcp_answer answer;
    call(3, PIPE);
    const uint64_t w = wr(1, X, 1), a = call(1, PIPE), b = call(2, PIPE);
    wr(2, X, 2);
    ck_assert_uint_eq(find(), 2);
    is_pair(1, a, b);
    rcp_ladder *ladder = rcp_ladder_create(ground, rcp_ladder_limits_set());
    rcp_witness_init(&witness);
    ck_assert_int_eq(rcp_ladder_pass(ladder, (rcp_eid){a}, (rcp_eid){b}, &witness, &answer), RCP_OK);
    ck_assert_int_eq(answer, RCP_ANSWER_WITNESS);
    ck_assert_uint_eq(witness.recorded, w + 1);
    ck_assert_uint_eq(witness.steps.len, 0);
    ck_assert_uint_eq(witness.race[0].v, RCP_NO_EID.v);
    rcp_witness_finish(&witness);
    rcp_ladder_destroy(ladder);
    forget();
}
END_TEST

/* The later one needs what the earlier one's thread writes after it. */
START_TEST(there_is_none) {
    rcp_witness witness;
    rcp_answer answer;
    const uint64_t a = call(1, PIPE);
    wr(1, X, 1);
    br(2, 1, op(RCP_OP_EQ, of(rd(2, X, 1)), lit(1)));
    const uint64_t b = call(2, PIPE);
    rcp_trace_index(&trace);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_ladder *ladder = rcp_ladder_create(ground, rcp_ladder_limits_set());
    rcp_witness_init(&witness);
    ck_assert_int_eq(rcp_ladder_pass(ladder, (rcp_eid){a}, (rcp_eid){b}, &witness, &answer), RCP_OK);
    ck_assert_int_eq(answer, RCP_ANSWER_NONE);
    rcp_witness_finish(&witness);
    rcp_ladder_destroy(ladder);
    forget();
}
END_TEST

START_TEST(after_whom) {
    const uint64_t c = call(3, PIPE), a = call(1, PIPE), b = call(2, PIPE);
    const rcp_overtaking of = {(uint32_t)a, (uint32_t)b};
    rcp_messages_ends ends = {0};
    rcp_messages_follower follower;
    uint64_t after = 0, of_a = 0, of_b = 0;
    find();
    rcp_messages_follower_init(&follower, &trace);
    for (uint32_t i = 0; i < trace.events.len; i++) {
        ck_assert(rcp_messages_follow(&follower, &trace.events.at[i], &after));
        of_a = i == a ? after : of_a;
        of_b = i == b ? after : of_b;
    }
    rcp_messages_follower_finish(&follower);
    ck_assert_uint_ne(of_a, of_b);
    ck_assert_uint_eq(rcp_messages_after(ground, of, &ends), of_a); /* it comes after what the other one came after */
    ck_assert_uint_eq(ends.len, 1);
    ck_assert_uint_eq(ends.at[0], c + 1);
    rcp_vec_finish(&ends);
    forget();
}
END_TEST

/* Two orders are two classes, and in which order others' objects were used does not matter. */
START_TEST(classes) {
    uint64_t number[3];
    for (int i = 0; i < 3; i++) {
        rcp_decisions decisions;
        stop();
        start();
        call(i == 1 ? 2 : 1, PIPE);
        call(i == 2 ? 3 : i == 1 ? 1 : 2, i == 2 ? OTHER : PIPE);
        call(i == 2 ? 2 : 3, i == 2 ? PIPE : OTHER);
        rcp_trace_index(&trace);
        rcp_decisions_take(&decisions, &trace);
        number[i] = decisions.number;
        rcp_decisions_finish(&decisions);
    }
    ck_assert_uint_ne(number[0], number[1]);
    ck_assert_uint_eq(number[0], number[2]);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {only_what_comes_next,
                                  who_waits_in_a_call,
                                  not_of_one_thread_or_of_two_objects,
                                  not_what_is_ordered_anyway,
                                  there_is_an_order,
                                  there_is_none,
                                  after_whom,
                                  classes};
    return RUN_TESTS("messages", tests);
}
