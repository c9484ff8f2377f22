/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that nobody has written: which they are, where they went, and what is kept of a thread that has read some. (Why
 * that is sound: docs/reexecution.md, 'Bytes that nobody has written'.) */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include "base/limits.h"

#include <string.h>

static void lacks(rcp_symbolic_thread *thread) {
    thread->has_used = true;
    rcp_vec_finish(&thread->since);
}

static void keep_read(rcp_symbolic *s, rcp_symbolic_thread *thread, rcp_symbol symbol) {
    if (thread->since.len < s->most_terms) {
        rcp_vec_push(&thread->since, symbol);
        return;
    }
    rcp_limit_reached(RCP_LIMIT_SYMBOLIC_TERMS);
    lacks(thread);
}

/* Most terms are over no such bytes: that is seen without a look into the map. */
static void set_bare_term(rcp_symbolic *s, uint32_t term, uint32_t thread) {
    while (s->bare_bits.len <= term / 64)
        rcp_vec_push(&s->bare_bits, 0);
    s->bare_bits.at[term / 64] |= UINT64_C(1) << term % 64;
    rcp_map_set(&s->bare_terms, term, thread);
}

static bool is_bare_term(const rcp_symbolic *s, uint32_t term) {
    return term / 64 < s->bare_bits.len && s->bare_bits.at[term / 64] >> term % 64 & 1;
}

/* Without room for terms a read gets none, and is unknown. */
void rcp_symbolic_note_read(rcp_symbolic *s, const rcp_strand *t, rcp_eid read, const uint8_t *bytes, uint64_t size,
                            bool is_bare) {
    if (!s->teller.bare)
        return;
    rcp_symbolic_thread *thread = rcp_symbolic_thread_of(s, t);
    thread->has_bare |= is_bare;
    if (s->is_full || thread->has_used)
        lacks(thread);
    if (s->is_full)
        return;
    if (is_bare)
        rcp_map_set(&s->bare, read.v, t->number + 1);
    for (uint64_t done = 0, n; done < size && !thread->has_used; done += n) {
        n = size - done < 8 ? size - done : 8;
        rcp_symbol symbol = {.read = read, .offset = (uint32_t)done, .size = (uint32_t)n};
        memcpy(&symbol.value, bytes + done, n);
        if (is_bare)
            set_bare_term(s, rcp_term_read(s->terms, read, symbol.offset, 8 * symbol.size).v, t->number + 1);
        else
            keep_read(s, thread, symbol);
    }
}

/* Whose thread does more with such bytes than to move them can hand on what hangs on them, in a way that nobody sees.
 */
uint32_t rcp_symbolic_note_made(rcp_symbolic *s, rcp_op op, uint32_t made, const uint32_t from[3]) {
    bool moves = op == RCP_OP_CONCAT || op == RCP_OP_EXTRACT || op == RCP_OP_ZEXT;
    for (int i = 0; s->bare_terms.len && i < 3; i++) {
        if (!is_bare_term(s, from[i]))
            continue;
        uint32_t thread = rcp_map_get(&s->bare_terms, from[i]);
        set_bare_term(s, made, thread);
        s->threads.at[thread - 1].has_used |= !moves;
    }
    return made;
}

bool rcp_symbolic_pin_all(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins) {
    rcp_symbolic_thread *thread = rcp_symbolic_thread_of(s, t);
    bool is_apart = thread->has_bare && !thread->has_used;
    for (size_t i = 0; is_apart && i < thread->since.len; i++) {
        const rcp_symbol symbol = thread->since.at[i];
        rcp_symbolic_pin(s, t, ins, rcp_term_read(s->terms, symbol.read, symbol.offset, 8 * symbol.size).v,
                         symbol.value);
    }
    rcp_event event = {.kind = RCP_BRANCH, .cond = RCP_TERM_ALL};
    if (!is_apart)
        rcp_symbolic_add(s, t, ins, &event);
    rcp_symbolic_thread_of(s, t)->since.len = 0;
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
 * alone, and whoever uses it depends on all of it. So it is with a copy of copies of more than so many levels. */
static uint8_t bare_in(const rcp_symbolic *s, uint32_t term, uint32_t lane, uint32_t size, unsigned levels) {
    const rcp_term_node *node = rcp_term_borrow(s->terms, rcp_symbolic_term(term));
    uint32_t bytes = node->width / 8u; /* what is behind them is zeros */
    if (lane >= bytes || !levels--)
        return 0;
    size = lane + size > bytes ? bytes - lane : size;
    uint8_t all = (uint8_t)((1u << size) - 1);
    switch ((rcp_op)node->op) {
    case RCP_OP_READ: return rcp_map_get(&s->bare, node->word) != RCP_MAP_NONE ? all : 0;
    case RCP_OP_ZEXT: return bare_in(s, node->a, lane, size, levels);
    case RCP_OP_EXTRACT:
        return node->b % 8 || node->width % 8 ? 0 : bare_in(s, node->a, lane + node->b / 8, size, levels);
    case RCP_OP_CONCAT: {
        uint32_t lower = rcp_symbolic_width(s, node->b), at = lower / 8, below;
        if (lower % 8 || node->width % 8)
            return 0;
        if (lane >= at)
            return bare_in(s, node->a, lane - at, size, levels);
        below = lane + size > at ? at - lane : size;
        uint8_t mask = bare_in(s, node->b, lane, below, levels);
        return below == size ? mask : (uint8_t)(mask | bare_in(s, node->a, 0, size - below, levels) << below);
    }
    default: return 0;
    }
}

uint8_t rcp_symbolic_bare_bytes(const rcp_symbolic *s, uint32_t term, uint32_t lane, uint32_t size) {
    enum { LEVELS = 64 };
    return rcp_symbolic_is_unknown(term) ? 0 : bare_in(s, term, lane, size, LEVELS);
}
