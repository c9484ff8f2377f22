/* SPDX-License-Identifier: Apache-2.0 */
#include "report/entries.h"

#include "findings.h"
#include "report/report.h"
#include "suite.h"

enum { C11 = RCP_MODEL_BIT(RCP_MODEL_C11) };

static rcp_entries entries;

/* T1 runs events 0 and 1, T2 three at least: the schedules that add() makes up fit. */
#define BEGIN "recipe trace 1\nthread T1\nthread T2\nvar s 0x1000 16\nvar y 0x2000 4 = 0\n"

static void make(void) {
    collect();
    rcp_entries_make(&entries, &findings);
}

static void end(void) {
    rcp_entries_finish(&entries);
    teardown();
}

/* The numbers of each entry's findings: "1,2 3". */
static const char *grouped(void) {
    static char text[256];
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 0; i < entries.list.len; i++)
        for (size_t k = 0; k < entries.list.at[i].findings.len; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%u",
                                  k   ? ","
                                  : i ? " "
                                      : "",
                                  entries.list.at[i].findings.at[k]->id);
    return text;
}

static void is_headed(size_t entry, const char *words) {
    rcp_text headline = {0};
    rcp_bug_headline(&headline, &entries.list.at[entry]);
    ck_assert_str_eq(headline.at, words);
    rcp_text_finish(&headline);
}

START_TEST(a_count_against_itself_is_one) {
    setup_with(BEGIN "T1 r s:4 = 0 @ dir/a.c:7:9 in one\n"
                     "T1 w s:4 = 1 @ dir/a.c:7:5 in one\n"
                     "T2 r s:4 = 1 @ dir/a.c:7:9 in one\n"
                     "T2 w s:4 = 2 @ dir/a.c:7:5 in one\n"
                     "T2 r y = 0 @ dir/a.c:9:9 in one\n");
    add(1, 2, HB, RCP_RACE_PREDICTED, "");
    add(1, 3, HB, RCP_RACE_PREDICTED, "");
    make();
    ck_assert_uint_eq(findings.proven.len, 2); /* r/w and w/w; w/r is r/w */
    ck_assert_str_eq(grouped(), "1,2");
    ck_assert_uint_eq(rcp_entries_races(&entries), 1);
    is_headed(0, "`s` is written in one (a.c:7) by two threads, and nothing orders them");
    end();
}
END_TEST

/* Fields of one variable, between the same two functions; other variables and other functions are other bugs. */
START_TEST(one_object_between_two_functions_is_one) {
    setup_with(BEGIN "T1 w s:4 = 1 @ a.c:7:5 in one\n"                 /* 0 */
                     "T1 w s+4:4 = 1 @ a.c:8:5 in one\n"               /* 1 */
                     "T1 w y = 1 @ a.c:9:5 in one\n"                   /* 2 */
                     "T2 r s:8 = 1 @ a.c:20:5 in two\n"                /* 3 */
                     "T2 r s:4 = 1 @ a.c:30:5 in three\n"              /* 4 */
                     "T2 rmw y = 1 -> 2 relaxed @ a.c:21:5 in two\n"); /* 5 */
    add(0, 3, HB, RCP_RACE_PREDICTED, "");
    add(1, 3, HB, RCP_RACE_PREDICTED, "");
    add(0, 4, HB, RCP_RACE_PREDICTED, "");
    add(2, 5, HB, RCP_RACE_PREDICTED, "");
    make();
    ck_assert_str_eq(grouped(), "1,3 2 4"); /* 2: lines 7 and 30 */
    is_headed(0, "`s` is written in one (a.c) and read in two (a.c:20), and nothing orders the two");
    is_headed(1, "`s` is written in one (a.c:7) and read in three (a.c:30), and nothing orders the two");
    is_headed(2, "`y` is written in one (a.c:9) and updated atomically in two (a.c:21), and nothing orders the two");
    end();
}
END_TEST

