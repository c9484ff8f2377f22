/* SPDX-License-Identifier: Apache-2.0 */
#include "order/analyze.h"

#include "base/limits.h"
#include "order_text.h"
#include "suite.h"
#include "temporary.h"
#include "trace/store/writer.h"

static char directory[256];
static rcp_order_report report;
#define PROOF_LIMIT rcp_limit(RCP_LIMIT_PROOF_EVENTS)
static uint64_t limit; /* 0: as usual */

static void analyze(uint32_t models, const char *lines) {
    make_temporary(directory, sizeof directory);
    rcp_trace trace;
    parse_trace(&trace, lines);
    ck_assert_int_eq(rcp_trace_save(&trace, directory), RCP_OK);
    rcp_trace_finish(&trace);
    rcp_order_report_init(&report);
    rcp_reader *reader;
    ck_assert_int_eq(rcp_reader_open(directory, &reader), RCP_OK);
    ck_assert_int_eq(rcp_order_flag(reader, models, UINT64_MAX, 0, &report), RCP_OK);
    rcp_reader_close(reader);
    if (!rcp_order_needs(&report))
        return;
    uint64_t all;
    rcp_checker *checker;
    rcp_trace_init(&trace);
    ck_assert_int_eq(rcp_trace_load_beginning(&trace, directory, rcp_order_needs(&report), &all), RCP_OK);
    ck_assert_int_eq(rcp_checker_create(&trace, &checker), RCP_OK);
    ck_assert_int_eq(rcp_order_prove(&trace, checker, limit ? limit : PROOF_LIMIT, 0, &report), RCP_OK);
    rcp_checker_destroy(checker);
    rcp_trace_finish(&trace);
}

static void done(void) {
    rcp_order_report_finish(&report);
    drop_temporary(directory);
}

enum { HB = RCP_MODEL_BIT(RCP_MODEL_HB), SHB = RCP_MODEL_BIT(RCP_MODEL_SHB) };

START_TEST(no_race) {
    analyze(HB | SHB, "var x 0x1000 4\nT1 w x\nT1 w x\n");
    ck_assert_uint_eq(report.races.len, 0);
    ck_assert_uint_eq(report.analysis.candidates, 0);
    ck_assert_uint_eq(report.analysis.models, HB | SHB);
    ck_assert_uint_eq(report.events, 2);
    done();
}
END_TEST

START_TEST(what_the_limit_leaves_out_is_undecided) {
    limit = 3; /* the first pair's check executes 1 event, the second one's would execute 3 more */
    analyze(HB, "var x 0x1000 4\nvar y 0x1004 4\n"
                "T1 w x @ a.c:1\nT2 w x @ a.c:2\nT1 w y @ a.c:3\nT2 r y @ a.c:3\n");
    limit = 0;
    ck_assert_uint_eq(report.races.len, 2);
    ck_assert_int_eq(report.races.at[0].status, RCP_RACE_PREDICTED);
    ck_assert_int_eq(report.races.at[1].status, RCP_RACE_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(report.races.at[1].why, "limit of 3 events"));
    ck_assert_uint_eq(report.analysis.unknown, 1);
    ck_assert_uint_eq(report.analysis.unproven, 0);
    ck_assert_uint_eq(report.analysis.solved, 1);
    done();
}
END_TEST

START_TEST(one_race_per_static_pair) {
    analyze(HB | SHB,
            "var x 0x1000 4\nvar y 0x1004 4\n"
            "T1 w x @ a.c:1\nT2 w x @ a.c:2\nT1 w x @ a.c:1\nT2 w x @ a.c:2\nT1 w y @ a.c:3\nT2 r y @ a.c:3\n");
    ck_assert_uint_eq(report.races.len, 2);
    const rcp_race *x = &report.races.at[0];
    ck_assert_uint_eq(x->event[0].v, 0);
    ck_assert_uint_eq(x->event[1].v, 1);
    ck_assert_uint_eq(x->instances, 3); /* T2, T1, T2, whichever comes first */
    ck_assert_int_eq(x->status, RCP_RACE_PREDICTED);
    ck_assert_str_eq(x->model, "hb");
    ck_assert_uint_eq(x->models, HB | SHB);
    ck_assert_uint_eq(x->witness.race[1].v, 1);
    ck_assert_uint_eq(report.analysis.candidates, 2);
    ck_assert_uint_eq(report.analysis.solved, 2);
    ck_assert_uint_eq(report.analysis.unproven, 0);
    done();
}
END_TEST

