/* SPDX-License-Identifier: Apache-2.0 */
/* Witnesses that are longer than they need be. */
#include "builder.h"

#include "trace/check/reduce.h"

/* The reduced witness in words: "r2 T1 3 T2 5". */
static void expect(const char *schedule, uint64_t a, uint64_t b, uint64_t limit, const char *wanted) {
    rcp_position done[4] = {0};
    rcp_checker *checker;
    rcp_witness witness;
    rcp_check_verdict verdict;
    char got[200] = "";
    rcp_trace_index(&trace);
    rcp_witness_init(&witness);
    for (const char *at = schedule; *at; at++)
        rcp_witness_run(&witness, (rcp_tid){(uint32_t)(*at - '1')}, ++done[*at - '1']);
    witness.race[0].v = a;
    witness.race[1].v = b;
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    ck_assert_int_eq(rcp_checker_run(checker, &witness, how, &verdict), RCP_OK);
    ck_assert_msg(verdict.accepted, "refused before: %s", verdict.reason);
    ck_assert_int_eq(rcp_reduce_witness(checker, &trace, how, limit, &witness), RCP_OK);
    ck_assert_int_eq(rcp_checker_run(checker, &witness, how, &verdict), RCP_OK);
    ck_assert_msg(verdict.accepted, "refused afterwards: %s", verdict.reason);
    snprintf(got, sizeof got, "r%d", (int)witness.recorded);
    for (size_t i = 0; i < witness.steps.len; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), " T%u %u", witness.steps.at[i].tid.v + 1,
                 witness.steps.at[i].to);
    ck_assert_str_eq(got, wanted);
    rcp_witness_finish(&witness);
    rcp_checker_destroy(checker);
}

START_TEST(what_nobody_needs_goes) {
    wr(3, 0x20, 1);
    wr(3, 0x24, 1);
    uint64_t a = wr(1, 0x10, 1), b = wr(2, 0x10, 2);
    expect("33", a, b, 1000, "r0");
}
END_TEST

START_TEST(what_a_read_needs_stays) {
    uint64_t a = wr(1, 0x10, 1);
    wr(3, 0x20, 1);
    wr(3, 0x24, 1);
    rd(2, 0x20, 1);
    uint64_t b = wr(2, 0x10, 2);
    expect("332", a, b, 1000, "r0 T3 1 T2 1");
}
END_TEST

START_TEST(steps_are_joined) {
    wr(2, 0x40, 1);
    wr(1, 0x20, 1);
    wr(2, 0x44, 1);
    wr(1, 0x24, 1);
    uint64_t a = wr(1, 0x10, 1), b = wr(2, 0x10, 2);
    expect("1212", a, b, 1000, "r0 T1 2 T2 2");
}
END_TEST

/* T2 reads what T1 writes in between: three steps are the fewest. */
START_TEST(but_not_where_a_value_would_change) {
    wr(1, 0x20, 1);
    rd(2, 0x20, 1);
    wr(1, 0x20, 2);
    rd(2, 0x20, 2);
    uint64_t a = wr(1, 0x10, 1), b = wr(2, 0x10, 2);
    expect("1212", a, b, 1000, "r4");
}
END_TEST

START_TEST(a_lock_is_given_back) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(3, RCP_ACQUIRE, m);
    wr(3, 0x20, 1);
    on(3, RCP_RELEASE, m);
    wr(3, 0x24, 1);
    uint64_t a = wr(1, 0x10, 1);
    on(2, RCP_ACQUIRE, m);
    rd(2, 0x20, 1);
    on(2, RCP_RELEASE, m);
    uint64_t b = wr(2, 0x10, 2);
    expect("3333222", a, b, 1000, "r3 T2 3");
}
END_TEST

START_TEST(a_limit_leaves_it_as_it_is) {
    wr(3, 0x20, 1);
    wr(2, 0x24, 1);
    uint64_t a = wr(1, 0x10, 1), b = wr(2, 0x10, 2);
    expect("23", a, b, 0, "r0 T2 1 T3 1");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        what_nobody_needs_goes, what_a_read_needs_stays,    steps_are_joined, but_not_where_a_value_would_change,
        a_lock_is_given_back,   a_limit_leaves_it_as_it_is,
    };
    return RUN_TESTS("reduce", tests);
}
