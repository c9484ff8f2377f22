/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the sides: which pairs there are and whether they race, what could turn and whether it does. */
#include "predict/rival/sides_state.h"

#include "base/hash.h"

static const rcp_event *event_of(const rcp_sides *s, uint32_t node) {
    return rcp_ways_event(s->ways, &s->ways->nodes.at[node]);
}

/* --- pairs --- */

/* What the node is in some run: a compare-and-swap may be two. */
static size_t faces(const rcp_sides *s, uint32_t number, const rcp_event *to[2], const rcp_defs *defs[2]) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    const rcp_event *e = event_of(s, number);
    size_t n = 0;
    if (!rcp_ways_swaps(e)) {
        to[n] = e;
        defs[n++] = &s->ways->runs.at[way->run].trace->defs;
        return n;
    }
    for (uint64_t outcome = 0; outcome < 2; outcome++) {
        const rcp_way_side *side = rcp_ways_side(s->ways, number, outcome);
        if (!side)
            continue;
        to[n] = &s->ways->runs.at[side->run].trace->events.at[side->event];
        defs[n++] = &s->ways->runs.at[side->run].trace->defs;
    }
    return n;
}

static bool writes(const rcp_event *e) { return rcp_event_writes(e) || e->kind == RCP_FREE; }

static bool conflict(const rcp_event *a, const rcp_event *b) {
    bool both_free = a->kind == RCP_FREE && b->kind == RCP_FREE;
    return (writes(a) || writes(b)) && !both_free && !(rcp_event_is_atomic(a) && rcp_event_is_atomic(b)) &&
           a->addr < b->addr + rcp_event_extent(b) && b->addr < a->addr + rcp_event_extent(a);
}

static void add_pairs(const rcp_sides *s, uint32_t a, uint32_t b, rcp_sides_pairs *pairs) {
    const rcp_event *one[2], *two[2];
    const rcp_defs *one_defs[2], *two_defs[2];
    size_t n = faces(s, a, one, one_defs), m = faces(s, b, two, two_defs);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            if (conflict(one[i], two[k]))
                rcp_vec_push(pairs, ((rcp_sides_pair){{a, b}, {one[i], two[k]}, {one_defs[i], two_defs[k]}}));
}

void rcp_sides_list_pairs(const rcp_sides *s, rcp_sides_pairs *pairs) {
    const rcp_ways *ways = s->ways;
    for (uint32_t a = 0; a < ways->nodes.len; a++) {
        if (!rcp_event_is_access(event_of(s, a)) && event_of(s, a)->kind != RCP_FREE)
            continue;
        for (uint32_t b = 0; b < a; b++)
            if (ways->nodes.at[a].thread != ways->nodes.at[b].thread &&
                ways->nodes.at[a].life == ways->nodes.at[b].life &&
                (rcp_event_is_access(event_of(s, b)) || event_of(s, b)->kind == RCP_FREE))
                add_pairs(s, b, a, pairs);
    }
}

/* The order, but for the node at which it ends. */
static void take_order(const rcp_sides *s, const rcp_guarded_order *told, uint32_t end, rcp_sides_order *order) {
    order->len = 0;
    for (size_t i = 0; i < told->len; i++)
        if (s->node_of.at[told->at[i].v] != end)
            rcp_vec_push(order, s->node_of.at[told->at[i].v]);
}

static rcp_formula value_is(rcp_sides *s, rcp_formula value) {
    return rcp_formula_equal(s->pool, rcp_formula_variable(s->pool, 64, RCP_GUARDED_VALUE), value);
}

/* Both next, one pair or another; the value says which. */
static rcp_formula meet(rcp_sides *s, const rcp_sides_pair *pairs, size_t n) {
    size_t any = s->pool->list.len;
    for (size_t i = 0; i < n; i++) {
        size_t all = s->pool->list.len;
        for (int k = 0; k < 2; k++) {
            const rcp_guarded_event told = {s->nodes[pairs[i].node[k]].told};
            rcp_formula_push(s->pool, rcp_guarded_next(s->g, told, false));
            if (rcp_ways_swaps(pairs[i].event[k])) { /* it is what it is said to be, a read or an update */
                rcp_formula_push(s->pool, rcp_guarded_now(s->g, told));
                rcp_formula_push(s->pool, rcp_sides_outcome(s, pairs[i].node[k], pairs[i].event[k]->kind == RCP_RMW));
            }
        }
        rcp_formula_push(s->pool, value_is(s, rcp_formula_literal(s->pool, 64, i)));
        rcp_formula one = rcp_formula_all(s->pool, all);
        rcp_formula_push(s->pool, one);
    }
    return rcp_formula_any(s->pool, any);
}