/* Two bugs that share a variable and both functions are one entry; each is said, with its lines and its number. */
START_TEST(two_bugs_in_one_entry_are_both_told) {
    setup_with(BEGIN "T1 w s:4 = 1 @ a.c:7:5 in one\n"
                     "T1 w s:4 = 2 @ a.c:8:5 in one\n"
                     "T2 w s:4 = 3 @ a.c:20:5 in two\n"
                     "T2 w s:4 = 4 @ a.c:40:5 in two\n"
                     "T2 r y = 0 @ a.c:41:9 in two\n");
    add(0, 2, HB, RCP_RACE_PREDICTED, "");
    add(1, 3, HB, RCP_RACE_PREDICTED, "");
    make();
    ck_assert_str_eq(grouped(), "1,2");
    is_headed(0, "`s` is written in one (a.c) and in two (a.c), and nothing orders the two");
    rcp_text text = {0}, json = {0};
    rcp_report_text(&text, &findings);
    rcp_report_json(&json, &findings);
    const char *first = strstr(text.at, "\nRace (pair 1 here, pair 2 below) on s, 4 bytes"),
               *other = strstr(text.at, "\n  Pair 2 on s, 4 bytes");
    ck_assert(first && other && first < other);
    ck_assert_ptr_nonnull(strstr(other, "\n    write         a.c:8:5 in one, thread T1\n"));
    ck_assert_ptr_nonnull(strstr(other, "\n    write         a.c:40:5 in two, thread T2\n"));
    ck_assert_ptr_nonnull(strstr(other, ": 1 race (1 predicted) in 2 pairs of accesses, 0 unproven"));
    ck_assert_ptr_nonnull(
        strstr(json.at, "and nothing orders the two\", \"status\": \"predicted\", \"races\": [1, 2] }"));
    rcp_text_finish(&text);
    rcp_text_finish(&json);
    end();
}
END_TEST

START_TEST(memory_without_a_name_is_known_by_where_it_was_allocated) {
    setup_with(BEGIN "T1 alloc 0x150000:16 @ a.c:3:9 in main\n"   /* 0 */
                     "T1 alloc 0x160000:16 @ a.c:4:9 in main\n"   /* 1 */
                     "T1 w 0x150000:4 = 1 @ a.c:7:5 in one\n"     /* 2 */
                     "T1 w 0x150008:4 = 1 @ a.c:8:5 in one\n"     /* 3 */
                     "T1 w 0x160000:4 = 1 @ a.c:9:5 in one\n"     /* 4 */
                     "T1 w 0x170000:4 = 1 @ a.c:10:5 in one\n"    /* 5 */
                     "T2 r 0x150000:4 = 1 @ a.c:20:5 in two\n"    /* 6 */
                     "T2 r 0x160000:4 = 1 @ a.c:21:5 in two\n"    /* 7 */
                     "T2 r 0x170000:4 = 1 @ a.c:22:5 in two\n"    /* 8 */
                     "T2 free 0x150000:16 @ a.c:23:5 in two\n"    /* 9 */
                     "T1 w 0x150004:4 = 1 @ a.c:30:5 in late\n"); /* 10: freed, and nobody's */
    add(2, 6, HB, RCP_RACE_PREDICTED, "");
    add(3, 9, HB, RCP_RACE_PREDICTED, "");
    add(4, 7, HB, RCP_RACE_PREDICTED, "");
    add(5, 8, HB, RCP_RACE_PREDICTED, "");
    add(9, 10, HB, RCP_RACE_PREDICTED, "");
    make();
    ck_assert_str_eq(grouped(), "2,1 3 4 5"); /* that it is freed says more than that it is read */
    is_headed(
        0, "Memory allocated in main (a.c:3) is freed in two (a.c:23) and written in one (a.c), and nothing orders the "
           "two");
    is_headed(
        1,
        "Memory allocated in main (a.c:4) is written in one (a.c:9) and read in two (a.c:21), and nothing orders the "
        "two");
    is_headed(2,
              "Memory without a name is written in one (a.c:10) and read in two (a.c:22), and nothing orders the two");
    is_headed(
        3, "Memory allocated in main (a.c:3) is freed in two (a.c:23) and written in late (a.c:30), and nothing orders "
           "the two");
    end();
}
END_TEST

#define HEADER "/usr/include/c++/12/bits/tree.h"

