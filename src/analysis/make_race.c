/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/make_race.h"

#include "analysis/points.h"
#include "analysis/turned.h"
#include "analysis/spared.h"
#include "results/fingerprint.h"
#include "trace/check/language.h"

#include <stdio.h>

/* By one of its rules for values. Each of them accepts feasible executions alone (docs/semantics.md, V), so it does not
 * matter for truth by which: a finder goes by its model's. First the one that most finders of that model go by. The
 * last one costs a pass over the trace, and nearly nothing is accepted by it alone. */
static rcp_code check_schedule(const rcp_study *study, const rcp_subject *run, const rcp_witness *witness,
                               bool keeps_values, rcp_check_verdict *verdict) {
    const rcp_value_rule rules[] = {keeps_values ? RCP_VALUES_SAME : RCP_VALUES_RELAXED,
                                    keeps_values ? RCP_VALUES_RELAXED : RCP_VALUES_SAME, RCP_VALUES_LAST_WRITER};
    *verdict = (rcp_check_verdict){0};
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !verdict->accepted; i++) {
        const rcp_check_options how = {
            .values = rules[i], .spurious_wakeups = study->options->predict.spurious_wakeups, .stood = run->is_steered};
        RCP_TRY(rcp_checker_run(run->checker, witness, how, verdict));
    }
    return RCP_OK;
}

/* Where the execution has that event of the trace; UINT64_MAX: it has not. */
static rcp_eid find_event(const rcp_trace *execution, const rcp_trace *trace, rcp_eid eid) {
    const rcp_tid tid = trace->events.at[eid.v].tid;
    const rcp_position position = trace->position[eid.v];
    return position < rcp_trace_thread_len(execution, tid) ? rcp_trace_event_of(execution, tid, position) : RCP_NO_EID;
}

/* Both accesses are on the way of a schedule, which must be one. */
static rcp_code check_along(const rcp_study *study, const rcp_subject *run, const rcp_race *race,
                            rcp_check_verdict *verdict) {
    rcp_witness way = race->witness; /* its steps are lent */
    way.race[0] = way.race[1] = RCP_NO_EID;
    RCP_TRY(check_schedule(study, run, &way, false, verdict));
    if (!verdict->accepted)
        return RCP_OK;
    rcp_trace execution;
    rcp_language_verdict by = {.reason = "the schedule does not have both accesses"};
    rcp_witness_execute(&way, &run->trace, RCP_NO_EID, &execution);
    const rcp_eid one = find_event(&execution, &run->trace, race->event[0]),
                  two = find_event(&execution, &run->trace, race->event[1]);
    if (one.v != RCP_NO_EID.v && two.v != RCP_NO_EID.v)
        rcp_language_check(&execution, one.v < two.v ? one : two, one.v < two.v ? two : one, &by);
    rcp_witness_release(&execution);
    verdict->accepted = by.accepted;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", by.reason);
    return RCP_OK;
}

/* Without a schedule the run is the execution. */
static rcp_code check_language(const rcp_study *study, const rcp_subject *run, const rcp_race *race,
                               rcp_check_verdict *verdict) {
    rcp_language_verdict by;
    *verdict = (rcp_check_verdict){.at = RCP_NO_EID};
    if (race->event[0].v >= race->event[1].v || race->event[1].v >= run->trace.events.len)
        return rcp_fail(RCP_BAD_INPUT, "a race names events that the trace does not have");
    if (race->witness.steps.len)
        return check_along(study, run, race, verdict);
    rcp_language_check(&run->trace, race->event[0], race->event[1], &by);
    verdict->accepted = by.accepted;
    snprintf(verdict->reason, sizeof verdict->reason, "%s", by.reason);
    return RCP_OK;
}

rcp_code rcp_race_check(const rcp_study *study, const rcp_subject *run, const rcp_race *race,
                        rcp_check_verdict *verdict) {
    rcp_model model = rcp_model_first(race->models);
    return model == RCP_MODEL_C11
               ? check_language(study, run, race, verdict)
               : check_schedule(study, run, &race->witness, model <= RCP_MODEL_SHB || model == RCP_MODEL_MC, verdict);
}

/* Where it leads through the recorded events in another order, c11 looks at that (analysis/by_language.h). */
static void keep_way(rcp_study *study, const rcp_subject *run, const rcp_race *race) {
    if (!study->is_by_language || run->variant || rcp_model_first(race->models) == RCP_MODEL_C11 ||
        !rcp_race_is_proven(race) || !rcp_witness_reorders(&race->witness, &run->trace))
        return;
    rcp_witness way = {.recorded = race->witness.recorded, .race = {RCP_NO_EID, RCP_NO_EID}};
    for (size_t i = 0; i < race->witness.steps.len; i++)
        rcp_vec_push(&way.steps, race->witness.steps.at[i]);
    rcp_vec_push(&study->ways, way);
    if (run->trace.events.len > study->ways_need)
        study->ways_need = run->trace.events.len;
}

