/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/replaying.h"

#include "base/clock.h"

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

rcp_code rcp_replaying_race(rcp_replaying *replaying, const rcp_race *race, const rcp_replay_options *options,
                            rcp_replay *replay) {
    char *directory = rcp_race_take_directory(race, replaying->directory);
    rcp_reader *reader = replaying->reader;
    rcp_code code = race->variant ? rcp_reader_open(directory, &reader) : RCP_OK;
    if (code == RCP_OK)
        code = rcp_replay_race(directory, reader, race, options, replay);
    if (code == RCP_OK && race->variant)
        rcp_reader_close(reader);
    rcp_release(directory);
    RCP_TRY(code);
    return rcp_results_put_replay(replaying->results, rcp_results_key(replaying->reader), race, replay->status,
                                  replay->told.at ? replay->told.at : "");
}

rcp_code rcp_replaying_all(rcp_replaying *replaying, const rcp_race *const *races, size_t n, double limit,
                           const volatile sig_atomic_t *stop, const rcp_notices *notices) {
    const rcp_replay_options both = {.first = -1, .limit = limit};
    double began = rcp_seconds_now();
    rcp_code code = RCP_OK;
    size_t confirmed = 0;
    for (size_t i = 0; code == RCP_OK && i < n && !*stop; i++) {
        const rcp_progress at = {RCP_PROGRESS_REPLAY, i, n, confirmed, rcp_seconds_now() - began};
        rcp_replay replay = {0};
        rcp_notices_progress(notices, &at);
        code = rcp_replaying_race(replaying, races[i], &both, &replay);
        confirmed += replay.status == RCP_RACE_CONFIRMED;
        rcp_replay_finish(&replay);
    }
    rcp_notices_progress(notices, NULL);
    return code;
}
