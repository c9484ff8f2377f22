/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations: of shared memory one event that reads and writes; of other memory a load and a store. */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include <string.h>

/* The condition of a compare-and-exchange: memory has what is expected. */
static uint32_t same_term(rcp_symbolic *s, const rcp_ins *ins, const uint64_t *R, const uint32_t *T,
                          const uint32_t *old_terms, const uint64_t *old, uint32_t size) {
    uint32_t all = 0;
    for (uint32_t i = 0, done = 0; done < size; i++, done += 8) {
        unsigned width = 8 * (size - done < 8 ? size - done : 8);
        RCP_DCHECK(!rcp_symbolic_is_unknown(old_terms[i] | T[ins->b + (int32_t)i]));
        if (!old_terms[i] && !T[ins->b + (int32_t)i]) {
            if (old[i] != R[ins->b + (int32_t)i])
                return 0; /* it differs whatever the reads are */
            continue;
        }
        uint32_t one = rcp_symbolic_make(s, RCP_OP_EQ, 1, rcp_symbolic_fit(s, old_terms[i], old[i], width),
                                         rcp_symbolic_fit(s, T[ins->b + (int32_t)i], R[ins->b + (int32_t)i], width),
                                         RCP_TERM_CONST);
        all = !all
                  ? one
                  : rcp_symbolic_make(s, RCP_OP_AND, 1, rcp_symbolic_term(all), rcp_symbolic_term(one), RCP_TERM_CONST);
    }
    return all;
}

/* What it leaves, as a term; of one that has two words, or no word for it, the operands are pinned. */
static uint32_t new_term(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         const uint32_t *old_terms, const uint64_t *old, unsigned width) {
    if (ins->op == RCP_INS_EXCHANGE)
        return T[ins->e];
    T[ins->b] = rcp_symbolic_now(s, t, T[ins->b]);
    if (!old_terms[0] && !T[ins->b])
        return 0;
    if (width <= 64 && rcp_symbolic_is_unknown(old_terms[0] | T[ins->b])) {
        rcp_symbolic_await(s, t, old_terms[0], old[0]);
        return rcp_symbolic_await(s, t, T[ins->b], R[ins->b]);
    }
    uint32_t term = width > 64 ? 0
                               : rcp_symbolic_binary(s, (rcp_binary)ins->k, (rcp_scalar)ins->e,
                                                     rcp_symbolic_fit(s, old_terms[0], old[0], width),
                                                     rcp_symbolic_fit(s, T[ins->b], R[ins->b], width));
    if (!term && T[ins->b])
        rcp_symbolic_pin_slot(s, t, ins, ins->b);
    return term;
}

/* Does terms' language have the operation? */
static bool has_word(rcp_symbolic *s, const rcp_ins *ins) {
    unsigned width = RCP_SCALAR_BITS((rcp_scalar)ins->e);
    rcp_term any = rcp_symbolic_fit(s, 0, 0, width);
    return rcp_symbolic_binary(s, (rcp_binary)ins->k, (rcp_scalar)ins->e, any, any) != 0;
}

/* Before the event, whose number is that of its own read: what has two words, or no word, has no terms. */
static void pin_operands(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T, uint32_t words,
                         bool knows) {
    int32_t from = ins->op == RCP_INS_EXCHANGE ? ins->e : ins->b;
    for (int32_t i = 0; !knows && i < (int32_t)words; i++)
        if (T[from + i])
            rcp_symbolic_pin_slot(s, t, ins, from + i);
}

/* The address decides where it happens, and what an exchange expects whether it does. */
static void decide(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T, uint32_t words) {
    rcp_symbolic_decides(s, t, ins, T, ins->a);
    for (uint32_t i = 0; ins->op == RCP_INS_EXCHANGE && i < words; i++)
        rcp_symbolic_decides(s, t, ins, T, ins->b + (int32_t)i);
}

