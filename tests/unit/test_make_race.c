/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/make_race.h"

#include "order_text.h"
#include "suite.h"
#include "temporary.h"
#include "trace/store/writer.h"

static char directory[256];
static rcp_study study;
static rcp_study_options options;
static const rcp_notices nobody;

static void begin(const char *lines) {
    make_temporary(directory, sizeof directory);
    rcp_trace trace;
    parse_trace(&trace, lines);
    ck_assert_int_eq(rcp_trace_save(&trace, directory), RCP_OK);
    rcp_trace_finish(&trace);
    options = (rcp_study_options){.directory = directory, .models = RCP_MODEL_BIT(RCP_MODEL_MC)};
    ck_assert_int_eq(rcp_study_open(&study, &options, &nobody), RCP_OK);
    ck_assert_int_eq(rcp_study_begin(&study), RCP_OK);
    ck_assert_int_eq(rcp_subject_load(&study.run, UINT64_MAX), RCP_OK);
}

static void done(void) {
    rcp_study_close(&study);
    drop_temporary(directory);
}

/* What a finder claims: both accesses are next after the first `recorded` events. */
static void claim(rcp_race *race, uint64_t a, uint64_t b, uint64_t recorded) {
    rcp_race_init(race);
    race->event[0] = race->witness.race[0] = (rcp_eid){a};
    race->event[1] = race->witness.race[1] = (rcp_eid){b};
    race->witness.recorded = recorded;
    race->status = RCP_RACE_PREDICTED;
    race->models = RCP_MODEL_BIT(RCP_MODEL_MC);
    race->model = rcp_model_name(RCP_MODEL_MC);
    race->instances = 1;
}

/* What is stored under the pair's events. */
static rcp_race_status stored(void) {
    rcp_summary summary;
    const rcp_analysis work = {.models = options.models};
    ck_assert_int_eq(rcp_results_end(study.results, &work), RCP_OK);
    ck_assert_int_eq(rcp_results_load(study.results, rcp_results_key(study.run.reader), &summary), RCP_OK);
    ck_assert_uint_eq(summary.races.len, 1);
    ck_assert_uint_ne(summary.races.at[0].fingerprint, 0);
    rcp_race_status status = summary.races.at[0].status;
    rcp_summary_finish(&summary);
    return status;
}

START_TEST(what_the_checker_accepts_is_stored_and_known) {
    begin("var x 0x1000 4\nT1 w x\nT2 w x\n");
    rcp_race race;
    bool kept;
    claim(&race, 0, 1, 0);
    ck_assert_int_eq(rcp_make_race(&study, &study.run, &race, &kept), RCP_OK);
    ck_assert(kept);
    ck_assert_uint_eq(study.known.len, 1);
    ck_assert_uint_eq(study.unaccepted, 0);
    ck_assert_int_eq(stored(), RCP_RACE_PREDICTED);
    rcp_race_finish(&race);
    done();
}
END_TEST

START_TEST(what_it_refuses_is_no_race_whoever_claims_it) {
    begin("var x 0x1000 4\nmutex m\nT1 acq m\nT1 w x\nT1 rel m\nT2 acq m\nT2 w x\nT2 rel m\n");
    rcp_race race;
    bool kept;
    claim(&race, 1, 4, 1); /* T2 has not taken the lock, and can't */
    ck_assert_int_eq(rcp_make_race(&study, &study.run, &race, &kept), RCP_OK);
    ck_assert(kept);
    ck_assert(!rcp_race_is_proven(&race));
    ck_assert_uint_eq(study.known.len, 0);
    ck_assert_uint_eq(study.unaccepted, 1);
    ck_assert_uint_gt(strlen(study.refusal), 0);
    ck_assert_int_eq(stored(), RCP_RACE_UNPROVEN);
    rcp_race_finish(&race);
    done();
}
END_TEST

START_TEST(what_nobody_claims_is_stored_as_it_is) {
    begin("var x 0x1000 4\nT1 w x\nT2 w x\n");
    rcp_race race;
    bool kept;
    claim(&race, 0, 1, 0);
    race.status = RCP_RACE_UNDECIDED;
    ck_assert_int_eq(rcp_make_race(&study, &study.run, &race, &kept), RCP_OK);
    ck_assert(kept);
    ck_assert_uint_eq(study.known.len, 0);
    ck_assert_ptr_null(study.run.checker); /* nobody was asked */
    rcp_race_finish(&race);
    done();
}
END_TEST

int main(void) {
    return rcp_suite_run("make_race", what_the_checker_accepts_is_stored_and_known,
                         what_it_refuses_is_no_race_whoever_claims_it, what_nobody_claims_is_stored_as_it_is, NULL);
}
