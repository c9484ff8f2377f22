/* SPDX-License-Identifier: Apache-2.0 */
#include "program/symbolic/symbolic.h"

#include "program/symbolic/state.h"

#include "base/limits.h"

#include <string.h>

/* The pool may have this many terms (28 bytes each and a hash table); beyond it, what would need one is pinned to all
 * that its thread has read. */

rcp_symbolic *rcp_symbolic_create(rcp_space *space, const rcp_teller *teller) {
    rcp_symbolic *s = rcp_alloc_zero(1, sizeof *s);
    s->space = space;
    s->teller = *teller;
    s->terms = teller->terms;
    rcp_vec_push(&s->cells, (rcp_cell){0});
    rcp_map_init(&s->reads);
    rcp_map_init(&s->bare);
    rcp_map_init(&s->bare_terms);
    s->deepest = (uint16_t)rcp_limit(RCP_LIMIT_SYMBOLIC_DEPTH);
    s->most_reads = (uint32_t)rcp_limit(RCP_LIMIT_SYMBOLIC_READS);
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
    rcp_map_finish(&s->reads);
    rcp_map_finish(&s->bare);
    rcp_map_finish(&s->bare_terms);
    for (size_t i = 0; i < s->readers.len; i++)
        rcp_vec_finish(&s->readers.at[i].since);
    rcp_vec_finish(&s->readers);
    rcp_release(s);
}

void rcp_symbolic_override(rcp_symbolic *s, rcp_override *override) { s->override = override; }

/* --- terms --- */

unsigned rcp_symbolic_width(const rcp_symbolic *s, uint32_t term) {
    return rcp_term_borrow(s->terms, rcp_symbolic_term(term))->width;
}

static uint32_t note_made(rcp_symbolic *s, rcp_op op, uint32_t made, const uint32_t from[3]);

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

uint32_t rcp_symbolic_make(rcp_symbolic *s, rcp_op op, unsigned width, rcp_term a, rcp_term b, rcp_term c) {
    uint16_t depth = depth_of(s, a.v), other = depth_of(s, b.v), third = depth_of(s, c.v);
    depth = depth > other ? depth : other;
    depth = depth > third ? depth : third;
    uint32_t made = rcp_term_make(s->terms, op, width, a, b, c).v;
    return note_made(s, op, keep_depth(s, made, (uint16_t)(depth + 1)), (uint32_t[3]){a.v, b.v, c.v});
}

uint32_t rcp_symbolic_extract(rcp_symbolic *s, uint32_t term, unsigned low, unsigned width) {
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
    uint32_t made = rcp_term_extract(s->terms, rcp_symbolic_term(term), low, width).v;
    return note_made(s, RCP_OP_EXTRACT, keep_depth(s, made, (uint16_t)(depth_of(s, term) + 1)),
                     (uint32_t[3]){term, 0, 0});
}

