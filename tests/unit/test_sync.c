/* SPDX-License-Identifier: Apache-2.0 */
/* Rules T5, L, C, S, B, O and J of docs/semantics.md, through the witness checker: for each rule a schedule that keeps
 * it and one that breaks it. */
#include "builder.h"

START_TEST(l1_exclusive) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    uint64_t second = on(2, RCP_ACQUIRE, m);
    on(2, RCP_RELEASE, m);
    ACCEPT("1122");
    ACCEPT("2211");
    ACCEPT("1");
    REFUSE("12", second, "T2 wants mutex m, which T1 holds");
    REFUSE("21", 0, "T2 holds");
}
END_TEST

START_TEST(l1_recursive) {
    rcp_obj q = object(RCP_RECURSIVE, "q", 0);
    on(1, RCP_ACQUIRE, q);
    on(1, RCP_ACQUIRE, q);
    on(1, RCP_RELEASE, q);
    on(1, RCP_RELEASE, q);
    uint64_t other = on(2, RCP_ACQUIRE, q);
    ACCEPT("11112");
    REFUSE("1112", other, "T1 holds");
}
END_TEST

START_TEST(l1_mutex_is_not_recursive) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    uint64_t again = on(1, RCP_ACQUIRE, m);
    ACCEPT("1");
    REFUSE("11", again, "T1 holds");
}
END_TEST

START_TEST(l1_exclusive_against_shared) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    on_shared(1, RCP_RELEASE, l, RCP_DONE);
    uint64_t writer = on(2, RCP_ACQUIRE, l);
    ACCEPT("112");
    REFUSE("12", writer, "shared mode");
}
END_TEST

START_TEST(l2_shared) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    on_shared(2, RCP_ACQUIRE, l, RCP_DONE);
    on_shared(2, RCP_RELEASE, l, RCP_DONE);
    on_shared(1, RCP_RELEASE, l, RCP_DONE);
    on(3, RCP_ACQUIRE, l);
    on(3, RCP_RELEASE, l);
    ACCEPT("122133");
    ACCEPT("121233");
    ACCEPT("33122");
    REFUSE("31", 0, "T3 holds it exclusively");
}
END_TEST

START_TEST(l3_failed) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    uint64_t failed = on_as(2, RCP_ACQUIRE, m, RCP_FAILED);
    on(1, RCP_RELEASE, m);
    ACCEPT("121");
    REFUSE("2", failed, "nobody holds it");
    REFUSE("112", failed, "nobody holds it");
}
END_TEST

START_TEST(l3_failed_against_shared) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    uint64_t failed = on_as(2, RCP_ACQUIRE, l, RCP_FAILED);
    ACCEPT("12");
    REFUSE("2", failed, "nobody holds it");
}
END_TEST

START_TEST(l3_failed_by_oneself) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), q = object(RCP_RECURSIVE, "q", 0);
    on(1, RCP_ACQUIRE, m);
    on_as(1, RCP_ACQUIRE, m, RCP_FAILED);
    on(1, RCP_ACQUIRE, q);
    uint64_t failed = on_as(1, RCP_ACQUIRE, q, RCP_FAILED);
    ACCEPT("111");
    REFUSE("1111", failed, "nobody else holds it");
}
END_TEST

START_TEST(l4_shared_failed) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0);
    on(1, RCP_ACQUIRE, l);
    uint64_t failed = on_shared(2, RCP_ACQUIRE, l, RCP_FAILED);
    on(1, RCP_RELEASE, l);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    ACCEPT("12");
    REFUSE("2", failed, "nobody holds it exclusively");
    REFUSE("1112", failed, "nobody holds it exclusively");
}
END_TEST

START_TEST(l5_release) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), l = object(RCP_RWLOCK, "l", 0);
    on(1, RCP_ACQUIRE, m);
    uint64_t foreign = on(2, RCP_RELEASE, m);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    uint64_t shared = on_shared(3, RCP_RELEASE, l, RCP_DONE);
    uint64_t wrong_mode = on(1, RCP_RELEASE, l);
    ACCEPT("11");
    REFUSE("2", foreign, "nobody holds");
    REFUSE("12", foreign, "T1 holds");
    REFUSE("113", shared, "without holding it so");
    REFUSE("111", wrong_mode, "nobody holds exclusively");
}
END_TEST

