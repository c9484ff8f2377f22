/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/replaying.h"

#include "base/clock.h"
#include "base/map.h"

rcp_code rcp_replaying_open(rcp_replaying *replaying, const char *directory) {
    *replaying = (rcp_replaying){.directory = directory};
    RCP_TRY(rcp_reader_open(directory, &replaying->reader));
    if (!rcp_results_exist(directory))
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    RCP_TRY(rcp_results_open(directory, &replaying->results));
    return rcp_results_load(replaying->results, rcp_results_key(replaying->reader), &replaying->summary);
}

void rcp_replaying_close(rcp_replaying *replaying) {
    rcp_summary_finish(&replaying->summary);
    rcp_results_close(replaying->results);
    if (replaying->reader)
        rcp_reader_close(replaying->reader);
}

static rcp_code keep(rcp_replaying *replaying, const rcp_race *race, rcp_race_status status, const char *told) {
    return rcp_results_put_replay(replaying->results, rcp_results_key(replaying->reader), race, status, told);
}

static rcp_code replay(const rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                       rcp_replay *replay) {
    char *directory = rcp_race_take_directory(race, replaying->directory);
    rcp_reader *reader = replaying->reader;
    *replay = (rcp_replay){0};
    rcp_code code = race->variant ? rcp_reader_open(directory, &reader) : RCP_OK;
    if (code == RCP_OK) {
        code = rcp_replay_race(directory, reader, race, options, replay);
        if (race->variant)
            rcp_reader_close(reader);
    }
    rcp_release(directory);
    return code;
}

rcp_code rcp_replaying_race(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                            rcp_replay *to) {
    RCP_TRY(replay(replaying, race, options, to));
    return options->first >= 0 && to->status == RCP_RACE_CONFIRMED
               ? RCP_OK
               : keep(replaying, race, to->status, to->told.at ? to->told.at : "");
}

/* --- all of them --- */

/* What keeps one from being carried out at all is no reason to have no report. */
static rcp_code try_one(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *how, bool *shown) {
    rcp_replay is;
    rcp_code code = replay(replaying, race, how, &is);
    if (code != RCP_OK && code != RCP_INTERNAL) {
        rcp_text why = {0};
        rcp_text_printf(&why, "It was not carried out: %s.", rcp_borrow_cause(0) ? rcp_borrow_cause(0) : "no means");
        rcp_clear_causes();
        code = keep(replaying, race, RCP_RACE_NOT_TRIED, why.at);
        rcp_text_finish(&why);
    } else if (code == RCP_OK) {
        code = keep(replaying, race, is.status, is.told.at ? is.told.at : "");
        *shown = is.status == RCP_RACE_CONFIRMED;
    }
    rcp_replay_finish(&is);
    return code;
}

rcp_code rcp_replaying_all(rcp_replaying *replaying, const rcp_replaying_task *tasks, size_t n,
                           const rcp_replaying_how *how, const rcp_notices *notices) {
    rcp_replay_options one = {.first = -1, .limit = how->limit, .end = how->end};
    double began = rcp_seconds_now();
    rcp_map shown;
    rcp_map_init(&shown);
    rcp_code code = RCP_OK;
    /* whoever kills us between two of them leaves what is not come to as what it is */
    for (size_t i = 0; code == RCP_OK && i < n; i++)
        code = keep(replaying, tasks[i].race, RCP_RACE_NOT_TRIED, "It was not carried out: the replays were ended.");
    size_t i = 0;
    for (; code == RCP_OK && i < n && !*how->stop && (!i || !how->end || rcp_seconds_now() < how->end); i++) {
        const rcp_progress at = {RCP_PROGRESS_REPLAY, i, n, shown.len, rcp_seconds_now() - began};
        bool is_shown = false;
        if (rcp_map_get(&shown, tasks[i].pair) != RCP_MAP_NONE)
            continue;
        rcp_notices_progress(notices, &at);
        one.must = !i;
        code = try_one(replaying, tasks[i].race, &one, &is_shown);
        if (is_shown)
            rcp_map_set(&shown, tasks[i].pair, 1);
    }
    for (; code == RCP_OK && i < n && !*how->stop; i++)
        code = keep(replaying, tasks[i].race, RCP_RACE_NOT_TRIED, "It was not carried out: no time was left for it.");
    rcp_notices_progress(notices, NULL);
    rcp_map_finish(&shown);
    return code;
}
