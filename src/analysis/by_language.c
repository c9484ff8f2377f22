/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/by_language.h"

#include "analysis/make_race.h"
#include "analysis/points.h"
#include "base/deadline.h"
#include "base/limits.h"
#include "order/proof/settle.h"

static bool is_known(const rcp_study *study, uint64_t points) {
    return rcp_map_get(&study->known, points) != RCP_MAP_NONE ||
           rcp_map_get(&study->by_language, points) != RCP_MAP_NONE;
}

/* Nobody asks once more about what is known: most of what is flagged was there in the recorded run. */
static void leave_out_known(const rcp_study *study, const rcp_trace *trace, rcp_pairs *pairs) {
    size_t kept = 0;
    for (size_t p = 0; p < pairs->at.len; p++) {
        const rcp_pair_flags *flags = pairs->at.at[p].by[RCP_MODEL_C11];
        bool is_open = false;
        for (size_t i = 0; i < rcp_pair_kept(flags) && !is_open; i++) {
            const rcp_event *a = &trace->events.at[rcp_pair_earlier(trace, &flags->kept[i]).v];
            is_open = !is_known(study, rcp_point_pair(&trace->defs, a, &trace->events.at[flags->kept[i].later.v]));
        }
        if (is_open)
            pairs->at.at[kept++] = pairs->at.at[p];
    }
    pairs->at.len = kept;
}

rcp_code rcp_by_language_find(const rcp_study *study, rcp_subject *run, rcp_order_report *report) {
    const double end = rcp_deadline(), now = rcp_seconds_now();
    if (rcp_deadline_is_over())
        return RCP_OK;
    RCP_TRY(rcp_subject_open(run));
    RCP_TRY(rcp_order_flag(run->reader, RCP_MODEL_BIT(RCP_MODEL_C11), UINT64_MAX, end > 0 ? end - now : 0, report));
    const uint64_t needed = rcp_order_needs(report);
    if (!needed)
        return RCP_OK;
    if (!run->is_loaded || run->trace.events.len < needed)
        RCP_TRY(rcp_subject_load(run, needed));
    if (study)
        leave_out_known(study, &run->trace, &report->pairs);
    if (!report->pairs.at.len)
        return RCP_OK;
    RCP_TRY(rcp_subject_make_checker(run));
    return rcp_order_prove(&run->trace, run->checker, rcp_limit(RCP_LIMIT_PROOF_EVENTS), end, report);
}

rcp_code rcp_by_language_take(rcp_study *study, rcp_subject *run, uint64_t *fresh) {
    rcp_order_report report;
    rcp_order_report_init(&report);
    *fresh = 0;
    rcp_code code = rcp_by_language_find(study, run, &report);
    for (size_t i = 0; code == RCP_OK && i < report.races.len; i++) {
        rcp_race *race = &report.races.at[i];
        const rcp_event *a = &run->trace.events.at[race->event[0].v], *b = &run->trace.events.at[race->event[1].v];
        bool kept = false;
        if (rcp_race_is_proven(race) && !is_known(study, rcp_point_pair(&run->trace.defs, a, b)))
            code = rcp_make_race(study, run, race, &kept);
        *fresh += kept;
    }
    rcp_order_report_finish(&report);
    return code;
}

/* --- along the witnesses of other models --- */

/* The way up to the later of the two, which are events of the execution that the whole way is. */
static void put_way(const rcp_witness *way, const rcp_trace *execution, const rcp_trace *trace, rcp_race *race) {
    const uint64_t last = race->event[1].v;
    const rcp_event *a = &execution->events.at[race->event[0].v], *b = &execution->events.at[last];
    rcp_witness *to = &race->witness;
    rcp_eid of[2] = {rcp_trace_event_of(trace, a->tid, execution->position[race->event[0].v]),
                     rcp_trace_event_of(trace, b->tid, execution->position[last])};
    rcp_witness_finish(to);
    to->recorded = way->recorded <= last ? way->recorded : last + 1;
    for (uint64_t i = way->recorded; i <= last; i++)
        rcp_witness_run(to, execution->events.at[i].tid, execution->position[i] + 1);
    for (int i = 0; i < 2; i++) /* in the order of the trace */
        race->event[i] = to->race[i] = of[of[0].v < of[1].v ? i : !i];
}

static rcp_code look_along(rcp_study *study, const rcp_witness *way, uint64_t *left) {
    rcp_subject *run = &study->run;
    rcp_trace execution;
    rcp_order_report report;
    const double end = rcp_deadline();
    rcp_witness_execute(way, &run->trace, RCP_NO_EID, &execution);
    if (*left < execution.events.len) {
        rcp_limit_reached(RCP_LIMIT_WAY_EVENTS);
        *left = 0;
        rcp_witness_release(&execution);
        return RCP_OK;
    }
    *left -= execution.events.len;
    rcp_order_report_init(&report);
    rcp_code code = rcp_order_flag_by_language(&execution, end, &report);
    if (code == RCP_OK)
        leave_out_known(study, &execution, &report.pairs);
    if (code == RCP_OK && report.pairs.at.len)
        code = rcp_order_prove(&execution, run->checker, rcp_limit(RCP_LIMIT_PROOF_EVENTS), end, &report);
    for (size_t i = 0; code == RCP_OK && i < report.races.len; i++) {
        rcp_race *race = &report.races.at[i];
        bool kept;
        if (!rcp_race_is_proven(race))
            continue;
        put_way(way, &execution, &run->trace, race);
        if (race->witness.steps.len) /* else it is the recorded run's */
            code = rcp_make_race(study, run, race, &kept);
    }
    rcp_order_report_finish(&report);
    rcp_witness_release(&execution);
    return code;
}

rcp_code rcp_by_language_along(rcp_study *study) {
    uint64_t left = rcp_limit(RCP_LIMIT_WAY_EVENTS);
    if (!study->ways.len || rcp_deadline_is_over())
        return RCP_OK;
    if (!study->run.is_loaded || study->run.trace.events.len < study->ways_need)
        RCP_TRY(rcp_subject_load(&study->run, study->ways_need));
    RCP_TRY(rcp_subject_make_checker(&study->run));
    for (size_t i = 0; i < study->ways.len && left && !rcp_deadline_is_over(); i++)
        RCP_TRY(look_along(study, &study->ways.at[i], &left));
    return RCP_OK;
}
