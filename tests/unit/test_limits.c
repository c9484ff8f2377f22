/* SPDX-License-Identifier: Apache-2.0 */
#include "base/limits.h"

#include "suite.h"

#include <ctype.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(every_row_makes_sense) {
    for (int i = 0; i < RCP_LIMITS; i++) {
        const rcp_limit_row *row = rcp_limit_borrow((rcp_limit_name)i);
        rcp_limit_name found;
        ck_assert_uint_le(row->least, row->value);
        ck_assert_uint_le(row->value, row->most);
        ck_assert_uint_eq(rcp_limit((rcp_limit_name)i), row->value);
        ck_assert(rcp_limit_find(row->name, strlen(row->name), &found));
        ck_assert_msg((int)found == i, "%s is there twice", row->name);
        for (const char *p = row->name; *p; p++)
            ck_assert_msg(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '-', "%s", row->name);
        ck_assert(*row->unit);
        if (row->sentence) /* it is printed as one */
            ck_assert_msg(isupper((unsigned char)row->sentence[0]) && row->sentence[strlen(row->sentence) - 1] == '.',
                          "%s: %s", row->name, row->sentence);
    }
}
END_TEST

/* Times can be switched off, and say so. */
START_TEST(times_can_be_switched_off) {
    static const rcp_limit_name times[] = {RCP_LIMIT_BUDGET,          RCP_LIMIT_RUN_BUDGET,
                                           RCP_LIMIT_EXPLORE_SECONDS, RCP_LIMIT_EXPLORE_SHARE,
                                           RCP_LIMIT_GUARDED_SECONDS, RCP_LIMIT_REPLAY_SECONDS};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        ck_assert_uint_eq(rcp_limit_borrow(times[i])->least, 0);
        ck_assert_ptr_nonnull(strstr(rcp_limit_borrow(times[i])->unit, "0: no limit"));
    }
}
END_TEST

START_TEST(values_are_set_by_name) {
    ck_assert_int_eq(rcp_limits_assign("solver-steps=17"), RCP_OK);
    ck_assert_uint_eq(rcp_limit(RCP_LIMIT_SOLVER_STEPS), 17);
    ck_assert_int_eq(rcp_limits_assign("solver-steps=0"), RCP_OK);
    ck_assert_uint_eq(rcp_limit(RCP_LIMIT_SOLVER_STEPS), 0);
    ck_assert_int_eq(rcp_limit_set(RCP_LIMIT_EVENTS, 5), RCP_OK);
    ck_assert_uint_eq(rcp_limit(RCP_LIMIT_EVENTS), 5);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused) {
    static const struct {
        const char *word, *why;
    } wrong[] = {
        {"", "not NAME=N"},
        {"events", "not NAME=N"},
        {"=3", "not NAME=N"},
        {"nosuch=3", "no limit"},
        {"event=3", "no limit"},
        {"events=", "not a number"},
        {"events=x", "not a number"},
        {"events=3x", "not a number"},
        {"events=-3", "not a number"},
        {"events= 3", "not a number"},
        {"events=0", "from 1 to"},
        {"events=99999999999", "from 1 to"},
        {"events=99999999999999999999999", "not a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(rcp_limits_assign(wrong[i].word), RCP_BAD_INPUT);
        ck_assert_msg(strstr(rcp_borrow_cause(0), wrong[i].why) != NULL, "%s: %s", wrong[i].word, rcp_borrow_cause(0));
    }
    ck_assert_uint_eq(rcp_limit(RCP_LIMIT_EVENTS), rcp_limit_borrow(RCP_LIMIT_EVENTS)->value);
}
END_TEST

static uint64_t sum_of(rcp_limit_name name) {
    rcp_limit_counts all;
    rcp_limits_sum(&all);
    return all.at[name];
}

START_TEST(counts_of_children_are_ours) {
    rcp_limit_reached(RCP_LIMIT_EVENTS);
    ck_assert_int_eq(rcp_limits_share(), RCP_OK);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (!child) {
            for (int k = 0; k < 1000; k++)
                rcp_limit_reached(RCP_LIMIT_SOLVER_STEPS);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
    }
    ck_assert_uint_eq(sum_of(RCP_LIMIT_EVENTS), 1);
    ck_assert_uint_eq(sum_of(RCP_LIMIT_SOLVER_STEPS), 3000);
}
END_TEST

START_TEST(what_is_captured_is_counted_by_whoever_takes_it) {
    rcp_limit_counts outer = {{0}}, inner = {{0}};
    ck_assert_ptr_null(rcp_limits_capture(&outer));
    rcp_limit_reached(RCP_LIMIT_SOLVER_STEPS);
    ck_assert_ptr_eq(rcp_limits_capture(&inner), &outer);
    rcp_limit_reached_times(RCP_LIMIT_SOLVER_STEPS, 5);
    rcp_limits_capture(&outer);
    ck_assert_uint_eq(inner.at[RCP_LIMIT_SOLVER_STEPS], 5);
    ck_assert_uint_eq(outer.at[RCP_LIMIT_SOLVER_STEPS], 1);
    rcp_limits_add(&inner);
    rcp_limits_capture(NULL);
    ck_assert_uint_eq(outer.at[RCP_LIMIT_SOLVER_STEPS], 6);
    ck_assert_uint_eq(sum_of(RCP_LIMIT_SOLVER_STEPS), 0);
    rcp_limits_add(&outer);
    ck_assert_uint_eq(sum_of(RCP_LIMIT_SOLVER_STEPS), 6);
}
END_TEST

START_TEST(events_that_are_made_again_are_not_counted_again) {
    ck_assert(!rcp_limits_repeat_events(true));
    rcp_limit_reached(RCP_LIMIT_SYMBOLIC_READS);
    rcp_limit_reached(RCP_LIMIT_JUDGE_EVENTS); /* of an analysis: that is new */
    ck_assert(rcp_limits_repeat_events(false));
    ck_assert_uint_eq(sum_of(RCP_LIMIT_SYMBOLIC_READS), 0);
    ck_assert_uint_eq(sum_of(RCP_LIMIT_JUDGE_EVENTS), 1);
}
END_TEST

int main(void) {
    return rcp_suite_run("limits", every_row_makes_sense, times_can_be_switched_off, values_are_set_by_name,
                         what_makes_no_sense_is_refused, counts_of_children_are_ours,
                         what_is_captured_is_counted_by_whoever_takes_it,
                         events_that_are_made_again_are_not_counted_again, NULL);
}
