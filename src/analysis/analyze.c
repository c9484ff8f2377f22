/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/analyze.h"

#include "analysis/by_language.h"
#include "analysis/carried.h"
#include "analysis/deadlocks.h"
#include "analysis/exploration.h"
#include "analysis/orders.h"
#include "analysis/overlap.h"
#include "analysis/prediction.h"
#include "analysis/recorded.h"
#include "analysis/variants.h"
#include "base/limits.h"
#include "base/stage.h"
#include "base/tally.h"
#include "trace/check/wellformed.h"

#include <string.h>

/* A race is a race of executions: from what is none, anything could follow. */
static rcp_code must_be_execution(rcp_study *study) {
    const rcp_subject *run = &study->run;
    double began = rcp_seconds_now();
    rcp_wellformed *check =
        rcp_wellformed_create(rcp_reader_borrow_defs(run->reader), rcp_reader_borrow_terms(run->reader));
    rcp_stage_begin("seeing whether the events are an execution");
    rcp_budget_hold(&study->budget, rcp_limit(RCP_LIMIT_CHECK_SHARE));
    rcp_code code = rcp_wellformed_read(check, run->reader, &study->checked);
    rcp_budget_hold(&study->budget, 100);
    rcp_stage_end();
    study->check_seconds = rcp_seconds_now() - began;
    if (code == RCP_OK && study->checked < rcp_reader_count(run->reader)) {
        rcp_limit_reached(RCP_LIMIT_CHECK_SHARE);
        rcp_notices_say(study->notices,
                        "the budget of %.0f seconds leaves time for the first %llu of %llu events alone: the others "
                        "are not looked at",
                        study->budget.seconds, (unsigned long long)study->checked,
                        (unsigned long long)rcp_reader_count(run->reader));
    }
    if (code == RCP_OK && rcp_wellformed_finish(check)) {
        const rcp_fault *fault = rcp_wellformed_borrow(check, 0);
        code =
            rcp_fail(RCP_BAD_INPUT,
                     "%s: no execution can have left this trace, so nothing is analysed: event %llu: %s ('recipe trace "
                     "check' says all)",
                     run->directory, (unsigned long long)fault->eid.v, fault->reason);
    }
    rcp_wellformed_destroy(check);
    return code;
}

/* What a finder took for proven and a judge refuses is a mistake of ours: said, never passed over. */
static rcp_code keep_judgements(const rcp_study *study) {
    const rcp_judging *judging = &study->run.judging;
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_WITNESSES_FEASIBLE, (double)judging->feasible},
        {RCP_STATISTIC_WITNESSES_REFUSED, (double)judging->refused},
        {RCP_STATISTIC_WITNESSES_NOT_JUDGED, (double)judging->not_judged},
    };
    const rcp_statistic_value unaccepted = {RCP_STATISTIC_WITNESSES_UNACCEPTED, (double)study->unaccepted};
    if (judging->refused)
        rcp_notices_say(
            study->notices,
            "%llu witnesses were accepted by the checker, but the code does not go along them (not reported "
            "as races; please report this as a bug of recipe): %s",
            (unsigned long long)judging->refused, judging->refusal);
    if (judging->not_judged)
        rcp_notices_say(study->notices, "of %llu witnesses it could not be seen whether the code goes along them: %s",
                        (unsigned long long)judging->not_judged, judging->obstacle);
    if (study->unaccepted) {
        rcp_notices_say(study->notices,
                        "%llu findings came with witnesses that the checker refuses (not reported as races; please "
                        "report this as a bug of recipe): %s",
                        (unsigned long long)study->unaccepted, study->refusal);
        RCP_TRY(rcp_results_put_statistics(study->results, NULL, &unaccepted, 1));
    }
    const rcp_statistic_value spared = {RCP_STATISTIC_SPARED, (double)study->n_spared};
    if (study->n_spared)
        RCP_TRY(rcp_results_put_statistics(study->results, NULL, &spared, 1));
    return judging->feasible + judging->refused + judging->not_judged
               ? rcp_results_put_statistics(study->results, NULL, rows, sizeof rows / sizeof *rows)
               : RCP_OK;
}

/* The models that predict look at every conflicting pair; so their counts are the analysis's, where they are run. */
static rcp_analysis sum(const rcp_study *study, const rcp_analysis *orders, const rcp_analysis *prediction) {
    rcp_analysis all = prediction->models ? *prediction : *orders;
    all.models = orders->models | prediction->models;
    all.unproven = orders->unproven + study->run.judging.refused + study->unaccepted;
    all.seconds = orders->seconds + prediction->seconds;
    return all;
}

static bool has_fact(const rcp_study *study, const char *key, const char *value) {
    const char *is = rcp_defs_borrow_fact(rcp_reader_borrow_defs(study->run.reader), key);
    return is && !strcmp(is, value);
}

/* Events of a recorded run that an older version has made may lack fences. c11 has no other proof than these events. */
static uint32_t without_language(const rcp_study *study, uint32_t models) {
    const uint32_t c11 = RCP_MODEL_BIT(RCP_MODEL_C11);
    bool is_told = study->run.is_recorded || has_fact(study, "source", "recipe record");
    if (!(models & c11) || !is_told || has_fact(study, "fences", "told"))
        return models;
    rcp_notices_say(study->notices,
                    "%s: its events were made by an older version of recipe: model c11 looks at nothing",
                    study->run.directory);
    return models & ~c11;
}

