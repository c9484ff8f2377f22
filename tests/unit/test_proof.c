/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/proof.h"

#include "order_text.h"
#include "suite.h"

static rcp_trace trace;
static rcp_proof proof;
static uint64_t limit = UINT64_MAX;

static void prove(rcp_model model, const char *lines, uint64_t earlier, uint64_t later) {
    parse_trace(&trace, lines);
    rcp_proof_init(&proof, (rcp_eid){earlier}, (rcp_eid){later});
    rcp_checker *checker;
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    ck_assert_int_eq(rcp_proofs_find(&trace, checker, rcp_rules_of(model), &proof, 1, NULL, NULL, &limit), RCP_OK);
    rcp_checker_destroy(checker);
}

static void done(void) {
    rcp_proof_finish(&proof);
    rcp_trace_finish(&trace);
}

START_TEST(the_witness_runs_what_is_before_both) {
    prove(RCP_MODEL_HB,
          "var x 0x1000 4\nvar y 0x1004 4\nmutex m\nT3 w y\nT3 acq m\nT3 rel m\nT3 w y\nT1 acq m\nT1 w x\nT1 rel m\n"
          "T2 w x\n",
          5, 7);
    ck_assert(proof.proven && proof.values == RCP_VALUES_SAME);
    ck_assert_uint_eq(proof.witness.recorded, 5); /* as it was up to T1's access; T2 need not run */
    ck_assert_uint_eq(proof.witness.steps.len, 0);
    ck_assert_uint_eq(proof.witness.race[0].v, 5);
    ck_assert_uint_eq(proof.witness.race[1].v, 7);
    done();
}
END_TEST

START_TEST(after_the_earlier_access_only_what_the_later_one_needs) {
    /* T2 takes a lock from T3 between the two accesses: T3 runs up to its release, T1 stays where it is */
    prove(RCP_MODEL_HB,
          "var x 0x1000 4\nvar y 0x1004 4\nmutex m\nT3 w y\nT1 w x\nT1 w y\nT3 acq m\nT3 rel m\nT2 acq m\nT3 w y\nT2 w "
          "x\n",
          1, 7);
    ck_assert(proof.proven);
    ck_assert_uint_eq(proof.witness.recorded, 1);
    ck_assert_uint_eq(proof.witness.steps.len, 2);
    ck_assert_uint_eq(proof.witness.steps.at[0].tid.v, 2);
    ck_assert_uint_eq(proof.witness.steps.at[0].to, 3);
    ck_assert_uint_eq(proof.witness.steps.at[1].tid.v, 1);
    ck_assert_uint_eq(proof.witness.steps.at[1].to, 1);
    done();
}
END_TEST

START_TEST(a_limit_leaves_a_pair_undecided) {
    const char *lines = "var x 0x1000 4\nT1 w x\nT3 br\nT2 w x\n";
    limit = 1; /* the check may execute what comes before event 2 */
    prove(RCP_MODEL_HB, lines, 0, 2);
    ck_assert(!proof.proven && proof.undecided);
    ck_assert_uint_eq(limit, 1);
    done();
    limit = 2;
    prove(RCP_MODEL_HB, lines, 0, 2);
    ck_assert(proof.proven && !proof.undecided);
    ck_assert_uint_eq(limit, 0);
    done();
}
END_TEST

START_TEST(a_consequence_of_a_race_is_refused_with_a_reason) {
    /* T2 writes y only because it has seen T1's x; hb flags y, too */
    const char *lines = "var x 0x1000 4 = 0\nvar y 0x1004 4 = 0\nT1 w y = 1\nT1 w x = 1\nx: T2 r x = 1\n"
                        "T2 br 1 if (eq $x 1:32)\nT2 w y = 2\n";
    prove(RCP_MODEL_HB, lines, 0, 4);
    ck_assert(!proof.proven);
    ck_assert_uint_eq(proof.witness.steps.len, 0);
    ck_assert_uint_gt(strlen(proof.verdict.reason), 0);
    done();
    prove(RCP_MODEL_HB, lines, 1, 2);
    ck_assert(proof.proven);
    done();
}
END_TEST

START_TEST(use_after_free_runs_the_free) {
    /* two uses after the FREE of another thread race with it, and with each other */
    const char *lines = "T1 alloc 0x1000:8\nT1 free 0x1000:8\nT2 w 0x1000:4\nT3 w 0x1000:4\n";
    prove(RCP_MODEL_SHB, lines, 1, 2);
    ck_assert(proof.proven);
    done();
    prove(RCP_MODEL_SHB, lines, 2, 3);
    ck_assert(proof.proven);
    ck_assert_uint_eq(proof.witness.recorded, 2); /* the FREE included */
    done();
}
END_TEST

START_TEST(pairs_that_are_none_are_an_error) {
    parse_trace(&trace, "var x 0x1000 4\nT1 w x\nT1 w x\nT2 br\n");
    const uint64_t pairs[][2] = {{1, 0}, {0, 1}, {0, 2}, {0, 9}};
    for (size_t i = 0; i < 4; i++) {
        rcp_proof_init(&proof, (rcp_eid){pairs[i][0]}, (rcp_eid){pairs[i][1]});
        ck_assert_int_eq(rcp_proofs_find(&trace, NULL, rcp_rules_of(RCP_MODEL_HB), &proof, 1, NULL, NULL, &limit),
                         RCP_INTERNAL);
        rcp_proof_finish(&proof);
    }
    rcp_trace_finish(&trace);
}
END_TEST

int main(void) {
    return rcp_suite_run("proof", the_witness_runs_what_is_before_both,
                         after_the_earlier_access_only_what_the_later_one_needs, a_limit_leaves_a_pair_undecided,
                         a_consequence_of_a_race_is_refused_with_a_reason, use_after_free_runs_the_free,
                         pairs_that_are_none_are_an_error, NULL);
}
