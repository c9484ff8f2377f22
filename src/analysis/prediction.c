/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/prediction.h"

#include "analysis/make_race.h"
#include "base/limits.h"
#include "base/stage.h"
#include "trace/check/refusals.h"

#include <stdio.h>
#include <string.h>

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
    const rcp_statistic_value rows[] = {
        {RCP_STATISTIC_PREDICTION_CONFLICTS, (double)report->conflicts},
        {RCP_STATISTIC_PREDICTION_BY_LOCK, (double)report->by_lock},
        {RCP_STATISTIC_PREDICTION_BY_ORDER, (double)report->by_order},
        {RCP_STATISTIC_PREDICTION_BY_HISTORY, (double)report->by_history},
        {RCP_STATISTIC_PREDICTION_LEFT, (double)report->left},
        {RCP_STATISTIC_PREDICTION_FORGOTTEN, (double)report->forgotten},
        {RCP_STATISTIC_PREDICTION_OPAQUE, (double)report->by_opaque},
        {RCP_STATISTIC_PREDICTION_REUSE, (double)report->by_reuse},
        {RCP_STATISTIC_PREDICTION_RECALLED, (double)report->recalled},
        {RCP_STATISTIC_PREDICTION_LOOKED, (double)report->looked},
        {RCP_STATISTIC_PREDICTION_LOOKED_SECONDS, report->looked_seconds},
        {RCP_STATISTIC_PREDICTION_AT_FIRST_LOOK, (double)report->at_first_look},
        {RCP_STATISTIC_PREDICTION_QUERIES, (double)ladder->queries},
        {RCP_STATISTIC_PREDICTION_WINDOW_1, (double)ladder->races[0]},
        {RCP_STATISTIC_PREDICTION_WINDOW_2, (double)ladder->races[1]},
        {RCP_STATISTIC_PREDICTION_WINDOW_3, (double)ladder->races[2]},
        {RCP_STATISTIC_PREDICTION_SMALL, (double)ladder->races[RCP_RUNG_SMALL]},
        {RCP_STATISTIC_PREDICTION_WHOLE, (double)ladder->races[RCP_RUNG_WHOLE]},
        {RCP_STATISTIC_PREDICTION_NONE, (double)ladder->none},
        {RCP_STATISTIC_PREDICTION_UNKNOWN, (double)ladder->unknown},
        {RCP_STATISTIC_PREDICTION_TOO_LARGE, (double)ladder->too_large},
        {RCP_STATISTIC_PREDICTION_REFUSED, (double)ladder->refused},
        {RCP_STATISTIC_PREDICTION_ROUNDS, (double)ladder->search.rounds},
        {RCP_STATISTIC_PREDICTION_SOLVER_CONFLICTS, (double)ladder->search.conflicts},
    };
    return rcp_results_put_statistics(study->results, NULL, rows, sizeof rows / sizeof *rows);
}

/* "a.c:12"; the file without its directories. */
static void name_place(const rcp_defs *defs, const rcp_location *place, char *name, size_t size) {
    const char *file = rcp_defs_borrow_string(defs, place->file), *slash = strrchr(file, '/');
    snprintf(name, size, "%s:%u", slash ? slash + 1 : file, (unsigned)place->line);
}

/* A name that is longer than a key is cut where its templates or parameters begin, so that what is left is one. */
static void print_name(const char *name, char to[RCP_STATISTIC_KEY / 2]) {
    static const char rest[] = "...";
    size_t room = RCP_STATISTIC_KEY / 2 - sizeof rest, n = strlen(name);
    if (n > room)
        n = strcspn(name, "<(") < room ? strcspn(name, "<(") : room;
    snprintf(to, RCP_STATISTIC_KEY / 2, "%.*s%s", (int)n, name, name[n] ? rest : "");
}

static rcp_code keep_lost(const rcp_study *study, const rcp_predict_report *report) {
    const rcp_defs *defs = &study->run.trace.defs;
    for (size_t i = 0; i < report->lost.len; i++) {
        char name[RCP_STATISTIC_KEY / 2];
        const rcp_lost *to = &report->lost.at[i];
        bool is_call = to->to.what == RCP_BLAMED_CALL;
        const rcp_statistic_value lost = {is_call ? RCP_STATISTIC_LOST_TO : RCP_STATISTIC_LOST_TO_REUSE,
                                          (double)to->pairs};
        if (is_call)
            print_name(rcp_defs_borrow_string(defs, (rcp_str){to->to.who}), name);
        else
            name_place(defs, &defs->locations.at[to->to.who], name, sizeof name);
        RCP_TRY(rcp_results_put_statistics(study->results, name, &lost, 1));
    }
    return RCP_OK;
}

