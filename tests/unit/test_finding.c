/* SPDX-License-Identifier: Apache-2.0 */
#include "report/finding.h"

#include "base/json.h"
#include "findings.h"
#include "report/report.h"
#include "results/fingerprint.h"
#include "suite.h"

#include <string.h>

/* Two program points on x (lines 7 and 12), each executed twice per thread, and an access without a location. */
static const char source[] = "recipe trace 1\n"
                             "fact program \"a \\\"b\\\"\"\n"
                             "thread T1\n"
                             "thread T2\n"
                             "var x 0x1000 4 = 0\n"
                             "stack s1 = a.c:30:2 in outer\n"
                             "stack s2 = a.c:20:3 in middle ^ s1\n"
                             "T1 w x = 1 @ a.c:7:5 in one ^ s2\n"  /* 0 */
                             "T2 w x = 2 @ b.c:12:5 in two\n"      /* 1 */
                             "T1 w x = 1 @ a.c:7:5 in one ^ s2\n"  /* 2 */
                             "T2 r x+2:1 = 0 @ a.c:3:1 in three\n" /* 3 */
                             "T1 w 0x2000:8 = 1\n"                 /* 4 */
                             "T2 rmw 0x2004:4 = 0 -> 3 seq_cst\n"  /* 5 */
                             "T2 w x = 2 @ b.c:12:5 in two\n";     /* 6 */

static void setup(void) { setup_with(source); }

START_TEST(the_same_pair_of_points_is_one_finding) {
    add(0, 1, HB, RCP_RACE_UNPROVEN, "refused");
    add(1, 2, SHB, RCP_RACE_PREDICTED, "shb"); /* the other way round in time, the same two points */
    add(2, 6, HB, RCP_RACE_PREDICTED, "hb");
    collect();
    ck_assert_uint_eq(findings.proven.len, 1);
    ck_assert_uint_eq(findings.unproven.len, 0); /* somebody proved it */
    const rcp_finding *f = findings.proven.at;
    ck_assert_uint_eq(f->models, HB | SHB);
    ck_assert_str_eq(f->race->why, "hb");
    ck_assert_uint_eq(f->instances, 3);
    ck_assert_uint_eq(f->id, 1);
}
END_TEST

START_TEST(findings_are_in_the_order_of_the_source) {
    add(4, 5, HB, RCP_RACE_PREDICTED, "");
    add(2, 6, HB, RCP_RACE_PREDICTED, "");
    add(0, 3, HB, RCP_RACE_CONFIRMED, "");
    collect();
    ck_assert_uint_eq(findings.proven.len, 3);
    ck_assert_uint_eq(findings.proven.at[0].race->event[0].v, 4); /* no location: first */
    ck_assert_uint_eq(findings.proven.at[1].race->event[1].v, 3);
    ck_assert_uint_eq(findings.proven.at[2].race->event[1].v, 6);
    ck_assert_uint_eq(findings.confirmed, 1);
    ck_assert_uint_eq(findings.predicted, 2);
    /* bytes in common */
    ck_assert_uint_eq(findings.proven.at[0].address, 0x2004);
    ck_assert_uint_eq(findings.proven.at[0].size, 4);
    ck_assert_ptr_null(findings.proven.at[0].variable);
    ck_assert_uint_eq(findings.proven.at[1].address, 0x1002);
    ck_assert_uint_eq(findings.proven.at[1].size, 1);
    rcp_text name = {0};
    rcp_finding_variable(&name, findings.defs, &findings.proven.at[1]);
    ck_assert_str_eq(name.at, "x+2");
    rcp_text_finish(&name);
    /* the schedule: as recorded through event 0; T1's first event is 0, T2's third is 5 */
    ck_assert_uint_eq(findings.proven.at[0].recorded.eid.v, 0);
    ck_assert_uint_eq(findings.proven.at[0].schedule[0].eid.v, 0);
    ck_assert_uint_eq(findings.proven.at[0].schedule[1].eid.v, 5);
}
END_TEST

