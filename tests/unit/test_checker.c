/* SPDX-License-Identifier: Apache-2.0 */
/* Rules T and R of docs/semantics.md, and witnesses that name what does not exist. */
#include "builder.h"

START_TEST(the_empty_schedule) {
    wr(1, 0x10, 1);
    ACCEPT("");
}
END_TEST

START_TEST(t1_fork_first) {
    about(1, RCP_FORK, 2, RCP_DONE);
    uint64_t begin = plain(2, RCP_BEGIN);
    plain(3, RCP_BEGIN); /* no fork of T3 in the trace */
    ACCEPT("12");
    ACCEPT("31");
    REFUSE("2", begin, "T2 is not forked yet: event 0");
}
END_TEST

START_TEST(t1_fork_before_join) {
    about(1, RCP_FORK, 2, RCP_DONE);
    uint64_t failed = about(3, RCP_JOIN, 2, RCP_FAILED);
    about(1, RCP_FORK, 4, RCP_DONE);
    uint64_t join = about(3, RCP_JOIN, 4, RCP_DONE); /* of a thread without events */
    ACCEPT("1313");
    REFUSE("3", failed, "T2 is not forked yet: event 0");
    REFUSE("133", join, "T4 is not forked yet: event 2");
}
END_TEST

START_TEST(t2_join_last) {
    plain(2, RCP_BEGIN);
    plain(2, RCP_END);
    uint64_t join = about(1, RCP_JOIN, 2, RCP_DONE);
    about(1, RCP_JOIN, 4, RCP_DONE); /* has no events */
    ACCEPT("2211");
    REFUSE("1", join, "only 0 of its 2");
    REFUSE("21", join, "only 1 of its 2");
}
END_TEST

START_TEST(t3_failed_join) {
    plain(2, RCP_BEGIN);
    uint64_t join = about(1, RCP_JOIN, 2, RCP_FAILED);
    plain(2, RCP_END);
    wr(3, 0x10, 1);
    about(1, RCP_JOIN, 3, RCP_FAILED); /* T3 has no end: it has not ended */
    ACCEPT("1");
    ACCEPT("2112");
    ACCEPT("131");
    REFUSE("221", join, "which has ended");
}
END_TEST

START_TEST(t4_exit) {
    uint64_t write = wr(1, 0x10, 1);
    plain(2, RCP_EXIT);
    ACCEPT("12");
    REFUSE("21", write, "T2 has ended the process");
}
END_TEST

START_TEST(r1_next_in_both_threads) {
    plain(1, RCP_BEGIN);
    uint64_t a = wr(1, 0x10, 1);
    uint64_t b = wr(2, 0x10, 2);
    uint64_t c = wr(1, 0x10, 3);
    ACCEPT_RACE("1", a, b);
    ACCEPT_RACE("1", b, a);
    ACCEPT_RACE("11", c, b);
    REFUSE_RACE("", a, b, a, "not the next one of T1");
    REFUSE_RACE("12", a, b, b, "not the next one of T2");
    REFUSE_RACE("", a, c, NONE, "both events are of T1");
}
END_TEST

START_TEST(r1_forked_and_not_exited) {
    uint64_t a = wr(1, 0x10, 1);
    about(3, RCP_FORK, 2, RCP_DONE);
    uint64_t b = wr(2, 0x10, 2);
    plain(4, RCP_EXIT);
    ACCEPT_RACE("3", a, b);
    REFUSE_RACE("", a, b, b, "not forked yet");
    REFUSE_RACE("34", a, b, a, "ended the process");
}
END_TEST

START_TEST(r1_asleep) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    uint64_t a = wr(1, 0x10, 1);
    uint64_t b = wr(2, 0x10, 2);
    REFUSE_RACE("11", a, b, a, "T1 sleeps");
}
END_TEST

START_TEST(r2_conflict) {
    uint64_t read = rd(1, 0x10, 0);
    uint64_t read2 = rd(2, 0x10, 0);
    uint64_t write = wr(3, 0x13, 0); /* one byte in common */
    uint64_t beside = wr(4, 0x14, 0);
    REFUSE_RACE("", read, read2, NONE, "don't conflict");
    ACCEPT_RACE("", read, write);
    REFUSE_RACE("", read, beside, NONE, "don't conflict");
    ACCEPT_RACE("", write, beside);
}
END_TEST

