/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_leading.h"

#include "analysis/hunt_end.h"
#include "analysis/leading.h"
#include "analysis/variant.h"
#include "analysis/variants.h"
#include "base/file.h"
#include "base/limits.h"
#include "record/inputs.h"

#include <inttypes.h>
#include <string.h>

/* --- a run along an order --- */

/* The plan ends where the thread stands before its decision. Of a branch and an address all is decided there; what is
 * decided by the event itself is done while nobody else comes between. */
static void end_at(rcp_plan *plan, const rcp_event *e) {
    const bool by_itself = e->kind != RCP_BRANCH && (!rcp_event_is_access(e) || rcp_term_is_real(e->cond));
    plan->schedule.steps.len--; /* of two threads; it is one */
    if (by_itself)
        rcp_vec_push(&plan->schedule.steps, ((struct rcp_run_step){plan->race[0].role, plan->race[0].position + 1}));
    plan->is_through = true;
    plan->signals = 0; /* as in a run that is led along a guess */
    plan->handlers.len = 0;
}

/* The thread of the earlier of two messages stands before its call; the other one makes its own. Whether that comes
 * back, and who goes on then, is the program's. */
static void end_past(rcp_plan *plan) {
    rcp_vec_push(&plan->schedule.steps, ((struct rcp_run_step){plan->race[1].role, plan->race[1].position + 1}));
    plan->is_through = true;
    plan->signals = 0;
    plan->handlers.len = 0;
}

uint32_t rcp_hunt_patience(const rcp_hunt_work *w) {
    const double took = rcp_inputs_seconds(w->options.directory) * 1000;
    const double most = (double)rcp_limit(RCP_LIMIT_STEER_PATIENCE);
    return (uint32_t)(took < most ? took : most);
}

static rcp_code perform(rcp_hunt_work *w, const rcp_plan *plan, rcp_performance *p) {
    rcp_staging so = w->staged.staging;
    so.plan = plan;
    so.is_guess = true;
    so.patience = rcp_hunt_patience(w);
    so.limit = rcp_leading_limit(&so, w->how->end);
    w->state.made++;
    return rcp_stage_perform(&so, p);
}

static void say_lost(const rcp_hunt_work *w, const rcp_performance *p, const char *why) {
    const char *what = why                                  ? why
                       : p->outcome.verdict == RCP_RUN_LOST ? p->outcome.what
                       : p->was_late                        ? "it took too long"
                                                            : "it did not come so far";
    if (w->notices->verbose)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": lost: %.*s", w->state.made, (int)strcspn(what, "\n"), what);
}

/* What was kept is another value then, and compared with itself again: of two sides it is enough that it is another
 * way. */
static bool is_reached(const rcp_hunt_goal *aim, const rcp_decisions *decisions) {
    if (!aim->of)
        return rcp_decisions_overtake(&aim->from->decisions, aim->place, aim->later, decisions);
    const rcp_decision *own = rcp_hunt_own_of(aim),
                       *its = rcp_decisions_borrow_other(&aim->from->decisions, aim->place, decisions);
    const rcp_trace *trace = &aim->from->subject->trace;
    return its && its->way != own->way &&
           ((rcp_decisions_is_twofold(trace, &trace->events.at[own->event]) && !aim->is_kept) ||
            rcp_hunt_side_in(aim, its) == aim->side);
}

static int signal_of(const rcp_hunt_work *w, const rcp_performance *p) {
    return rcp_hunt_end_signal(p, w->how->usual_signal, w->staged.staging.end_signal);
}

/* What the program did is told, looked at, and kept where it is new, or is to be. */
static rcp_code take_performance(rcp_hunt_work *w, const rcp_performance *p, rcp_hunt_goal *aim, uint32_t number,
                                 uint64_t made, bool is_kept, bool *came, bool *is_new) {
    char *path = rcp_variant_take_path(w->options.directory, number);
    rcp_text why = {0};
    rcp_hunt_run *run = NULL;
    rcp_hunt_charge(w, aim->from);
    rcp_code code = rcp_variant_settle(p, path);
    rcp_subject *subject = rcp_alloc(sizeof *subject);
    rcp_subject_init(subject, path, number, false);
    bool is_run = false;
    if (code == RCP_OK)
        code = rcp_variant_is_run(subject, &is_run, &why);
    *came = *is_new = false;
    if (code == RCP_OK && !is_run)
        say_lost(w, p, why.at);
    if (is_run && code == RCP_OK)
        code = rcp_subject_load(subject, rcp_limit(RCP_LIMIT_EVENTS));
    if (is_run && code == RCP_OK)
        code = rcp_hunt_take_run(w, subject, aim, &run);
    *is_new = run;
    w->state.again += is_run && code == RCP_OK && !run;
    if (run && code == RCP_OK)
        code = rcp_hunt_search(w, run, made);
    rcp_hunt_charge(w, NULL);
    aim->has_ended &= is_run && signal_of(w, p);
    *came = aim->has_ended || (run && is_reached(aim, &run->decisions));
    if (run) {
        rcp_subject_rest(subject, false);
    } else {
        rcp_subject_finish(subject);
        rcp_release(subject);
        if (!is_kept)
            rcp_file_remove_tree(path);
    }
    rcp_text_finish(&why);
    rcp_release(path);
    return code;
}

