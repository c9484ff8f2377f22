/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replayed.h"

#include "cli/command.h"
#include "report/report.h"

rcp_code rcp_replayed_open(rcp_replayed_set *set, const char *directory) {
    *set = (rcp_replayed_set){.directory = directory};
    RCP_TRY(rcp_reader_open(directory, &set->reader));
    if (!rcp_results_exist(directory))
        return rcp_fail(RCP_BAD_INPUT, "%s: has not been analysed yet; run 'recipe analyze %s' first", directory,
                        directory);
    RCP_TRY(rcp_results_open(directory, &set->results));
    RCP_TRY(rcp_results_load(set->results, rcp_results_key(set->reader), &set->summary));
    return rcp_findings_collect(&set->findings, set->reader, &set->summary, directory);
}

void rcp_replayed_close(rcp_replayed_set *set) {
    rcp_findings_finish(&set->findings);
    rcp_summary_finish(&set->summary);
    rcp_results_close(set->results);
    if (set->reader)
        rcp_reader_close(set->reader);
}

rcp_code rcp_replayed_one(rcp_replayed_set *set, uint64_t id, const rcp_replay_options *options, rcp_replay *replay) {
    if (!id || id > set->findings.races.len)
        return rcp_fail(RCP_BAD_INPUT, "%s: there is no race %llu; the report has %zu", set->directory,
                        (unsigned long long)id, set->findings.races.len);
    const rcp_race *race = set->findings.races.at[id - 1].race;
    char *directory = rcp_race_take_directory(race, set->directory);
    rcp_reader *reader = set->reader;
    rcp_code code = race->variant ? rcp_reader_open(directory, &reader) : RCP_OK;
    if (code == RCP_OK)
        code = rcp_replay_race(directory, reader, race, options, replay);
    if (code == RCP_OK && race->variant)
        rcp_reader_close(reader);
    rcp_release(directory);
    RCP_TRY(code);
    return rcp_results_put_replay(set->results, rcp_results_key(set->reader), race, replay->status,
                                  replay->told.at ? replay->told.at : "");
}

void rcp_replayed_print(rcp_text *to, const rcp_replayed_set *set, uint64_t id, const rcp_replay *replay) {
    rcp_finding finding = set->findings.races.at[id - 1];
    rcp_race race = *finding.race;
    race.status = replay->status;
    race.replay = replay->told.at;
    finding.race = &race;
    rcp_report_race(to, &finding);
    if (replay->input.len)
        rcp_text_printf(to, "The input is not what it was:\n%s", replay->input.at);
}