START_TEST(r2_atomics) {
    rcp_event atomic = {.kind = RCP_WRITE, .addr = 0x10, .size = 4, .value = 1, .valued = 1, .mode = RCP_RELAXED};
    rcp_event rmw = {
        .kind = RCP_RMW, .addr = 0x10, .size = 4, .value = 1, .written = 2, .valued = 1, .mode = RCP_SEQ_CST};
    uint64_t a = add(1, atomic), b = add(2, rmw), c = rd(3, 0x10, 2);
    REFUSE_RACE("", a, b, NONE, "don't conflict");
    ACCEPT_RACE("", a, c);
    ACCEPT_RACE("1", b, c);
}
END_TEST

START_TEST(r2_not_an_access) {
    uint64_t a = wr(1, 0x10, 1);
    uint64_t b = block(2, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t c = plain(3, RCP_BEGIN);
    REFUSE_RACE("", a, b, NONE, "don't conflict");
    REFUSE_RACE("", a, c, NONE, "don't conflict");
}
END_TEST

START_TEST(r2_another_life) {
    uint64_t a = wr(1, 0x10, 1);
    block(2, RCP_ALLOC, 0x10, 4, RCP_DONE);
    uint64_t b = wr(2, 0x10, 2);
    REFUSE_RACE("2", a, b, NONE, "no byte in common");
}
END_TEST

/* Only the last two bytes of the word change lives. */
START_TEST(r2_part_in_the_same_life) {
    uint64_t a = wr(1, 0x10, 1);
    block(2, RCP_ALLOC, 0x12, 2, RCP_DONE);
    uint64_t b = wr(2, 0x10, 2);
    uint64_t c = wr(3, 0x10, 3);
    REFUSE_RACE("", a, b, b, "not the next");
    REFUSE_RACE("2", a, b, a, "is gone");
    ACCEPT_RACE("2", b, c);
}
END_TEST

START_TEST(r1_free_with_access_before) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t a = wr(2, 0x14, 1);
    uint64_t f = block(1, RCP_FREE, 0x10, 8, RCP_DONE);
    ACCEPT_RACE("1", a, f);
    REFUSE_RACE("", f, a, f, "not the next");
}
END_TEST

/* Use after free as recorded: the access is in the life that the FREE begins. */
START_TEST(r1_free_with_access_after) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t f = block(1, RCP_FREE, 0x10, 8, RCP_DONE);
    uint64_t a = wr(2, 0x14, 1);
    uint64_t f2 = block(3, RCP_FREE, 0x10, 8, RCP_DONE);
    ACCEPT_RACE("1", a, f);
    ACCEPT_RACE("1", f, a);
    ACCEPT_RACE("1", f, f2); /* double free */
    ACCEPT_RACE("11", a, f2);
    REFUSE_RACE("1", a, f2, a, "is not there yet");
}
END_TEST

/* The access reaches beyond the freed block into memory that is not there. */
START_TEST(r1_free_and_a_byte_outside) {
    block(1, RCP_ALLOC, 0x10, 8, RCP_DONE);
    uint64_t f = block(1, RCP_FREE, 0x10, 8, RCP_DONE);
    block(3, RCP_ALLOC, 0x18, 8, RCP_DONE);
    uint64_t a = wr(2, 0x16, 1);
    ACCEPT_RACE("13", f, a);
    REFUSE_RACE("1", f, a, a, "is not there yet");
}
END_TEST

