/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunting.h"

#include "analysis/hunt_asking.h"
#include "analysis/hunt_end.h"
#include "analysis/hunt_leading.h"
#include "analysis/hunt_work.h"
#include "analysis/leading.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/file.h"
#include "base/hash.h"

#include <inttypes.h>
#include <string.h>

/* Turns that were asked about under the same ones need not be asked again. */
static uint64_t options_of(void) {
    const uint64_t words[] = {rcp_predict_limits_hash(), rcp_limit(RCP_LIMIT_HUNT_INSTANCES),
                              rcp_limit(RCP_LIMIT_HUNT_WAYS), rcp_limit(RCP_LIMIT_ATOMICITY_PLACES),
                              rcp_limit(RCP_LIMIT_ATOMICITY_INSTANCES)};
    return rcp_hash_bytes(words, sizeof words);
}

/* Why no end can be claimed; each once. */
static void note_reason(rcp_hunt_work *w, const char *why) {
    for (size_t i = 0; why && i < w->reasons.len; i++)
        if (!strcmp(w->reasons.at[i], why))
            return;
    if (why)
        rcp_vec_push(&w->reasons, why);
}

/* What was not looked at comes first: there may be code that nobody has seen. Nobody can look at what has no recording
 * any more. */
static rcp_hunt_run *find_next(const rcp_hunt_work *w) {
    rcp_hunt_run *open = NULL;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        rcp_hunt_run *run = w->state.runs.at[i];
        if (run->subject && (!run->is_listed || !run->is_searched || rcp_hunt_is_to_part(w, run)))
            return run;
        if (!open && run->subject && run->stood < run->standings)
            open = run;
        for (size_t k = 0; !open && run->subject && k < run->turns.len; k++)
            open = run->turns.at[k].state != RCP_HUNT_ASKED ? run : NULL;
        for (size_t k = 0; !open && run->subject && k < run->overtakings.len; k++)
            open = run->overtakings.at[k].state != RCP_HUNT_ASKED ? run : NULL;
    }
    return open;
}

static rcp_code hunt(rcp_hunt_work *w) {
    rcp_hunt_run *next;
    while (!rcp_hunt_is_over(w) && (next = find_next(w)))
        RCP_TRY(rcp_hunt_visit(w, next));
    const bool is_open = find_next(w);
    if (is_open && w->is_full)
        w->ended_by.at[RCP_LIMIT_HUNT_SIZE] = 1;
    else if (is_open && w->state.made >= rcp_limit(RCP_LIMIT_HUNT_RUNS))
        w->ended_by.at[RCP_LIMIT_HUNT_RUNS] = 1;
    if (w->leftovers.why_not.len)
        note_reason(w, w->leftovers.why_not.at);
    bool is_clear; /* nobody is to find what our runs have left */
    return rcp_leftovers_clear(&w->leftovers, &w->staged.staging, rcp_leading_limit(&w->staged.staging, w->how->end),
                               w->notices, &is_clear);
}

/* --- what comes of it --- */

/* What was reached through all calls, as far as it is settled: what the end of this one has cut off is open. */
static rcp_code put_limits(const rcp_hunt_work *w) {
    rcp_limit_counts reached = w->ended_by;
    for (size_t i = 0; i < w->state.runs.len; i++)
        for (int k = 0; k < RCP_LIMITS; k++)
            reached.at[k] += w->state.runs.at[i]->reached.at[k];
    return rcp_study_keep_limits(&w->study, &reached);
}

/* Some runs end where others go on: what another one has all of, and more, is no run of its own. */
static void note_reasons(rcp_hunt_work *w) {
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_hunt_run *run = w->state.runs.at[i];
        bool is_part = false;
        for (size_t k = 0; k < w->state.runs.len && run->why_open && !is_part; k++)
            is_part = k != i && rcp_decisions_are_part(&run->decisions, &w->state.runs.at[k]->decisions);
        if (!is_part)
            note_reason(w, run->why_open);
    }
}

