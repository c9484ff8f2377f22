/* SPDX-License-Identifier: Apache-2.0 */
#include "program/symbolic/symbolic.h"

#include "program/symbolic/state.h"

#include "base/limits.h"

#include <string.h>

rcp_symbolic *rcp_symbolic_create(rcp_space *space, const rcp_teller *teller) {
    rcp_symbolic *s = rcp_alloc_zero(1, sizeof *s);
    s->space = space;
    s->teller = *teller;
    s->terms = teller->terms;
    rcp_vec_push(&s->cells, (rcp_cell){0});
    rcp_map_init(&s->reads);
    s->recent = rcp_alloc_zero(RCP_READS_RECENT, sizeof *s->recent);
    rcp_map_init(&s->bare);
    rcp_map_init(&s->bare_terms);
    s->deepest = (uint16_t)rcp_limit(RCP_LIMIT_SYMBOLIC_DEPTH);
    s->most_reads = (uint32_t)rcp_limit(RCP_LIMIT_SYMBOLIC_READS);
    s->plenty = rcp_limit(RCP_LIMIT_SYMBOLIC_PLENTY);
    s->most_terms = rcp_limit(RCP_LIMIT_SYMBOLIC_TERMS);
    return s;
}

void rcp_symbolic_destroy(rcp_symbolic *s) {
    if (!s)
        return;
    rcp_vec_finish(&s->cells);
    rcp_vec_finish(&s->free_cells);
    rcp_vec_finish(&s->depths);
    rcp_vec_finish(&s->pinned_by);
    for (size_t i = 0; i < s->threads.len; i++) {
        rcp_vec_finish(&s->threads.at[i].awaited);
        rcp_vec_finish(&s->threads.at[i].since);
    }
    rcp_vec_finish(&s->threads);
    rcp_map_finish(&s->reads);
    rcp_vec_finish(&s->read_counts);
    rcp_release(s->recent);
    rcp_map_finish(&s->bare);
    rcp_map_finish(&s->bare_terms);
    rcp_vec_finish(&s->bare_bits);
    rcp_release(s);
}

void rcp_symbolic_override(rcp_symbolic *s, rcp_override *override) { s->override = override; }

/* --- terms --- */

static uint16_t depth_of(const rcp_symbolic *s, uint32_t term) {
    return term >= RCP_TERM_FIRST && term - RCP_TERM_FIRST < s->depths.len ? s->depths.at[term - RCP_TERM_FIRST] : 0;
}

static uint32_t keep_depth(rcp_symbolic *s, uint32_t term, uint16_t depth) {
    size_t index = term - RCP_TERM_FIRST;
    while (s->depths.len <= index)
        rcp_vec_push(&s->depths, 0);
    s->depths.at[index] = depth <= s->deepest ? depth : s->deepest;
    return term;
}

/* How much of the room for terms is used? */
static void look_at_room(rcp_symbolic *s) {
    size_t terms = rcp_terms_count(s->terms);
    s->is_tight |= terms >= s->plenty;
    if (terms >= s->most_terms && !s->is_full) {
        rcp_limit_reached(RCP_LIMIT_SYMBOLIC_TERMS);
        s->is_full = true;
    }
}

uint32_t rcp_symbolic_make(rcp_symbolic *s, rcp_op op, unsigned width, rcp_term a, rcp_term b, rcp_term c) {
    uint16_t depth = depth_of(s, a.v), other = depth_of(s, b.v), third = depth_of(s, c.v);
    depth = depth > other ? depth : other;
    depth = depth > third ? depth : third;
    look_at_room(s);
    uint32_t made = rcp_term_make(s->terms, op, width, a, b, c).v;
    return rcp_symbolic_note_made(s, op, keep_depth(s, made, (uint16_t)(depth + 1)), (uint32_t[3]){a.v, b.v, c.v});
}