START_TEST(l5_shared_holds_are_counted) {
    rcp_obj l = object(RCP_RWLOCK, "l", 0);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    on_shared(1, RCP_ACQUIRE, l, RCP_DONE);
    on_shared(1, RCP_RELEASE, l, RCP_DONE);
    on_shared(1, RCP_RELEASE, l, RCP_DONE);
    uint64_t once_more = on_shared(1, RCP_RELEASE, l, RCP_DONE);
    uint64_t writer = on(2, RCP_ACQUIRE, l);
    ACCEPT("11112");
    REFUSE("1112", writer, "(1 times)");
    REFUSE("11111", once_more, "without holding it so");
}
END_TEST

/* T1: acq wait wake rel. T2: acq signal rel. */
static uint64_t wake1;
static void waiter_and_signaller(rcp_kind kind, rcp_outcome outcome) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(2, RCP_ACQUIRE, m);
    on(2, kind, c);
    on(2, RCP_RELEASE, m);
    wake1 = on_cond(1, RCP_WAKE, c, m, outcome);
    on(1, RCP_RELEASE, m);
}

START_TEST(c1_wait_needs_the_lock) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    uint64_t wait = on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    uint64_t foreign = on_cond(2, RCP_WAIT, c, m, RCP_DONE);
    uint64_t next = on(3, RCP_ACQUIRE, m);
    (void)wait;
    ACCEPT("113");
    REFUSE("13", next, "T1 holds");
    REFUSE("2", foreign, "nobody holds");
    REFUSE("12", foreign, "T1 holds");
}
END_TEST

START_TEST(c1_wait_releases_one_level) {
    rcp_obj q = object(RCP_RECURSIVE, "q", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, q);
    on(1, RCP_ACQUIRE, q);
    on_cond(1, RCP_WAIT, c, q, RCP_DONE);
    on(2, RCP_SIGNAL, c);
    on_cond(1, RCP_WAKE, c, q, RCP_DONE);
    on(1, RCP_RELEASE, q);
    on(1, RCP_RELEASE, q);
    uint64_t other = on(2, RCP_ACQUIRE, q);
    ACCEPT("11121112");
    REFUSE("11122", other, "T1 holds");
    REFUSE("1112112", other, "T1 holds");
}
END_TEST

START_TEST(c2_signal_wakes) {
    waiter_and_signaller(RCP_SIGNAL, RCP_DONE);
    ACCEPT("1122211");
    REFUSE("111", wake1, "not woken");
}
END_TEST

START_TEST(c2_signal_before_the_wait_is_lost) {
    waiter_and_signaller(RCP_SIGNAL, RCP_DONE);
    REFUSE("222111", wake1, "not woken");
}
END_TEST

START_TEST(c2_one_signal_wakes_one) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    uint64_t wakes[2];
    for (unsigned t = 1; t <= 2; t++) {
        on(t, RCP_ACQUIRE, m);
        on_cond(t, RCP_WAIT, c, m, RCP_DONE);
    }
    on(3, RCP_SIGNAL, c);
    on(3, RCP_SIGNAL, c);
    for (unsigned t = 1; t <= 2; t++) {
        wakes[t - 1] = on_cond(t, RCP_WAKE, c, m, RCP_DONE);
        on(t, RCP_RELEASE, m);
    }
    ACCEPT("1122331122");
    ACCEPT("1122332211");
    REFUSE("11223112", wakes[1], "not woken");
    REFUSE("11223221", wakes[0], "not woken");
}
END_TEST

/* The first signal must go to T1 or T2 as need be: the choice is free, and a greedy one by age would be wrong in one of
 * the two schedules. T2 sleeps when the first signal comes, T3 only when the second does. */
START_TEST(c2_some_choice_is_enough) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    uint64_t wake[4] = {0};
    for (unsigned t = 1; t <= 3; t++) {
        on(t, RCP_ACQUIRE, m);
        on_cond(t, RCP_WAIT, c, m, RCP_DONE);
    }
    on(4, RCP_BROADCAST, c);
    on(4, RCP_SIGNAL, c);
    on(4, RCP_SIGNAL, c);
    for (unsigned t = 1; t <= 3; t++) {
        wake[t] = on_cond(t, RCP_WAKE, c, m, RCP_DONE);
        on(t, RCP_RELEASE, m);
    }
    /* broadcast first: lost */
    ACCEPT("4112243322");                            /* T1, T2 | signal | T3 |          T2 wakes by it, T1 sleeps on */
    ACCEPT("4112243311");                            /* the same signal for T1 instead */
    ACCEPT("41122433411");                           /* one of the signals for T1 */
    ACCEPT("4112243342233");                         /* second signal for T3, first for T2 */
    ACCEPT("4112243343322");                         /* and woken the other way round */
    ACCEPT("4112243342211");                         /* both signals for T1 and T2: T3 sleeps on */
    REFUSE("4112243333", wake[3], "not woken");      /* T3 was not asleep at the first */
    REFUSE("411224334221133", wake[3], "not woken"); /* three wake-ups, two signals */
}
END_TEST

