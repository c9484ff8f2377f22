/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and terms of the sides: accesses as cells, terms over what the nodes of their run's reads take. */
#include "predict/rival/sides_state.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* --- cells --- */

typedef struct edge {
    uint32_t life;
    uint64_t at;
} edge;

static int by_life(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->life != y->life)
        return x->life < y->life ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static uint64_t key_of(uint32_t life, uint64_t address) { return rcp_hash_join(address, life); }

/* What the bytes hold when their life begins; false: that is not known. */
static bool find_initial(const rcp_sides *s, const rcp_sides_cell *cell, uint64_t *value) {
    const rcp_ways *ways = s->ways;
    *value = 0;
    if (cell->life) {
        const rcp_event *began = rcp_ways_event(ways, &ways->nodes.at[cell->life - 1]);
        return began->kind == RCP_ALLOC && began->outcome == RCP_ZEROED;
    }
    for (uint64_t at = cell->lo; at < cell->hi; at++) {
        uint8_t byte = 0;
        bool is_known = false;
        for (size_t r = 0; r < ways->runs.len && !is_known; r++)
            is_known = rcp_observed_initial(&ways->runs.at[r].observed, at, &byte);
        if (!is_known)
            return false;
        *value |= (uint64_t)byte << 8 * (at - cell->lo);
    }
    return true;
}

static void add_cell(rcp_sides *s, rcp_sides_cell cell) {
    uint64_t value;
    bool is_known = find_initial(s, &cell, &value);
    uint32_t number = rcp_guarded_cell(s->g, (unsigned)(cell.hi - cell.lo), is_known ? &value : NULL);
    RCP_CHECK(number == s->cells.len);
    rcp_map_set(&s->cell_at, key_of(cell.life, cell.lo), number);
    rcp_vec_push(&s->cells, cell);
}

/* Memory is cut where accesses begin and end, and every 8 bytes where one is longer. */
void rcp_sides_find_cells(rcp_sides *s) {
    RCP_VEC(edge) edges = {0};
    for (size_t i = 0; i < s->ways->nodes.len; i++) {
        const rcp_way_node *node = &s->ways->nodes.at[i];
        const rcp_event *e = rcp_ways_event(s->ways, node);
        if (!rcp_event_is_access(e))
            continue;
        uint64_t end = e->addr + e->size;
        rcp_vec_push(&edges, ((edge){node->life, e->addr}));
        rcp_vec_push(&edges, ((edge){node->life, end}));
        for (uint64_t at = (e->addr / 8 + 1) * 8; e->size > 8 && at < end; at += 8)
            rcp_vec_push(&edges, ((edge){node->life, at}));
    }
    if (edges.len)
        qsort(edges.at, edges.len, sizeof *edges.at, by_life);
    for (size_t i = 0; i + 1 < edges.len; i++) {
        const edge *from = &edges.at[i], *to = &edges.at[i + 1];
        if (from->life == to->life && to->at > from->at && to->at - from->at <= 8)
            add_cell(s, (rcp_sides_cell){from->life, from->at, to->at});
    }
    rcp_vec_finish(&edges);
}

void rcp_sides_cells_of(const rcp_sides *s, const rcp_way_node *node, uint32_t *cell, uint32_t *n) {
    const rcp_event *e = rcp_ways_event(s->ways, node);
    *cell = rcp_map_get(&s->cell_at, key_of(node->life, e->addr));
    RCP_CHECK(*cell != RCP_MAP_NONE);
    *n = 0;
    for (uint64_t at = e->addr; at < e->addr + e->size; at = s->cells.at[*cell + (*n)++].hi)
        RCP_CHECK(s->cells.at[*cell + *n].lo == at);
}

/* --- terms --- */

/* The bytes that a read took, from the cells that they lie in. */
static rcp_smt_value leaf(rcp_sides *s, uint32_t run, const rcp_term_node *term) {
    const rcp_smt_value unknown = {rcp_formula_literal(s->pool, term->width, 0), RCP_FALSE, RCP_FALSE};
    uint32_t number = s->ways->runs.at[run].node[term->word];
    if (number == RCP_NO_NODE || s->nodes[number].told == RCP_NO_TOLD)
        return unknown;
    const rcp_sides_node *node = &s->nodes[number];
    const rcp_event *e = rcp_ways_event(s->ways, &s->ways->nodes.at[number]);
    uint64_t from = e->addr + term->a, to = from + term->width / 8;
    rcp_smt_value whole = {RCP_FALSE, RCP_TRUE, RCP_FALSE};
    bool some = false;
    for (uint32_t i = 0; i < node->n_cells; i++) {
        const rcp_sides_cell *cell = &s->cells.at[node->cell + i];
        uint64_t lo = cell->lo > from ? cell->lo : from, hi = cell->hi < to ? cell->hi : to;
        if (lo >= hi)
            continue;
        rcp_formula part =
            rcp_smt_bytes(&s->ops, s->values.at[node->values + i], (unsigned)(lo - cell->lo), (unsigned)(hi - lo));
        whole.value = some ? rcp_smt_concat(&s->ops, part, whole.value) : part;
        some = true;
    }
    return some ? whole : unknown;
}