/* Orders flag and prove; their races are judged while the trace is as long as they need it. */
static rcp_code run_orders(rcp_study *study, bool overlap, rcp_analysis *work) {
    uint32_t models = rcp_study_orders(study->options), looked = without_language(study, models);
    rcp_order_report report;
    study->is_by_language = looked & RCP_MODEL_BIT(RCP_MODEL_C11);
    rcp_order_report_init(&report);
    rcp_code code = looked && overlap ? rcp_orders_find(study, looked, &report) : RCP_OK;
    report.analysis.models = models;
    if (code == RCP_OK)
        code = rcp_study_begin(study);
    if (code == RCP_OK && models)
        code = rcp_orders_keep(study, &report);
    *work = report.analysis;
    rcp_order_report_finish(&report);
    return code;
}

/* A stage that the end of the budget has kept from its end: what it found is kept, and the rest not known. */
static rcp_code in_time(const rcp_study *study, rcp_code code) {
    if (code != RCP_LIMIT || !rcp_deadline_is_over())
        return code;
    const char *why = rcp_borrow_cause(0);
    rcp_notices_say(study->notices, "%s", why ? why : "the time was over");
    rcp_clear_causes();
    rcp_limit_reached(RCP_LIMIT_BUDGET);
    return RCP_OK;
}

/* The partial orders first: they are done soon. */
static rcp_code run_stages(rcp_study *study, rcp_carried *carried, rcp_predict_report *prediction) {
    const rcp_study_options *asked = study->options;
    uint32_t fresh = rcp_variants_next(asked->directory);
    bool explores = asked->models & RCP_EXPLORING_MODELS && study->run.is_recorded && !asked->predict.warnings;
    rcp_analysis orders = {0};
    bool overlap = true; /* pairs that are asked about, and queries that are kept, are asked all the same */
    if (!asked->predict.warnings && !asked->predict.smt2)
        RCP_TRY(rcp_overlap_find(study->run.reader, study->checked, &overlap));
    RCP_TRY(run_orders(study, overlap, &orders));
    RCP_TRY(in_time(study, rcp_carried_keep(carried, study)));
    if (asked->predict.models && overlap)
        RCP_TRY(in_time(study, rcp_prediction_run(study, prediction)));
    if (study->is_by_language)
        RCP_TRY(in_time(study, rcp_by_language_along(study)));
    if (asked->predict.models && overlap && !asked->predict.warnings && !asked->predict.smt2)
        RCP_TRY(in_time(study, rcp_deadlocks_find(study)));
    if (explores && overlap)
        RCP_TRY(in_time(study, rcp_explore_neighbours(study)));
    prediction->analysis.models = asked->models & (RCP_PREDICT_MODELS | RCP_EXPLORING_MODELS);
    rcp_analysis all = sum(study, &orders, &prediction->analysis);
    RCP_TRY(keep_judgements(study));
    rcp_limit_counts reached;
    rcp_limits_sum(&reached);
    RCP_TRY(rcp_study_keep_limits(study, &reached));
    RCP_TRY(rcp_results_end(study->results, &all));
    return explores ? rcp_variants_remove(study, fresh) : RCP_OK;
}

/* Of a long run a beginning was told and analysed, as was asked for now: then the time is for telling more of it. The
 * next analysis has all of its time to look at that; until then what was found stands. */
static rcp_code go_on(const rcp_study_options *options, const rcp_budget *budget, const rcp_carried *carried,
                      const rcp_notices *notices, bool *done) {
    *done = false;
    if (!carried->is_there || options->models & ~carried->summary.work.models || options->predict.warnings ||
        options->predict.smt2 || options->opaque || options->barriers || options->volatiles ||
        !rcp_recorded_is_begun(options->directory))
        return RCP_OK;
    rcp_budget_hold(budget, rcp_limit(RCP_LIMIT_TELL_AGAIN_SHARE));
    return rcp_recorded_go_on(options->directory, notices, done);
}

rcp_code rcp_analyze(const rcp_study_options *options, const rcp_notices *notices, rcp_predict_report *prediction) {
    rcp_study study;
    const rcp_budget budget = rcp_budget_begin(options->predict.seconds);
    *prediction = (rcp_predict_report){0};
    rcp_carried carried;
    rcp_carried_take(&carried, options->directory);
    bool done = false;
    rcp_code code = go_on(options, &budget, &carried, notices, &done);
    if (code == RCP_OK && !done) {
        rcp_budget_hold(&budget, rcp_limit(RCP_LIMIT_TELL_SHARE));
        code = rcp_study_make_events(options, notices);
    }
    if (code != RCP_OK || done) {
        rcp_carried_finish(&carried);
        rcp_deadline_set(0);
        return code;
    }
    rcp_budget_hold(&budget, 100);
    code = rcp_study_open(&study, options, notices);
    study.budget = budget;
    study.told_at = rcp_seconds_now();
    if (code == RCP_OK)
        code = must_be_execution(&study);
    if (code == RCP_OK)
        code = run_stages(&study, &carried, prediction);
    rcp_study_close(&study);
    rcp_carried_finish(&carried);
    rcp_deadline_set(0);
    return code;
}

void rcp_analyze_say_tally(const rcp_notices *notices) {
    for (int is_variant = 0; is_variant < 2; is_variant++) {
        rcp_text text = {0};
        for (int what = 0; what < RCP_TALLIED; what++) {
            uint64_t n = rcp_tally_of((rcp_tallied)what, is_variant);
            if (n || !is_variant)
                rcp_text_printf(&text, "%s%s: %llu", text.len ? ", " : "", rcp_tally_name((rcp_tallied)what),
                                (unsigned long long)n);
        }
        if (text.len)
            rcp_notices_say(notices, "done for %s, by all processes: %s",
                            is_variant ? "variants of the run" : "the run", text.at);
        rcp_text_finish(&text);
    }
}