/* Of 16 bytes one half alone may be shared: then the event is that half's, and the other is memory of its own. */
static void atomic_event(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         const uint64_t old[2], const uint64_t result[2], uint32_t terms[2]) {
    uint32_t size = rcp_atomic_size(ins), words = size > 8 ? 2 : 1;
    bool is_exchange = ins->op == RCP_INS_EXCHANGE;
    bool writes = !is_exchange || !memcmp(old, &R[ins->b], words * sizeof *old);
    bool knows = words == 1 && (is_exchange || has_word(s, ins));
    uint32_t first = 0, end = words; /* the words of the event */
    if (words > 1) {
        first = !rcp_symbolic_is_shared(s, R[ins->a]);
        end = first || rcp_symbolic_is_shared(s, R[ins->a] + 8) ? 2 : 1;
    }
    decide(s, t, ins, T, words);
    pin_operands(s, t, ins, T, words, knows);
    if (end - first < words) {
        uint32_t other = !first;
        rcp_symbolic_pin_memory(s, t, ins, R[ins->a] + 8 * other, 8);
        if (writes)
            rcp_symbolic_forget(s, R[ins->a] + 8 * other, 8);
    }
    rcp_eid own = rcp_symbolic_next_at(s, R[ins->a] + 8 * first);
    for (uint32_t i = first; i < end; i++)
        terms[i] = s->is_full ? rcp_symbolic_await(s, t, 0, 0)
                              : rcp_term_read(s->terms, own, 8 * (i - first), words > 1 ? 64 : 8 * size).v;
    rcp_event event = {.kind = writes ? RCP_RMW : RCP_READ,
                       .valued = 1,
                       .addr = R[ins->a] + 8 * first,
                       .size = end - first < words ? 8 : size,
                       .addr_term = rcp_symbolic_address(s, ins, T, 8 * first)};
    if (event.size > 8) {
        event.bytes = (const uint8_t *)old;
        event.written_bytes = writes ? (const uint8_t *)result : NULL;
    } else {
        event.value = old[first];
        event.written = writes ? result[first] : 0;
    }
    uint32_t by = rcp_symbolic_now(s, t, T[is_exchange ? ins->e : ins->b]);
    if (is_exchange)
        event.cond = s->is_full ? RCP_TERM_ALL : rcp_symbolic_term(same_term(s, ins, R, T, terms, old, size));
    if (writes && !is_exchange && (!knows || s->is_full))
        event.value_term = RCP_TERM_ALL; /* it is what was recorded only while the thread has read what it read */
    else if (writes && knows && rcp_symbolic_is_unknown(by))
        event.value_term = RCP_TERM_ALL;
    else if (writes && knows) {
        uint32_t term = new_term(s, t, ins, R, T, terms, old, 8 * size);
        event.value_term = term ? rcp_symbolic_fit(s, term, 0, 8 * size) : RCP_TERM_CONST;
    }
    rcp_symbolic_add(s, t, ins, &event);
    rcp_symbolic_note_read(s, t, own, (const uint8_t *)&old[first], event.size, false);
}

void rcp_symbolic_atomic(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         const uint64_t old[2], const uint64_t result[2], uint32_t terms[2]) {
    uint32_t size = rcp_atomic_size(ins), words = size > 8 ? 2 : 1;
    uint64_t address = R[ins->a];
    if (rcp_symbolic_is_shared(s, address) || (words > 1 && rcp_symbolic_is_shared(s, address + 8))) {
        atomic_event(s, t, ins, R, T, old, result, terms);
        return;
    }
    decide(s, t, ins, T, words);
    if (T[ins->a])
        rcp_symbolic_pin_address(s, t, ins, ins->a);
    uint64_t bytes[2] = {old[0], old[1]};
    rcp_symbolic_load_pieces(s, t, ins, NULL, address, size, false, (uint8_t *)bytes, terms);
    bool is_exchange = ins->op == RCP_INS_EXCHANGE, writes = true;
    if (is_exchange) {
        for (uint32_t i = 0; i < words; i++)
            if (terms[i] && (rcp_symbolic_is_unknown(terms[i]) || s->is_full)) {
                rcp_symbolic_pin(s, t, ins, terms[i], old[i]);
                terms[i] = 0;
            }
        writes = !memcmp(old, &R[ins->b], words * sizeof *old);
        uint32_t cond = same_term(s, ins, R, T, terms, old, size);
        if (cond)
            rcp_symbolic_tell(s, t, ins, cond, writes);
    }
    for (uint32_t i = 0; writes && i < words; i++) {
        uint32_t n = size - 8 * i < 8 ? size - 8 * i : 8, term = 0;
        if (is_exchange)
            term = T[ins->e + (int32_t)i];
        else if (words == 1) {
            term = new_term(s, t, ins, R, T, terms, old, 8 * size);
            if (!term && terms[0])
                rcp_symbolic_pin(s, t, ins, terms[0], old[0]);
        } else {
            rcp_symbolic_pin(s, t, ins, terms[i], old[i]);
            if (T[ins->b + (int32_t)i])
                rcp_symbolic_pin_slot(s, t, ins, ins->b + (int32_t)i);
        }
        rcp_symbolic_store_pieces(s, t, ins, NULL, address + 8 * i, n, (const uint8_t *)&result[i], term);
    }
}

void rcp_symbolic_fence(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins) {
    rcp_event event = {.kind = RCP_FENCE};
    rcp_symbolic_add(s, t, ins, &event);
}