/* A signal must not be kept for a thread that falls asleep later, however many were sent before. */
START_TEST(c2_signals_are_not_stored) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    for (int i = 0; i < 40; i++)
        on(3, RCP_SIGNAL, c);
    on(2, RCP_ACQUIRE, m);
    on_cond(2, RCP_WAIT, c, m, RCP_DONE);
    on_cond(1, RCP_WAKE, c, m, RCP_DONE);
    on(1, RCP_RELEASE, m);
    uint64_t wake = on_cond(2, RCP_WAKE, c, m, RCP_DONE);
    char schedule[64] = "11";
    memset(schedule + 2, '3', 40);
    strcpy(schedule + 42, "2211");
    ACCEPT(schedule);
    strcpy(schedule + 42, "22112");
    REFUSE(schedule, wake, "not woken");
    schedule[41] = '\0';
    strcat(schedule, "223112"); /* the last signal after T2's wait: T1 takes an earlier one */
    ACCEPT(schedule);
}
END_TEST

START_TEST(c3_broadcast_wakes_all) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    uint64_t late = 0;
    for (unsigned t = 1; t <= 2; t++) {
        on(t, RCP_ACQUIRE, m);
        on_cond(t, RCP_WAIT, c, m, RCP_DONE);
    }
    on(3, RCP_BROADCAST, c);
    for (unsigned t = 1; t <= 2; t++) {
        late = on_cond(t, RCP_WAKE, c, m, RCP_DONE);
        on(t, RCP_RELEASE, m);
    }
    ACCEPT("112231122");
    ACCEPT("112232211");
    REFUSE("11322112", late, "not woken");
}
END_TEST

START_TEST(c4_wake_takes_the_lock) {
    waiter_and_signaller(RCP_SIGNAL, RCP_DONE);
    REFUSE("11221", wake1, "which T2 holds");
    ACCEPT("112221");
}
END_TEST

START_TEST(c5_timeout) {
    waiter_and_signaller(RCP_SIGNAL, RCP_TIMEOUT);
    ACCEPT("1111");
    ACCEPT("1111222");
    ACCEPT("1122211");
    REFUSE("11221", wake1, "which T2 holds");
}
END_TEST

/* A thread that times out is never chosen: the one signal goes to the other. */
START_TEST(c5_no_signal_for_a_timeout) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(2, RCP_ACQUIRE, m);
    on_cond(2, RCP_WAIT, c, m, RCP_DONE);
    on(3, RCP_SIGNAL, c);
    on_cond(1, RCP_WAKE, c, m, RCP_SPURIOUS);
    on(1, RCP_RELEASE, m);
    uint64_t wake = on_cond(2, RCP_WAKE, c, m, RCP_DONE);
    ACCEPT("11223112");
    ACCEPT("112232");
    REFUSE("113222", wake, "not woken"); /* only the one that times out slept: the signal is lost */
}
END_TEST

START_TEST(c6_spurious_asked_for) {
    waiter_and_signaller(RCP_SIGNAL, RCP_DONE);
    REFUSE("111", wake1, "not woken");
    how.spurious_wakeups = true;
    ACCEPT("1111");
}
END_TEST

START_TEST(t5_asleep) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0), d = object(RCP_COND, "d", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    uint64_t acts = wr(1, 0x10, 1);
    uint64_t alone = on_cond(2, RCP_WAKE, c, m, RCP_TIMEOUT);
    on(3, RCP_ACQUIRE, m);
    on_cond(3, RCP_WAIT, c, m, RCP_DONE);
    uint64_t other = on_cond(3, RCP_WAKE, d, m, RCP_TIMEOUT);
    ACCEPT("11");
    REFUSE("111", acts, "sleeps on cond c");
    REFUSE("2", alone, "without a wait");
    REFUSE("333", other, "waits on cond c");
}
END_TEST

START_TEST(s_semaphores) {
    rcp_obj s = object(RCP_SEM, "s", 1);
    on(1, RCP_SEM_WAIT, s);
    uint64_t failed = on_as(2, RCP_SEM_WAIT, s, RCP_FAILED);
    on(3, RCP_SEM_POST, s);
    uint64_t second = on(2, RCP_SEM_WAIT, s);
    ACCEPT("1232");
    REFUSE("2", failed, "count is 1");
    REFUSE("132", failed, "count is 1");
    REFUSE("122", second, "count is 0");
}
END_TEST

