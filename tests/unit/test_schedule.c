/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include "program/recording/schedule.h"

#include <string.h>

static rcp_schedule schedule;

static rcp_code parse(const char *text) {
    rcp_schedule_init(&schedule);
    return rcp_schedule_parse("s.txt", text, strlen(text), &schedule);
}

static void refused(const char *text, const char *place, const char *words) {
    ck_assert_int_eq(parse(text), RCP_BAD_INPUT);
    size_t last = 0;
    while (rcp_borrow_cause(last + 1))
        last++;
    ck_assert_str_eq(rcp_borrow_cause(last), place);
    ck_assert_msg(strstr(rcp_borrow_cause(0), words), "%s", rcp_borrow_cause(0));
    rcp_schedule_finish(&schedule);
}

START_TEST(there_and_back) {
    const char *text =
        "thread 0.1\nthread 0.1.1\nthread 0.2\n0 120\n0.1 block\n0.1.1 7\n0.1.1 end\n0 18446744073709551613\n";
    ck_assert_int_eq(parse(text), RCP_OK);
    ck_assert_uint_eq(schedule.steps.len, 5);
    ck_assert_uint_eq(schedule.steps.at[3].until, RCP_RUN_END);
    ck_assert_uint_eq(schedule.steps.at[1].thread, 1);
    ck_assert_uint_eq(schedule.steps.at[1].until, RCP_RUN_BLOCK);
    ck_assert_uint_eq(schedule.steps.at[2].thread, 2);
    ck_assert_uint_eq(schedule.steps.at[2].until, 7);
    rcp_text out = {0};
    rcp_schedule_print(&out, &schedule);
    ck_assert_str_eq(out.at, text);
    rcp_text_finish(&out);
    rcp_schedule_finish(&schedule);
}
END_TEST

START_TEST(numbers_names_comments) {
    ck_assert_int_eq(parse("# by hand\n\n 0\t5 # the main thread\r\n0.2 6\n3 block"), RCP_OK);
    ck_assert_uint_eq(schedule.steps.len, 3);
    ck_assert_uint_eq(schedule.steps.at[0].thread, 0);
    ck_assert_uint_eq(schedule.steps.at[1].thread, 2);
    ck_assert_uint_eq(schedule.steps.at[2].thread, 3);
    rcp_schedule_finish(&schedule);
}
END_TEST

START_TEST(a_thread_without_a_name) {
    rcp_schedule_init(&schedule);
    rcp_schedule_name_thread(&schedule, 2, 0, 2);
    rcp_schedule_name_thread(&schedule, 3, 2, 1);
    struct rcp_run_step step = {3, 9};
    rcp_vec_push(&schedule.steps, step);
    rcp_text out = {0}, again = {0};
    rcp_schedule_print(&out, &schedule);
    ck_assert_str_eq(out.at, "thread ?\nthread 0.2\nthread 0.2.1\n0.2.1 9\n");
    rcp_schedule_finish(&schedule);
    ck_assert_int_eq(parse(out.at), RCP_OK);
    ck_assert_uint_eq(schedule.steps.at[0].thread, 3);
    rcp_schedule_print(&again, &schedule);
    ck_assert_str_eq(again.at, out.at);
    rcp_text_finish(&out);
    rcp_text_finish(&again);
    rcp_schedule_finish(&schedule);
}
END_TEST

START_TEST(refusals) {
    refused("0 1\n0 2 3\n", "s.txt:2", "3 words");
    refused("0\n", "s.txt:1", "1 words");
    refused("main 3\n", "s.txt:1", "'main' is no thread");
    refused("0 many\n", "s.txt:1", "'many'");
    refused("0 18446744073709551616\n", "s.txt:1", "18446744073709551616");
    refused("0 -1\n", "s.txt:1", "'-1'");
    refused("00 1\n", "s.txt:1", "'00'");
    refused("0.0 1\n", "s.txt:1", "'0.0'");
    refused("0. 1\n", "s.txt:1", "'0.'");
    refused("0.1.1 1\n", "s.txt:1", "not declared");
    refused("thread 0.1\n0.2 1\n", "s.txt:2", "not declared");
    refused("thread 0.1\nthread 0.1\n", "s.txt:2", "twice");
    refused("thread 0\n", "s.txt:1", "'0' is no name");
    refused("0 1\nthread 0.1\n", "s.txt:2", "before the first step");
    refused("99999999999 1\n", "s.txt:1", "so many threads");
    refused("# nothing\n", "s.txt: the schedule has no steps", "no steps");
    ck_assert_int_eq(rcp_schedule_parse("s.txt", "0 \0 1", 5, &schedule), RCP_BAD_INPUT);
}
END_TEST

int main(void) {
    return rcp_suite_run("schedule", there_and_back, numbers_names_comments, a_thread_without_a_name, refusals, NULL);
}