/* Calls outside whose accesses may race, by name. */
static rcp_code keep_inside(const rcp_study *study, const rcp_predict_report *report) {
    rcp_statistic_value all = {RCP_STATISTIC_PREDICTION_INSIDE, 0};
    for (size_t i = 0; i < report->inside.len; i++) {
        char name[RCP_STATISTIC_KEY / 2];
        const rcp_inside_count *of = &report->inside.at[i];
        const rcp_statistic_value places = {RCP_STATISTIC_INSIDE, (double)of->places};
        snprintf(name, sizeof name, "%s", rcp_defs_borrow_string(&study->run.trace.defs, of->callee));
        all.value += places.value;
        RCP_TRY(rcp_results_put_statistics(study->results, name, &places, 1));
    }
    return rcp_results_put_statistics(study->results, NULL, &all, 1);
}

/* Of a trace that is longer than --events, or than there was time for. */
static rcp_code keep_length(const rcp_study *study, const rcp_predict_report *report) {
    const rcp_statistic_value seen = {RCP_STATISTIC_PREDICTION_EVENTS, (double)report->events};
    return report->events < rcp_reader_count(study->run.reader)
               ? rcp_results_put_statistics(study->results, NULL, &seen, 1)
               : RCP_OK;
}

static void say_what_is_left_out(const rcp_study *study, const rcp_predict_report *report) {
    uint64_t seen = study->run.trace.events.len, events = rcp_reader_count(study->run.reader);
    if (report->events < seen)
        rcp_notices_say(
            study->notices,
            "the budget of %.0f seconds ends the search for pairs at event %llu of %llu: what mc to recipe+ "
            "would find after that is not known",
            study->budget.seconds, (unsigned long long)report->events, (unsigned long long)events);
    else if (seen < events)
        rcp_notices_say(study->notices,
                        "mc to recipe+ look at the first %llu of %llu events; --events raises it, for %.0f MB more",
                        (unsigned long long)seen, (unsigned long long)events, (double)(events - seen) * 150 / 1e6);
    if (report->unsaved)
        rcp_notices_say(study->notices, "%llu queries were too large to be saved in %s",
                        (unsigned long long)report->unsaved, study->options->predict.smt2);
}

/* Beyond the part that was looked at may be other instances, so of a place, or of a race, that is not in it nothing is
 * known. */
static void doubt_warned(const rcp_study *study, rcp_predict_report *report) {
    bool is_whole = report->events >= rcp_reader_count(study->run.reader);
    for (size_t i = 0; i < report->warned.len && !is_whole; i++)
        if (report->warned.at[i] == RCP_WARNED_NOT_THERE || report->warned.at[i] == RCP_WARNED_NONE)
            report->warned.at[i] = RCP_WARNED_UNSEEN;
}

/* The recorded order must be one by every rule: where it is not, what follows can't be shown, and the report says so.
 */
static rcp_code check_recorded_order(const rcp_study *study) {
    const rcp_subject *run = &study->run;
    rcp_refusals refusals;
    rcp_text text = {0};
    RCP_TRY(rcp_refusals_find(&refusals, &run->trace, run->checker));
    rcp_code code = RCP_OK;
    for (size_t i = 0; i < refusals.n && code == RCP_OK; i++) {
        const rcp_statistic_value at = {RCP_STATISTIC_REFUSED, (double)refusals.at[i].at.v};
        rcp_text_clear(&text);
        rcp_refusal_place(&text, &run->trace, &refusals.at[i]);
        rcp_text_puts(&text, "\t");
        rcp_refusal_words(&text, &refusals.at[i]);
        code = rcp_results_put_statistics(study->results, text.at, &at, 1);
    }
    rcp_text_finish(&text);
    return code;
}

rcp_code rcp_prediction_run(rcp_study *study, rcp_predict_report *report) {
    const rcp_predict_memory memory = {.recall = recall, .keep = keep, .context = study};
    stage s = {.study = study, .began = rcp_seconds_now()};
    *report = (rcp_predict_report){0};
    RCP_TRY(rcp_subject_load(&study->run, rcp_study_most(study)));
    if (study->run.trace.events.len < rcp_reader_count(study->run.reader))
        rcp_limit_reached(RCP_LIMIT_EVENTS);
    rcp_stage_begin("looking for what every order has");
    rcp_stage_at(0, 0);
    rcp_code laid = rcp_subject_lay_groundwork(&study->run);
    rcp_stage_end();
    RCP_TRY(laid);
    RCP_TRY(check_recorded_order(study));
    rcp_predict_options how = study->options->predict;
    how.memory = &memory;
    how.blames = true;
    how.progress = tell_progress;
    how.seconds = rcp_budget_left(&study->budget);
    rcp_code code = rcp_predict_analyze(study->run.groundwork, &how, put, &s, report);
    rcp_notices_progress(study->notices, NULL);
    report->analysis.seconds = rcp_seconds_now() - s.began;
    doubt_warned(study, report);
    if (code == RCP_OK)
        code = keep_statistics(study, report);
    if (code == RCP_OK)
        code = keep_lost(study, report);
    if (code == RCP_OK)
        code = keep_inside(study, report);
    if (code == RCP_OK)
        code = keep_length(study, report);
    say_what_is_left_out(study, report);
    return code;
}