rcp_z3_answer rcp_sides_ask_race(rcp_sides *s, const rcp_sides_pair *pairs, size_t n, rcp_z3_limits limits,
                                 size_t *which, rcp_sides_order *order) {
    rcp_guarded_order told = {0};
    uint64_t value = 0;
    rcp_z3_answer answer = rcp_guarded_ask(s->g, meet(s, pairs, n), limits, &told, &value);
    *which = value < n ? (size_t)value : 0;
    take_order(s, &told, RCP_NO_NODE, order);
    rcp_vec_finish(&told);
    return answer;
}

void rcp_sides_print(rcp_text *out, rcp_sides *s, const rcp_sides_pair *pairs, size_t n) {
    rcp_guarded_print(out, s->g, meet(s, pairs, n));
}

/* --- turns --- */

static bool has_two_ways(const rcp_sides *s, uint32_t node) {
    return rcp_ways_side(s->ways, node, 0) && rcp_ways_side(s->ways, node, 1);
}

static unsigned width_of(const rcp_sides *s, uint32_t node, rcp_term term) {
    return rcp_term_borrow(&s->ways->runs.at[s->ways->nodes.at[node].run].trace->terms, term)->width;
}

/* A condition that is true or false, and was both. */
static bool has_both(rcp_sides *s, uint32_t node) {
    const rcp_event *e = event_of(s, node);
    rcp_formula value = rcp_sides_term(s, s->ways->nodes.at[node].run, e->cond).value;
    for (size_t i = 0; i < s->ways->sides.len && width_of(s, node, e->cond) == 1; i++) {
        const rcp_way_side *side = &s->ways->sides.at[i];
        const rcp_event *other = &s->ways->runs.at[side->run].trace->events.at[side->event];
        if (side->node == node && rcp_term_is_real(other->cond) && other->value != e->value &&
            rcp_sides_term(s, side->run, other->cond).value.v == value.v)
            return true;
    }
    return false;
}

bool rcp_sides_has_more(const rcp_sides *s, rcp_sides_turn turn) {
    const rcp_event *e = event_of(s, turn.node);
    return turn.is_address || (e->kind == RCP_BRANCH && width_of(s, turn.node, e->cond) > 1);
}

static bool may_turn(rcp_sides *s, uint32_t node) {
    const rcp_event *e = event_of(s, node);
    if (e->kind == RCP_BRANCH)
        return rcp_term_is_real(e->cond) && !has_both(s, node);
    return (rcp_ways_swaps(e) || s->ways->nodes.at[node].is_try) && !has_two_ways(s, node);
}

/* Has no other thread of its run touched what the node does, or has nobody written there? By words, as
 * program/telling/sharing.h has it. */
static bool is_own(const rcp_sides *s, uint32_t number) {
    const rcp_way_node *way = &s->ways->nodes.at[number];
    const rcp_event *e = event_of(s, number);
    const rcp_trace *trace = s->ways->runs.at[way->run].trace;
    bool is_written = rcp_event_writes(e), by_others = false;
    for (size_t i = 0; i < trace->events.len; i++) {
        const rcp_event *o = &trace->events.at[i];
        if (!rcp_event_is_access(o) || trace->life[i] != trace->life[way->event] ||
            o->addr / 8 > (e->addr + e->size - 1) / 8 || e->addr / 8 > (o->addr + o->size - 1) / 8)
            continue;
        is_written |= rcp_event_writes(o);
        by_others |= o->tid.v != e->tid.v;
    }
    return !is_written || !by_others;
}

void rcp_sides_list_turns(rcp_sides *s, bool addresses, rcp_sides_turns *turns) {
    rcp_map asked; /* alternatives are asked about together */
    rcp_map_init(&asked);
    for (uint32_t i = 0; i < s->ways->nodes.len; i++) {
        const rcp_way_node *way = &s->ways->nodes.at[i];
        const rcp_event *e = event_of(s, i);
        if (may_turn(s, i))
            rcp_vec_push(turns, ((rcp_sides_turn){i, false}));
        if (!rcp_event_is_access(e) || !rcp_term_is_real(e->addr_term) || !(addresses || is_own(s, i)))
            continue;
        uint32_t *seen = rcp_map_at(&asked, rcp_hash_join(rcp_hash_join(way->parent, way->side), way->thread));
        if (*seen == RCP_MAP_NONE)
            rcp_vec_push(turns, ((rcp_sides_turn){i, true}));
        *seen = 1;
    }
    rcp_map_finish(&asked);
}