START_TEST(without_locations_the_address_tells_pairs_apart) {
    analyze(HB, "var x 0x1000 4\nvar y 0x1004 4\nT1 w x\nT1 w y\nT2 w x\nT2 w y\n");
    ck_assert_uint_eq(report.races.len, 2);
    done();
}
END_TEST

START_TEST(unproven_pairs_are_kept_apart) {
    analyze(HB | SHB, "var x 0x1000 4 = 0\nvar y 0x1004 4 = 0\nT1 w y = 1 @ a.c:1\nT1 w x = 1 @ a.c:2\n"
                      "x: T2 r x = 1 @ a.c:3\nT2 br 1 if (eq $x 1:32)\nT2 w y = 2 @ a.c:4\n");
    ck_assert_uint_eq(report.races.len, 2);
    const rcp_race *x = &report.races.at[0], *y = &report.races.at[1];
    ck_assert_int_eq(x->status, RCP_RACE_PREDICTED);
    ck_assert_uint_eq(x->models, HB | SHB);
    ck_assert_int_eq(y->status, RCP_RACE_UNPROVEN);
    ck_assert_uint_eq(y->models, HB);
    ck_assert_uint_eq(y->witness.steps.len, 0);
    ck_assert_ptr_nonnull(y->why);
    ck_assert_uint_eq(report.analysis.unproven, 1);
    done();
}
END_TEST

START_TEST(a_later_instance_may_be_the_one_with_a_witness) {
    /* the first y is a consequence of x; the second, of T3, is not */
    analyze(HB, "var x 0x1000 4 = 0\nvar y 0x1004 4 = 0\nT1 w y = 1 @ a.c:1\nT1 w x = 1 @ a.c:2\n"
                "x: T2 r x = 1 @ a.c:3\nT2 br 1 if (eq $x 1:32)\nT2 w y = 2 @ a.c:4\nT3 w y = 3 @ a.c:4\n");
    bool found = false;
    for (size_t i = 0; i < report.races.len; i++) {
        const rcp_race *race = &report.races.at[i];
        if (race->event[0].v == 0 && race->event[1].v == 5) {
            ck_assert_int_eq(race->status, RCP_RACE_PREDICTED);
            ck_assert_uint_eq(race->instances, 2);
            found = true;
        }
    }
    ck_assert(found);
    done();
}
END_TEST

START_TEST(behind_what_is_named_and_none) {
    /* wdp names T1's last write of y, which hangs on x (seed 002, Figure 2(a)); the first one does not */
    analyze(RCP_MODEL_BIT(RCP_MODEL_WDP),
            "var x 0x1000 4 = 0\nvar y 0x1004 4 = 0\nmutex m\nT1 w y = 1 @ a.c:1\nT1 acq m\nx: T1 r x = 0 @ a.c:2\n"
            "T1 br 0 if (eq $x 1:32)\nT1 w y = 2 @ a.c:3\nT1 rel m\n"
            "T2 acq m\nT2 w x = 1 @ a.c:4\nT2 rel m\nT2 r y = 2 @ a.c:5\n");
    ck_assert_uint_eq(report.races.len, 1);
    ck_assert_uint_eq(report.races.at[0].event[0].v, 0);
    ck_assert_uint_eq(report.races.at[0].event[1].v, 9);
    ck_assert_int_eq(report.races.at[0].status, RCP_RACE_PREDICTED);
    ck_assert_uint_eq(report.analysis.candidates, 2);
    ck_assert_uint_eq(report.analysis.solved, 2);
    done();
}
END_TEST

START_TEST(what_is_no_order_is_an_error) {
    rcp_order_report_init(&report);
    ck_assert_int_eq(rcp_order_flag(NULL, RCP_MODEL_BIT(RCP_MODEL_MC), UINT64_MAX, 0, &report), RCP_INTERNAL);
    rcp_order_report_finish(&report);
}
END_TEST

int main(void) {
    return rcp_suite_run("analyze", no_race, what_the_limit_leaves_out_is_undecided, one_race_per_static_pair,
                         without_locations_the_address_tells_pairs_apart, unproven_pairs_are_kept_apart,
                         a_later_instance_may_be_the_one_with_a_witness, behind_what_is_named_and_none,
                         what_is_no_order_is_an_error, NULL);
}
