/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/carried.h"

#include "analysis/make_race.h"
#include "analysis/points.h"
#include "analysis/recorded.h"
#include "base/hash.h"
#include "trace/store/store.h"

/* Of the first bytes of the file; 0: there are not so many. */
static uint64_t hash_file(const char *directory, uint64_t bytes) {
    char *path = rcp_store_take_path(directory);
    rcp_text text = {0};
    if (rcp_text_read_file(&text, path) != RCP_OK)
        rcp_clear_causes();
    uint64_t hash = bytes && text.len >= bytes ? rcp_hash_bytes(text.at, bytes) : 0;
    rcp_text_finish(&text);
    rcp_release(path);
    return hash;
}

static rcp_code measure(rcp_carried *carried, const char *directory) {
    rcp_store store;
    rcp_code code = rcp_store_open(&store, directory);
    if (code == RCP_OK && store.chunks.len) {
        const rcp_placed_chunk *last = &store.chunks.at[store.chunks.len - 1];
        carried->bytes = last->offset;
        carried->events = last->chunk.first;
    }
    rcp_store_finish(&store);
    carried->hash = hash_file(directory, carried->bytes);
    return code;
}

static rcp_code take(rcp_carried *carried, const char *directory) {
    rcp_reader *reader;
    rcp_results *results;
    RCP_TRY(measure(carried, directory));
    RCP_TRY(rcp_reader_open(directory, &reader));
    carried->key = rcp_results_key(reader);
    rcp_reader_close(reader);
    RCP_TRY(rcp_results_open_readonly(directory, &results));
    rcp_code code = rcp_results_load(results, carried->key, &carried->summary);
    rcp_results_close(results);
    return code;
}

void rcp_carried_take(rcp_carried *carried, const char *directory) {
    *carried = (rcp_carried){0};
    if (!rcp_results_exist(directory) || !rcp_recorded_is_begun(directory))
        return;
    carried->is_there = take(carried, directory) == RCP_OK && !carried->summary.unfinished;
    rcp_clear_causes();
}

/* Is it still what it was, in the trace that is loaded? */
static rcp_code is_same(const rcp_study *study, const rcp_race *race, bool *same) {
    const rcp_trace *trace = &study->run.trace;
    rcp_check_verdict verdict = {0};
    *same = race->event[0].v < trace->events.len && race->event[1].v < trace->events.len &&
            rcp_point_pair(&trace->defs, &trace->events.at[race->event[0].v], &trace->events.at[race->event[1].v]) ==
                race->points;
    if (!*same)
        return RCP_OK;
    rcp_code code = rcp_race_check(study, &study->run, race, &verdict);
    if (code == RCP_BAD_INPUT) { /* it names what is not there */
        rcp_clear_causes();
        code = RCP_OK;
    }
    *same = verdict.accepted;
    return code;
}

/* `most`: events from the first on that are known to be an execution, now or before. */
static bool is_wanted(const rcp_study *study, const rcp_race *race, uint64_t most) {
    return rcp_race_is_proven(race) && !race->variant && race->models & study->options->models &&
           race->event[0].v < most && race->event[1].v < most &&
           rcp_map_get(&study->known, race->points) == RCP_MAP_NONE;
}

/* Is there time to load so many events, and for what the checker makes of them? By how long it took to read others. */
static bool is_time_for(const rcp_study *study, uint64_t events) {
    enum { COST = 4 };
    double each = study->check_seconds * COST / ((double)study->checked + 1);
    return study->budget.end <= 0 || each * (double)events < rcp_budget_left(&study->budget);
}

static rcp_code keep(rcp_study *study, rcp_race *race, bool is_asked) {
    const rcp_race_status was = race->status;
    bool kept = true;
    race->models &= study->options->models;
    race->status = is_asked ? RCP_RACE_PREDICTED : RCP_RACE_UNDECIDED;
    if (is_asked)
        RCP_TRY(rcp_make_race(study, &study->run, race, &kept));
    else
        rcp_race_explain(race, "It was proven when less of the run was told, and there was no time to see it again.");
    if (!is_asked)
        RCP_TRY(rcp_results_put(study->results, race));
    if (!kept || was < RCP_RACE_CONFIRMED)
        return RCP_OK;
    return rcp_results_put_replay(study->results, rcp_results_key(study->run.reader), race, was,
                                  race->replay ? race->replay : "");
}

rcp_code rcp_carried_keep(rcp_carried *carried, rcp_study *study) {
    uint64_t needed = 0, most = study->checked;
    if (!carried->is_there)
        return RCP_OK;
    if (carried->events > most && hash_file(study->options->directory, carried->bytes) == carried->hash)
        most = carried->events;
    rcp_races *races = &carried->summary.races;
    for (size_t i = 0; i < races->len; i++)
        for (int k = 0; k < 2; k++)
            if (is_wanted(study, &races->at[i], most) && races->at[i].event[k].v >= needed)
                needed = races->at[i].event[k].v + 1;
    const bool is_asked = is_time_for(study, needed);
    if (needed && is_asked && (!study->run.is_loaded || study->run.trace.events.len < needed))
        RCP_TRY(rcp_subject_load(&study->run, needed));
    if (needed && is_asked)
        RCP_TRY(rcp_subject_make_checker(&study->run));
    for (size_t i = 0; i < races->len; i++) {
        bool is_kept = !is_asked;
        if (!is_wanted(study, &races->at[i], most))
            continue;
        if (is_asked)
            RCP_TRY(is_same(study, &races->at[i], &is_kept));
        if (is_kept)
            RCP_TRY(keep(study, &races->at[i], is_asked));
    }
    return RCP_OK;
}

void rcp_carried_finish(rcp_carried *carried) {
    rcp_summary_finish(&carried->summary);
    *carried = (rcp_carried){0};
}
