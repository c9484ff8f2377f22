/* SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

#include "trace/check/wellformed.h"

static rcp_wellformed *check;

static uint64_t count_faults(void) {
    check = rcp_wellformed_create(&trace.defs, &trace.terms);
    for (size_t i = 0; i < trace.events.len; i++)
        ck_assert_int_eq(rcp_wellformed_add(check, (rcp_eid){i}, &trace.events.at[i]), RCP_OK);
    return rcp_wellformed_finish(check);
}

static void good(void) {
    uint64_t n = count_faults();
    ck_assert_msg(n == 0, "%s", n ? rcp_wellformed_borrow(check, 0)->reason : "");
    ck_assert_ptr_null(rcp_wellformed_borrow(check, 0));
    rcp_wellformed_destroy(check);
}

/* Exactly one fault, there and with these words. */
static void bad(uint64_t at, const char *part) {
    uint64_t n = count_faults();
    ck_assert_uint_eq(n, 1);
    const rcp_fault *f = rcp_wellformed_borrow(check, 0);
    ck_assert_msg(f->eid.v == at, "at event %llu: %s", (unsigned long long)f->eid.v, f->reason);
    ck_assert_uint_eq(f->tid.v, trace.events.at[at].tid.v);
    ck_assert_uint_eq(f->loc.v, trace.events.at[at].loc.v);
    ck_assert_msg(strstr(f->reason, part), "'%s' does not say '%s'", f->reason, part);
    rcp_wellformed_destroy(check);
}

START_TEST(a_good_trace) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    plain(1, RCP_BEGIN);
    about(1, RCP_FORK, 2, RCP_DONE);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    plain(2, RCP_BEGIN);
    on(2, RCP_ACQUIRE, m);
    wr(2, 0x10, 7);
    on(2, RCP_SIGNAL, c);
    on(2, RCP_RELEASE, m);
    on_cond(1, RCP_WAKE, c, m, RCP_DONE);
    uint64_t x = rd(1, 0x10, 7);
    br(1, 1, op(RCP_OP_EQ, of(x), lit(7)));
    about(1, RCP_JOIN, 2, RCP_FAILED);
    plain(2, RCP_END);
    about(1, RCP_JOIN, 2, RCP_DONE);
    plain(1, RCP_EXIT);
    good(); /* with m held at the end */
}
END_TEST

START_TEST(begin_first) {
    wr(1, 0x10, 1);
    bad(plain(1, RCP_BEGIN), "begins after it has run");
}
END_TEST

START_TEST(end_last) {
    plain(1, RCP_END);
    bad(wr(1, 0x10, 1), "goes on after its end");
}
END_TEST

START_TEST(forked_once) {
    about(1, RCP_FORK, 2, RCP_DONE);
    bad(about(1, RCP_FORK, 2, RCP_DONE), "T2 is forked a second time");
}
END_TEST

START_TEST(t1_forked_before_it_is_joined) {
    about(1, RCP_JOIN, 2, RCP_FAILED);
    bad(about(1, RCP_FORK, 2, RCP_DONE), "forked after a join of it");
}
END_TEST

START_TEST(t1_forked_before_it_runs) {
    wr(2, 0x10, 1);
    bad(about(1, RCP_FORK, 2, RCP_DONE), "forked after it has run");
}
END_TEST

START_TEST(t1_does_not_fork_itself) { bad(about(1, RCP_FORK, 1, RCP_DONE), "forked after it has run"); }
END_TEST

START_TEST(t2_joined) {
    wr(2, 0x10, 1);
    about(1, RCP_JOIN, 2, RCP_DONE);
    bad(wr(2, 0x10, 1), "goes on after it was joined");
}
END_TEST

START_TEST(t3_failed_join) {
    plain(2, RCP_END);
    bad(about(1, RCP_JOIN, 2, RCP_FAILED), "which has ended");
}
END_TEST

START_TEST(t4_exit) {
    plain(1, RCP_EXIT);
    bad(wr(2, 0x10, 1), "after the process has ended");
}
END_TEST

START_TEST(locks) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    bad(on(2, RCP_ACQUIRE, m), "T2 wants mutex m, which T1 holds");
}
END_TEST

START_TEST(wake_without_a_signal) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(2, RCP_SIGNAL, c);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    bad(on_cond(1, RCP_WAKE, c, m, RCP_DONE), "not woken");
}
END_TEST

/* What the one signal did is known only when the first of them wakes by itself. */
START_TEST(timeouts_take_no_signal) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    for (unsigned t = 1; t <= 2; t++) {
        on(t, RCP_ACQUIRE, m);
        on_cond(t, RCP_WAIT, c, m, RCP_DONE);
    }
    on(3, RCP_SIGNAL, c);
    on_cond(1, RCP_WAKE, c, m, RCP_TIMEOUT);
    on(1, RCP_RELEASE, m);
    on_cond(2, RCP_WAKE, c, m, RCP_DONE);
    good();
}
END_TEST