rcp_term rcp_symbolic_fit(rcp_symbolic *s, uint32_t term, uint64_t value, unsigned width) {
    if (!term)
        return rcp_term_const(s->terms, width, width < 64 ? value & ((UINT64_C(1) << width) - 1) : value);
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

void rcp_symbolic_pin(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t term, uint64_t value) {
    if (!term)
        return;
    size_t index = term - RCP_TERM_FIRST;
    while (s->pinned_by.len <= index)
        rcp_vec_push(&s->pinned_by, 0);
    /* A branch that this thread had earlier keeps it: whoever executes what comes now has executed that. */
    if (s->pinned_by.at[index] == t->number + 1)
        return;
    s->pinned_by.at[index] = t->number + 1;
    if (rcp_terms_count(s->terms) > s->most_terms) {
        rcp_symbolic_tell(s, t, ins, RCP_TERM_ALL.v, true);
        return;
    }
    unsigned width = rcp_symbolic_width(s, term);
    if (width == 1) { /* it is a condition itself */
        rcp_symbolic_tell(s, t, ins, term, value & 1);
        return;
    }
    rcp_symbolic_tell(s, t, ins,
                      rcp_symbolic_make(s, RCP_OP_EQ, 1, rcp_symbolic_term(term), rcp_symbolic_fit(s, 0, value, width),
                                        RCP_TERM_CONST),
                      true);
}

void rcp_symbolic_pin_slot(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, int32_t slot) {
    const uint64_t *registers = t->frames.at[t->frames.len - 1].registers;
    uint32_t *terms = rcp_strand_shadow(t, registers);
    rcp_symbolic_pin(s, t, ins, terms[slot], registers[slot]);
    terms[slot] = 0;
}

/* --- bytes that nobody has written --- */

static rcp_read_so_far *reader_of(rcp_symbolic *s, uint32_t thread) {
    while (s->readers.len <= thread)
        rcp_vec_push(&s->readers, (rcp_read_so_far){0});
    return &s->readers.at[thread];
}

void rcp_symbolic_note_read(rcp_symbolic *s, const rcp_strand *t, rcp_eid read, const uint8_t *bytes, uint64_t size,
                            bool is_bare) {
    rcp_read_so_far *reader = reader_of(s, t->number);
    if (is_bare) {
        reader->has_bare = true;
        rcp_map_set(&s->bare, read.v, t->number + 1);
    }
    for (uint64_t done = 0, n; done < size && !reader->has_used; done += n) {
        n = size - done < 8 ? size - done : 8;
        rcp_symbol symbol = {.read = read, .offset = (uint32_t)done, .size = (uint32_t)n};
        memcpy(&symbol.value, bytes + done, n);
        if (is_bare)
            rcp_map_set(&s->bare_terms, rcp_term_read(s->terms, read, symbol.offset, 8 * symbol.size).v, t->number + 1);
        else if (reader->since.len < s->most_terms)
            rcp_vec_push(&reader->since, symbol);
        else {
            rcp_limit_reached(RCP_LIMIT_SYMBOLIC_TERMS);
            reader->has_used = true;
        }
    }
}

/* Is the term over bytes that nobody has written? Whose thread does more with them than to move them can hand on what
 * hangs on them, in a way that nobody sees. */
static uint32_t note_made(rcp_symbolic *s, rcp_op op, uint32_t made, const uint32_t from[3]) {
    bool moves = op == RCP_OP_CONCAT || op == RCP_OP_EXTRACT || op == RCP_OP_ZEXT;
    for (int i = 0; s->bare_terms.len && i < 3; i++) {
        uint32_t thread = from[i] >= RCP_TERM_FIRST ? rcp_map_get(&s->bare_terms, from[i]) : RCP_MAP_NONE;
        if (thread == RCP_MAP_NONE)
            continue;
        rcp_map_set(&s->bare_terms, made, thread);
        if (!moves)
            reader_of(s, thread - 1)->has_used = true;
    }
    return made;
}

bool rcp_symbolic_pin_all(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins) {
    rcp_read_so_far *reader = reader_of(s, t->number);
    bool is_apart = reader->has_bare && !reader->has_used;
    for (size_t i = 0; is_apart && i < reader->since.len; i++) {
        const rcp_symbol *symbol = &reader->since.at[i];
        rcp_symbolic_pin(s, t, ins, rcp_term_read(s->terms, symbol->read, symbol->offset, 8 * symbol->size).v,
                         symbol->value);
    }
    rcp_event event = {.kind = RCP_BRANCH, .cond = RCP_TERM_ALL};
    if (!is_apart)
        rcp_symbolic_add(s, t, ins, &event);
    reader->since.len = 0;
    return is_apart;
}

uint64_t rcp_symbolic_bare_run(rcp_symbolic *s, uint64_t address, uint64_t size, bool *is_bare) {
    *is_bare = false;
    if (!s->teller.bare)
        return size;
    for (uint64_t done = 0, n; done < size; done += n) {
        n = rcp_symbolic_piece(address + done, size - done);
        uint8_t mask = s->teller.bare(s->teller.context, address + done);
        uint32_t at = (address + done) % RCP_SPACE_GRANULE;
        if (!done)
            *is_bare = mask >> at & 1;
        else if ((mask >> at & 1) != *is_bare)
            return done;
        uint32_t alike = rcp_symbolic_alike(mask, at, (uint32_t)n);
        if (alike < n)
            return done + alike;
    }
    return size;
}

/* Bit 0 of the mask is byte `lane`. What is more than a copy is not looked into: none of it is a copy of bare bytes
 * alone, and whoever uses it depends on all of it. */
uint8_t rcp_symbolic_bare_bytes(const rcp_symbolic *s, uint32_t term, uint32_t lane, uint32_t size) {
    const rcp_term_node *node = rcp_term_borrow(s->terms, rcp_symbolic_term(term));
    uint32_t bytes = node->width / 8u; /* what is behind them is zeros */
    if (lane >= bytes)
        return 0;
    size = lane + size > bytes ? bytes - lane : size;
    uint8_t all = (uint8_t)((1u << size) - 1);
    switch ((rcp_op)node->op) {
    case RCP_OP_READ: return rcp_map_get(&s->bare, node->word) != RCP_MAP_NONE ? all : 0;
    case RCP_OP_ZEXT: return rcp_symbolic_bare_bytes(s, node->a, lane, size);
    case RCP_OP_EXTRACT:
        return node->b % 8 || node->width % 8 ? 0 : rcp_symbolic_bare_bytes(s, node->a, lane + node->b / 8, size);
    case RCP_OP_CONCAT: {
        uint32_t lower = rcp_symbolic_width(s, node->b), at = lower / 8, below;
        if (lower % 8 || node->width % 8)
            return 0;
        if (lane >= at)
            return rcp_symbolic_bare_bytes(s, node->a, lane - at, size);
        below = lane + size > at ? at - lane : size;
        uint8_t mask = rcp_symbolic_bare_bytes(s, node->b, lane, below);
        return below == size ? mask : (uint8_t)(mask | rcp_symbolic_bare_bytes(s, node->a, 0, size - below) << below);
    }
    default: return 0;
    }
}

bool rcp_symbolic_is_deep(const rcp_symbolic *s, uint32_t term) {
    bool is = depth_of(s, term) >= s->deepest;
    if (is)
        rcp_limit_reached(RCP_LIMIT_SYMBOLIC_DEPTH);
    return is;
}

bool rcp_symbolic_wants_symbol(rcp_symbolic *s, const rcp_ins *ins) {
    uint32_t *count = rcp_map_at(&s->reads, (uint64_t)(uintptr_t)ins);
    if (*count == RCP_MAP_NONE)
        *count = 0;
    bool is_full = rcp_terms_count(s->terms) > s->most_terms;
    if (is_full && !s->is_full)
        rcp_limit_reached(RCP_LIMIT_SYMBOLIC_TERMS);
    s->is_full |= is_full;
    if (*count == s->most_reads)
        rcp_limit_reached(RCP_LIMIT_SYMBOLIC_READS); /* once for each instruction */
    return (*count)++ < s->most_reads && !is_full;
}