static rcp_code put_all(rcp_hunt_work *w) {
    const rcp_statistic_value reason = {RCP_STATISTIC_HUNT_REASON, 1};
    note_reasons(w);
    RCP_TRY(rcp_results_forget_statistics(w->study.results, RCP_STATISTIC_HUNT_REASON));
    RCP_TRY(rcp_results_forget_statistics(w->study.results, RCP_STATISTIC_LIMIT));
    for (size_t i = 0; i < w->reasons.len; i++)
        RCP_TRY(rcp_results_put_statistics(w->study.results, w->reasons.at[i], &reason, 1));
    RCP_TRY(rcp_hunt_curve_put(&w->state.curve, w->study.results));
    return put_limits(w);
}

/* The end of the time, in the midst of a run; or somebody has had enough, and it was ended. What was found stands. */
static rcp_code in_time(const rcp_hunt_work *w, rcp_code code) {
    if (code == RCP_OK || code == RCP_INTERNAL || !((code == RCP_LIMIT && rcp_deadline_is_over()) || *w->how->stop))
        return code;
    rcp_clear_causes();
    return RCP_OK;
}

/* Ends that were reported are known, whatever else an earlier call has kept. */
static void note_ends(rcp_hunt_work *w, const rcp_summary *summary) {
    for (size_t i = 0; i < summary->statistics.len; i++) {
        const rcp_statistic *s = &summary->statistics.at[i];
        if (s->id == RCP_STATISTIC_HUNT_CRASH || s->id == RCP_STATISTIC_HUNT_DEADLOCK)
            rcp_map_set(&w->state.ends, rcp_hunt_end_shape(rcp_statistic_label(s->key)), 1);
    }
}

/* What was found in recordings before is not looked for. */
static rcp_code note_known(rcp_hunt_work *w) {
    rcp_summary summary;
    rcp_code code = rcp_results_load(w->study.results, rcp_results_key(w->study.run.reader), &summary);
    for (size_t i = 0; code == RCP_OK && i < summary.races.len; i++) {
        const rcp_race *race = &summary.races.at[i];
        const bool is_by_language = rcp_model_first(race->models) == RCP_MODEL_C11;
        if (rcp_race_is_proven(race))
            rcp_map_set(is_by_language ? &w->study.by_language : &w->study.known, race->points, 1);
    }
    if (code == RCP_OK) {
        note_ends(w, &summary);
        rcp_atomicity_note_known(&w->atomicity, &summary);
    }
    rcp_summary_finish(&summary);
    return code;
}

/* Where an earlier call ended; or with the recorded run, which the analysis has searched for races. */
static rcp_code find_beginning(rcp_hunt_work *w) {
    bool is_there;
    RCP_TRY(
        rcp_hunt_state_recall(&w->state, w->study.results, w->asking, w->options.directory, &w->study.run, &is_there));
    rcp_limits_sum(&w->charged);
    for (size_t i = 0; is_there && i < w->state.runs.len; i++) {
        rcp_hunt_seen_note(&w->seen, w->state.runs.at[i]);
        rcp_hunt_seen_note_turns(&w->seen, w->state.runs.at[i]);
    }
    if (is_there)
        return RCP_OK;
    const rcp_statistic_value before = {RCP_STATISTIC_HUNT_BEFORE, w->began - w->how->began};
    RCP_TRY(rcp_results_put_statistics(w->study.results, NULL, &before, 1));
    rcp_hunt_run *run;
    RCP_TRY(rcp_subject_load(&w->study.run, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(rcp_hunt_take_run(w, &w->study.run, NULL, &run));
    run->is_searched = true;
    return RCP_OK;
}

/* What a call that was killed has left in the directory goes; what is in it now counts. */
static rcp_code tidy(rcp_hunt_work *w) {
    rcp_stage_remove_left(w->options.directory);
    RCP_TRY(rcp_hunt_keep(w));
    RCP_TRY(rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory)));
    w->bytes = rcp_file_tree_bytes(w->options.directory);
    static const char *const own[] = {"log", "image", "events.rcp"}; /* of each run */
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char *path = rcp_file_take_path(w->options.directory, own[i]);
        w->most += rcp_file_tree_bytes(path);
        rcp_release(path);
    }
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_subject *subject = w->state.runs.at[i]->subject;
        const uint64_t bytes = subject && subject->variant ? rcp_file_tree_bytes(subject->directory) : 0;
        w->most = bytes > w->most ? bytes : w->most;
    }
    return rcp_hunt_measure(w, 0);
}