/* Once more along the same order: does it end so again? */
static rcp_code confirm_end(rcp_hunt_work *w, const rcp_plan *plan, rcp_statistic_id kind, const char *end,
                            bool *is_same) {
    rcp_performance p;
    rcp_text again = {0};
    bool is_clear;
    *is_same = false;
    RCP_TRY(rcp_leftovers_clear(&w->leftovers, &w->staged.staging, rcp_leading_limit(&w->staged.staging, w->how->end),
                                w->notices, &is_clear));
    if (!is_clear)
        return RCP_OK;
    rcp_code code = perform(w, plan, &p);
    *is_same = code == RCP_OK && rcp_hunt_end_describe(&p, signal_of(w, &p), &again) == kind &&
               rcp_hunt_end_shape(again.at) == rcp_hunt_end_shape(end);
    if (code == RCP_OK && !*is_same)
        say_lost(w, &p, "it ended otherwise when it was made again");
    rcp_text_finish(&again);
    rcp_performance_finish(&p);
    return code;
}

/* How it ended comes first: where there is no time to see whether it does so again, nothing is taken of it. */
static rcp_code take_run_of(rcp_hunt_work *w, const rcp_plan *plan, const rcp_performance *p, rcp_hunt_goal *aim,
                            bool *came) {
    const uint32_t number = rcp_variants_next(w->options.directory);
    const uint64_t run = w->state.made;
    rcp_text end = {0};
    bool is_new = false, is_same = false;
    const rcp_statistic_value row = {rcp_hunt_end_describe(p, signal_of(w, p), &end), (double)number};
    const uint64_t shape = rcp_hunt_end_shape(end.at);
    const bool is_first = row.id != RCP_STATISTICS && rcp_map_get(&w->state.ends, shape) == RCP_MAP_NONE;
    rcp_code code = is_first ? confirm_end(w, plan, row.id, end.at, &is_same) : RCP_OK;
    const double began = rcp_seconds_now();
    const bool is_taken = code == RCP_OK && (!is_first || is_same || !rcp_hunt_is_cut(w));
    if (is_taken)
        code = take_performance(w, p, aim, number, run, is_same, came, &is_new);
    if (is_taken && code == RCP_OK && w->notices->verbose)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": %s; %.2f s, and %.2f s to look at it", run,
                        is_new ? *came ? "a new class" : "a new class, and not that it was led to" : "nothing new",
                        p->seconds, rcp_seconds_now() - began);
    if (code == RCP_OK && is_same)
        code = rcp_hunt_put_find(w, number, run);
    if (code == RCP_OK && is_same)
        code = rcp_results_put_statistics(w->study.results, end.at, &row, 1);
    if (is_taken && is_first)
        rcp_map_set(&w->state.ends, shape, 1);
    if (code == RCP_OK && (is_new || is_same))
        code = rcp_hunt_measure(w, number);
    rcp_text_finish(&end);
    return code;
}

rcp_code rcp_hunt_carry_out(rcp_hunt_work *w, rcp_hunt_goal *aim, rcp_race *race, bool *came) {
    rcp_subject *from = aim->from->subject;
    rcp_plan plan;
    rcp_performance p = {0};
    bool is_clear = false;
    const uint64_t made = w->state.made, again = w->state.again;
    *came = false;
    rcp_code code = rcp_plan_make(&plan, from->directory, from->reader, race, NULL, NULL);
    if (code == RCP_OK)
        code = rcp_leftovers_clear(&w->leftovers, &w->staged.staging,
                                   rcp_leading_limit(&w->staged.staging, w->how->end), w->notices, &is_clear);
    if (code == RCP_OK && is_clear) {
        if (aim->of)
            end_at(&plan, &from->trace.events.at[race->event[0].v]);
        else
            end_past(&plan);
        code = perform(w, &plan, &p);
        /* What it was led to may be what ended it. */
        const bool has_come = p.outcome.verdict == RCP_RUN_BOTH || p.outcome.deadlocked == 1 || signal_of(w, &p);
        if (code == RCP_OK && has_come && !p.was_late)
            code = take_run_of(w, &plan, &p, aim, came);
        else if (code == RCP_OK)
            say_lost(w, &p, NULL);
    }
    rcp_performance_finish(&p);
    rcp_plan_finish(&plan);
    if (!*came && rcp_hunt_is_cut(w)) {
        w->state.made = made;
        w->state.again = again;
    }
    rcp_hunt_note_point(w);
    return code;
}

