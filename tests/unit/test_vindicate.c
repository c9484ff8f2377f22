/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/vindicate.h"

#include "order_text.h"
#include "suite.h"

/* Vindicates the pair; where it is a race, the checker is asked once more. */
static rcp_vindicate_result vindicate(const char *lines, uint64_t earlier, uint64_t later, uint64_t limit) {
    rcp_trace trace;
    rcp_vindicator *vindicator;
    rcp_checker *checker;
    rcp_vindicate_result result;
    parse_trace(&trace, lines);
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    ck_assert_int_eq(rcp_vindicator_create(&trace, checker, trace.events.len, &vindicator), RCP_OK);
    ck_assert_int_eq(rcp_vindicate(vindicator, (rcp_eid){earlier}, (rcp_eid){later}, &limit, &result), RCP_OK);
    if (result.outcome == RCP_IS_RACE) {
        rcp_check_verdict verdict;
        rcp_check_options options = {.values = RCP_VALUES_LAST_WRITER};
        ck_assert_int_eq(rcp_check_witness(&trace, &result.witness, options, &verdict), RCP_OK);
        ck_assert(verdict.accepted);
        ck_assert_uint_eq(result.witness.race[0].v, earlier);
        ck_assert_uint_eq(result.witness.race[1].v, later);
    } else {
        ck_assert_uint_eq(result.witness.steps.len, 0);
        ck_assert_uint_gt(strlen(result.why), 0);
    }
    rcp_vindicator_destroy(vindicator);
    rcp_checker_destroy(checker);
    rcp_trace_finish(&trace);
    return result;
}

static void decide(const char *lines, uint64_t earlier, uint64_t later, rcp_vindication outcome) {
    rcp_vindicate_result result = vindicate(lines, earlier, later, UINT64_MAX);
    ck_assert_msg(result.outcome == outcome, "outcome %d, not %d: %s", result.outcome, outcome, result.why);
    rcp_vindicate_result_finish(&result);
}

#define VARIABLES "var x 0x1000 4\nvar y 0x1010 4\nmutex m\n"

START_TEST(sections_swap) { /* seed 002, Figure 2(b) */
    decide(VARIABLES "T1 acq m\nT1 r x\nT1 w y <- all\nT1 rel m\nT2 acq m\nT2 w x\nT2 rel m\nT2 r y\n", 2, 7,
           RCP_IS_RACE);
}
END_TEST

START_TEST(a_branch_keeps_them_in_order) { /* seed 002, Figure 2(a) */
    decide(VARIABLES "T1 acq m\nT1 r x\nT1 br if all\nT1 w y <- all\nT1 rel m\nT2 acq m\nT2 w x\nT2 rel m\nT2 r y\n", 3,
           8, RCP_NO_RACE);
}
END_TEST

START_TEST(what_orders_the_pair_refutes_it) {
    decide(VARIABLES "T1 w y\nT1 acq m\nT1 w x\nT1 rel m\nT2 acq m\nT2 r x\nT2 br if all\nT2 rel m\nT2 r y\n", 0, 8,
           RCP_NO_RACE);
}
END_TEST

START_TEST(another_threads_section_is_closed) { /* T3's section is needed for x, and excludes T2's */
    decide(VARIABLES "T1 w y\nT3 acq m\nT3 w x\nT3 rel m\nT2 acq m\nT2 r x\nT2 br if all\nT2 w y\nT2 rel m\n", 0, 7,
           RCP_IS_RACE);
}
END_TEST

START_TEST(a_feeding_read_keeps_its_writer) { /* T2's branch needs what T1 wrote from its own read of z */
    decide("var x 0x1000 4\nvar y 0x1010 4\nvar z 0x1020 4\nmutex m\n"
           "T1 acq m\nT1 r z\nT1 w x <- all\nT1 w y\nT1 rel m\nT3 acq m\nT3 w z\nT3 rel m\n"
           "T2 acq m\nT2 r x\nT2 br if all\nT2 rel m\nT2 r y\n",
           3, 12, RCP_NO_RACE);
}
END_TEST

START_TEST(a_barrier_of_all_its_users_refutes) {
    decide("var x 0x1000 4\nbarrier b = 2\nT1 w x\nT1 enter b\nT2 enter b\nT2 leave b serial\nT1 leave b\nT2 w x\n", 0,
           5, RCP_NO_RACE);
}
END_TEST

START_TEST(a_post_lets_the_other_go_on) {
    decide("var x 0x1000 4\nvar y 0x1010 4\nsem s = 0\nT1 w y\nT1 post s\nT1 w x\nT2 down s\nT2 w x\n", 2, 4,
           RCP_IS_RACE);
    decide("var x 0x1000 4\nvar y 0x1010 4\nsem s = 0\nT1 w y\nT1 post s\nT1 w x\nT2 down s\nT2 w y\n", 0, 4,
           RCP_NO_RACE);
}
END_TEST

START_TEST(the_limit_leaves_it_unknown) {
    rcp_vindicate_result result = vindicate(VARIABLES "T1 w x\nT2 w x\n", 0, 1, 0);
    ck_assert_int_eq(result.outcome, RCP_UNKNOWN);
    ck_assert_ptr_nonnull(strstr(result.why, "limit"));
    rcp_vindicate_result_finish(&result);
}
END_TEST

int main(void) {
    return rcp_suite_run("vindicate", sections_swap, a_branch_keeps_them_in_order, what_orders_the_pair_refutes_it,
                         another_threads_section_is_closed, a_feeding_read_keeps_its_writer,
                         a_barrier_of_all_its_users_refutes, a_post_lets_the_other_go_on, the_limit_leaves_it_unknown,
                         NULL);
}
