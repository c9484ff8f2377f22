/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/prediction.h"

#include "analysis/make_race.h"
#include "base/limits.h"

#include <stdio.h>

/* The stage's own. */
typedef struct stage {
    rcp_study *study;
    size_t races; /* found so far */
    double began;
} stage;

static rcp_code put(void *context, rcp_race *race) {
    stage *s = context;
    bool kept;
    /* what recipe-s proves the models that explore prove, too */
    if (race->models & RCP_MODEL_BIT(RCP_MODEL_RECIPE_S))
        race->models |= RCP_EXPLORING_MODELS;
    race->models &= s->study->options->models;
    race->model = rcp_model_name(rcp_model_first(race->models));
    rcp_code code = rcp_make_race(s->study, &s->study->run, race, &kept);
    s->races += rcp_race_is_proven(race);
    rcp_race_finish(race);
    return code;
}

static void tell_progress(void *context, size_t done, size_t all) {
    const stage *s = context;
    const rcp_progress at = {.stage = RCP_PROGRESS_PREDICTION,
                             .done = done,
                             .all = all,
                             .found = s->races,
                             .seconds = rcp_seconds_now() - s->began};
    rcp_notices_progress(s->study->notices, &at);
}

static bool recall(void *context, uint64_t option, const rcp_eid pair[2], rcp_text *found) {
    const rcp_study *study = context;
    return rcp_results_recall_outcome(study->results, option, pair, found);
}

static rcp_code keep(void *context, uint64_t option, const rcp_eid pair[2], const void *found, size_t n) {
    const rcp_study *study = context;
    return rcp_results_keep_outcome(study->results, option, pair, found, n);
}

static rcp_code keep_statistics(const rcp_study *study, const rcp_predict_report *report) {
    const rcp_ladder_stats *ladder = &report->ladder;
    char windows[RCP_RUNG_SMALL][64];
    for (unsigned i = 0; i < RCP_RUNG_SMALL; i++)
        snprintf(windows[i], sizeof windows[i], "races in a window of %llu",
                 (unsigned long long)rcp_limit(RCP_LIMIT_WINDOW_SMALL + i));
    const rcp_study_row rows[] = {
        {"conflicting pairs", (double)report->conflicts},
        {"ruled out by a common lock", (double)report->by_lock},
        {"ruled out by must-happen-before", (double)report->by_order},
        {"ruled out by acquisition histories", (double)report->by_history},
        {"left", (double)report->left},
        {"accesses forgotten", (double)report->forgotten},
        {"lost to opaque calls", (double)report->by_opaque},
        {"pairs decided before", (double)report->recalled},
        {"queries", (double)ladder->queries},
        {windows[0], (double)ladder->races[0]},
        {windows[1], (double)ladder->races[1]},
        {windows[2], (double)ladder->races[2]},
        {"races in the small cone", (double)ladder->races[RCP_RUNG_SMALL]},
        {"races in the whole trace", (double)ladder->races[RCP_RUNG_WHOLE]},
        {"queries without a race", (double)ladder->none},
        {"queries undecided", (double)ladder->unknown},
        {"of these too large", (double)ladder->too_large},
        {"witnesses refused", (double)ladder->refused},
        {"solver rounds", (double)ladder->search.rounds},
        {"solver conflicts", (double)ladder->search.conflicts},
    };
    return rcp_study_put_rows(study, "prediction", rows, sizeof rows / sizeof *rows);
}

static void say_what_is_left_out(const rcp_study *study, const rcp_predict_report *report) {
    uint64_t seen = study->run.trace.events.len, events = rcp_reader_count(study->run.reader);
    if (seen < events)
        rcp_notices_say(study->notices,
                        "mc to recipe+ look at the first %llu of %llu events; --events raises it, for %.0f MB more",
                        (unsigned long long)seen, (unsigned long long)events, (double)(events - seen) * 150 / 1e6);
    if (report->unsaved)
        rcp_notices_say(study->notices, "%llu queries were too large to be saved in %s",
                        (unsigned long long)report->unsaved, study->options->predict.smt2);
}

rcp_code rcp_prediction_run(rcp_study *study, rcp_predict_report *report) {
    const rcp_predict_memory memory = {.recall = recall, .keep = keep, .context = study};
    stage s = {.study = study, .began = rcp_seconds_now()};
    *report = (rcp_predict_report){0};
    RCP_TRY(rcp_subject_load(&study->run, rcp_study_events(study)));
    if (study->run.trace.events.len < rcp_reader_count(study->run.reader))
        rcp_limit_reached(RCP_LIMIT_EVENTS);
    RCP_TRY(rcp_subject_lay_groundwork(&study->run));
    rcp_predict_options how = study->options->predict;
    how.memory = &memory;
    how.progress = tell_progress;
    how.seconds = rcp_budget_left(&study->budget);
    rcp_code code = rcp_predict_analyze(study->run.groundwork, &how, put, &s, report);
    rcp_notices_progress(study->notices, NULL);
    report->analysis.seconds = rcp_seconds_now() - s.began;
    if (code == RCP_OK)
        code = keep_statistics(study, report);
    say_what_is_left_out(study, report);
    return code;
}