START_TEST(r3_addresses_count) {
    wr(1, 0x10, 0x20);
    uint64_t p = rd(2, 0x10, 0x20);
    rcp_term address = rcp_term_make(&trace.terms, RCP_OP_ZEXT, 64, of(p), (rcp_term){0}, (rcp_term){0});
    uint64_t a =
        add(2, (rcp_event){.kind = RCP_WRITE, .addr = 0x20, .size = 4, .value = 1, .valued = 1, .addr_term = address});
    uint64_t b = wr(3, 0x20, 2);
    rcp_defs_image(&trace.defs, 0x10, (const uint8_t[4]){0}, 4);
    for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED; rule++) {
        how.values = (rcp_value_rule)rule;
        ACCEPT_RACE("12", a, b);
    }
    how.values = RCP_VALUES_LAST_WRITER;
    REFUSE_RACE("2", a, b, p, "instead of event 0");
    how.values = RCP_VALUES_SAME;
    REFUSE_RACE("2", a, b, p, "would read 0x00");
    how.values = RCP_VALUES_RELAXED;
    ACCEPT("2");
    REFUSE_RACE("2", a, b, a, "address would be 0");
}
END_TEST

START_TEST(r3_their_own_values_are_free) {
    wr(1, 0x10, 7);
    uint64_t a = rd(2, 0x10, 7);
    br(2, 1, RCP_TERM_ALL);
    for (int rule = RCP_VALUES_LAST_WRITER; rule <= RCP_VALUES_RELAXED; rule++) {
        how.values = (rcp_value_rule)rule;
        ACCEPT_RACE("", a, 0);
    }
}
END_TEST

static rcp_code run(rcp_witness *witness) {
    rcp_check_verdict verdict;
    rcp_code code = rcp_check_witness(&trace, witness, how, &verdict);
    rcp_witness_finish(witness);
    return code;
}

START_TEST(what_does_not_exist) {
    wr(1, 0x10, 1);
    wr(2, 0x10, 1);
    rcp_trace_index(&trace);
    rcp_witness w;
    rcp_witness_init(&w);
    rcp_witness_run(&w, (rcp_tid){4}, 1);
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    rcp_witness_run(&w, (rcp_tid){0}, 2);
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    rcp_vec_push(&w.steps, ((rcp_witness_step){{0}, 1}));
    rcp_vec_push(&w.steps, ((rcp_witness_step){{0}, 0}));
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    w.recorded = 3;
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    w.recorded = 1;
    rcp_vec_push(&w.steps, ((rcp_witness_step){{0}, 0})); /* back to before what was recorded */
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    w.recorded = 2;
    ck_assert_int_eq(run(&w), RCP_OK);
    w.race[0].v = 0;
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    w.race[0].v = 0;
    w.race[1].v = 2;
    ck_assert_int_eq(run(&w), RCP_BAD_INPUT);
    w.race[0].v = 0;
    w.race[1].v = 1;
    ck_assert_int_eq(run(&w), RCP_OK);
}
END_TEST

START_TEST(one_checker_for_many_witnesses) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    on(2, RCP_ACQUIRE, m);
    rcp_trace_index(&trace);
    rcp_checker *checker;
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    for (int i = 0; i < 4; i++) {
        rcp_witness w;
        rcp_check_verdict verdict;
        rcp_witness_init(&w);
        rcp_witness_run(&w, (rcp_tid){0}, 1);
        if (i % 2)
            rcp_witness_run(&w, (rcp_tid){1}, 1);
        ck_assert_int_eq(rcp_checker_run(checker, &w, how, &verdict), RCP_OK);
        ck_assert_int_eq(verdict.accepted, i % 2 == 0);
        rcp_witness_finish(&w);
    }
    rcp_checker_destroy(checker);
}
END_TEST

/* Of the events given, at the end of the schedule; at most four. */
static rcp_check_verdict judge_deadlock(const char *schedule, const uint64_t *events, size_t n) {
    rcp_position done[4] = {0};
    rcp_eid eids[4];
    rcp_checker *checker;
    rcp_witness witness;
    rcp_check_verdict verdict;
    rcp_trace_index(&trace);
    rcp_witness_init(&witness);
    for (const char *at = schedule; *at; at++)
        rcp_witness_run(&witness, (rcp_tid){(uint32_t)(*at - '1')}, ++done[*at - '1']);
    for (size_t i = 0; i < n; i++)
        eids[i] = (rcp_eid){events[i]};
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    ck_assert_int_eq(rcp_checker_stand(checker, &witness, eids, n, how, &verdict), RCP_OK);
    rcp_checker_destroy(checker);
    rcp_witness_finish(&witness);
    return verdict;
}

