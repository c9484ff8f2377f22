/* SPDX-License-Identifier: Apache-2.0 */
/* Why a value is what it is, as clauses.
 *
 * The naive explanation of a branch that comes out wrong is the set of all choices that led there: the writes that its
 * reads take, those that the reads take on which these writes depend, and so on. Such a clause excludes one way to a
 * value of often a great many. So there are literals for values: 'this read holds v', 'this write leaves v'. Each is
 * implied by how it came about (a *definition*: the read takes the write, the write leaves v), and what is wrong is
 * said of the values alone, whatever way they came.
 *
 * A literal says 'v, or something unknown'. More unknown values never make a term keep its value, nor a thread deviate
 * less; so what excludes the one excludes the other, and a write that left its recorded value because its thread had
 * not deviated (RCP_TERM_ALL) needs no further reason. Nothing wants such a literal to hold: the solver is free to deny
 * those that no definition implies.
 */
#include "base/hash.h"
#include "predict/solve/encode.h"
#include "predict/facts/mutant.h"

#include <string.h>

/* What a literal speaks of. */
enum { HOLDS, HOLDS_UNKNOWN, TAKES, DEVIATES, LEAVES, LEAVES_UNKNOWN };

static const rcp_event *event_at(const rcp_encoding *x, uint32_t event) { return rcp_run_facts_event(x->facts, event); }

static rcp_lit literal(rcp_encoding *x, uint32_t kind, uint32_t whose, uint64_t value) {
    for (uint64_t key = rcp_hash_join((uint64_t)kind << 32 | whose, value);; key++) {
        uint32_t *place = rcp_map_at(&x->held_at, key);
        if (*place == RCP_MAP_NONE) {
            *place = (uint32_t)x->held.len;
            rcp_vec_push(&x->held, ((rcp_held){kind, whose, value, rcp_ordering_consequence(x->order)}));
            return x->held.at[x->held.len - 1].lit;
        }
        const rcp_held *held = &x->held.at[*place];
        if (held->kind == kind && held->whose == whose && held->value == value)
            return held->lit;
    }
}

/* 'The write leaves what it leaves now'; RCP_LIT_TRUE where that hangs on nothing. */
static rcp_lit left_by(rcp_encoding *x, uint32_t source) {
    uint32_t node = source ? rcp_query_node(x->q, source - 1) : RCP_NODE_PAST;
    if (node >= x->q->race || !rcp_event_writes(event_at(x, source - 1)))
        return RCP_LIT_TRUE;
    const rcp_event *w = event_at(x, source - 1);
    bool real = rcp_term_is_real(w->value_term);
    if (x->left[node] == RCP_LEFT_UNKNOWN && (real || w->value_term.v == RCP_TERM_ALL.v))
        return literal(x, LEAVES_UNKNOWN, node, 0);
    if (!real)
        return RCP_LIT_TRUE;
    uint64_t value = x->left[node] == RCP_LEFT_VALUE ? x->value[node] : 0;
    if (x->left[node] == RCP_LEFT_RECORDED)
        memcpy(&value, rcp_event_written(w), w->size < sizeof value ? w->size : sizeof value);
    return literal(x, LEAVES, node, value);
}

/* 'The slot holds what it holds now.' */
static rcp_lit held_by(rcp_encoding *x, uint32_t slot) {
    const rcp_query_place *place = &x->q->places.at[x->q->touched.at[slot]];
    const rcp_event *e = rcp_query_event(x->q, x->node_of[slot]);
    uint64_t value = 0, n = place->hi - place->lo, known = 0;
    uint32_t source = x->took[slot];
    for (uint64_t i = 0; i < n && n <= sizeof value; i++) {
        uint8_t byte = 0;
        rcp_write_left left = rcp_encoding_byte(x, place, source, place->lo + i, &byte);
        if (left == RCP_LEFT_AS_RECORDED && e->valued && source == x->observed[slot])
            byte = rcp_event_bytes(e)[place->lo + i - e->addr];
        else if (left == RCP_LEFT_AS_RECORDED || left == RCP_LEFT_UNKNOWN)
            continue;
        value |= (uint64_t)byte << 8 * i;
        known++;
    }
    if (e->valued && known == n)
        return literal(x, HOLDS, slot, value);
    if (e->valued && !known && n <= sizeof value)
        return literal(x, HOLDS_UNKNOWN, slot, 0);
    /* Long ones, and those of which it matters who wrote them, by where they come from. */
    return literal(x, TAKES, slot, (uint64_t)source << 32 | left_by(x, source));
}

static void visit_slot(rcp_encoding *x, uint32_t slot) {
    if (x->explained[slot] == x->stamp)
        return;
    x->explained[slot] = x->stamp;
    rcp_vec_push(&x->slots, slot);
}

void rcp_encoding_explain_slot(rcp_encoding *x, uint32_t slot) {
    if (x->explained[slot] == x->stamp)
        return;
    visit_slot(x, slot);
    rcp_vec_push(&x->clause, rcp_lit_not(held_by(x, slot)));
}