static rcp_code judge(rcp_study *study, rcp_subject *run, rcp_race *race, bool *goes_along) {
    rcp_check_verdict verdict;
    *goes_along = false;
    RCP_TRY(rcp_subject_make_checker(run));
    RCP_TRY(rcp_race_check(study, run, race, &verdict));
    if (!verdict.accepted) {
        if (!study->unaccepted++)
            snprintf(study->refusal, sizeof study->refusal, "%s", verdict.reason);
        race->status = RCP_RACE_UNPROVEN;
        rcp_race_explain(race, "The checker refuses the schedule: %s", verdict.reason);
        rcp_witness_finish(&race->witness);
        rcp_witness_init(&race->witness);
    } else if (rcp_model_first(race->models) == RCP_MODEL_C11) {
        *goes_along = true; /* both happened in the run; where it was thought out, or is a schedule along which the code
                               goes for another race, the program has not made it yet */
        race->status = run->is_recorded && (!run->variant || run->is_steered) && !race->witness.steps.len
                           ? RCP_RACE_CONFIRMED
                           : RCP_RACE_PREDICTED;
    } else if (run->is_steered) {
        *goes_along = true; /* it went */
    } else if (run->is_recorded) {
        if (!run->judging.judge) /* the run is executed again beside the trace: that is the peak */
            rcp_checker_forget_states(run->checker);
        const rcp_observed *observed = rcp_checker_borrow_observed(run->checker);
        rcp_judged judged;
        RCP_TRY(rcp_judging_race(&run->judging, run->directory, observed, race, &judged));
        *goes_along = judged == RCP_JUDGED_FEASIBLE;
    }
    return RCP_OK;
}

/* What the recorded run has shown of places holds for those that were thought out from it, too. */
static bool is_spared(const rcp_study *study, const rcp_subject *run, const rcp_race *race) {
    const rcp_defs *defs = &run->trace.defs;
    for (int i = 0; i < 2; i++) {
        const rcp_event *e = &run->trace.events.at[race->event[i].v];
        if (rcp_spared_is(defs, defs, e) || (run != &study->run && study->run.reader &&
                                             rcp_spared_is(rcp_reader_borrow_defs(study->run.reader), defs, e)))
            return true;
    }
    return false;
}

rcp_code rcp_make_race(rcp_study *study, rcp_subject *run, rcp_race *race, bool *kept) {
    bool goes_along = false;
    RCP_CHECK(run->is_loaded);
    *kept = false;
    if (is_spared(study, run, race)) {
        const rcp_event *one = &run->trace.events.at[race->event[0].v], *two = &run->trace.events.at[race->event[1].v];
        race->points = rcp_point_pair(&run->trace.defs, one, two);
        study->n_spared += rcp_map_get(&study->spared, race->points) == RCP_MAP_NONE;
        rcp_map_set(&study->spared, race->points, 1);
        rcp_map_set(&study->known, race->points, 1); /* nobody need look for it once more */
        return RCP_OK;
    }
    if (rcp_race_is_proven(race))
        RCP_TRY(judge(study, run, race, &goes_along));
    keep_way(study, run, race);
    *kept = !run->variant || goes_along;
    if (!*kept)
        return RCP_OK;
    const rcp_event *a = &run->trace.events.at[race->event[0].v], *b = &run->trace.events.at[race->event[1].v];
    race->variant = run->variant;
    for (int i = 0; i < 2; i++)
        race->deciding[i] = run->turning[i];
    if (run->turned && race->why) {
        rcp_text early = {0};
        rcp_turned_print_early(&run->trace, run->turning, race->event, &early);
        rcp_race_explain(race, "%s" RCP_WHY_TURNED "%s.%s", race->why, run->turned, early.len ? early.at : "");
        rcp_text_finish(&early);
    }
    race->fingerprint = rcp_fingerprint(&run->trace.defs, a, b);
    race->points = rcp_point_pair(&run->trace.defs, a, b);
    if (rcp_race_is_proven(race))
        rcp_map_set(rcp_model_first(race->models) == RCP_MODEL_C11 ? &study->by_language : &study->known, race->points,
                    1);
    return rcp_results_put(study->results, race);
}