#define DEADLOCK(schedule, ...)                                                                                        \
    do {                                                                                                               \
        const uint64_t e_[] = {__VA_ARGS__};                                                                           \
        rcp_check_verdict v_ = judge_deadlock(schedule, e_, sizeof e_ / sizeof *e_);                                   \
        ck_assert_msg(v_.accepted, "\"%s\" refused at event %lld: %s", schedule, (long long)v_.at.v, v_.reason);       \
    } while (0)
#define NO_DEADLOCK(schedule, reason_part, ...)                                                                        \
    do {                                                                                                               \
        const uint64_t e_[] = {__VA_ARGS__};                                                                           \
        rcp_check_verdict v_ = judge_deadlock(schedule, e_, sizeof e_ / sizeof *e_);                                   \
        ck_assert_msg(!v_.accepted, "\"%s\" accepted", schedule);                                                      \
        ck_assert_msg(strstr(v_.reason, reason_part), "\"%s\": '%s' does not say '%s'", schedule, v_.reason,           \
                      reason_part);                                                                                    \
    } while (0)

/* T1 takes `one`, then `other`; and gives both back. Returns the second ACQUIRE. */
static uint64_t nested(unsigned thread, rcp_obj one, rcp_obj other) {
    on(thread, RCP_ACQUIRE, one);
    uint64_t second = on(thread, RCP_ACQUIRE, other);
    on(thread, RCP_RELEASE, other);
    on(thread, RCP_RELEASE, one);
    return second;
}

START_TEST(d2_two_and_three) {
    rcp_obj a = object(RCP_MUTEX, "a", 0), b = object(RCP_MUTEX, "b", 0), c = object(RCP_MUTEX, "c", 0);
    uint64_t one = nested(1, a, b), two = nested(2, b, a), three = nested(3, b, c), four = nested(4, c, a);
    DEADLOCK("12", one, two);
    DEADLOCK("21", two, one);
    DEADLOCK("134", one, three, four);
    NO_DEADLOCK("13", "does not wait: none of the other threads has", one, three);
    NO_DEADLOCK("134", "does not wait", one, three);
    NO_DEADLOCK("1", "it is not the next event of T2", one, two);
    NO_DEADLOCK("11112", "it is not the next event of T1", one, two);
    NO_DEADLOCK("1", "two threads at least", one);
    NO_DEADLOCK("1", "of one thread", one, one);
}
END_TEST

START_TEST(d2_modes) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0), m = object(RCP_MUTEX, "m", 0);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    uint64_t wants_m = on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    on_shared(1, RCP_RELEASE, l, RCP_DONE);
    uint64_t writes = nested(2, m, l);
    on(3, RCP_ACQUIRE, m);
    uint64_t reads = on_shared(3, RCP_ACQUIRE, l, RCP_DONE);
    DEADLOCK("12", wants_m, writes);
    NO_DEADLOCK("13", "does not wait", wants_m, reads); /* shared against shared */
}
END_TEST

START_TEST(d2_semaphores) {
    rcp_obj s = object(RCP_SEM, "s", 1), m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_SEM_WAIT, s);
    uint64_t wants_m = on(1, RCP_ACQUIRE, m);
    on(2, RCP_ACQUIRE, m);
    uint64_t wants_s = on(2, RCP_SEM_WAIT, s);
    on(3, RCP_SEM_POST, s);
    DEADLOCK("12", wants_m, wants_s);
    NO_DEADLOCK("123", "does not wait", wants_m, wants_s); /* the count is 1 */
    NO_DEADLOCK("2", "is not the next event of T1", wants_m, wants_s);
}
END_TEST

START_TEST(d1_what_comes_next) {
    rcp_obj a = object(RCP_MUTEX, "a", 0), b = object(RCP_MUTEX, "b", 0);
    on(1, RCP_ACQUIRE, a);
    uint64_t failed = on_as(2, RCP_ACQUIRE, a, RCP_FAILED);
    uint64_t one = on(1, RCP_ACQUIRE, b);
    uint64_t write = wr(3, 0x10, 1);
    NO_DEADLOCK("1", "takes no lock", one, failed);
    NO_DEADLOCK("1", "takes no lock", one, write);
}
END_TEST

