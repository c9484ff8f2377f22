/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_asking.h"

#include "analysis/halts.h"
#include "analysis/hunt_leading.h"
#include "analysis/hunt_orders.h"
#include "analysis/hunt_parts.h"
#include "analysis/targets.h"
#include "base/limits.h"

/* Seconds between two times that answers are kept, where no run was made. */
static const double KEPT_EVERY = 1;

/* Threads that wait at the same places for the same are one deadlock, however they came there. */
static rcp_code ask_about_standing(rcp_hunt_work *w, rcp_hunt_run *from, rcp_ladder *ladder, const rcp_halt *standing) {
    if (rcp_map_get(&w->state.stands, standing->key) != RCP_MAP_NONE ||
        rcp_map_get(&w->state.stood, standing->shape) != RCP_MAP_NONE)
        return RCP_OK;
    rcp_answer answer;
    rcp_race race;
    rcp_race_init(&race);
    rcp_code code = rcp_ladder_still(ladder, standing->upto, standing->asleep.at, (uint32_t)standing->asleep.len,
                                     &race.witness, &answer);
    from->not_stood += code == RCP_OK && answer == RCP_ANSWER_LIMIT && !rcp_hunt_is_cut(w);
    if (code == RCP_OK && answer == RCP_ANSWER_WITNESS)
        code = rcp_hunt_carry_out_halt(w, from, standing, &race);
    if (!rcp_hunt_is_cut(w))
        rcp_map_set(&w->state.stands, standing->key, 1);
    rcp_race_finish(&race);
    return code;
}

/* --- turns --- */

static bool has(const rcp_hunt_ways *list, uint64_t way) {
    for (size_t i = 0; i < list->len; i++)
        if (list->at[i] == way)
            return true;
    return false;
}

/* What its thread decides there, in runs in which it has decided all before as in this one. */
static void list_sides(const rcp_hunt_work *w, const rcp_hunt_goal *aim, rcp_hunt_ways *list) {
    list->len = 0;
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->state.runs.at[i]->decisions);
        if (its && its->way != rcp_hunt_own_of(aim)->way && !has(list, rcp_hunt_side_in(aim, its)))
            rcp_vec_push(list, rcp_hunt_side_in(aim, its));
    }
}

/* Of each run that has decided so: what it does not have. False: one has all that this run has, so it is known. */
static bool list_parts(const rcp_hunt_work *w, const rcp_hunt_goal *aim, rcp_hunt_parts *p) {
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_hunt_run *run = w->state.runs.at[i];
        const rcp_decision *its = rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &run->decisions);
        if (its && its->way != rcp_hunt_own_of(aim)->way && rcp_hunt_side_in(aim, its) == aim->side &&
            !rcp_hunt_parts_add(p, aim->from, aim->place.tid, run, NULL, NULL))
            return false;
    }
    rcp_hunt_parts_close(p);
    return true;
}

/* One question, and where there is an order, one run. *came: it is of a new class, and `aim->side` is what it came to.
 */
static rcp_code ask(rcp_hunt_work *w, rcp_ladder *ladder, rcp_hunt_goal *aim, uint32_t event,
                    const rcp_hunt_ways *excluded, rcp_answer *answer, bool *came) {
    uint64_t became = rcp_hunt_own_of(aim)->side ? 0 : 1; /* of two */
    rcp_race race;
    rcp_race_init(&race);
    *came = aim->has_ended = false;
    rcp_ladder_turn_compared(ladder, aim->is_kept);
    rcp_code code =
        rcp_ladder_turn(ladder, (rcp_eid){event}, excluded->at, excluded->len, &became, &race.witness, answer);
    aim->of->undecided += code == RCP_OK && *answer == RCP_ANSWER_LIMIT;
    if (code == RCP_OK && *answer == RCP_ANSWER_WITNESS) {
        aim->side = became;
        race.event[0] = race.event[1] = (rcp_eid){event};
        code = rcp_hunt_carry_out(w, aim, &race, came);
    }
    rcp_race_finish(&race);
    return code;
}

/* Sides that its thread has come to in no run. */
static rcp_code ask_for_sides(rcp_hunt_work *w, rcp_ladder *ladder, rcp_hunt_goal *aim, rcp_hunt_turn *at,
                              bool is_twofold, rcp_hunt_ways *known) {
    rcp_hunt_ways excluded = {0};
    rcp_code code = RCP_OK;
    bool goes_on = true;
    list_sides(w, aim, known);
    for (size_t i = 0; i < known->len; i++)
        rcp_vec_push(&excluded, known->at[i]);
    for (size_t i = 0; i < at->lost.len; i++)
        rcp_vec_push(&excluded, at->lost.at[i]);
    for (size_t i = 0; i < at->ended.len; i++)
        rcp_vec_push(&excluded, at->ended.at[i]);
    while (code == RCP_OK && goes_on && !rcp_hunt_is_over(w) && !(is_twofold && excluded.len)) {
        rcp_answer answer;
        bool came;
        if (excluded.len >= rcp_limit(RCP_LIMIT_HUNT_WAYS)) {
            rcp_limit_reached(RCP_LIMIT_HUNT_WAYS);
            at->left++;
            break;
        }
        code = ask(w, ladder, aim, at->at.event, &excluded, &answer, &came);
        goes_on = code == RCP_OK && answer == RCP_ANSWER_WITNESS && !has(&excluded, aim->side);
        if (goes_on) {
            rcp_vec_push(&excluded, aim->side);
            if (came)
                rcp_vec_push(aim->has_ended ? &at->ended : known, aim->side);
            else if (!rcp_hunt_is_cut(w))
                rcp_vec_push(&at->lost, aim->side);
            aim->from->is_changed = true;
            code = rcp_hunt_keep(w);
        }
    }
    rcp_vec_finish(&excluded);
    return code;
}