void rcp_encoding_explain_deviation(rcp_encoding *x, uint32_t slot) {
    if (slot == RCP_DEVIATED_BEFORE)
        return;
    visit_slot(x, slot);
    rcp_vec_push(&x->deviating, slot);
    rcp_vec_push(&x->clause, rcp_lit_not(literal(x, DEVIATES, slot, 0)));
}

static void visit_term(rcp_encoding *x, uint32_t term) {
    uint32_t *seen = rcp_map_at(&x->terms_seen, term);
    if (*seen == x->term_stamp)
        return;
    *seen = x->term_stamp;
    rcp_vec_push(&x->terms, term);
}

/* The slots on which a term depends, into the clause. A clause has each of them once, an explanation may meet them in
 * several clauses. */
void rcp_encoding_explain_term(rcp_encoding *x, rcp_term term, uint32_t user) {
    x->term_stamp++;
    visit_term(x, term.v);
    while (x->terms.len) {
        uint32_t top = x->terms.at[--x->terms.len];
        const rcp_term_node *node = rcp_term_borrow(&x->facts->trace->terms, (rcp_term){top});
        if (rcp_term_facts_is_before(&x->facts->terms, top - RCP_TERM_FIRST, x->q->slice->start))
            continue; /* nothing below it can be otherwise */
        if (node->op != RCP_OP_READ) {
            const uint32_t arguments[3] = {node->a, node->b, node->c};
            for (unsigned i = 0; i < rcp_op_borrow_traits(node->op)->arity; i++)
                visit_term(x, arguments[i]);
            continue;
        }
        uint32_t read = node->word < x->facts->trace->events.len ? (uint32_t)node->word : RCP_NO_EVENT;
        uint32_t at = read == RCP_NO_EVENT ? RCP_NODE_FUTURE : rcp_query_node(x->q, read);
        if (at == RCP_NODE_PAST || at == RCP_NODE_FUTURE)
            continue;
        if (user != RCP_THE_RACE && read != user && rcp_encoding_rank(x, read) > rcp_encoding_rank(x, user)) {
            rcp_encoding_want(x, read, user); /* not executed in time, so its value was unknown */
            continue;
        }
        uint64_t lo = event_at(x, read)->addr + node->a, hi = lo + node->width / 8;
        RCP_EACH_SLOT(x, at, lo, hi, slot) {
            visit_slot(x, slot);
            rcp_vec_push(&x->clause, rcp_lit_not(held_by(x, slot)));
        }
    }
}

void rcp_encoding_explain_source(rcp_encoding *x, uint32_t source) {
    uint32_t node = source ? rcp_query_node(x->q, source - 1) : RCP_NODE_PAST;
    if (node >= x->q->race || !rcp_event_writes(event_at(x, source - 1)))
        return;
    const rcp_event *w = event_at(x, source - 1);
    if (rcp_term_is_real(w->value_term))
        rcp_encoding_explain_term(x, w->value_term, source - 1);
    else if (w->value_term.v == RCP_TERM_ALL.v && x->left[node] == RCP_LEFT_UNKNOWN)
        rcp_encoding_explain_deviation(x, x->deviation[w->tid.v]);
}

void rcp_encoding_explain_begin(rcp_encoding *x) {
    x->stamp++;
    x->slots.len = x->terms.len = x->deviating.len = 0;
}

/* The clause in hand, unless the solver has it. */
static void define(rcp_encoding *x, rcp_lit lit) {
    uint64_t sum = 0;
    rcp_vec_push(&x->clause, lit);
    for (size_t i = 0; i < x->clause.len; i++)
        sum += rcp_hash_u64(x->clause.at[i] + 1);
    uint32_t *known = rcp_map_at(&x->defined, sum);
    if (*known == RCP_MAP_NONE) {
        *known = 0;
        rcp_encoding_add(x);
    } else {
        x->clause.len = 0;
    }
}

static void define_slot(rcp_encoding *x, uint32_t slot) {
    uint32_t source = x->took[slot];
    rcp_lit left = left_by(x, source);
    if (left != RCP_LIT_TRUE) {
        if (!RCP_MUTANT(NO_CLOSED_EXPLANATION))
            rcp_encoding_explain_source(x, source);
        define(x, left);
        rcp_vec_push(&x->clause, rcp_lit_not(left));
    }
    rcp_lit choice = rcp_encoding_choice(x, slot, source);
    rcp_vec_push(&x->clause, rcp_lit_not(choice));
    define(x, held_by(x, slot));
}

void rcp_encoding_explain_end(rcp_encoding *x) {
    rcp_encoding_add(x);
    for (size_t i = 0, k = 0; i < x->slots.len || k < x->deviating.len;) {
        if (i < x->slots.len) {
            define_slot(x, x->slots.at[i++]);
            continue;
        }
        uint32_t slot = x->deviating.at[k++];
        rcp_vec_push(&x->clause, rcp_lit_not(held_by(x, slot)));
        define(x, literal(x, DEVIATES, slot, 0));
    }
}