START_TEST(d1_init_and_exit) {
    rcp_obj a = object(RCP_MUTEX, "a", 0), b = object(RCP_MUTEX, "b", 0);
    uint64_t one = nested(1, a, b), two = nested(2, b, a);
    plain(3, RCP_EXIT);
    DEADLOCK("12", one, two);
    NO_DEADLOCK("123", "has ended the process", one, two);
}
END_TEST

START_TEST(d1_opaque_order) {
    rcp_obj a = object(RCP_MUTEX, "a", 0), b = object(RCP_MUTEX, "b", 0);
    uint64_t one = nested(1, a, b);
    opaque(1, RCP_OPAQUE_BEGIN, 0x10, 0x18);
    opaque(1, RCP_OPAQUE_END, 0x10, 0x18);
    on(2, RCP_ACQUIRE, b);
    opaque(2, RCP_OPAQUE_BEGIN, 0x10, 0x18);
    uint64_t two = on(2, RCP_ACQUIRE, a); /* T2 has seen T1 be done */
    NO_DEADLOCK("122", "", one, two);
}
END_TEST

static rcp_check_verdict judge_order(const char *schedule, rcp_arrangement as) {
    rcp_position done[4] = {0};
    rcp_witness witness;
    rcp_check_verdict verdict;
    rcp_checker *checker;
    rcp_trace_index(&trace);
    rcp_witness_init(&witness);
    for (const char *at = schedule; *at; at++)
        rcp_witness_run(&witness, (rcp_tid){(uint32_t)(*at - '1')}, ++done[*at - '1']);
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    ck_assert_int_eq(rcp_checker_arrange(checker, &witness, &as, how, &verdict), RCP_OK);
    rcp_checker_destroy(checker);
    rcp_witness_finish(&witness);
    return verdict;
}

/* T1 has two sections, T2 one. */
START_TEST(a1_between) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    uint64_t over = on(1, RCP_RELEASE, m), again = on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    uint64_t begin = on(2, RCP_ACQUIRE, m), end = on(2, RCP_RELEASE, m);
    const rcp_arrangement as = {
        .last = {again}, .never = RCP_NO_EID, .before = {{over}, {end}}, .after = {{begin}, {again}}, .n = 2};
    ck_assert(judge_order("11221", as).accepted);
    ck_assert_ptr_nonnull(strstr(judge_order("22111", as).reason, "does not come after"));
    ck_assert(!judge_order("11122", as).accepted);
    ck_assert_ptr_nonnull(strstr(judge_order("1122", as).reason, "is not executed"));
    ck_assert_ptr_nonnull(strstr(judge_order("112211", as).reason, "is not the last one of its thread"));
}
END_TEST

START_TEST(a1_never) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    uint64_t begin = on(2, RCP_ACQUIRE, m);
    on(2, RCP_RELEASE, m);
    const rcp_arrangement as = {.last = {0}, .never = {begin}};
    ck_assert(judge_order("1", as).accepted);
    ck_assert_ptr_nonnull(strstr(judge_order("221", as).reason, "is executed"));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        the_empty_schedule,
        t1_fork_first,
        t1_fork_before_join,
        t2_join_last,
        t3_failed_join,
        t4_exit,
        r1_next_in_both_threads,
        r1_forked_and_not_exited,
        r1_asleep,
        r2_conflict,
        r2_atomics,
        r2_not_an_access,
        r2_another_life,
        r2_part_in_the_same_life,
        r1_free_with_access_before,
        r1_free_with_access_after,
        r1_free_and_a_byte_outside,
        r3_addresses_count,
        r3_their_own_values_are_free,
        what_does_not_exist,
        one_checker_for_many_witnesses,
        d2_two_and_three,
        d2_modes,
        d2_semaphores,
        d1_what_comes_next,
        d1_init_and_exit,
        d1_opaque_order,
        a1_between,
        a1_never,
    };
    return RUN_TESTS("checker", tests);
}