/* The signal that is kept when the sleepers get fewer must be one that the other can use. */
START_TEST(the_last_signals_are_kept) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    for (unsigned t = 1; t <= 2; t++) {
        on(t, RCP_ACQUIRE, m);
        on_cond(t, RCP_WAIT, c, m, RCP_DONE);
        on(3, RCP_SIGNAL, c);
    }
    on_cond(1, RCP_WAKE, c, m, RCP_TIMEOUT);
    on(1, RCP_RELEASE, m);
    on_cond(2, RCP_WAKE, c, m, RCP_DONE);
    good();
}
END_TEST

START_TEST(init_after_use) {
    rcp_obj m = object(RCP_MUTEX, "m", 0);
    on(1, RCP_ACQUIRE, m);
    on(1, RCP_RELEASE, m);
    bad(on(1, RCP_INIT, m), "was used before this init");
}
END_TEST

START_TEST(destroyed) {
    rcp_obj s = object(RCP_SEM, "s", 1);
    on(1, RCP_DESTROY, s);
    bad(on(1, RCP_SEM_POST, s), "was destroyed before");
}
END_TEST

START_TEST(asleep) {
    rcp_obj m = object(RCP_MUTEX, "m", 0), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    bad(wr(1, 0x10, 1), "sleeps on cond c");
}
END_TEST

START_TEST(values_of_writes) {
    wr(1, 0x10, 0x0102);
    add(2, (rcp_event){.kind = RCP_WRITE, .addr = 0x11, .size = 1, .value = 3, .valued = 1});
    rd(1, 0x10, 0x0302);
    bad(rd(2, 0x10, 0x0402), "T2 reads 0x04 at 0x11 where event 1, the last to write there, left 0x03");
}
END_TEST

START_TEST(values_of_images) {
    rcp_defs_image(&trace.defs, 0x10, (const uint8_t[4]){9}, 4);
    rd(1, 0x10, 9);
    wr(1, 0x10, 8);
    bad(rd(1, 0x10, 9), "left 0x08");
}
END_TEST

START_TEST(an_image_is_compared) {
    rcp_defs_image(&trace.defs, 0x10, (const uint8_t[4]){9}, 4);
    bad(rd(1, 0x10, 8), "reads 0x08 at 0x10 where was 0x09");
}
END_TEST

START_TEST(a_read_shows_what_is_there) {
    rd(1, 0x10, 5);
    rd(2, 0x10, 5);
    bad(rd(1, 0x10, 6), "where was 0x05");
}
END_TEST

START_TEST(unvalued_writes_and_opaque_code) {
    wr(1, 0x10, 5);
    add(1, (rcp_event){.kind = RCP_WRITE, .addr = 0x10, .size = 4});
    rd(1, 0x10, 6);
    opaque(2, RCP_OPAQUE_BEGIN, 0, 0x100);
    opaque(2, RCP_OPAQUE_END, 0, 0x100);
    rd(1, 0x10, 7);
    bad(rd(1, 0x10, 8), "event 4, the last to write there, left 0x07");
}
END_TEST

START_TEST(lives) {
    wr(1, 0x10, 5);
    block(1, RCP_ALLOC, 0x10, 8, RCP_ZEROED);
    rd(1, 0x10, 0);
    block(1, RCP_FREE, 0x10, 8, RCP_DONE);
    block(1, RCP_ALLOC, 0x10, 2, RCP_DONE);
    rd(1, 0x10, 0x77777777); /* nothing is known there */
    rd(1, 0x10, 0x66666666); /* and nothing is learnt */
    block(1, RCP_ALLOC, 0x12, 2, RCP_ZEROED);
    bad(rd(1, 0x10, 0x10007777), "reads 0x10 at 0x13");
}
END_TEST

START_TEST(rmw) {
    rcp_event e = {
        .kind = RCP_RMW, .addr = 0x10, .size = 4, .value = 0, .written = 1, .valued = 1, .mode = RCP_SEQ_CST};
    e.value_term = op(RCP_OP_ADD, of(0), lit(1));
    add(1, e);
    e.value = 1, e.written = 3, e.value_term = op(RCP_OP_ADD, of(1), lit(1));
    bad(add(2, e), "value term gives 0x2 at the recorded reads, recorded is 0x3");
}
END_TEST

START_TEST(term_of_a_write) {
    uint64_t x = rd(1, 0x10, 5);
    wr_term(1, 0x20, 6, op(RCP_OP_ADD, of(x), lit(1)));
    bad(wr_term(1, 0x20, 7, op(RCP_OP_ADD, of(x), lit(1))), "gives 0x6");
}
END_TEST

START_TEST(term_of_a_branch) {
    uint64_t x = rd(1, 0x10, 5);
    br(1, 5, of(x));
    add(1, (rcp_event){.kind = RCP_BRANCH, .cond = of(x)});
    bad(br(1, 4, of(x)), "condition term gives 0x5");
}
END_TEST

START_TEST(term_of_an_address) {
    uint64_t x = rd(1, 0x10, 0x20);
    rcp_event e = {.kind = RCP_READ, .addr = 0x20, .size = 4};
    e.addr_term = rcp_term_make(&trace.terms, RCP_OP_ZEXT, 64, of(x), (rcp_term){0}, (rcp_term){0});
    add(1, e);
    e.addr = 0x24;
    bad(add(1, e), "address term gives 0x20");
}
END_TEST

