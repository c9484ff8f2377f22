/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/replayed.h"

#include "base/clock.h"
#include "cli/processes.h"
#include "report/report.h"

#include <stdlib.h>

rcp_code rcp_replayed_open(rcp_replayed_set *set, const char *directory) {
    *set = (rcp_replayed_set){0};
    RCP_TRY(rcp_replaying_open(&set->from, directory));
    return rcp_findings_collect(&set->findings, set->from.reader, &set->from.summary, directory);
}

void rcp_replayed_close(rcp_replayed_set *set) {
    rcp_findings_finish(&set->findings);
    rcp_replaying_close(&set->from);
}

/* Shown by the recorded run itself, or by another run of the program. What the language says of one that was thought
 * out, or of a schedule, is carried out as the others are. */
static bool is_by_language(const rcp_race *race) {
    return rcp_model_first(race->models) == RCP_MODEL_C11 && !rcp_race_is_to_happen(race);
}

rcp_code rcp_replayed_one(rcp_replayed_set *set, uint64_t id, const rcp_replay_options *options, rcp_replay *replay) {
    if (!id || id > set->findings.proven.len)
        return rcp_fail(RCP_BAD_INPUT, "%s: there is no race %llu; the report has %zu", set->from.directory,
                        (unsigned long long)id, set->findings.proven.len);
    const rcp_race *race = set->findings.proven.at[id - 1].race;
    if (!is_by_language(race))
        return rcp_replaying_race(&set->from, race, options, replay);
    *replay = (rcp_replay){.status = RCP_RACE_NOT_TRIED};
    if (!options->pause && options->first < 0)
        RCP_TRY(rcp_replaying_allowed(&set->from, race, options, replay));
    if (replay->status != RCP_RACE_CONFIRMED) {
        rcp_text told = {0};
        rcp_text_printf(&told, "There is nothing to confirm: both accesses happened in %s.\n%s",
                        race->variant || race->witness.steps.len ? "a run of the program" : "the recorded run",
                        replay->told.at ? replay->told.at : "");
        rcp_text_finish(&replay->told);
        replay->told = told;
    }
    replay->status = race->status;
    return RCP_OK;
}

/* What the standard allows, of those that the recorded run has shown, as long as there is time. What can't be carried
 * out is no reason to have no report. */
static rcp_code show_allowed(rcp_replayed_set *set, const rcp_replaying_how *how) {
    const rcp_replay_options one = {.first = -1, .limit = how->limit, .end = how->end, .whole = how->whole};
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < set->findings.proven.len && !*how->stop; i++) {
        const rcp_race *race = set->findings.proven.at[i].race;
        rcp_replay replay;
        if (!is_by_language(race) || race->status != RCP_RACE_CONFIRMED || rcp_race_is_shown(race))
            continue;
        if (how->end > 0 && rcp_seconds_now() >= how->end)
            break;
        code = rcp_replaying_allowed(&set->from, race, &one, &replay);
        if (code != RCP_OK && code != RCP_INTERNAL) {
            rcp_clear_causes();
            code = RCP_OK;
        }
        rcp_replay_finish(&replay);
    }
    return code;
}

/* What the recorded order itself shows comes first, then what the models prove, from the least to the most; so nothing
 * that is easily shown falls out for lack of time. Each pair once; then those that were not shown by their other
 * events and schedules. */
static int by_model(const void *x, const void *y) {
    const rcp_finding *a = *(const rcp_finding *const *)x, *b = *(const rcp_finding *const *)y;
    rcp_model p = rcp_model_first(a->models), q = rcp_model_first(b->models);
    return p != q ? (p < q ? -1 : 1) : a->id < b->id ? -1 : a->id > b->id;
}

static bool is_shown(const rcp_finding *finding, const rcp_map *shown) {
    return finding->race->status == RCP_RACE_CONFIRMED ||
           (shown && rcp_map_get(shown, rcp_finding_points(finding)) != RCP_MAP_NONE);
}

static bool is_open(const rcp_finding *finding, const rcp_map *shown) {
    return !is_shown(finding, shown) || (is_by_language(finding->race) && !rcp_race_is_shown(finding->race));
}