/* --- standstills --- */

/* Up to the last event of the witness, and then as it goes: nobody can go on. */
static rcp_code plan_standstill(const rcp_hunt_run *from, rcp_race *race, rcp_plan *plan) {
    const rcp_witness *witness = &race->witness;
    rcp_eid last = {witness->recorded - 1};
    if (witness->steps.len) {
        const rcp_witness_step *step = &witness->steps.at[witness->steps.len - 1];
        last = rcp_trace_event_of(&from->subject->trace, step->tid, step->to - 1);
    }
    race->event[0] = race->event[1] = last;
    *plan = (rcp_plan){0};
    RCP_TRY(rcp_plan_make_through(plan, from->subject->directory, from->subject->reader, race));
    plan->signals = 0;
    plan->handlers.len = 0;
    return RCP_OK;
}

/* The recording stays, with its events. */
static rcp_code settle_standstill(const rcp_hunt_work *w, const rcp_performance *p, uint32_t number, bool *is_there) {
    char *path = rcp_variant_take_path(w->options.directory, number);
    rcp_subject subject;
    rcp_text why = {0};
    rcp_code code = rcp_variant_settle(p, path);
    rcp_subject_init(&subject, path, number, false);
    *is_there = false;
    if (code == RCP_OK)
        code = rcp_variant_is_run(&subject, is_there, &why);
    rcp_subject_finish(&subject);
    if (code == RCP_OK && !*is_there) {
        say_lost(w, p, why.at);
        rcp_file_remove_tree(path);
    }
    rcp_text_finish(&why);
    rcp_release(path);
    return code;
}

/* The first one that ends so is made again. */
static rcp_code take_standstill(rcp_hunt_work *w, const rcp_plan *plan, const rcp_performance *p) {
    const uint32_t number = rcp_variants_next(w->options.directory);
    const uint64_t run = w->state.made;
    rcp_text end = {0};
    bool is_same = false;
    const rcp_statistic_value row = {rcp_hunt_end_describe(p, signal_of(w, p), &end), (double)number};
    const uint64_t shape = rcp_hunt_end_shape(end.at);
    const bool is_first = rcp_map_get(&w->state.ends, shape) == RCP_MAP_NONE;
    rcp_code code = is_first ? confirm_end(w, plan, row.id, end.at, &is_same) : RCP_OK;
    if (code == RCP_OK && is_same)
        code = settle_standstill(w, p, number, &is_same);
    if (code == RCP_OK && is_same)
        code = rcp_hunt_put_find(w, number, run);
    if (code == RCP_OK && is_same)
        code = rcp_results_put_statistics(w->study.results, end.at, &row, 1);
    if (is_first && !rcp_hunt_is_cut(w))
        rcp_map_set(&w->state.ends, shape, 1);
    if (code == RCP_OK && is_same)
        code = rcp_hunt_measure(w, number);
    rcp_text_finish(&end);
    return code;
}

rcp_code rcp_hunt_carry_out_halt(rcp_hunt_work *w, rcp_hunt_run *from, const rcp_halt *standing, rcp_race *race) {
    rcp_plan plan;
    rcp_performance p = {0};
    bool is_clear = false;
    rcp_code code = plan_standstill(from, race, &plan);
    if (code == RCP_OK)
        code = rcp_leftovers_clear(&w->leftovers, &w->staged.staging,
                                   rcp_leading_limit(&w->staged.staging, w->how->end), w->notices, &is_clear);
    if (code == RCP_OK && is_clear)
        code = perform(w, &plan, &p);
    const bool is_done = code == RCP_OK && is_clear, has_come = is_done && p.outcome.deadlocked == 1;
    if (is_done && w->notices->verbose && has_come)
        rcp_notices_say(w->notices, "hunt, run %" PRIu64 ": a deadlock; %.2f s", w->state.made, p.seconds);
    if (has_come)
        code = take_standstill(w, &plan, &p);
    else if (is_done)
        say_lost(w, &p, "not all of its threads came to wait for good");
    if (has_come && !rcp_hunt_is_cut(w))
        rcp_map_set(&w->state.stood, standing->shape, 1);
    from->not_stood += !has_come && !rcp_hunt_is_cut(w);
    rcp_performance_finish(&p);
    rcp_plan_finish(&plan);
    rcp_hunt_note_point(w);
    return code;
}