START_TEST(terms_of_compare_and_swap) {
    rcp_event won = {
        .kind = RCP_RMW, .addr = 0x10, .size = 4, .value = 0, .written = 1, .valued = 1, .mode = RCP_SEQ_CST};
    won.cond = op(RCP_OP_EQ, of(0), lit(0));
    add(1, won);
    rcp_event lost = {.kind = RCP_READ, .addr = 0x10, .size = 4, .value = 1, .valued = 1, .mode = RCP_SEQ_CST};
    lost.cond = op(RCP_OP_EQ, of(1), lit(0));
    add(1, lost);
    lost.cond = op(RCP_OP_EQ, of(2), lit(1));
    bad(add(1, lost), "condition term gives 0x1");
}
END_TEST

START_TEST(term_without_a_value) {
    uint64_t x = rd(1, 0x10, 0);
    bad(br(1, 1, op(RCP_OP_UDIV, lit(1), of(x))), "has no value");
}
END_TEST

START_TEST(term_over_a_later_read) {
    rd(1, 0x10, 5);
    uint64_t early = br(1, 5, of(2));
    rd(1, 0x10, 5);
    br(1, 5, of(2));
    bad(early, "event 2, which is no earlier read");
}
END_TEST

START_TEST(address_over_its_own_read) {
    rcp_event e = {.kind = RCP_READ, .addr = 0x20, .size = 8, .value = 0x20, .valued = 1};
    e.addr_term = rcp_term_read(&trace.terms, (rcp_eid){0}, 0, 64);
    bad(add(1, e), "event 0, which is no earlier read");
}
END_TEST

START_TEST(term_over_no_read) {
    wr(1, 0x10, 5);
    bad(br(1, 5, of(0)), "is no earlier read");
}
END_TEST

START_TEST(term_over_bytes_that_were_not_read) {
    uint64_t x = rd(1, 0x10, 5);
    bad(br(1, 5, rcp_term_read(&trace.terms, (rcp_eid){x}, 2, 32)), "bytes 2 to 6 of event 0, which reads fewer");
}
END_TEST

START_TEST(terms_over_unvalued_reads_are_not_compared) {
    add(1, (rcp_event){.kind = RCP_READ, .addr = 0x10, .size = 4});
    br(1, 5, of(0));
    good();
}
END_TEST

START_TEST(terms_over_wide_reads) {
    uint8_t bytes[200];
    for (int i = 0; i < 200; i++)
        bytes[i] = (uint8_t)i;
    for (int i = 0; i < 100; i++) /* so that the store has blocks */
        rd(1, 0x1000, 1);
    add(1, (rcp_event){.kind = RCP_READ, .addr = 0x2000, .size = 4}); /* unvalued: takes no room */
    uint64_t wide = add(1, (rcp_event){.kind = RCP_READ, .addr = 0x10, .size = 200, .bytes = bytes, .valued = 1});
    uint64_t next = rd(1, 0x1000, 1);
    br(1, 0xc7c6, rcp_term_read(&trace.terms, (rcp_eid){wide}, 198, 16));
    br(1, 1, of(next));
    good();
}
END_TEST

START_TEST(many_faults_are_counted) {
    for (int i = 0; i < 150; i++)
        plain(1, RCP_BEGIN);
    ck_assert_uint_eq(count_faults(), 149);
    ck_assert_ptr_nonnull(rcp_wellformed_borrow(check, RCP_FAULTS_KEPT - 1));
    ck_assert_ptr_null(rcp_wellformed_borrow(check, RCP_FAULTS_KEPT));
    rcp_wellformed_destroy(check);
}
END_TEST

START_TEST(events_come_in_order) {
    check = rcp_wellformed_create(&trace.defs, &trace.terms);
    rcp_event e = {.kind = RCP_BEGIN};
    ck_assert_int_eq(rcp_wellformed_add(check, (rcp_eid){1}, &e), RCP_INTERNAL);
    rcp_wellformed_destroy(check);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        a_good_trace,
        begin_first,
        end_last,
        forked_once,
        t1_forked_before_it_is_joined,
        t1_forked_before_it_runs,
        t1_does_not_fork_itself,
        t2_joined,
        t3_failed_join,
        t4_exit,
        locks,
        wake_without_a_signal,
        timeouts_take_no_signal,
        init_after_use,
        destroyed,
        asleep,
        values_of_writes,
        values_of_images,
        an_image_is_compared,
        a_read_shows_what_is_there,
        unvalued_writes_and_opaque_code,
        lives,
        rmw,
        term_of_a_write,
        term_of_a_branch,
        term_of_an_address,
        terms_of_compare_and_swap,
        term_without_a_value,
        term_over_a_later_read,
        address_over_its_own_read,
        term_over_no_read,
        term_over_bytes_that_were_not_read,
        terms_over_unvalued_reads_are_not_compared,
        terms_over_wide_reads,
        many_faults_are_counted,
        events_come_in_order,
        the_last_signals_are_kept,
    };
    return RUN_TESTS("wellformed", tests);
}
