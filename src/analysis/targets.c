/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/targets.h"

#include "base/limits.h"
#include "analysis/points.h"
#include "base/hash.h"
#include "predict/facts/varies.h"
#include "program/telling/moments.h"

#define PLUS RCP_MODEL_BIT(RCP_MODEL_RECIPE_PLUS)

/* --- outcomes of calls --- */

enum { EVERYBODY = 1 << 30 };

typedef struct calls {
    rcp_map outcome; /* event → 0, then its rcp_explore_outcome */
    const rcp_explorer *explorer;
} calls;

static bool has_outcome(const rcp_event *e) {
    return e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT || e->kind == RCP_WAKE || e->kind == RCP_JOIN ||
           e->kind == RCP_BARRIER_LEAVE || e->kind == RCP_ONCE_SKIP;
}

/* Calls on what other threads use, too. */
static void list_calls(const rcp_trace *trace, rcp_map *found) {
    rcp_map users; /* object → 1 + thread, or EVERYBODY */
    rcp_map_init(&users);
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (!(rcp_event_traits(e->kind)->uses & RCP_USES_OBJECT) || e->kind == RCP_INIT || e->kind == RCP_DESTROY)
            continue;
        uint32_t *who = rcp_map_at(&users, e->object.v);
        *who = *who == RCP_MAP_NONE || *who == e->tid.v + 1 ? e->tid.v + 1 : EVERYBODY;
    }
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *e = &trace->events.at[i];
        if (has_outcome(e) && (e->kind == RCP_JOIN || rcp_map_get(&users, e->object.v) == EVERYBODY))
            rcp_map_set(found, i, RCP_OUTCOME_ONE);
    }
    rcp_map_finish(&users);
}

static bool take_moment(void *context, uint64_t event, const rcp_moment *moment) {
    calls *c = context;
    if (moment->is_call && rcp_map_get(&c->outcome, event) != RCP_MAP_NONE)
        rcp_map_set(&c->outcome, event, rcp_explorer_outcome(c->explorer, moment->thread, moment->before));
    return true;
}

static rcp_code find_outcomes(rcp_subject *run, calls *c) {
    bool may_fail = false;
    list_calls(&run->trace, &c->outcome);
    if (c->outcome.len)
        RCP_TRY(rcp_explore_may_fail(run->directory, &may_fail));
    if (!may_fail)
        return RCP_OK;
    RCP_TRY(rcp_subject_make_explorer(run));
    c->explorer = run->explorer;
    return rcp_moments_read(run->directory, take_moment, c);
}

/* --- the list --- */

typedef struct listing {
    const rcp_trace *trace;
    uint32_t models;
    uint64_t instances;
    const rcp_bits *varies;
    rcp_map seen; /* static branch → counts */
    RCP_VEC(uint32_t) counts;
    rcp_map rest;             /* place → the list's */
    RCP_VEC(uint64_t) points; /* by location */
    calls calls;
    rcp_targets *list;
} listing;

static uint64_t key_of(listing *l, const rcp_event *e, uint64_t what) {
    uint32_t loc = e->loc.v;
    while (l->points.len <= loc) /* most events are at a few places */
        rcp_vec_push(&l->points, rcp_point_of_location(&l->trace->defs, (rcp_loc){(uint32_t)l->points.len}));
    return rcp_hash_join(rcp_hash_join(rcp_hash_join(l->points.at[loc], loc ? 0 : e->addr), e->kind), what);
}

/* Which way it went, as a part of its place: two ways of one branch are two. */
enum { ADDRESS = 64, OUTCOME = 65 };
#define EITHER UINT64_MAX /* no way */

static uint64_t way_of(const rcp_event *e) { return has_outcome(e) ? (uint64_t)OUTCOME + e->outcome : e->value; }

/* Were the first instances of it asked about? */
static bool is_enough(listing *l, const rcp_event *e, uint64_t what) {
    uint64_t place = key_of(l, e, what);
    uint32_t index = rcp_map_get(&l->seen, place);
    bool is = index != RCP_MAP_NONE && l->counts.at[index] >= l->instances;
    if (!is)
        return false;
    uint32_t *rest = rcp_map_at(&l->rest, place);
    if (*rest == RCP_MAP_NONE) {
        *rest = (uint32_t)l->list->rest.len;
        rcp_vec_push(&l->list->rest, ((rcp_target_rest){place, 0}));
    }
    l->list->rest.at[*rest].instances++;
    return true;
}

/* --- places that went both ways --- */

enum { BOTH_WAYS = 65534 };

/* Where there are two ways alone, a branch that also went the other one, or a call that also ended otherwise, in this
 * very run: what comes after that was looked at, whichever instance it was. */
