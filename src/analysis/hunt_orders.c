/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_orders.h"

#include "analysis/hunt_leading.h"
#include "analysis/hunt_parts.h"
#include "base/hash.h"
#include "base/limits.h"
#include "predict/facts/must.h"

/* --- which --- */

/* Who called, and where. */
static uint64_t name_call(const rcp_hunt_run *run, uint32_t event) {
    const rcp_decisions_place at = rcp_decisions_find(&run->decisions, &run->subject->trace, event);
    return rcp_hash_join(run->decisions.threads.at[at.tid].name, rcp_decisions_borrow(&run->decisions, at)->place);
}

void rcp_hunt_orders_list(rcp_hunt_run *run) {
    rcp_overtakings list = {0};
    rcp_map instances;
    rcp_map_init(&instances);
    rcp_messages_list(run->subject->groundwork, &list);
    for (size_t i = 0; i < list.len; i++) {
        const uint64_t earlier = name_call(run, list.at[i].earlier), later = name_call(run, list.at[i].later);
        const rcp_hunt_overtaking it = {
            .of = list.at[i], .as = rcp_hash_join(earlier, later), .else_as = rcp_hash_join(later, earlier)};
        uint32_t *n = rcp_map_at(&instances, it.as);
        *n = *n == RCP_MAP_NONE ? 1 : *n + 1;
        if (*n > rcp_limit(RCP_LIMIT_HUNT_INSTANCES)) {
            run->left++;
            rcp_limit_reached(RCP_LIMIT_HUNT_INSTANCES);
        } else {
            rcp_vec_push(&run->overtakings, it);
        }
    }
    rcp_map_finish(&instances);
    rcp_vec_finish(&list);
}

/* --- one by one --- */

/* What comes after one of the two calls is not executed before them. */
typedef struct both {
    const rcp_must *must;
    rcp_overtaking of;
} both;

static bool is_later(const void *context, uint32_t e) {
    const both *b = context;
    return e == b->of.later || e == b->of.earlier || (e > b->of.earlier && rcp_must_order(b->must, b->of.earlier, e)) ||
           (e > b->of.later && rcp_must_order(b->must, b->of.later, e));
}

/* In that run they came the other way round, and the later one after the same as it does now. */
static bool is_like(const rcp_hunt_goal *aim, uint64_t after, const rcp_hunt_run *run) {
    const rcp_decisions *own = &aim->from->decisions;
    return rcp_decisions_overtake(own, aim->place, aim->later, &run->decisions) &&
           rcp_decisions_borrow_other(own, aim->later, &run->decisions)->side == after;
}

/* Of each such run: what it does not have. False: one has all there is. */
static bool list_parts(const rcp_hunt_work *w, const rcp_hunt_goal *aim, const rcp_overtaking *of, rcp_hunt_parts *p) {
    const rcp_groundwork *g = aim->from->subject->groundwork;
    const both b = {g->forced.must, *of};
    rcp_messages_ends ends = {0};
    const uint64_t after = rcp_messages_after(g, *of, &ends);
    bool is_open = true;
    for (size_t i = 0; is_open && i < w->state.runs.len; i++)
        if (is_like(aim, after, w->state.runs.at[i]))
            is_open = rcp_hunt_parts_add(p, aim->from, aim->place.tid, w->state.runs.at[i], is_later, &b);
    for (size_t i = 0; i < ends.len; i++)
        rcp_hunt_parts_need(p, ends.at[i]);
    rcp_hunt_parts_close(p);
    rcp_vec_finish(&ends);
    return is_open;
}

/* One question, and where there is an order, one run. *goes_on: there may be others. */
static rcp_code ask(rcp_hunt_work *w, rcp_ladder *ladder, rcp_hunt_goal *aim, rcp_hunt_overtaking *it,
                    const rcp_hunt_parts *others, bool *goes_on) {
    rcp_answer answer;
    rcp_race race;
    bool came = false;
    rcp_race_init(&race);
    race.event[0] = (rcp_eid){it->of.earlier};
    race.event[1] = (rcp_eid){it->of.later};
    rcp_ladder_want(ladder, others->wanted.at, others->wanted.len);
    rcp_code code = rcp_ladder_pass(ladder, race.event[0], race.event[1], &race.witness, &answer);
    rcp_ladder_want(ladder, NULL, 0);
    const bool is_led = code == RCP_OK && answer == RCP_ANSWER_WITNESS;
    if (is_led)
        code = rcp_hunt_carry_out(w, aim, &race, &came);
    it->is_undecided = code == RCP_OK && answer == RCP_ANSWER_LIMIT;
    it->is_lost |= code == RCP_OK && is_led && !came && !rcp_hunt_is_cut(w);
    *goes_on = is_led && came && !aim->has_ended;
    aim->from->is_changed = true;
    rcp_race_finish(&race);
    return code == RCP_OK && is_led ? rcp_hunt_keep(w) : code;
}

static rcp_code ask_about(rcp_hunt_work *w, rcp_hunt_run *from, rcp_ladder *ladder, rcp_hunt_overtaking *it,
                          bool is_first) {
    const rcp_trace *trace = &from->subject->trace;
    rcp_hunt_goal aim = {.from = from,
                         .place = rcp_decisions_find(&from->decisions, trace, it->of.earlier),
                         .later = rcp_decisions_find(&from->decisions, trace, it->of.later)};
    rcp_code code = RCP_OK;
    bool goes_on = !it->is_lost;
    for (unsigned n = 0; code == RCP_OK && goes_on && !(n && is_first) && !rcp_hunt_is_over(w); n++) {
        rcp_hunt_parts p = {.events = {0}};
        goes_on = list_parts(w, &aim, &it->of, &p);
        if (goes_on)
            code = ask(w, ladder, &aim, it, &p, &goes_on);
        rcp_hunt_parts_finish(&p);
    }
    if (code == RCP_OK && !rcp_hunt_is_over(w)) {
        it->state = goes_on ? RCP_HUNT_ASKED_ONCE : RCP_HUNT_ASKED;
        from->is_changed = true;
        rcp_hunt_charge(w, from);
    }
    return code;
}

rcp_code rcp_hunt_orders_ask(rcp_hunt_work *w, rcp_hunt_run *run, rcp_ladder *ladder, bool is_first) {
    rcp_code code = RCP_OK;
    for (size_t i = 0; code == RCP_OK && i < run->overtakings.len && !rcp_hunt_is_over(w); i++) {
        rcp_hunt_overtaking *it = &run->overtakings.at[i];
        if (it->state != RCP_HUNT_ASKED && (!is_first || rcp_hunt_seen_is_new_order(&w->seen, it)))
            code = ask_about(w, run, ladder, it, is_first);
    }
    return code;
}
