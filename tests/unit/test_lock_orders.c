/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks for a lock while it has others, and the cycles that makes: predict/facts/lock_orders.h. */
#include "builder.h"

#include "predict/facts/groundwork.h"
#include "predict/facts/lock_orders.h"

static rcp_lock_orders orders;

static rcp_loc place(unsigned line) {
    return rcp_defs_location(&trace.defs, (rcp_location){.file = rcp_defs_string(&trace.defs, "a.c", 3), .line = line});
}

static uint64_t take(unsigned thread, rcp_obj lock, unsigned line) {
    return add(thread, (rcp_event){.kind = RCP_ACQUIRE, .object = lock, .loc = place(line)});
}

/* The second ACQUIRE. */
static uint64_t nested(unsigned thread, rcp_obj one, rcp_obj other, unsigned line) {
    take(thread, one, line);
    uint64_t second = take(thread, other, line + 1);
    on(thread, RCP_RELEASE, other);
    on(thread, RCP_RELEASE, one);
    return second;
}

/* Their number; with must-happen-before. */
static size_t find(void) {
    rcp_groundwork *ground;
    rcp_trace_index(&trace);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_lock_orders_finish(&orders);
    rcp_lock_orders_init(&orders, &trace.defs);
    for (uint32_t i = 0; i < trace.events.len; i++)
        rcp_lock_orders_add(&orders, i, &trace.events.at[i]);
    rcp_lock_orders_find(&orders, ground->forced.must);
    rcp_groundwork_destroy(ground);
    return orders.cycles.len;
}

static rcp_obj mutex(const char *name) { return object(RCP_MUTEX, name, 0); }

START_TEST(two_locks) {
    rcp_obj a = mutex("a"), b = mutex("b");
    uint64_t one = nested(1, a, b, 10), two = nested(2, b, a, 20);
    ck_assert_uint_eq(find(), 1);
    ck_assert_uint_eq(orders.cycles.at[0].kept.len, 1);
    const rcp_standing *s = &orders.cycles.at[0].kept.at[0];
    ck_assert(s->n == 2 && s->event[0] == one && s->event[1] == two);
}
END_TEST

START_TEST(three_locks_and_the_smallest_cycle) {
    rcp_obj a = mutex("a"), b = mutex("b"), c = mutex("c");
    nested(1, a, b, 10);
    nested(2, b, c, 20);
    nested(3, c, a, 30);
    ck_assert_uint_eq(find(), 1);
    ck_assert_uint_eq(orders.cycles.at[0].kept.at[0].n, 3);
    nested(4, b, a, 40);
    ck_assert_uint_eq(find(), 2); /* T1 and T4; and T2, T3 with T1. With T4 there is none */
    ck_assert_uint_eq(orders.cycles.at[0].kept.at[0].n, 2);
    ck_assert_uint_eq(orders.cycles.at[1].kept.at[0].n, 3);
}
END_TEST

START_TEST(a_gate_lock) {
    rcp_obj a = mutex("a"), b = mutex("b"), gate = mutex("gate");
    for (unsigned t = 1; t <= 2; t++) {
        take(t, gate, 10 * t);
        nested(t, t == 1 ? a : b, t == 1 ? b : a, 10 * t + 1);
        on(t, RCP_RELEASE, gate);
    }
    ck_assert_uint_eq(find(), 0);
    nested(3, b, a, 30); /* not through the gate */
    ck_assert_uint_eq(find(), 1);
}
END_TEST

START_TEST(one_thread_alone_and_locks_released) {
    rcp_obj a = mutex("a"), b = mutex("b");
    nested(1, a, b, 10);
    nested(1, b, a, 20);
    take(2, b, 30);
    on(2, RCP_RELEASE, b);
    take(2, a, 31);
    ck_assert_uint_eq(find(), 0);
}
END_TEST

START_TEST(modes) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0), k = object(RCP_RWLOCK, "k", 0);
    for (unsigned t = 1; t <= 2; t++) {
        on_shared(t, RCP_ACQUIRE, t == 1 ? l : k, RCP_DONE);
        on_shared(t, RCP_ACQUIRE, t == 1 ? k : l, RCP_DONE);
        on_shared(t, RCP_RELEASE, t == 1 ? k : l, RCP_DONE);
        on_shared(t, RCP_RELEASE, t == 1 ? l : k, RCP_DONE);
    }
    ck_assert_uint_eq(find(), 0);
    on_shared(3, RCP_ACQUIRE, l, RCP_DONE);
    on(3, RCP_ACQUIRE, k); /* waits for T2, which reads l: that waits for nobody */
    ck_assert_uint_eq(find(), 0);
    on_shared(4, RCP_ACQUIRE, k, RCP_DONE);
    on(4, RCP_ACQUIRE, l);
    ck_assert_uint_eq(find(), 1);
}
END_TEST

START_TEST(one_after_the_other) {
    rcp_obj a = mutex("a"), b = mutex("b");
    about(1, RCP_FORK, 2, RCP_DONE);
    nested(2, a, b, 10);
    about(1, RCP_JOIN, 2, RCP_DONE);
    nested(1, b, a, 20);
    ck_assert_uint_eq(find(), 0);
    rcp_lock_orders_find(&orders, NULL); /* without must-happen-before */
    ck_assert_uint_eq(orders.cycles.len, 1);
}
END_TEST