uint32_t rcp_symbolic_extract(rcp_symbolic *s, uint32_t term, unsigned low, unsigned width) {
    if (rcp_symbolic_is_unknown(term))
        return term;
    unsigned whole = rcp_symbolic_width(s, term);
    if (!low && width == whole)
        return term;
    const rcp_term_node *node = rcp_term_borrow(s->terms, rcp_symbolic_term(term));
    if (node->op == RCP_OP_ZEXT) { /* see through it where nothing of the zeros is wanted */
        unsigned inner = rcp_symbolic_width(s, node->a);
        if (low + width <= inner)
            return rcp_symbolic_extract(s, node->a, low, width);
    }
    if (node->op == RCP_OP_CONCAT) { /* or of one of its parts, which may be known where the other one is not */
        unsigned lower = rcp_symbolic_width(s, node->b);
        if (low + width <= lower)
            return rcp_symbolic_extract(s, node->b, low, width);
        if (low >= lower)
            return rcp_symbolic_extract(s, node->a, low - lower, width);
    }
    if (node->op == RCP_OP_EXTRACT) /* a part of a part, which may lie in one of those */
        return rcp_symbolic_extract(s, node->a, node->b + low, width);
    uint32_t made = rcp_term_extract(s->terms, rcp_symbolic_term(term), low, width).v;
    return rcp_symbolic_note_made(s, RCP_OP_EXTRACT, keep_depth(s, made, (uint16_t)(depth_of(s, term) + 1)),
                                  (uint32_t[3]){term, 0, 0});
}

rcp_term rcp_symbolic_fit(rcp_symbolic *s, uint32_t term, uint64_t value, unsigned width) {
    if (!term)
        return rcp_term_const(s->terms, width, width < 64 ? value & ((UINT64_C(1) << width) - 1) : value);
    if (rcp_symbolic_is_unknown(term))
        return rcp_symbolic_term(term);
    unsigned whole = rcp_symbolic_width(s, term);
    if (whole == width)
        return rcp_symbolic_term(term);
    if (whole > width)
        return rcp_symbolic_term(rcp_symbolic_extract(s, term, 0, width));
    return rcp_symbolic_term(
        rcp_symbolic_make(s, RCP_OP_ZEXT, width, rcp_symbolic_term(term), RCP_TERM_CONST, RCP_TERM_CONST));
}

rcp_term rcp_symbolic_bit(rcp_symbolic *s, uint32_t term, uint64_t value) {
    if (!term)
        return rcp_term_const(s->terms, 1, value != 0);
    unsigned width = rcp_symbolic_width(s, term);
    if (width == 1)
        return rcp_symbolic_term(term);
    return rcp_symbolic_term(rcp_symbolic_make(s, RCP_OP_NE, 1, rcp_symbolic_term(term),
                                               rcp_term_const(s->terms, width, 0), RCP_TERM_CONST));
}

/* --- branches and pins --- */

void rcp_symbolic_tell(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins, uint32_t cond, uint64_t value) {
    if (cond >= RCP_TERM_FIRST && rcp_term_borrow(s->terms, rcp_symbolic_term(cond))->op == RCP_OP_CONST)
        return;
    rcp_event event = {.kind = RCP_BRANCH, .valued = 1, .value = value, .cond = rcp_symbolic_term(cond)};
    rcp_symbolic_add(s, t, ins, &event);
}

void rcp_symbolic_pin_slot(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, int32_t slot) {
    const uint64_t *registers = t->frames.at[t->frames.len - 1].registers;
    uint32_t *terms = rcp_strand_shadow(t, registers);
    rcp_symbolic_pin(s, t, ins, terms[slot], registers[slot]);
    terms[slot] = 0;
}

static uint32_t *count_of(rcp_symbolic *s, const rcp_ins *ins) {
    rcp_recent_read *recent = &s->recent[(uintptr_t)ins / sizeof *ins % RCP_READS_RECENT];
    if (!ins || recent->ins != ins) {
        uint32_t *number = rcp_map_at(&s->reads, (uint64_t)(uintptr_t)ins);
        if (*number == RCP_MAP_NONE) {
            *number = (uint32_t)s->read_counts.len;
            rcp_vec_push(&s->read_counts, 0);
        }
        *recent = (rcp_recent_read){ins, *number};
    }
    return &s->read_counts.at[recent->number];
}

uint32_t rcp_symbolic_symbol(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins, rcp_eid read, uint32_t offset,
                             uint32_t size, uint64_t value) {
    enum { COUNTED = 1u << 30 }; /* that this instruction reached the limit */
    look_at_room(s);
    if (s->is_full)
        return rcp_symbolic_await(s, t, 0, 0);
    uint32_t *count = count_of(s, ins);
    bool is_hot = s->is_tight && (*count & ~COUNTED) >= s->most_reads;
    *count += (*count & ~COUNTED) < s->most_reads;
    uint32_t term = rcp_term_read(s->terms, read, offset, 8 * size).v;
    if (!is_hot)
        return term;
    if (!(*count & COUNTED))
        rcp_limit_reached(RCP_LIMIT_SYMBOLIC_READS);
    *count |= COUNTED;
    return rcp_symbolic_await(s, t, term, value);
}