/* The thread stands before the node, whatever its address is. */
static rcp_formula stands(rcp_sides *s, uint32_t number) {
    const rcp_sides_node *node = &s->nodes[number];
    rcp_formula past = node->stand == RCP_NO_TOLD ? RCP_TRUE : rcp_guarded_past(s->g, (rcp_guarded_event){node->stand});
    return rcp_formula_and(s->pool, node->enter, past);
}

static void push_not(rcp_sides *s, rcp_formula value, unsigned width, uint64_t is) {
    rcp_formula_push(
        s->pool, rcp_formula_not(s->pool, rcp_formula_equal(s->pool, value, rcp_formula_literal(s->pool, width, is))));
}

/* A branch or an address is something else. */
static rcp_formula turns_to(rcp_sides *s, rcp_sides_turn turn, const uint64_t *excluded, size_t n) {
    const rcp_ways *ways = s->ways;
    const rcp_way_node *way = &ways->nodes.at[turn.node];
    const rcp_event *e = event_of(s, turn.node);
    rcp_term term = turn.is_address ? e->addr_term : e->cond;
    rcp_smt_value v = rcp_sides_term(s, way->run, term);
    unsigned width = width_of(s, turn.node, term);
    size_t mark = s->pool->list.len;
    rcp_formula_push(s->pool, stands(s, turn.node));
    rcp_formula_push(s->pool, v.ok);
    rcp_formula_push(s->pool, rcp_formula_not(s->pool, v.bad));
    for (size_t i = 0; i < ways->sides.len && !turn.is_address; i++)
        if (ways->sides.at[i].node == turn.node)
            rcp_formula_push(s->pool,
                             rcp_formula_not(s->pool, rcp_sides_outcome(s, turn.node, ways->sides.at[i].outcome)));
    for (uint32_t i = 0; i < ways->nodes.len && turn.is_address; i++)
        if (ways->nodes.at[i].parent == way->parent && ways->nodes.at[i].side == way->side &&
            ways->nodes.at[i].thread == way->thread)
            push_not(s, v.value, width, event_of(s, i)->addr);
    for (size_t i = 0; i < n && rcp_sides_has_more(s, turn); i++)
        push_not(s, v.value, width, excluded[i]);
    rcp_formula wide = v.value;
    if (width < 64) {
        char name[32];
        snprintf(name, sizeof name, "(_ zero_extend %u)", 64 - width);
        wide = rcp_formula_apply1(s->pool, 64, name, v.value);
    }
    rcp_formula_push(s->pool, value_is(s, wide));
    return rcp_formula_all(s->pool, mark);
}

/* What decides by itself is the last one that is executed. */
static rcp_formula ends_otherwise(rcp_sides *s, uint32_t node) {
    rcp_formulas *pool = s->pool;
    size_t mark = pool->list.len;
    rcp_formula_push(pool, rcp_guarded_last(s->g, (rcp_guarded_event){s->nodes[node].told}));
    for (uint64_t outcome = 0; outcome < 2; outcome++)
        if (rcp_ways_side(s->ways, node, outcome))
            rcp_formula_push(pool, rcp_formula_not(pool, rcp_sides_outcome(s, node, outcome)));
    rcp_formula_push(pool, value_is(s, rcp_formula_literal(pool, 64, 0)));
    return rcp_formula_all(pool, mark);
}

rcp_z3_answer rcp_sides_ask_turn(rcp_sides *s, rcp_sides_turn turn, const uint64_t *excluded, size_t n,
                                 rcp_z3_limits limits, uint64_t *became, rcp_sides_order *order) {
    bool by_term = turn.is_address || event_of(s, turn.node)->kind == RCP_BRANCH;
    rcp_formula end = by_term ? turns_to(s, turn, excluded, n) : ends_otherwise(s, turn.node);
    rcp_guarded_order told = {0};
    rcp_z3_answer answer = rcp_guarded_ask(s->g, end, limits, &told, became);
    take_order(s, &told, turn.node, order);
    rcp_vec_finish(&told);
    return answer;
}