START_TEST(again_and_in_vain) {
    rcp_obj r = object(RCP_RECURSIVE, "r", 0), a = mutex("a");
    take(1, r, 10);
    take(1, a, 11);
    take(1, r, 12); /* it has it */
    take(2, a, 20);
    on_as(2, RCP_ACQUIRE, r, RCP_FAILED);
    find();
    ck_assert_uint_eq(orders.wishes.len, 1);
}
END_TEST

START_TEST(the_same_places_are_one) {
    rcp_obj a = mutex("a"), b = mutex("b");
    for (int i = 0; i < 20; i++) {
        nested(1, a, b, 10);
        nested(2, b, a, 10);
    }
    ck_assert_uint_eq(find(), 1);
    ck_assert_uint_le(orders.cycles.at[0].kept.len, rcp_limit(RCP_LIMIT_DEADLOCK_INSTANCES));
    for (uint32_t i = 0; i < orders.wishes.len; i++)
        ck_assert_uint_eq(orders.wishes.at[i].n, RCP_WISH_INSTANCES);
}
END_TEST

START_TEST(limits_are_said) {
    rcp_obj locks[4] = {mutex("a"), mutex("b"), mutex("c"), mutex("d")};
    for (unsigned t = 1; t <= 4; t++)
        nested(t, locks[t - 1], locks[t % 4], 10 * t);
    rcp_limit_counts reached = {0};
    rcp_limits_capture(&reached);
    ck_assert_uint_eq(find(), 1);
    ck_assert_uint_eq(reached.at[RCP_LIMIT_DEADLOCK_THREADS], 0);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_DEADLOCK_THREADS, 3), RCP_OK);
    ck_assert_uint_eq(find(), 0);
    ck_assert_uint_eq(reached.at[RCP_LIMIT_DEADLOCK_THREADS], 1);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_DEADLOCK_THREADS, 4), RCP_OK);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_DEADLOCK_ORDERS, 1), RCP_OK);
    ck_assert_uint_eq(find(), 0);
    ck_assert_uint_eq(reached.at[RCP_LIMIT_DEADLOCK_ORDERS], 3);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_DEADLOCK_ORDERS, 1000), RCP_OK);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_DEADLOCK_STEPS, 1), RCP_OK);
    find();
    ck_assert(orders.is_over);
    ck_assert_uint_eq(reached.at[RCP_LIMIT_DEADLOCK_STEPS], 1);
    rcp_limits_capture(NULL);
}
END_TEST

static bool is_even(void *context, uint32_t event) {
    (void)context;
    return event % 2 == 0;
}

START_TEST(what_does_not_wait_is_dropped) {
    rcp_obj a = mutex("a"), b = mutex("b");
    nested(1, a, b, 10);
    nested(2, b, a, 20);
    ck_assert_uint_eq(find(), 1);
    rcp_lock_orders_keep(&orders, is_even, NULL);
    rcp_lock_orders_find(&orders, NULL);
    ck_assert_uint_eq(orders.cycles.len, 0);
}
END_TEST

START_TEST(other_waits) {
    rcp_obj a = mutex("a"), b = mutex("b"), c = object(RCP_COND, "c", 0), s = object(RCP_SEM, "s", 0);
    take(1, a, 10);
    on_cond(1, RCP_WAIT, c, a, RCP_DONE); /* its own mutex is let go */
    find();
    ck_assert_uint_eq(rcp_lock_orders_other_waits(&orders), 0);
    take(2, b, 20);
    add(2, (rcp_event){.kind = RCP_SEM_WAIT, .object = s, .loc = place(21)});
    find();
    ck_assert_uint_eq(rcp_lock_orders_other_waits(&orders), 0); /* nobody else takes b */
    on(2, RCP_RELEASE, b);
    take(3, b, 30);
    find();
    ck_assert_uint_eq(rcp_lock_orders_other_waits(&orders), 1);
}
END_TEST

START_TEST(semaphores) {
    rcp_obj s = object(RCP_SEM, "s", 1), u = object(RCP_SEM, "u", 2), a = mutex("a");
    on(1, RCP_SEM_WAIT, s);
    take(1, a, 10);
    on(1, RCP_RELEASE, a);
    on(1, RCP_SEM_POST, s);
    take(2, a, 20);
    on(2, RCP_SEM_WAIT, s);
    on(2, RCP_SEM_POST, s);
    ck_assert_uint_eq(find(), 1);
    ck_assert_uint_eq(rcp_lock_orders_other_waits(&orders), 0);
    on(3, RCP_SEM_WAIT, u); /* two can have it */
    take(3, a, 30);
    on(3, RCP_RELEASE, a);
    on(2, RCP_SEM_WAIT, u);
    ck_assert_uint_eq(find(), 1);
    ck_assert_uint_eq(rcp_lock_orders_other_waits(&orders), 1);
    on(4, RCP_SEM_POST, s); /* by who has not taken it */
    ck_assert_uint_eq(find(), 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {two_locks,
                                  three_locks_and_the_smallest_cycle,
                                  a_gate_lock,
                                  one_thread_alone_and_locks_released,
                                  modes,
                                  one_after_the_other,
                                  again_and_in_vain,
                                  the_same_places_are_one,
                                  limits_are_said,
                                  what_does_not_wait_is_dropped,
                                  other_waits,
                                  semaphores};
    return RUN_TESTS("lock_orders", tests);
}
