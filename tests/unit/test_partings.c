/* SPDX-License-Identifier: Apache-2.0 */
/* What another thread's section could part (analysis/partings.h), and when what came of two orders is the same
 * (analysis/upshot.h). */
#include "builder.h"

#include "analysis/upshot.h"
#include "base/limits.h"
#include "predict/facts/groundwork.h"

enum { X = 0x1000, Y = 0x2000 };

static rcp_partings list;
static rcp_groundwork *ground; /* the list's sections are its */

/* Once in a test. */
static size_t find(void) {
    rcp_trace_index(&trace);
    ck_assert_int_eq(rcp_groundwork_create(&trace, NULL, false, &ground), RCP_OK);
    rcp_partings_find(&list, &ground->facts);
    return list.at.len;
}

static void forget(void) {
    rcp_partings_finish(&list);
    rcp_groundwork_destroy(ground);
}

static rcp_loc place(unsigned line) {
    return rcp_defs_location(&trace.defs, (rcp_location){.file = rcp_defs_string(&trace.defs, "a.c", 3), .line = line});
}

static uint64_t at(unsigned line, uint64_t event) {
    trace.events.at[event].loc = place(line);
    return event;
}

/* One access in a section of its own. */
static uint64_t read_in(unsigned thread, rcp_obj lock, uint64_t addr, unsigned line) {
    on(thread, RCP_ACQUIRE, lock);
    uint64_t read = at(line, rd(thread, addr, 0));
    on(thread, RCP_RELEASE, lock);
    return read;
}
static uint64_t write_in(unsigned thread, rcp_obj lock, uint64_t addr, rcp_term term, unsigned line) {
    on(thread, RCP_ACQUIRE, lock);
    uint64_t write = at(line, wr_term(thread, addr, 1, term));
    on(thread, RCP_RELEASE, lock);
    return write;
}

static rcp_obj mutex(const char *name) { return object(RCP_MUTEX, name, 0); }
static rcp_term none(void) { return RCP_TERM_CONST; }

START_TEST(u2_by_the_value) {
    rcp_obj m = mutex("m");
    uint64_t r = read_in(1, m, X, 1), a = write_in(1, m, X, op(RCP_OP_ADD, of(r), lit(1)), 2);
    uint64_t w = write_in(2, m, X, none(), 3);
    ck_assert_uint_eq(find(), 1);
    const rcp_parting *p = &list.at.at[0];
    ck_assert(p->read == r && p->access == a && p->write == w && p->begins == p->of_write);
    ck_assert(!rcp_partings_is_cut(&list, p));
    forget();
}
END_TEST

START_TEST(u2_by_a_branch) {
    rcp_obj m = mutex("m");
    uint64_t r = read_in(1, m, X, 1);
    br(1, 1, op(RCP_OP_EQ, of(r), lit(0)));
    read_in(1, m, X, 2);
    write_in(2, m, X, none(), 3);
    ck_assert_uint_eq(find(), 1);
    forget();
}
END_TEST

