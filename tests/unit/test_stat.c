/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/stat.h"

#include "parse_text.h"
#include "suite.h"

static rcp_counts count(const char *text) {
    rcp_trace t;
    parse_text(&t, text);
    rcp_stat *stat = rcp_stat_create(&t.defs);
    for (size_t i = 0; i < t.events.len; i++)
        rcp_stat_add(stat, &t.events.at[i]);
    rcp_counts counts = *rcp_stat_borrow_counts(stat);
    rcp_stat_destroy(stat);
    rcp_trace_finish(&t);
    return counts;
}

#define HEAD                                                                                                           \
    "recipe trace 1\nthread A\nthread B\nthread never\nvar x 0x1000 4\nvar x.low 0x1000 2\nvar y 0x1004 4\nmutex m\n"  \
    "mutex unused\ncond c\nsem s = 1\n"

START_TEST(locations_and_sharing) {
    rcp_counts c = count(HEAD "A w x\nA r x\nB r y\nA r y\nB r 0x2000:8\nA r 0x2000:8\nA w 0x3000:8\nB w 0x3004:4\n");
    ck_assert_uint_eq(c.threads, 2);
    ck_assert_uint_eq(c.locations, 5); /* x y 0x2000:8 0x3000:8 0x3004:4 */
    ck_assert_uint_eq(c.shared, 0);    /* x: one thread; y and 0x2000: only read; the others: different ranges */
    ck_assert_uint_eq(c.bytes_accessed, 44);
    c = count(HEAD "A r x\nB w x+3:1\nB r x.low\nA rmw x.low relaxed\nA w y\nA r y\n");
    ck_assert_uint_eq(c.locations, 3);
    ck_assert_uint_eq(c.shared, 2); /* x, x.low */
    ck_assert_uint_eq(c.atomics, 1);
}
END_TEST

START_TEST(synchronisation) {
    rcp_counts c = count(HEAD "A fork B\nA acq m\nA wait c m\nB acq m\nB signal c\nB broadcast c\nB rel m\nA wake c m\n"
                              "A rel m\nA down s\nA post s\nA join B\nA br 1\nA alloc 0x5000:100\nA free 0x5000:100\n"
                              "A opaque-begin f\nA opaque-end f\n");
    ck_assert_uint_eq(c.events, 17);
    ck_assert_uint_eq(c.lock_events, 4);
    ck_assert_uint_eq(c.wait_events, 3);
    ck_assert_uint_eq(c.sync_events, 12);
    ck_assert_uint_eq(c.locks, 1);
    ck_assert_uint_eq(c.conditions, 1);
    ck_assert_uint_eq(c.other_objects, 1);
    ck_assert_uint_eq(c.opaque_calls, 1);
    ck_assert_uint_eq(c.bytes_allocated, 100);
    ck_assert_uint_eq(c.kinds[RCP_BRANCH], 1);
    ck_assert_uint_eq(c.valued, 1);
}
END_TEST

START_TEST(table) {
    rcp_counts c = count(HEAD "A acq m\nA w x = 1\nA rel m\nB acq m\nB r x = 1\nB rel m\nB br 1 if all\n");
    rcp_text out = {0};
    rcp_stat_print(&out, &c);
    ck_assert_str_eq(out.at, " threads       length     lk-evs     wn-evs         rw       lk       wn\n"
                             "       2            7          4          0          1        1        0\n\n"
                             "reads                               1\n"
                             "writes                              1\n"
                             "branches                            1\n"
                             "acquires                            2\n"
                             "releases                            2\n"
                             "synchronisation events              4\n"
                             "bytes accessed                      8\n"
                             "shared locations                    1\n"
                             "events with values                  3\n"
                             "events with terms                   1\n");
    rcp_text_finish(&out);
}
END_TEST

int main(void) { return rcp_suite_run("stat", locations_and_sharing, synchronisation, table, NULL); }