/* A side that was come to: in other runs than those that are known. */
static rcp_code ask_for_others(rcp_hunt_work *w, rcp_ladder *ladder, rcp_hunt_goal *aim, uint32_t event,
                               bool is_twofold, const rcp_hunt_ways *known, uint64_t side) {
    rcp_hunt_ways excluded = {0};
    rcp_code code = RCP_OK;
    bool goes_on = true;
    for (size_t i = 0; i < known->len && !is_twofold; i++)
        if (known->at[i] != side)
            rcp_vec_push(&excluded, known->at[i]);
    while (code == RCP_OK && goes_on && !rcp_hunt_is_over(w)) {
        rcp_hunt_parts p = {.events = {0}};
        rcp_answer answer;
        aim->side = side;
        goes_on = list_parts(w, aim, &p);
        if (goes_on) {
            bool came;
            rcp_ladder_want(ladder, p.wanted.at, p.wanted.len);
            code = ask(w, ladder, aim, event, &excluded, &answer, &came);
            rcp_ladder_want(ladder, NULL, 0);
            came &= !aim->has_ended;
            goes_on = answer == RCP_ANSWER_WITNESS && came;
            if (code == RCP_OK && answer == RCP_ANSWER_WITNESS) {
                if (!came && !rcp_hunt_is_cut(w))
                    rcp_vec_push(&aim->of->given_up, side);
                aim->from->is_changed = true;
                code = rcp_hunt_keep(w);
            }
        }
        rcp_hunt_parts_finish(&p);
    }
    rcp_vec_finish(&excluded);
    return code;
}

/* A run that is equal to something else there. */
static bool is_kept(const rcp_hunt_work *w, const rcp_hunt_goal *aim) {
    for (size_t i = 0; i < w->state.runs.len; i++) {
        const rcp_decision *its =
            rcp_decisions_borrow_other(&aim->from->decisions, aim->place, &w->state.runs.at[i]->decisions);
        if (its && rcp_decisions_keep(rcp_hunt_own_of(aim), its))
            return true;
    }
    return false;
}

static rcp_code ask_about(rcp_hunt_work *w, rcp_hunt_run *from, rcp_ladder *ladder, rcp_hunt_turn *at, bool is_first) {
    const rcp_trace *trace = &from->subject->trace;
    bool is_twofold = rcp_decisions_is_twofold(trace, &trace->events.at[at->at.event]);
    rcp_hunt_goal aim = {.from = from, .of = at, .place = rcp_decisions_find(&from->decisions, trace, at->at.event)};
    rcp_hunt_ways known = {0};
    rcp_code code = RCP_OK;
    at->undecided = at->left = 0;
    if (!is_twofold || !is_kept(w, &aim))
        code = ask_for_sides(w, ladder, &aim, at, is_twofold, &known);
    if (code == RCP_OK && is_twofold && is_kept(w, &aim)) { /* found out by the first run that has another value */
        aim.is_kept = true;
        is_twofold = false;
        at->lost.len = 0; /* those were of two sides */
        code = ask_for_sides(w, ladder, &aim, at, is_twofold, &known);
    }
    list_sides(w, &aim, &known);
    for (size_t i = 0; code == RCP_OK && !is_first && i < known.len; i++)
        if (!has(&at->given_up, known.at[i]))
            code = ask_for_others(w, ladder, &aim, at->at.event, is_twofold, &known, known.at[i]);
    if (!rcp_hunt_is_over(w) && code == RCP_OK) {
        at->state = is_first && known.len ? RCP_HUNT_ASKED_ONCE : RCP_HUNT_ASKED;
        from->is_changed = true;
        rcp_hunt_charge(w, from);
    }
    rcp_vec_finish(&known);
    return code == RCP_OK && rcp_seconds_now() - w->kept > KEPT_EVERY ? rcp_hunt_keep(w) : code;
}

/* --- a run is asked about --- */