START_TEST(u2_not_used) {
    rcp_obj m = mutex("m");
    read_in(1, m, X, 1);
    write_in(1, m, X, none(), 2);
    write_in(2, m, X, none(), 3);
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

START_TEST(u2_its_own_write_between) {
    rcp_obj m = mutex("m");
    uint64_t r = read_in(1, m, X, 1);
    br(1, 1, op(RCP_OP_EQ, of(r), lit(0)));
    at(2, wr(1, X, 1));
    write_in(1, m, X, none(), 3);
    write_in(2, m, X, none(), 4);
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

START_TEST(u1_one_section_other_locks_and_none) {
    rcp_obj m = mutex("m"), n = mutex("n");
    on(1, RCP_ACQUIRE, m);
    uint64_t r = at(1, rd(1, X, 0));
    at(2, wr_term(1, X, 1, of(r)));
    on(1, RCP_RELEASE, m);
    uint64_t other = read_in(1, m, Y, 3);
    write_in(1, n, Y, of(other), 4);
    write_in(2, m, X, none(), 5);
    write_in(2, m, Y, none(), 6);
    at(7, wr(2, X, 1));
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

START_TEST(u1_the_write_has_no_lock) {
    rcp_obj m = mutex("m");
    uint64_t r = read_in(1, m, X, 1);
    write_in(1, m, X, of(r), 2);
    at(3, wr(2, X, 1));
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

START_TEST(u1_a_wait_between) {
    rcp_obj m = mutex("m"), c = object(RCP_COND, "c", 0);
    on(1, RCP_ACQUIRE, m);
    uint64_t r = at(1, rd(1, X, 0));
    br(1, 1, op(RCP_OP_EQ, of(r), lit(0)));
    on_cond(1, RCP_WAIT, c, m, RCP_DONE);
    on(2, RCP_ACQUIRE, m);
    at(2, wr(2, X, 1));
    on(2, RCP_SIGNAL, c);
    on(2, RCP_RELEASE, m);
    on_cond(1, RCP_WAKE, c, m, RCP_DONE);
    at(3, rd(1, X, 1));
    on(1, RCP_RELEASE, m);
    ck_assert_uint_eq(find(), 0);
    forget();
}
END_TEST

START_TEST(where_the_writer_begins) {
    rcp_obj m = mutex("m");
    uint64_t one = read_in(1, m, X, 1);
    write_in(1, m, X, of(one), 2);
    uint64_t two = read_in(2, m, X, 3);
    write_in(2, m, X, of(two), 4);
    ck_assert_uint_eq(find(), 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert(list.at.at[i].begins->acquire < list.at.at[i].of_write->acquire);
    forget();
}
END_TEST

START_TEST(few_instances) {
    rcp_obj m = mutex("m");
    for (int i = 0; i < 20; i++) {
        uint64_t r = read_in(1, m, X, 1);
        write_in(1, m, X, of(r), 2);
    }
    write_in(2, m, X, none(), 3);
    ck_assert_uint_eq(find(), rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES));
    ck_assert(rcp_partings_is_cut(&list, &list.at.at[0]));
    forget();
}
END_TEST

/* --- upshots --- */

static rcp_upshot upshot(char *end, uint64_t after, uint64_t last, uint64_t lines) {
    return (rcp_upshot){.is_so = true,
                        .is_alone = true,
                        .end = {.at = end, .len = strlen(end)},
                        .lines = lines,
                        .knows_after = true,
                        .knows_last = true,
                        .after = after,
                        .last = last,
                        .is_settled = true};
}

START_TEST(u5_what_differs) {
    char ok[] = "exited with 0", bad[] = "exited with 1";
    const rcp_upshot a = upshot(ok, 1, 1, 7);
    rcp_upshot b = a;
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_SAME);
    b = upshot(bad, 1, 1, 7);
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_ENDS);
    b = upshot(ok, 2, 2, 7);
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_VALUES);
    b.knows_last = false;
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_SAME);
    b = upshot(ok, 2, 1, 7); /* somebody has made up for it */
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_SAME);
    b = upshot(ok, 1, 2, 7); /* somebody else came later */
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_SAME);
    b = upshot(ok, 1, 1, 8);
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_LINES);
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, false), RCP_UPSHOT_SAME);
    b.is_settled = false;
    ck_assert_int_eq(rcp_upshot_compare(&a, &b, true), RCP_UPSHOT_SAME);
}
END_TEST

START_TEST(u5_what_can_be_compared) {
    char ok[] = "exited with 0";
    const rcp_upshot a = upshot(ok, 1, 1, 7);
    rcp_upshot b = upshot(ok, 2, 2, 7);
    ck_assert(rcp_upshot_is_comparable(&a, &b));
    b.is_alone = false;
    ck_assert(!rcp_upshot_is_comparable(&a, &b));
    b.is_alone = b.knows_before = true;
    ck_assert(!rcp_upshot_is_comparable(&a, &b));
    rcp_upshot c = b;
    c.before = 1;
    ck_assert(!rcp_upshot_is_comparable(&b, &c));
}
END_TEST

START_TEST(u5_again) {
    char ok[] = "exited with 0", bad[] = "died of SIGABRT";
    const rcp_upshot a = upshot(ok, 1, 1, 7);
    rcp_upshot b = upshot(ok, 1, 1, 8);
    ck_assert(rcp_upshot_is_again(&a, &b));
    b = upshot(bad, 1, 1, 7);
    ck_assert(!rcp_upshot_is_again(&a, &b));
    b = upshot(ok, 2, 1, 7);
    ck_assert(!rcp_upshot_is_again(&a, &b));
    b = upshot(ok, 1, 1, 7);
    b.knows_after = false;
    ck_assert(!rcp_upshot_is_again(&a, &b));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {u2_by_the_value,
                                  u2_by_a_branch,
                                  u2_not_used,
                                  u2_its_own_write_between,
                                  u1_one_section_other_locks_and_none,
                                  u1_the_write_has_no_lock,
                                  u1_a_wait_between,
                                  where_the_writer_begins,
                                  few_instances,
                                  u5_what_differs,
                                  u5_what_can_be_compared,
                                  u5_again};
    return RUN_TESTS("partings", tests);
}
