/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/study.h"

#include "analysis/recorded.h"
#include "base/limits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

rcp_code rcp_study_make_events(const rcp_study_options *options, const rcp_notices *notices) {
    RCP_TRY(rcp_recorded_opaque(options->directory, options->opaque, options->barriers, options->volatiles));
    RCP_TRY(rcp_recorded_renew(options->directory, notices));
    return rcp_recorded_prepare(options->directory, notices);
}

rcp_code rcp_study_open(rcp_study *study, const rcp_study_options *options, const rcp_notices *notices) {
    *study = (rcp_study){.options = options, .notices = notices};
    rcp_map_init(&study->known);
    rcp_map_init(&study->by_language);
    rcp_map_init(&study->spared);
    rcp_subject_init(&study->run, options->directory, 0, options->predict.spurious_wakeups);
    RCP_TRY(rcp_subject_open(&study->run));
    if (rcp_reader_borrow_loss(study->run.reader))
        rcp_notices_say(notices, "%s", rcp_reader_borrow_loss(study->run.reader));
    if (rcp_results_exist(options->directory))
        return rcp_results_open(options->directory, &study->results);
    return access(options->directory, W_OK)
               ? rcp_fail(RCP_SYSTEM, "%s: results.db can't be made there: %s", options->directory, strerror(errno))
               : RCP_OK;
}

void rcp_study_close(rcp_study *study) {
    rcp_subject_finish(&study->run);
    rcp_results_close(study->results);
    rcp_map_finish(&study->known);
    rcp_map_finish(&study->by_language);
    rcp_map_finish(&study->spared);
    for (size_t i = 0; i < study->ways.len; i++)
        rcp_witness_finish(&study->ways.at[i]);
    rcp_vec_finish(&study->ways);
}

rcp_code rcp_study_begin(rcp_study *study) {
    if (!study->results)
        RCP_TRY(rcp_results_open(study->options->directory, &study->results));
    return rcp_results_begin(study->results, rcp_results_key(study->run.reader), study->options->models);
}

rcp_code rcp_study_resume(rcp_study *study) {
    if (!study->results)
        RCP_TRY(rcp_results_open(study->options->directory, &study->results));
    return rcp_results_resume(study->results, rcp_results_key(study->run.reader), study->options->models);
}

rcp_code rcp_study_keep_limits(const rcp_study *study, const rcp_limit_counts *reached) {
    for (int i = 0; i < RCP_LIMITS; i++) {
        const rcp_statistic_value limit = {RCP_STATISTIC_LIMIT, (double)reached->at[i]};
        if (reached->at[i])
            RCP_TRY(rcp_results_put_statistics(study->results, rcp_limit_borrow((rcp_limit_name)i)->name, &limit, 1));
    }
    return RCP_OK;
}

/* Where there is a budget: as many events as half of what is left of it is enough for, to get them ready. */
static uint64_t events_in_time(const rcp_study *study) {
    double each = study->check_seconds * (double)rcp_limit(RCP_LIMIT_PREPARE_COST) / ((double)study->checked + 1);
    double fit = study->budget.end > 0 && each > 0 ? rcp_budget_left(&study->budget) / 2 / each : 1e18;
    return fit < 1e18 ? (uint64_t)fit + 1 : UINT64_MAX;
}

uint64_t rcp_study_events(const rcp_study_options *options) {
    return options->predict.events ? options->predict.events : rcp_limit(RCP_LIMIT_EVENTS);
}

uint64_t rcp_study_most(rcp_study *study) {
    uint64_t asked = rcp_study_events(study->options), fit = events_in_time(study);
    asked = asked < study->checked ? asked : study->checked;
    if (!study->most)
        study->most = asked < fit ? asked : fit;
    return study->most;
}

uint32_t rcp_study_orders(const rcp_study_options *options) {
    return options->models & ~RCP_PREDICT_MODELS & ~RCP_EXPLORING_MODELS;
}