/* The decision that is turned, among all that are. */
static rcp_hunt_turn turn_of(const rcp_hunt_run *run, const rcp_target *at) {
    const rcp_trace *trace = &run->subject->trace;
    const rcp_decisions_place where = rcp_decisions_find(&run->decisions, trace, at->event);
    return (rcp_hunt_turn){.at = *at,
                           .place = rcp_decisions_borrow(&run->decisions, where)->place,
                           .is_twofold = rcp_decisions_is_twofold(trace, &trace->events.at[at->event])};
}

static void list_standings(rcp_hunt_run *run, const rcp_targets *list, rcp_halts *standings) {
    if (run->may_stand)
        rcp_halts_list(&run->subject->groundwork->facts, &run->decisions, list->waits.at, list->waits.len, standings);
    run->standings = standings->at.len;
}

static rcp_code list_turns(rcp_hunt_work *w, rcp_hunt_run *run, rcp_halts *standings) {
    rcp_targets list;
    rcp_map both;
    rcp_map_init(&both);
    rcp_code code =
        rcp_targets_list(run->subject, RCP_EXPLORING_MODELS, rcp_limit(RCP_LIMIT_HUNT_INSTANCES), &list, &both);
    for (size_t i = 0; i < list.at.len; i++)
        rcp_vec_push(&run->turns, turn_of(run, &list.at.at[i]));
    for (size_t i = 0; i < list.rest.len; i++) {
        run->left += list.rest.at[i].instances;
        rcp_limit_reached_times(RCP_LIMIT_HUNT_INSTANCES, list.rest.at[i].instances);
    }
    run->left += list.outcomes;
    rcp_hunt_orders_list(run);
    run->is_listed = run->is_changed = true;
    if (code == RCP_OK)
        list_standings(run, &list, standings);
    if (standings->is_cut) {
        run->left++;
        rcp_limit_reached(RCP_LIMIT_HUNT_STANDS);
    }
    rcp_hunt_charge(w, run);
    rcp_hunt_seen_note_turns(&w->seen, run);
    rcp_targets_finish(&list);
    rcp_map_finish(&both);
    return code;
}

/* An earlier call has not come to their end. */
static rcp_code list_standings_again(rcp_hunt_run *run, rcp_halts *standings) {
    rcp_targets list;
    rcp_map both;
    rcp_map_init(&both);
    rcp_code code = rcp_targets_list(run->subject, RCP_EXPLORING_MODELS, 0, &list, &both);
    if (code == RCP_OK)
        list_standings(run, &list, standings);
    rcp_targets_finish(&list);
    rcp_map_finish(&both);
    return code;
}

static rcp_code ask_about_standings(rcp_hunt_work *w, rcp_hunt_run *run, rcp_ladder *ladder,
                                    const rcp_halts *standings) {
    rcp_code code = RCP_OK;
    while (code == RCP_OK && run->stood < run->standings && !rcp_hunt_is_over(w)) {
        code = ask_about_standing(w, run, ladder, &standings->at.at[run->stood]);
        if (code == RCP_OK && !rcp_hunt_is_cut(w)) {
            run->stood++;
            run->is_changed = true;
            rcp_hunt_charge(w, run);
        }
    }
    return code;
}

/* To a side that no run has gone to. */
static bool is_fresh(const rcp_hunt_work *w, const rcp_hunt_run *run, const rcp_hunt_turn *at) {
    const rcp_decisions_place where = rcp_decisions_find(&run->decisions, &run->subject->trace, at->at.event);
    return rcp_hunt_seen_is_fresh(&w->seen, at, rcp_decisions_borrow(&run->decisions, where)->side);
}

rcp_code rcp_hunt_visit(rcp_hunt_work *w, rcp_hunt_run *run) {
    const bool is_first = !run->is_listed;
    RCP_TRY(rcp_subject_load(run->subject, rcp_limit(RCP_LIMIT_EVENTS)));
    RCP_TRY(rcp_subject_lay_groundwork(run->subject));
    rcp_code code = rcp_hunt_search(w, run, w->state.made);
    rcp_halts standings = {.is_cut = false};
    if (code == RCP_OK && is_first && !rcp_hunt_is_cut(w))
        code = list_turns(w, run, &standings);
    else if (code == RCP_OK && run->stood < run->standings)
        code = list_standings_again(run, &standings);
    rcp_ladder *ladder = rcp_ladder_create(run->subject->groundwork, w->options.predict.limits);
    if (code == RCP_OK)
        code = ask_about_standings(w, run, ladder, &standings);
    rcp_halts_finish(&standings);
    for (size_t i = 0; code == RCP_OK && i < run->turns.len && !rcp_hunt_is_over(w); i++)
        if (run->turns.at[i].state != RCP_HUNT_ASKED && (!is_first || is_fresh(w, run, &run->turns.at[i])))
            code = ask_about(w, run, ladder, &run->turns.at[i], is_first);
    if (code == RCP_OK)
        code = rcp_hunt_orders_ask(w, run, ladder, is_first);
    rcp_ladder_destroy(ladder);
    rcp_subject_rest(run->subject, false);
    return code == RCP_OK ? rcp_hunt_keep(w) : code;
}