static bool has_two_ways(const listing *l, const rcp_event *e) {
    return has_outcome(e) || (e->kind == RCP_BRANCH &&
                              (e->cond.v < RCP_TERM_FIRST || rcp_term_borrow(&l->trace->terms, e->cond)->width == 1));
}

static void note_both(listing *l, rcp_map *both) {
    rcp_map ways; /* place without its way → the one that was gone */
    rcp_map_init(&ways);
    for (size_t i = 0; i < l->trace->events.len; i++) {
        const rcp_event *e = &l->trace->events.at[i];
        if (!has_two_ways(l, e))
            continue;
        uint32_t way = has_outcome(e) ? e->outcome : e->value != 0;
        uint32_t *gone = rcp_map_at(&ways, key_of(l, e, EITHER));
        *gone = *gone == RCP_MAP_NONE || *gone == way ? way : BOTH_WAYS;
    }
    for (size_t i = 0; i < l->trace->events.len; i++) {
        const rcp_event *e = &l->trace->events.at[i];
        if (has_two_ways(l, e) && rcp_map_get(&ways, key_of(l, e, EITHER)) == BOTH_WAYS)
            rcp_map_set(both, key_of(l, e, way_of(e)), 1);
    }
    rcp_map_finish(&ways);
}

/* --- one by one --- */

static void add(listing *l, uint32_t event, uint64_t what, uint32_t models) {
    uint64_t place = key_of(l, &l->trace->events.at[event], what);
    uint32_t *index = rcp_map_at(&l->seen, place);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)l->counts.len;
        rcp_vec_push(&l->counts, 0);
    }
    l->counts.at[*index]++;
    rcp_vec_push(&l->list->at, ((rcp_target){event, models, place}));
}

/* An address is one place, whatever it was; so is one that a branch keeps, because no event has it. */
static bool is_address(const listing *l, const rcp_event *e) {
    return e->kind == RCP_BRANCH ? e->cond.v >= RCP_TERM_FIRST && e->valued &&
                                       rcp_term_borrow(&l->trace->terms, e->cond)->width == ADDRESS
                                 : rcp_event_is_access(e) && !rcp_term_is_real(e->cond);
}

static void look_at(listing *l, uint32_t event) {
    const rcp_event *e = &l->trace->events.at[event];
    bool is_base = is_address(l, e);
    uint32_t models = is_base && e->kind != RCP_BRANCH ? l->models & PLUS : l->models;
    uint64_t way = is_base ? ADDRESS : e->kind == RCP_BRANCH ? way_of(e) : e->kind;
    if (models && rcp_bit(l->varies, event) && !is_enough(l, e, way))
        add(l, event, way, models);
    uint32_t outcome = has_outcome(e) ? rcp_map_get(&l->calls.outcome, event) : RCP_MAP_NONE;
    if (outcome == RCP_OUTCOME_TRIES && !is_enough(l, e, way_of(e)))
        add(l, event, way_of(e), l->models);
    if (outcome == RCP_OUTCOME_ONE && e->outcome != RCP_FAILED)
        rcp_vec_push(&l->list->waits, event);
    if (outcome == RCP_OUTCOME_OTHER || (e->kind == RCP_ONCE_SKIP && outcome != RCP_MAP_NONE))
        l->list->outcomes++;
}

rcp_code rcp_targets_list(rcp_subject *run, uint32_t models, uint64_t instances, rcp_targets *list, rcp_map *both) {
    const rcp_trace *trace = &run->trace;
    rcp_bits *varies = rcp_varies_find(&run->groundwork->facts, &run->groundwork->forced);
    listing l = {.trace = trace, .varies = varies, .models = models, .instances = instances, .list = list};
    *list = (rcp_targets){0};
    rcp_map_init(&l.seen);
    rcp_map_init(&l.rest);
    rcp_map_init(&l.calls.outcome);
    rcp_code code = find_outcomes(run, &l.calls);
    for (uint32_t i = 0; code == RCP_OK && i < trace->events.len; i++)
        look_at(&l, i);
    list->branches = l.counts.len;
    note_both(&l, both);
    rcp_vec_finish(&l.counts);
    rcp_vec_finish(&l.points);
    rcp_map_finish(&l.seen);
    rcp_map_finish(&l.rest);
    rcp_map_finish(&l.calls.outcome);
    rcp_release(varies);
    return code;
}

void rcp_targets_finish(rcp_targets *list) {
    rcp_vec_finish(&list->at);
    rcp_vec_finish(&list->rest);
    rcp_vec_finish(&list->waits);
}