/* What an operation of the library touches is one object, whatever it is: the line of the program says which. */
START_TEST(an_operation_of_the_library_is_one_thing) {
    setup_with(BEGIN "stack s1 = a.cpp:20:3 in add\n"
                     "stack s2 = a.cpp:21:3 in add\n"
                     "T1 w y = 1 @ " HEADER ":5:5 in \"std::link()\" ^ s1\n"           /* 0 */
                     "T1 w 0x150000:4 = 1 @ " HEADER ":9:5 in \"std::turn()\" ^ s1\n"  /* 1 */
                     "T1 w 0x160000:4 = 1 @ " HEADER ":9:5 in \"std::turn()\" ^ s2\n"  /* 2 */
                     "T2 w y = 2 @ " HEADER ":5:5 in \"std::link()\" ^ s1\n"           /* 3 */
                     "T2 r 0x150000:4 = 1 @ " HEADER ":8:5 in \"std::look()\" ^ s1\n"  /* 4 */
                     "T2 r 0x160000:4 = 1 @ " HEADER ":7:5 in \"std::see()\" ^ s2\n"); /* 5 */
    add(0, 3, HB, RCP_RACE_PREDICTED, "");
    add(1, 4, HB, RCP_RACE_PREDICTED, "");
    make();
    ck_assert_str_eq(grouped(), "1,2");
    is_headed(0, "`y` is written in add (a.cpp:20) by two threads, and nothing orders them");
    rcp_entries_finish(&entries);
    rcp_findings_finish(&findings);
    rcp_race_finish(&summary.races.at[--summary.races.len]);
    add(2, 5, HB, RCP_RACE_PREDICTED, ""); /* at the next line */
    make();
    ck_assert_str_eq(grouped(), "1 2");
    end();
}
END_TEST

/* Imported traces: without functions the lines are the places; without those, addresses. */
START_TEST(without_functions_lines_tell_places_apart) {
    setup_with(BEGIN "T1 w s:4 = 1 @ a.std:7:1\n"
                     "T1 w s:4 = 2 @ a.std:8:1\n"
                     "T1 w 0x150000:4 = 2\n"
                     "T1 w 0x160000:4 = 2\n"
                     "T2 w s:4 = 3 @ a.std:20:1\n"
                     "T2 w 0x150000:4 = 3\n"
                     "T2 w 0x160000:4 = 3\n");
    add(0, 4, HB, RCP_RACE_PREDICTED, "");
    add(1, 4, HB, RCP_RACE_PREDICTED, "");
    add(2, 5, HB, RCP_RACE_PREDICTED, "");
    add(3, 6, HB, RCP_RACE_PREDICTED, "");
    make();
    ck_assert_str_eq(grouped(), "1 2 3 4");
    is_headed(0, "Memory without a name is written by event 2 and by event 5, and nothing orders the two");
    is_headed(2, "`s` is written at a.std:7 and at a.std:20, and nothing orders the two");
    end();
}
END_TEST

/* What a replay showed and what none did are apart, in all counts; the first of an entry is what is surest. */
START_TEST(the_shown_and_the_unconfirmed_are_apart) {
    setup_with(BEGIN "T1 w s:4 = 1 @ a.c:7:5 in one\n"
                     "T1 w s+4:4 = 1 @ a.c:8:5 in one\n"
                     "T1 w s+8:4 = 1 @ a.c:9:5 in one\n"
                     "T1 w s+12:4 = 1 @ a.c:10:5 in one\n"
                     "T2 r s:4 = 1 @ a.c:20:5 in two\n"
                     "T2 r s+4:4 = 1 @ a.c:21:5 in two\n"
                     "T2 r s+8:4 = 1 @ a.c:22:5 in two\n"
                     "T2 r s+12:4 = 1 @ a.c:23:5 in two\n");
    add(0, 4, C11, RCP_RACE_CONFIRMED, "");
    add(1, 5, HB, RCP_RACE_CONFIRMED, "");
    add(2, 6, HB, RCP_RACE_NOT_TRIED, "");
    add(3, 7, HB, RCP_RACE_NOT_REPLAYED, "");
    make();
    ck_assert_str_eq(grouped(), "2,1 4,3");
    ck_assert_int_eq(entries.list.at[0].status, RCP_RACE_CONFIRMED);
    ck_assert_int_eq(entries.list.at[1].status, RCP_RACE_NOT_REPLAYED);
    ck_assert_uint_eq(rcp_entries_races(&entries), 1);
    ck_assert_uint_eq(rcp_entries_unconfirmed(&entries), 1);
    is_headed(1, "`s` is written in one (a.c) and read in two (a.c), and perhaps nothing orders the two");
    rcp_text text = {0};
    rcp_report_text(&text, &findings);
    for (char *line = text.at; (line = strchr(line, '\n')); line++)
        *line = ' ';
    ck_assert_ptr_nonnull(strstr(text.at,
                                 ": 1 race (1 confirmed) in 2 pairs of accesses, 1 unconfirmed (1 not replayed) in 2 "
                                 "pairs, 0 unproven"));
    rcp_text_clear(&text);
    rcp_report_json(&text, &findings);
    ck_assert_ptr_nonnull(strstr(text.at, "\"unconfirmed_entries\": ["));
    ck_assert_ptr_nonnull(strstr(text.at, "\"status\": \"not-replayed\", \"races\": [4, 3] }"));
    rcp_text_finish(&text);
    end();
}
END_TEST