rcp_code rcp_replayed_all(rcp_replayed_set *set, const rcp_map *shown, const rcp_replaying_how *how,
                          const rcp_notices *notices) {
    RCP_VEC(const rcp_finding *) order = {0};
    RCP_VEC(rcp_replaying_task) tasks = {0};
    for (size_t i = 0; i < set->findings.proven.len; i++)
        if (!is_shown(&set->findings.proven.at[i], shown) && !is_by_language(set->findings.proven.at[i].race))
            rcp_vec_push(&order, &set->findings.proven.at[i]);
    if (order.len)
        qsort(order.at, order.len, sizeof *order.at, by_model);
    for (size_t i = 0; i < order.len; i++)
        rcp_vec_push(&tasks, ((rcp_replaying_task){order.at[i]->race, order.at[i]->id,
                                                   (unsigned)rcp_model_first(order.at[i]->models)}));
    for (size_t i = 0; i < order.len; i++)
        for (size_t k = 0; k < order.at[i]->others.len; k++)
            if (!is_by_language(order.at[i]->others.at[k]))
                rcp_vec_push(&tasks, ((rcp_replaying_task){order.at[i]->others.at[k], order.at[i]->id, RCP_MODELS}));
    rcp_code code = rcp_replaying_all(&set->from, tasks.at, tasks.len, how, notices);
    if (code == RCP_OK)
        code = rcp_replaying_standstills(&set->from, how);
    if (code == RCP_OK)
        code = show_allowed(set, how);
    rcp_vec_finish(&tasks);
    rcp_vec_finish(&order);
    return code;
}

/* --- of several processes --- */

static rcp_code note_shown(const char *directory, rcp_map *shown) {
    rcp_replayed_set set;
    rcp_code code = rcp_replayed_open(&set, directory);
    for (size_t i = 0; code == RCP_OK && i < set.findings.proven.len; i++)
        if (set.findings.proven.at[i].race->status == RCP_RACE_CONFIRMED)
            rcp_map_set(shown, rcp_finding_points(&set.findings.proven.at[i]), 1);
    rcp_replayed_close(&set);
    return code;
}

/* *open: it has some that nobody has shown, which were carried out now, or said not to be. */
static rcp_code replay_part(const char *directory, const rcp_map *shown, const rcp_replaying_how *how,
                            const rcp_notices *notices, bool *open) {
    rcp_replayed_set set;
    rcp_code code = rcp_replayed_open(&set, directory);
    *open = false;
    for (size_t i = 0; code == RCP_OK && i < set.findings.proven.len; i++)
        *open |= is_open(&set.findings.proven.at[i], shown);
    for (size_t i = 0; code == RCP_OK && i < set.from.summary.standstills.len; i++)
        *open |= set.from.summary.standstills.at[i].status != RCP_RACE_CONFIRMED;
    if (code == RCP_OK && *open)
        code = rcp_replayed_all(&set, shown, how, notices);
    rcp_replayed_close(&set);
    return code;
}

rcp_code rcp_replayed_every(const char *directory, const rcp_replaying_how *how, const rcp_notices *notices) {
    rcp_processes_list parts = {0};
    rcp_map shown;
    rcp_map_init(&shown);
    rcp_code code = rcp_processes_analysed(directory, &parts);
    for (size_t i = 0; code == RCP_OK && i < parts.len; i++) /* of earlier replays */
        code = note_shown(parts.at[i], &shown);
    rcp_replaying_how one = *how;
    for (size_t i = 0; code == RCP_OK && i < parts.len && !*how->stop; i++) {
        bool was_open;
        double now = rcp_seconds_now();
        if (how->end > 0)
            one.end = now < how->end ? now + (how->end - now) / (double)(parts.len - i) : how->end;
        code = replay_part(parts.at[i], &shown, &one, notices, &was_open);
        one.has_begun |= was_open;
        if (code == RCP_OK && was_open)
            code = note_shown(parts.at[i], &shown);
    }
    rcp_map_finish(&shown);
    rcp_processes_list_finish(&parts);
    return code;
}

void rcp_replayed_print(rcp_text *to, const rcp_replayed_set *set, uint64_t id, unsigned shown,
                        const rcp_replay *replay) {
    rcp_finding finding = set->findings.proven.at[id - 1];
    rcp_race race = *finding.race;
    race.status = replay->status;
    race.replay = replay->told.at;
    finding.race = &race;
    finding.id = shown;
    rcp_report_race(to, &finding, false, false);
    if (replay->input.len)
        rcp_text_printf(to, "The input is not what it was:\n%s", replay->input.at);
}
