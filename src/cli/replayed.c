/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replayed.h"

#include "report/report.h"

rcp_code rcp_replayed_open(rcp_replayed_set *set, const char *directory) {
    *set = (rcp_replayed_set){0};
    RCP_TRY(rcp_replaying_open(&set->from, directory));
    return rcp_findings_collect(&set->findings, set->from.reader, &set->from.summary, directory);
}

void rcp_replayed_close(rcp_replayed_set *set) {
    rcp_findings_finish(&set->findings);
    rcp_replaying_close(&set->from);
}

rcp_code rcp_replayed_one(rcp_replayed_set *set, uint64_t id, const rcp_replay_options *options, rcp_replay *replay) {
    if (!id || id > set->findings.races.len)
        return rcp_fail(RCP_BAD_INPUT, "%s: there is no race %llu; the report has %zu", set->from.directory,
                        (unsigned long long)id, set->findings.races.len);
    return rcp_replaying_race(&set->from, set->findings.races.at[id - 1].race, options, replay);
}

rcp_code rcp_replayed_all(rcp_replayed_set *set, double limit, const volatile sig_atomic_t *stop,
                          const rcp_notices *notices) {
    RCP_VEC(const rcp_race *) races = {0};
    for (size_t i = 0; i < set->findings.races.len; i++)
        rcp_vec_push(&races, set->findings.races.at[i].race);
    rcp_code code = rcp_replaying_all(&set->from, races.at, races.len, limit, stop, notices);
    rcp_vec_finish(&races);
    return code;
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