/* Once it was asked for it is looked for in all runs, whatever call makes them. */
static void begin_atomicity(rcp_hunt_work *w) {
    w->atomicity = (rcp_atomicity){.directory = w->options.directory,
                                   .notices = w->notices,
                                   .results = w->study.results,
                                   .trace = rcp_results_key(w->study.run.reader),
                                   .staging = &w->staged.staging,
                                   .leftovers = &w->leftovers,
                                   .patience = rcp_hunt_patience(w),
                                   .end = w->how->end,
                                   .stop = w->how->stop};
    rcp_atomicity_init(&w->atomicity);
    w->is_parting = w->how->atomicity || w->state.atomicity.len;
    rcp_atomicity_recall(&w->atomicity, &w->state.atomicity);
    if (w->is_parting)
        rcp_atomicity_remember(&w->atomicity, &w->state.atomicity);
}

static rcp_code go(rcp_hunt_work *w) {
    RCP_TRY(rcp_staged_init(&w->staged, w->options.directory, w->how->limit, w->how->prints_to_nobody));
    RCP_TRY(rcp_study_resume(&w->study));
    w->leftovers.top = w->staged.top;
    rcp_code code = find_beginning(w);
    begin_atomicity(w);
    if (code == RCP_OK)
        code = note_known(w);
    if (code == RCP_OK)
        code = tidy(w);
    note_reason(w, w->staged.why_not);
    if (!w->state.curve.at.len)
        rcp_hunt_note_point(w);
    if (code == RCP_OK && !w->staged.why_not)
        code = hunt(w);
    rcp_notices_progress(w->notices, NULL);
    RCP_TRY(in_time(w, code));
    rcp_hunt_note_point(w);
    RCP_TRY(rcp_hunt_keep(w));
    RCP_TRY(put_all(w));
    const rcp_analysis done = {.models = w->options.models, .seconds = 0};
    RCP_TRY(rcp_results_end(w->study.results, &done));
    return rcp_variants_remove(&w->study, rcp_variants_next(w->options.directory));
}

rcp_code rcp_hunting_run(const char *directory, const rcp_hunting_how *how, const rcp_notices *notices) {
    rcp_hunt_work w = {.how = how, .notices = notices, .began = rcp_seconds_now()};
    rcp_hunt_state_init(&w.state);
    w.options = (rcp_study_options){.directory = directory,
                                    .models = RCP_MODEL_BIT(RCP_MODEL_HUNT),
                                    .predict = {.limits = rcp_ladder_limits_set()}};
    w.asking = options_of();
    rcp_hunt_seen_init(&w.seen);
    rcp_deadline_set(how->end);
    rcp_code code = rcp_study_open(&w.study, &w.options, notices);
    if (code == RCP_OK)
        code = go(&w);
    if (notices->verbose)
        rcp_notices_say(notices,
                        "hunt: %" PRIu64 " runs, %zu classes, %" PRIu64 " turns are open; %" PRIu64
                        " runs were of a class that was seen, %" PRIu64 " turns did not come about",
                        w.state.made + 1, w.state.runs.len, rcp_hunt_state_open(&w.state), w.state.again,
                        rcp_hunt_state_lost(&w.state));
    rcp_vec_finish(&w.reasons);
    rcp_hunt_state_finish(&w.state);
    rcp_hunt_seen_finish(&w.seen);
    rcp_leftovers_finish(&w.leftovers);
    rcp_staged_finish(&w.staged);
    rcp_study_close(&w.study);
    rcp_deadline_set(0);
    return code;
}