START_TEST(what_does_not_fit_the_trace_is_refused) {
    add(0, 77, HB, RCP_RACE_PREDICTED, "");
    ck_assert_int_eq(rcp_findings_collect(&findings, reader, &summary, directory), RCP_BAD_INPUT);
    rcp_findings_finish(&findings);
    summary.races.at[0].event[1].v = 2; /* one thread */
    ck_assert_int_eq(rcp_findings_collect(&findings, reader, &summary, directory), RCP_BAD_INPUT);
    rcp_findings_finish(&findings);
    summary.races.at[0].event[1].v = 1;
    summary.races.at[0].witness.steps.at[1].to = 9; /* T2 has four */
    ck_assert_int_eq(rcp_findings_collect(&findings, reader, &summary, directory), RCP_BAD_INPUT);
    rcp_findings_finish(&findings);
    summary.races.at[0].witness.steps.at[1].tid.v = 9;
    ck_assert_int_eq(rcp_findings_collect(&findings, reader, &summary, directory), RCP_BAD_INPUT);
    rcp_findings_finish(&findings);
    summary.races.at[0].witness.steps.len = 0;
    summary.races.at[0].witness.recorded = 1000;
    ck_assert_int_eq(rcp_findings_collect(&findings, reader, &summary, directory), RCP_BAD_INPUT);
}
END_TEST