rcp_smt_value rcp_sides_term(rcp_sides *s, uint32_t run, rcp_term term) {
    const rcp_terms *terms = &s->ways->runs.at[run].trace->terms;
    rcp_sides_memo *memo = &s->memos[run];
    if (!memo->value) {
        memo->value = rcp_alloc_zero(rcp_terms_count(terms) + 1, sizeof *memo->value);
        memo->is_there = rcp_alloc_zero(rcp_terms_count(terms) + 1, 1);
    }
    s->todo.len = 0;
    rcp_vec_push(&s->todo, term.v);
    while (s->todo.len) {
        uint32_t id = s->todo.at[s->todo.len - 1] - RCP_TERM_FIRST;
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){id + RCP_TERM_FIRST});
        const uint32_t args[3] = {node->a, node->b, node->c};
        unsigned arity = rcp_op_borrow_traits(node->op)->arity;
        rcp_smt_value arg[3] = {0};
        bool ready = true;
        for (unsigned i = 0; !memo->is_there[id] && node->op > RCP_OP_READ && i < arity; i++) {
            if (!memo->is_there[args[i] - RCP_TERM_FIRST]) {
                rcp_vec_push(&s->todo, args[i]);
                ready = false;
            }
            arg[i] = memo->value[args[i] - RCP_TERM_FIRST];
        }
        if (!ready)
            continue;
        s->todo.len--;
        if (memo->is_there[id])
            continue;
        memo->is_there[id] = 1;
        if (node->op == RCP_OP_CONST)
            memo->value[id] =
                (rcp_smt_value){rcp_formula_literal(s->pool, node->width, node->word), RCP_TRUE, RCP_FALSE};
        else if (node->op == RCP_OP_READ)
            memo->value[id] = leaf(s, run, node);
        else
            memo->value[id] = rcp_smt_combine(&s->ops, node, rcp_term_borrow(terms, (rcp_term){node->a})->width, arg);
    }
    return memo->value[term.v - RCP_TERM_FIRST];
}

static rcp_formula literal_of(rcp_sides *s, const rcp_event *e, const uint8_t *bytes, const rcp_sides_cell *cell) {
    uint64_t value = 0;
    memcpy(&value, bytes + (cell->lo - e->addr), cell->hi - cell->lo);
    return rcp_formula_literal(s->pool, (unsigned)(8 * (cell->hi - cell->lo)), value);
}

rcp_formula rcp_sides_kept(rcp_sides *s, uint32_t run, uint32_t event, bool with) {
    const rcp_trace *trace = s->ways->runs.at[run].trace;
    rcp_tid tid = trace->events.at[event].tid;
    size_t mark = s->pool->list.len;
    s->is_narrow = true; /* the same may come out of other values */
    for (rcp_position p = 0; p < trace->position[event] + with; p++) {
        uint64_t eid = rcp_trace_event_of(trace, tid, p).v;
        const rcp_event *e = &trace->events.at[eid];
        uint32_t number = s->ways->runs.at[run].node[eid];
        if (!rcp_event_reads(e) || number == RCP_NO_NODE)
            continue;
        const rcp_sides_node *node = &s->nodes[number];
        if (!e->valued)
            rcp_formula_push(s->pool, RCP_FALSE);
        for (uint32_t i = 0; e->valued && i < node->n_cells; i++) {
            rcp_formula recorded = literal_of(s, e, rcp_event_bytes(e), &s->cells.at[node->cell + i]);
            rcp_formula_push(s->pool, rcp_formula_equal(s->pool, s->values.at[node->values + i], recorded));
        }
    }
    return rcp_formula_all(s->pool, mark);
}

rcp_formula rcp_sides_holds(rcp_sides *s, uint32_t run, rcp_term term, uint64_t value, uint32_t event, bool with) {
    if (term.v == RCP_TERM_ALL.v)
        return rcp_sides_kept(s, run, event, with);
    if (!rcp_term_is_real(term))
        return RCP_TRUE;
    rcp_smt_value v = rcp_sides_term(s, run, term);
    s->is_narrow |= v.ok.v == RCP_FALSE.v;
    unsigned width = rcp_term_borrow(&s->ways->runs.at[run].trace->terms, term)->width;
    rcp_formula is = rcp_formula_equal(s->pool, v.value, rcp_formula_literal(s->pool, width, value));
    return rcp_formula_and(s->pool, v.ok, rcp_formula_and(s->pool, rcp_formula_not(s->pool, v.bad), is));
}

void rcp_sides_written(rcp_sides *s, uint32_t run, uint32_t event, const rcp_sides_node *node, rcp_formula *values,
                       rcp_formula *known) {
    const rcp_event *e = &s->ways->runs.at[run].trace->events.at[event];
    bool by_term = rcp_term_is_real(e->value_term) && e->size <= 8, is_unknown = !by_term && !e->valued;
    s->is_narrow |= is_unknown;
    rcp_smt_value v = {RCP_FALSE, RCP_TRUE, RCP_FALSE};
    if (by_term)
        v = rcp_sides_term(s, run, e->value_term);
    else if (e->value_term.v != RCP_TERM_CONST.v && !is_unknown)
        v.ok = rcp_sides_kept(s, run, event, true);
    s->is_narrow |= v.ok.v == RCP_FALSE.v;
    *known = rcp_formula_and(s->pool, v.ok, rcp_formula_not(s->pool, v.bad));
    for (uint32_t i = 0; i < node->n_cells; i++) {
        const rcp_sides_cell *cell = &s->cells.at[node->cell + i];
        values[i] =
            by_term ? rcp_smt_bytes(&s->ops, v.value, (unsigned)(cell->lo - e->addr), (unsigned)(cell->hi - cell->lo))
                    : literal_of(s, e, rcp_event_written(e), cell);
    }
}
