/* SPDX-License-Identifier: Apache-2.0 */
#include "report/owned.h"

#include "parse_text.h"
#include "suite.h"
#include "trace/model/trace.h"

#include <stdio.h>
#include <string.h>

/* What T1 holds after each of its events, by name: "m l/2" is m, and l two levels of it. */
static void check_held(const char *text, const char *const expected[]) {
    rcp_trace trace;
    rcp_owned_list held = {0};
    size_t at = 0;
    parse_text(&trace, text);
    for (size_t i = 0; i < trace.events.len; i++) {
        const rcp_event *event = &trace.events.at[i];
        char got[128] = "";
        if (event->tid.v != 0)
            continue;
        rcp_owned_follow(&held, event);
        for (size_t k = 0; k < held.len; k++) {
            size_t n = strlen(got);
            snprintf(got + n, sizeof got - n, "%s%s%s", k ? " " : "",
                     rcp_defs_borrow_string(&trace.defs, trace.defs.objects.at[held.at[k].object.v].name),
                     held.at[k].mode == RCP_SHARED ? "(shared)" : "");
            n = strlen(got);
            if (held.at[k].levels > 1)
                snprintf(got + n, sizeof got - n, "/%u", held.at[k].levels);
        }
        ck_assert_msg(!strcmp(got, expected[at]), "event %zu: '%s', expected '%s'", at, got, expected[at]);
        at++;
    }
    ck_assert_ptr_null(expected[at]);
    rcp_vec_finish(&held);
    rcp_trace_finish(&trace);
}

START_TEST(what_is_taken_is_held_until_it_is_let_go) {
    check_held("recipe trace 1\nthread T1\nthread T2\nmutex m\nspin k\nrwlock l\n"
               "T1 acq m\nT1 acq l shared\nT1 acq k\nT1 rel m\nT1 rel k\nT1 rel l shared\n",
               (const char *const[]){"m", "m l(shared)", "m l(shared) k", "l(shared) k", "l(shared)", "", NULL});
}
END_TEST

START_TEST(what_was_busy_is_not_held) {
    check_held("recipe trace 1\nthread T1\nthread T2\nmutex m\nT2 acq m\nT1 acq m failed\nT2 rel m\n",
               (const char *const[]){"", NULL});
}
END_TEST

START_TEST(a_recursive_one_is_held_until_its_last_level) {
    check_held("recipe trace 1\nthread T1\nrecursive q\nT1 acq q\nT1 acq q\nT1 rel q\nT1 rel q\n",
               (const char *const[]){"q", "q/2", "q", "", NULL});
}
END_TEST

START_TEST(who_waits_has_not_the_mutex_and_has_it_again) {
    check_held("recipe trace 1\nthread T1\nthread T2\nmutex m\ncond c\n"
               "T1 acq m\nT1 wait c m\nT2 signal c\nT1 wake c m\nT1 rel m\n",
               (const char *const[]){"m", "", "m", "", NULL});
}
END_TEST

int main(void) {
    return rcp_suite_run("owned", what_is_taken_is_held_until_it_is_let_go, what_was_busy_is_not_held,
                         a_recursive_one_is_held_until_its_last_level, who_waits_has_not_the_mutex_and_has_it_again,
                         NULL);
}