START_TEST(both_forms_say_it_all) {
    add(0, 3, HB | SHB, RCP_RACE_PREDICTED, "nothing orders them");
    add(0, 1, HB, RCP_RACE_UNPROVEN, "a read would see another value");
    collect();
    rcp_text text = {0};
    rcp_report_text(&text, &findings);
    static const char *const lines[] = {
        "Race 1 on x+2, 1 byte at 0x1002 (predicted, hb, …)\n",
        "  write         a.c:7:5 in one, thread T1\n",
        "called from a.c:20:3 in middle\n",
        "called from a.c:30:2 in outer\n",
        "  read          a.c:3:1 in three, thread T2\n",
        "  Why: nothing orders them\n",
        "     1. all threads run as recorded (1 event), until thread T1 has written `x` at a.c:7:5\n",
        "     2. thread T1 runs until it has written `x` at a.c:7:5\n",
        "     3. thread T2 runs until it has updated, event 5\n",
        "1 further pair is flagged (hb)",
        "1 race (1 predicted), 1 unproven",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(strstr(text.at, lines[i]), "'%s' is not in:\n%s", lines[i], text.at);
    rcp_text_clear(&text);
    rcp_report_json(&text, &findings);
    static const char *const parts[] = {
        "\"program\": \"a \\\"b\\\"\"",
        "\"id\": 1",
        "\"model\": \"hb\", \"models\": [\"hb\", \"shb\"], \"status\": \"predicted\"",
        "\"variable\": \"x+2\", \"address\": \"0x1002\", \"size\": 1, \"instances\": 1",
        "\"stack\": [\"one a.c:7:5\", \"middle a.c:20:3\", \"outer a.c:30:2\"]",
        "\"witness\": { \"recorded\": 1, \"steps\": [",
        "{ \"thread\": 0, \"to\": \"a.c:7:5\", \"event\": 0 }",
        "{ \"thread\": 1, \"to\": \"event 5\", \"event\": 5 }",
        "\"unproven\": 1",
        "\"status\": \"unproven\"",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(text.at, parts[i]), "'%s' is not in:\n%s", parts[i], text.at);
    rcp_text_finish(&text);
}
END_TEST

/* Both forms, with nothing but what the caller has put into the summary. */
static bool reads_complete(void) {
    collect();
    rcp_text text = {0}, json = {0};
    rcp_report_text(&text, &findings);
    rcp_report_json(&json, &findings);
    bool is = !findings.gaps.len;
    ck_assert_int_eq(is, !strstr(text.at, "everything")); /* lines are wrapped */
    ck_assert_int_eq(is, strstr(json.at, "\"complete\": true, \"not_looked_at\": []") != NULL);
    rcp_text_finish(&text);
    rcp_text_finish(&json);
    rcp_findings_finish(&findings);
    return is;
}

static void put(rcp_statistic_id id, const char *of, double value) {
    char key[RCP_STATISTIC_KEY];
    rcp_statistic_key(id, of, key);
    char *owned = rcp_alloc(strlen(key) + 1);
    strcpy(owned, key);
    rcp_vec_push(&summary.statistics, ((rcp_statistic){owned, rcp_statistic_find(key), value}));
}

START_TEST(whatever_was_not_looked_at_is_said) {
    ck_assert(reads_complete());
    summary.unfinished = true;
    ck_assert(!reads_complete());
    summary.unfinished = false;
    put(RCP_STATISTIC_LIMIT, "events", 1);
    ck_assert(!reads_complete());
    summary.statistics.at[0].value = 0;
    ck_assert(reads_complete());
    for (rcp_statistic_id id = RCP_STATISTIC_REJECTED_END; id <= RCP_STATISTIC_REJECTED_OUTCOMES; id++) {
        if (id == RCP_STATISTIC_REJECTED_INSTANCES)
            continue; /* the limit says it */
        put(id, id == RCP_STATISTIC_REJECTED_END ? "opaque call" : NULL, 2);
        ck_assert(!reads_complete());
        summary.statistics.at[summary.statistics.len - 1].value = 0;
        ck_assert(reads_complete());
    }
    put(RCP_STATISTIC_EXPLORATION_VARIANTS, NULL, 2); /* what was done is no reason */
    ck_assert(reads_complete());
}
END_TEST

START_TEST(what_no_replay_showed_is_listed_apart_under_its_number) {
    add(0, 1, HB, RCP_RACE_NOT_REPLAYED, "first"); /* lines 7 and 12, of which another instance was shown */
    add(2, 6, SHB, RCP_RACE_CONFIRMED, "second");
    add(0, 3, HB, RCP_RACE_NOT_TRIED, "third"); /* lines 3 and 7 */
    collect();
    ck_assert_uint_eq(findings.proven.len, 2);
    ck_assert_uint_eq(rcp_findings_races(&findings), 1);
    ck_assert_uint_eq(rcp_findings_unconfirmed(&findings), 1);
    ck_assert_int_eq(findings.proven.at[0].race->status, RCP_RACE_NOT_TRIED);
    ck_assert_int_eq(findings.proven.at[1].race->status, RCP_RACE_CONFIRMED);
    ck_assert_uint_eq(findings.proven.at[1].models, HB | SHB);
    ck_assert_uint_eq(findings.proven.at[1].others.len, 1);
    rcp_text text = {0}, json = {0};
    rcp_report_text(&text, &findings);
    rcp_report_json(&json, &findings);
    const char *race = strstr(text.at, "Race 2 on"), *apart = strstr(text.at, "Unconfirmed 1 on");
    ck_assert(race && apart && race < apart);
    ck_assert(strstr(text.at, ": 1 race (1 confirmed), 1 unconfirmed (1 not tried), 0 unproven"));
    race = strstr(json.at, "\"id\": 2"), apart = strstr(json.at, "\"unconfirmed\": [");
    ck_assert(race && apart && race < apart && strstr(apart, "\"id\": 1"));
    ck_assert_uint_eq(findings.gaps.len, 1); /* what was not tried; what was tried was looked at */
    ck_assert_int_eq(findings.gaps.at[0].kind, RCP_GAP_REPLAYS);
    ck_assert_str_eq(findings.gaps.at[0].names.at[0], "1");
    rcp_text_finish(&text);
    rcp_text_finish(&json);
}
END_TEST

/* One count: a pair that one model leaves undecided and another one flags is undecided; one that is proven is not. */
START_TEST(what_is_undecided_is_counted_once_for_all) {
    add(0, 1, HB, RCP_RACE_UNPROVEN, "flagged");
    add(2, 6, SHB, RCP_RACE_UNDECIDED, "a limit"); /* the same two places */
    add(4, 5, HB, RCP_RACE_PREDICTED, "proven");
    add(4, 5, SHB, RCP_RACE_UNDECIDED, "a limit");
    summary.work.unknown = 2;
    collect();
    ck_assert_uint_eq(findings.undecided, 1);
    ck_assert_uint_eq(findings.gaps.len, 1);
    ck_assert_int_eq(findings.gaps.at[0].kind, RCP_GAP_CUT);
    ck_assert_uint_eq(findings.gaps.at[0].count, 1);
    rcp_text text = {0};
    rcp_report_text(&text, &findings);
    ck_assert(strstr(text.at, "0 unproven, 1 undecided"));
    rcp_text_finish(&text);
}
END_TEST

static const char forks[] = "thread T1\nthread T2\nT1 fork T2 @ a.c:7:5 in one\nT1 end\n";

/* Of a beginning nobody knows who never ran. */
START_TEST(threads_that_never_ran_are_those_of_a_whole_run) {
    for (int is_part = 0; is_part < 2; is_part++) {
        char text[256];
        teardown();
        findings = (rcp_findings){0};
        snprintf(text, sizeof text, "recipe trace 1\n%s%s", is_part ? "fact \"told until\" \"1 1 1 1 0.5 1\"\n" : "",
                 forks);
        setup_with(text);
        collect();
        ck_assert_uint_eq(findings.gaps.len, !is_part);
    }
}
END_TEST

START_TEST(what_is_assumed_of_code_outside_is_strict_for_all_alone) {
    put(RCP_STATISTIC_PREDICTION_OPAQUE, NULL, 5);
    put(RCP_STATISTIC_LOST_TO, "write", 2);
    put(RCP_STATISTIC_LOST_TO, "std::getline", 3);
    collect();
    ck_assert_uint_eq(findings.gaps.len, 1);
    const rcp_gap *gap = &findings.gaps.at[0];
    ck_assert_int_eq(gap->kind, RCP_GAP_OUTSIDE);
    ck_assert_uint_eq(gap->count, 5);
    ck_assert_uint_eq(gap->names.len, 2);
    ck_assert_str_eq(gap->names.at[0], "std::getline"); /* the worst first */
    ck_assert_str_eq(gap->names.at[1], "write");
    ck_assert(!rcp_gaps_matter(&findings.gaps, false) && rcp_gaps_matter(&findings.gaps, true));
    rcp_findings_finish(&findings);
    put(RCP_STATISTIC_ORDERS_SEEN, NULL, 3);
    put(RCP_STATISTIC_PREDICTION_EVENTS, NULL, 2);
    put(RCP_STATISTIC_LIMIT, "events", 1);
    collect();
    ck_assert(rcp_gaps_matter(&findings.gaps, false));
    ck_assert_uint_eq(findings.gaps.len, 3);
    ck_assert_uint_eq(findings.gaps.at[0].count, 4);
    ck_assert(strstr(findings.gaps.at[0].reason, "at event 3 of 7"));
    ck_assert_uint_eq(findings.gaps.at[1].count, 5);
    ck_assert(strstr(findings.gaps.at[1].reason, "the first 2 of 7 events"));
}
END_TEST

/* T2 stops where the program called the library, T1 in the library's own: nobody called it. */
static const char through_library[] = "recipe trace 1\n"
                                      "thread T1\n"
                                      "thread T2\n"
                                      "stack s1 = a.cpp:20:3 in main\n"
                                      "stack s2 = /usr/include/c++/12/mutex:5:3 in \"std::lock()\" ^ s1\n"
                                      "T1 w 0x1000:4 = 1 @ /usr/include/c++/12/thread:7:5 in \"std::begin()\"\n"
                                      "T2 w 0x1004:4 = 1 @ /usr/include/c++/12/deep:9:5 in \"std::deep()\" ^ s2\n"
                                      "T2 w 0x1008:4 = 1 @ a.cpp:21:3 in main\n"
                                      "T2 w 0x1008:4 = 2 @ /usr/include/c++/12/deep:9:5 in \"std::deep()\" ^ s2\n"
                                      "T1 w 0x1008:4 = 3 @ a.cpp:12:5 in two\n";

START_TEST(steps_stand_at_lines_of_the_program) {
    teardown();
    findings = (rcp_findings){0};
    setup_with(through_library);
    add(3, 4, HB, RCP_RACE_PREDICTED, "");
    summary.races.at[0].witness.recorded = 2;
    collect();
    rcp_text text = {0};
    rcp_report_text(&text, &findings);
    ck_assert_ptr_nonnull(strstr(text.at, "until thread T2 has written at a.cpp:20:3, inside\n        std::lock()\n"));
    ck_assert_ptr_nonnull(strstr(text.at, "thread T1 runs until it has written at /usr/include/c++/12/thread:7:5\n"));
    ck_assert_ptr_nonnull(strstr(text.at, "thread T2 runs until it has written at a.cpp:20:3, inside std::lock()\n"));
    rcp_text_clear(&text);
    findings.has_full_names = true;
    rcp_report_text(&text, &findings);
    ck_assert_ptr_nonnull(strstr(text.at, "thread T2 runs until it has written at /usr/include/c++/12/deep:9:5\n"));
    rcp_text_finish(&text);
}
END_TEST

/* T1 took both locks in the library; T2 has none. */
static const char with_locks[] = "recipe trace 1\n"
                                 "thread T1\n"
                                 "thread T2\n"
                                 "mutex m @0x6000\n"
                                 "rwlock l \"\" @0x6040\n"
                                 "var x 0x1000 4 = 0\n"
                                 "stack s1 = a.cpp:20:3 in main\n"
                                 "T1 acq m @ /usr/include/c++/12/mutex:5:3 in \"std::lock()\" ^ s1\n"
                                 "T1 acq l shared @ a.cpp:21:3 in main\n"
                                 "T1 w x = 1 @ a.cpp:22:3 in main\n" /* 2 */
                                 "T2 r x = 1 @ a.cpp:30:3 in two\n"  /* 3 */
                                 "T1 rel l shared\n"
                                 "T1 rel m\n"
                                 "T1 w x = 2 @ a.cpp:24:3 in main\n"; /* 6 */

/* One look: which side has forgotten the lock. */
START_TEST(what_is_held_stands_with_its_access) {
    teardown();
    findings = (rcp_findings){0};
    setup_with(with_locks);
    add(2, 3, HB, RCP_RACE_PREDICTED, "");
    add(3, 6, HB, RCP_RACE_PREDICTED, "");
    for (size_t i = 0; i < 2; i++)
        summary.races.at[i].witness.steps.len = 0;
    collect();
    rcp_text text = {0};
    rcp_report_text(&text, &findings);
    static const char one[] = "  write         a.cpp:22:3 in main, thread T1\n"
                              "                  holding mutex `m`, taken at a.cpp:20:3\n"
                              "                  holding read-write lock at 0x6040 for reading, taken at a.cpp:21:3\n"
                              "  read          a.cpp:30:3 in two, thread T2\n"
                              "                  holding no lock\n";
    static const char other[] =
        "    read          a.cpp:30:3 in two, thread T2\n"
        "    write         a.cpp:24:3 in main, thread T1\n\n"; /* neither has one: nothing is said */
    ck_assert_msg(strstr(text.at, one), "%s", text.at);
    ck_assert_msg(strstr(text.at, other), "%s", text.at);
    rcp_text_clear(&text);
    findings.has_full_names = true;
    rcp_report_text(&text, &findings);
    ck_assert_ptr_nonnull(strstr(text.at, "holding mutex `m`, taken at /usr/include/c++/12/mutex:5:3\n"));
    rcp_text_clear(&text);
    rcp_report_json(&text, &findings);
    ck_assert_ptr_nonnull(strstr(text.at, "\"holds\": [\n            { \"object\": \"mutex\", \"variable\": \"m\", "
                                          "\"address\": \"0x6000\", \"mode\": \"exclusive\", \"stack\": "
                                          "[\"std::lock() /usr/include/c++/12/mutex:5:3\", \"main a.cpp:20:3\"] },"));
    ck_assert_ptr_nonnull(strstr(text.at, "\"stack\": [\"two a.cpp:30:3\"], \"holds\": [] }"));
    rcp_text_finish(&text);
}
END_TEST

START_TEST(fingerprints_survive_what_does_not_matter) {
    rcp_defs defs;
    rcp_defs_init(&defs);
    rcp_defs_variable(&defs, "x", 0x1000, 8);
    rcp_str file = rcp_defs_string(&defs, "/here/a.c", 9), moved = rcp_defs_string(&defs, "/there/a.c", 10);
    rcp_str one = rcp_defs_string(&defs, "one", 3), two = rcp_defs_string(&defs, "two", 3);
    rcp_event a = {.kind = RCP_WRITE, .addr = 0x1000, .size = 4}, b = {.kind = RCP_READ, .addr = 0x1000, .size = 4};
    a.loc = rcp_defs_location(&defs, (rcp_location){file, one, 7, 5});
    b.loc = rcp_defs_location(&defs, (rcp_location){file, two, 9, 5});
    uint64_t first = rcp_fingerprint(&defs, &a, &b);
    ck_assert_uint_eq(rcp_fingerprint(&defs, &b, &a), first);
    a.loc = rcp_defs_location(&defs, (rcp_location){moved, one, 70, 1}); /* another directory, another line */
    a.tid.v = 5;
    ck_assert_uint_eq(rcp_fingerprint(&defs, &a, &b), first);
    a.kind = RCP_READ;
    ck_assert_uint_ne(rcp_fingerprint(&defs, &a, &b), first);
    a.kind = RCP_WRITE;
    a.addr = b.addr = 0x1004;
    ck_assert_uint_ne(rcp_fingerprint(&defs, &a, &b), first);
    a.addr = b.addr = 0x1000;
    a.loc = rcp_defs_location(&defs, (rcp_location){file, two, 7, 5});
    ck_assert_uint_ne(rcp_fingerprint(&defs, &a, &b), first);
    a.loc = rcp_defs_location(&defs, (rcp_location){file, {0}, 7, 5}); /* no function: the line counts */
    first = rcp_fingerprint(&defs, &a, &b);
    a.loc = rcp_defs_location(&defs, (rcp_location){file, {0}, 8, 5});
    ck_assert_uint_ne(rcp_fingerprint(&defs, &a, &b), first);
    ck_assert_uint_eq(rcp_fingerprint_number(first, 0), first);
    ck_assert_uint_ne(rcp_fingerprint_number(first, 1), rcp_fingerprint_number(first, 2));
    rcp_defs_finish(&defs);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, the_same_pair_of_points_is_one_finding);
    tcase_add_test(tests, findings_are_in_the_order_of_the_source);
    tcase_add_test(tests, what_does_not_fit_the_trace_is_refused);
    tcase_add_test(tests, both_forms_say_it_all);
    tcase_add_test(tests, whatever_was_not_looked_at_is_said);
    tcase_add_test(tests, what_no_replay_showed_is_listed_apart_under_its_number);
    tcase_add_test(tests, what_is_undecided_is_counted_once_for_all);
    tcase_add_test(tests, threads_that_never_ran_are_those_of_a_whole_run);
    tcase_add_test(tests, what_is_assumed_of_code_outside_is_strict_for_all_alone);
    tcase_add_test(tests, steps_stand_at_lines_of_the_program);
    tcase_add_test(tests, what_is_held_stands_with_its_access);
    tcase_add_test(tests, fingerprints_survive_what_does_not_matter);
    return rcp_suite_run_case("finding", tests);
}
