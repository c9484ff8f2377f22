/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown values: those that get no term, because there are too many. See program/symbolic/symbolic.h. */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include "base/limits.h"

rcp_symbolic_thread *rcp_symbolic_thread_made(rcp_symbolic *s, uint32_t number) {
    while (s->threads.len <= number)
        rcp_vec_push(&s->threads, ((rcp_symbolic_thread){.has_read = true}));
    return &s->threads.at[number];
}

static uint32_t *keeper(rcp_symbolic *s, uint32_t term) {
    size_t index = term - RCP_TERM_FIRST;
    while (s->pinned_by.len <= index)
        rcp_vec_push(&s->pinned_by, 0);
    return &s->pinned_by.at[index];
}

static uint32_t awaiting(const rcp_strand *t) { return 2 * (t->number + 1); }
static uint32_t pinning(const rcp_strand *t) { return awaiting(t) + 1; }

static void settled(rcp_symbolic_thread *thread) {
    thread->awaited.len = 0;
    thread->settled++;
    RCP_CHECK(!(thread->settled & RCP_SYMBOLIC_UNKNOWN));
}

/* A branch that this thread had earlier keeps it: whoever executes what comes now has executed that. `has_ways`: each
 * other value is a way of its own. */
static void keep(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins, uint32_t term, uint64_t value,
                 bool has_ways) {
    uint32_t *by = keeper(s, term);
    if (*by == pinning(t))
        return;
    *by = pinning(t);
    unsigned width = rcp_symbolic_width(s, term);
    if (width == 1 || has_ways) { /* it is a condition itself */
        rcp_symbolic_tell(s, t, ins, term, width < 64 ? value & ((UINT64_C(1) << width) - 1) : value);
        return;
    }
    rcp_symbolic_tell(s, t, ins,
                      rcp_symbolic_make(s, RCP_OP_EQ, 1, rcp_symbolic_term(term), rcp_symbolic_fit(s, 0, value, width),
                                        RCP_TERM_CONST),
                      true);
}

void rcp_symbolic_settle_all(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins) {
    rcp_symbolic_thread *thread = rcp_symbolic_thread_of(s, t);
    if (thread->has_read) {
        rcp_symbolic_tell(s, t, ins, RCP_TERM_ALL.v, true);
        thread->has_read = !s->is_full; /* before that, nobody looks for reads */
    }
    rcp_symbolic_thread_of(s, t)->since.len = 0;
    settled(rcp_symbolic_thread_of(s, t));
}

void rcp_symbolic_settle(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins) {
    if (s->is_full) {
        rcp_symbolic_settle_all(s, t, ins);
        return;
    }
    const rcp_symbolic_thread *thread = rcp_symbolic_thread_of(s, t);
    for (size_t i = 0; i < thread->awaited.len; i++)
        keep(s, t, ins, thread->awaited.at[i].term, thread->awaited.at[i].value, false);
    settled(rcp_symbolic_thread_of(s, t));
}

static void pin(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t term, uint64_t value, bool has_ways) {
    term = rcp_symbolic_now(s, t, term);
    if (!term)
        return;
    if (rcp_symbolic_is_unknown(term) || s->is_full)
        rcp_symbolic_settle(s, t, ins);
    else
        keep(s, t, ins, term, value, has_ways);
}

void rcp_symbolic_pin(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t term, uint64_t value) {
    pin(s, t, ins, term, value, false);
}

void rcp_symbolic_pin_address(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, int32_t slot) {
    const uint64_t *registers = t->frames.at[t->frames.len - 1].registers;
    uint32_t *terms = rcp_strand_shadow(t, registers);
    pin(s, t, ins, terms[slot], registers[slot], true);
    terms[slot] = 0;
}

uint32_t rcp_symbolic_await(rcp_symbolic *s, const rcp_strand *t, uint32_t term, uint64_t value) {
    rcp_symbolic_thread *thread = rcp_symbolic_thread_of(s, t);
    thread->has_used = true; /* whatever the value is made of: nobody looks whether bare bytes are among it */
    if (term && !rcp_symbolic_is_unknown(term) && !s->is_full) {
        uint32_t *by = keeper(s, term);
        if (*by != awaiting(t) && *by != pinning(t)) {
            *by = awaiting(t);
            rcp_vec_push(&thread->awaited, ((rcp_awaited){term, value}));
        }
    }
    return RCP_SYMBOLIC_UNKNOWN | thread->settled;
}

static uint16_t depth_of(const rcp_symbolic *s, uint32_t term) {
    return term - RCP_TERM_FIRST < s->depths.len ? s->depths.at[term - RCP_TERM_FIRST] : 0;
}

/* Is it time that this value gets no further term? */
static bool is_too_much(const rcp_symbolic *s, uint32_t term) {
    if (!term || !s->is_tight || (!s->is_full && depth_of(s, term) < s->deepest))
        return false;
    if (!s->is_full)
        rcp_limit_reached(RCP_LIMIT_SYMBOLIC_DEPTH);
    return true;
}

bool rcp_symbolic_mixes_unknown(rcp_symbolic *s, const rcp_strand *t, const uint64_t *R, uint32_t *T,
                                const int32_t *slots, unsigned n, uint32_t *result) {
    bool is_any = false;
    for (unsigned i = 0; i < n; i++) {
        uint32_t *term = &T[slots[i]];
        *term = rcp_symbolic_now(s, t, *term);
        if (!rcp_symbolic_is_unknown(*term) && is_too_much(s, *term))
            *term = rcp_symbolic_await(s, t, *term, R[slots[i]]);
        is_any |= rcp_symbolic_is_unknown(*term);
    }
    for (unsigned i = 0; is_any && i < n; i++)
        *result = rcp_symbolic_await(s, t, T[slots[i]], R[slots[i]]);
    return is_any;
}

void rcp_symbolic_decides_with(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T, int32_t slot) {
    T[slot] = rcp_symbolic_now(s, t, T[slot]);
    if (T[slot] && (rcp_symbolic_is_unknown(T[slot]) || s->is_full))
        rcp_symbolic_pin_slot(s, t, ins, slot);
}