/* What either order leads to is told of a pair that had a replay of its own. */
START_TEST(a_replay_of_its_own_comes_first) {
    setup_with(BEGIN "T1 w s:4 = 1 @ a.c:7:5 in one\n"
                     "T1 w s+4:4 = 1 @ a.c:8:5 in one\n"
                     "T2 r s:4 = 1 @ a.c:20:5 in two\n"
                     "T2 r s+4:4 = 1 @ a.c:21:5 in two\n"
                     "T2 r y = 0 @ a.c:22:5 in two\n");
    add(0, 2, HB, RCP_RACE_CONFIRMED, "");
    add(1, 3, HB, RCP_RACE_CONFIRMED, "");
    rcp_race_tell_replay(&summary.races.at[0], "Both stand there.\n" RCP_REPLAY_BESIDE ", between a.c:7 and a.c:20.");
    rcp_race_tell_replay(&summary.races.at[1], "Both stand there.\nThread T1 first: T1 leaves 1.");
    make();
    ck_assert_str_eq(grouped(), "2,1");
    end();
}
END_TEST

START_TEST(synchronisation_is_called_what_it_is) {
    setup_with(BEGIN "cond c @0x2000\n"
                     "T1 r 0x2000:1 relaxed @ a.c:7:5 in one\n"
                     "T1 signal c @ a.c:7:5 in one\n"
                     "T2 r y = 0 @ a.c:19:5 in two\n"
                     "T2 w 0x2000:1 @ a.c:20:5 in two\n"
                     "T2 destroy c @ a.c:20:5 in two\n");
    add(0, 3, HB, RCP_RACE_PREDICTED, "");
    make();
    is_headed(
        0, "The condition `y` is signalled in one (a.c:7) and destroyed in two (a.c:20), and nothing orders the two");
    end();
}
END_TEST

START_TEST(every_form_has_a_word) {
    char words[] = RCP_REPORT_FORMS;
    size_t n = 0;
    for (char *word = strtok(words, "|"); word; word = strtok(NULL, "|"), n++)
        ck_assert_ptr_nonnull(rcp_report_find_form(word));
    ck_assert_uint_eq(n, 5);
    ck_assert(rcp_report_find_form("text") == rcp_report_text && rcp_report_find_form("sarif") == rcp_report_sarif);
}
END_TEST

int main(void) {
    TCase *tests = rcp_suite_case();
    tcase_add_test(tests, a_count_against_itself_is_one);
    tcase_add_test(tests, one_object_between_two_functions_is_one);
    tcase_add_test(tests, two_bugs_in_one_entry_are_both_told);
    tcase_add_test(tests, memory_without_a_name_is_known_by_where_it_was_allocated);
    tcase_add_test(tests, an_operation_of_the_library_is_one_thing);
    tcase_add_test(tests, without_functions_lines_tell_places_apart);
    tcase_add_test(tests, the_shown_and_the_unconfirmed_are_apart);
    tcase_add_test(tests, a_replay_of_its_own_comes_first);
    tcase_add_test(tests, synchronisation_is_called_what_it_is);
    tcase_add_test(tests, every_form_has_a_word);
    return rcp_suite_run_case("entries", tests);
}