START_TEST(b1_b2_barrier) {
    rcp_obj b = object(RCP_BARRIER, "b", 2);
    on(1, RCP_BARRIER_ENTER, b);
    on(2, RCP_BARRIER_ENTER, b);
    uint64_t first = on_as(1, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    on(2, RCP_BARRIER_LEAVE, b);
    ACCEPT("1212");
    ACCEPT("2112");
    REFUSE("112", first, "only 1 of 2");
}
END_TEST

START_TEST(b1_generations) {
    rcp_obj b = object(RCP_BARRIER, "b", 2);
    on(1, RCP_BARRIER_ENTER, b);
    on(2, RCP_BARRIER_ENTER, b);
    on_as(1, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    on(1, RCP_BARRIER_ENTER, b);
    uint64_t twice = on(1, RCP_BARRIER_ENTER, b);
    on(2, RCP_BARRIER_LEAVE, b);
    uint64_t third = on(3, RCP_BARRIER_ENTER, b);
    uint64_t leaves = on_as(3, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    (void)third;
    ACCEPT("12112");
    ACCEPT("121132"); /* T1 and T3 make the second generation */
    ACCEPT("1211323");
    REFUSE("12133", leaves, "only 1 of 2");
    REFUSE("12111", twice, "has not left");
}
END_TEST

START_TEST(b2_leave_without_enter) {
    rcp_obj b = object(RCP_BARRIER, "b", 1);
    on(1, RCP_BARRIER_ENTER, b);
    on_as(1, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    uint64_t again = on_as(1, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    ACCEPT("11");
    REFUSE("111", again, "without having entered");
}
END_TEST

START_TEST(b3_serial_thread) {
    rcp_obj b = object(RCP_BARRIER, "b", 2), d = object(RCP_BARRIER, "d", 2);
    on(1, RCP_BARRIER_ENTER, b);
    on(2, RCP_BARRIER_ENTER, b);
    on_as(1, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    uint64_t second = on_as(2, RCP_BARRIER_LEAVE, b, RCP_SERIAL);
    on(3, RCP_BARRIER_ENTER, d);
    on(4, RCP_BARRIER_ENTER, d);
    on(3, RCP_BARRIER_LEAVE, d);
    uint64_t last = on(4, RCP_BARRIER_LEAVE, d);
    ACCEPT("121");
    REFUSE("1212", second, "as the serial thread");
    ACCEPT("343"); /* the other one may be the serial thread yet */
    REFUSE("3434", last, "none of its generation");
}
END_TEST

START_TEST(o_once) {
    rcp_obj o = object(RCP_ONCE, "o", 0);
    on(1, RCP_ONCE_BEGIN, o);
    on(1, RCP_ONCE_END, o);
    uint64_t skip = on(2, RCP_ONCE_SKIP, o);
    uint64_t begin = on(3, RCP_ONCE_BEGIN, o);
    uint64_t foreign = on(4, RCP_ONCE_END, o);
    ACCEPT("112");
    ACCEPT("3");
    REFUSE("2", skip, "has not ended");
    REFUSE("12", skip, "has not ended");
    REFUSE("13", begin, "T1 has begun");
    REFUSE("14", foreign, "not running");
    REFUSE("4", foreign, "not running");
    REFUSE("114", foreign, "not running");
}
END_TEST

START_TEST(j1_init_first) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    uint64_t init = on(1, RCP_INIT, m);
    uint64_t use = on(2, RCP_ACQUIRE, m);
    on(2, RCP_RELEASE, m);
    uint64_t again = on(1, RCP_INIT, m);
    uint64_t wake = on_cond(3, RCP_WAIT, c, m, RCP_DONE);
    (void)init;
    ACCEPT("122");
    REFUSE("2", use, "not initialised yet");
    REFUSE("3", wake, "mutex m is not initialised yet");
    REFUSE("11", again, "initialised already");
}
END_TEST

START_TEST(j2_destroyed) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    on(2, RCP_DESTROY, m);
    ACCEPT("112");
    ACCEPT("2");
    REFUSE("21", 0, "was destroyed before");
}
END_TEST

START_TEST(j3_destroy_a_held_lock) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), l = object(RCP_RWLOCK, "l", 0);
    on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    uint64_t destroy = on(2, RCP_DESTROY, m);
    on_shared(3, RCP_ACQUIRE, l, RCP_DONE);
    uint64_t shared = on(4, RCP_DESTROY, l);
    ACCEPT("112");
    REFUSE("12", destroy, "while T1 holds it");
    REFUSE("34", shared, "shared mode");
}
END_TEST

START_TEST(j3_destroy_a_lock_that_somebody_waits_with) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(2, RCP_SIGNAL, c);
    on_cond(1, RCP_WAKE, c, m, RCP_DONE);
    on(1, RCP_RELEASE, m);
    uint64_t destroy = on(2, RCP_DESTROY, m);
    ACCEPT("112112");
    REFUSE("1122", destroy, "a wait with it has not ended");
}
END_TEST

START_TEST(j3_destroy_a_barrier) {
    rcp_obj b = object(RCP_BARRIER, "b", 2);
    on(1, RCP_BARRIER_ENTER, b);
    on(2, RCP_BARRIER_ENTER, b);
    uint64_t destroy = on(3, RCP_DESTROY, b);
    ACCEPT("3");
    ACCEPT("123");
    REFUSE("13", destroy, "waits in it for others");
}
END_TEST

START_TEST(j3_destroy_with_sleepers) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(2, RCP_ACQUIRE, m);
    on_cond(2, RCP_WAIT, c, m, RCP_DONE);
    on(3, RCP_SIGNAL, c);
    on(3, RCP_SIGNAL, c);
    uint64_t destroy = on(4, RCP_DESTROY, c);
    ACCEPT("1122334");
    REFUSE("112234", destroy, "sleeps on it");
}
END_TEST

/* The second signal comes when only T2's sleep is left for it. */
START_TEST(j3_destroy_needs_a_signal_each) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(3, RCP_SIGNAL, c);
    on(3, RCP_SIGNAL, c);
    on(2, RCP_ACQUIRE, m);
    on_cond(2, RCP_WAIT, c, m, RCP_DONE);
    uint64_t destroy = on(4, RCP_DESTROY, c);
    ACCEPT("1132234");
    REFUSE("1133224", destroy, "sleeps on it");
}
END_TEST

/* A thread whose wake is a timeout has left its sleep (C5), though its wake is not in the schedule. */
START_TEST(j3_destroy_after_a_timeout) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    uint64_t wake = on_cond(1, RCP_WAKE, c, m, RCP_TIMEOUT);
    on(2, RCP_DESTROY, c);
    ACCEPT("112");
    REFUSE("1121", wake, "was destroyed before");
}
END_TEST

/* With spurious wake-ups the signal need not go to the thread that wakes. */
START_TEST(j3_destroy_and_spurious) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(2, RCP_ACQUIRE, m);
    on_cond(2, RCP_WAIT, c, m, RCP_DONE);
    on(3, RCP_SIGNAL, c);
    on_cond(1, RCP_WAKE, c, m, RCP_DONE);
    uint64_t destroy = on(4, RCP_DESTROY, c);
    REFUSE("1122314", destroy, "while T2 sleeps");
    how.spurious_wakeups = true;
    ACCEPT("1122314");
    REFUSE("112214", destroy, "while T2 sleeps");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        l1_exclusive,
        l1_recursive,
        l1_mutex_is_not_recursive,
        l1_exclusive_against_shared,
        l2_shared,
        l3_failed,
        l3_failed_against_shared,
        l3_failed_by_oneself,
        l4_shared_failed,
        l5_release,
        l5_shared_holds_are_counted,
        c1_wait_needs_the_lock,
        c1_wait_releases_one_level,
        c2_signal_wakes,
        c2_signal_before_the_wait_is_lost,
        c2_one_signal_wakes_one,
        c2_some_choice_is_enough,
        c2_signals_are_not_stored,
        c3_broadcast_wakes_all,
        c4_wake_takes_the_lock,
        c5_timeout,
        c5_no_signal_for_a_timeout,
        c6_spurious_asked_for,
        t5_asleep,
        s_semaphores,
        b1_b2_barrier,
        b1_generations,
        b2_leave_without_enter,
        b3_serial_thread,
        o_once,
        j1_init_first,
        j2_destroyed,
        j3_destroy_a_held_lock,
        j3_destroy_a_lock_that_somebody_waits_with,
        j3_destroy_a_barrier,
        j3_destroy_with_sleepers,
        j3_destroy_needs_a_signal_each,
        j3_destroy_after_a_timeout,
        j3_destroy_and_spurious,
    };
    return RUN_TESTS("sync", tests);
}
