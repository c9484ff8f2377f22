/* SPDX-License-Identifier: Apache-2.0 */
/* docs/semantics.md as clauses: memory's lives, opaque code, values. One walk along the order, as an execution of it.
 */
#include "predict/solve/encode.h"
#include "base/limits.h"
#include "predict/facts/mutant.h"

#include <string.h>

#define NONE UINT32_MAX
/* A walk goes on after a fault, as if nothing had been wrong, up to so many: clauses hold whatever else is wrong, and a
 * walk costs more than a clause. */

static const rcp_event *event_at(const rcp_encoding *x, uint32_t event) { return rcp_run_facts_event(x->facts, event); }
static int64_t rank(const rcp_encoding *x, uint32_t event) { return rcp_encoding_rank(x, event); }

bool rcp_encoding_past(void *context, uint32_t node, uint64_t *value) {
    const rcp_encoding *x = context;
    const rcp_term_facts *terms = &x->facts->terms;
    return rcp_term_facts_is_before(terms, node, x->q->slice->start) && rcp_term_facts_value(terms, node, value);
}

rcp_eval rcp_encoding_look_up(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    rcp_encoding *x = context;
    *value = 0;
    if (read.v >= x->facts->trace->events.len)
        return RCP_EVAL_UNKNOWN;
    const rcp_event *e = event_at(x, (uint32_t)read.v);
    if (!rcp_event_reads(e) || offset > e->size || bytes > e->size - offset)
        return RCP_EVAL_UNKNOWN;
    uint32_t node = rcp_query_node(x->q, (uint32_t)read.v);
    if (node == RCP_NODE_PAST) {
        bool known = e->valued;
        for (unsigned i = 0; known && i < bytes && x->facts->first_deviation[e->tid.v] != RCP_NO_EVENT; i++)
            known = !rcp_run_facts_byte_unknown(x->facts, (uint32_t)read.v, e->addr + offset + i);
        if (known)
            memcpy(value, rcp_event_bytes(e) + offset, bytes);
        return known ? RCP_EVAL_OK : RCP_EVAL_UNKNOWN;
    }
    if (node == RCP_NODE_FUTURE || (x->rank[node] >= x->clock && node != x->reading)) {
        x->early = true;
        return RCP_EVAL_UNKNOWN;
    }
    uint8_t *to = (uint8_t *)value; /* little-endian hosts */
    uint64_t lo = e->addr + offset, hi = lo + bytes;
    RCP_EACH_SLOT(x, node, lo, hi, slot) {
        const rcp_query_place *place = &x->q->places.at[x->q->touched.at[slot]];
        for (uint64_t addr = place->lo > lo ? place->lo : lo; addr < place->hi && addr < hi; addr++) {
            uint8_t byte = 0;
            rcp_write_left left = rcp_encoding_byte(x, place, x->took[slot], addr, &byte);
            if (left == RCP_LEFT_AS_RECORDED && e->valued && x->took[slot] == x->observed[slot])
                byte = rcp_event_bytes(e)[addr - e->addr];
            else if (left == RCP_LEFT_AS_RECORDED || left == RCP_LEFT_UNKNOWN)
                return RCP_EVAL_UNKNOWN;
            to[addr - lo] = byte;
        }
    }
    return RCP_EVAL_OK;
}

static rcp_eval evaluate(rcp_encoding *x, rcp_term term, uint64_t *value) {
    x->early = false;
    rcp_eval how = rcp_evaluator_run(x->evaluator, term, value);
    if (x->early) /* that read may be executed later */
        rcp_evaluator_forget(x->evaluator);
    return how;
}

/* A fault has become a clause: may the walk go on? */
static bool go_on(rcp_encoding *x) { return ++x->faults < rcp_limit(RCP_LIMIT_SOLVER_FAULTS); }

/* Is what this source leaves settled before any order is chosen? */
static bool is_settled(const rcp_encoding *x, uint32_t source) {
    uint32_t node = source ? rcp_query_node(x->q, source - 1) : RCP_NODE_PAST;
    const rcp_event *w = source ? event_at(x, source - 1) : NULL;
    return node >= x->q->race || !rcp_event_writes(w) || w->value_term.v == RCP_TERM_CONST.v;
}

/* The explanation was a single choice: whatever other source is as bad goes at the same time. `fails` asks about the
 * slot as it stands in took[]. */
static void exclude_others(rcp_encoding *x, uint32_t slot, uint32_t event, rcp_term term, uint64_t wanted) {
    uint32_t actual = x->took[slot];
    const rcp_group group = *rcp_encoding_borrow_group(x, slot);
    for (uint32_t i = 0; i < group.n; i++) {
        rcp_option_from option = x->options.at[group.first + i];
        if (option.source == actual || !is_settled(x, option.source))
            continue;
        uint64_t value = 0;
        x->took[slot] = option.source;
        rcp_evaluator_forget(x->evaluator);
        bool fails = term.v == RCP_TERM_ALL.v ? rcp_encoding_deviates(x, slot, option.source)
                                              : evaluate(x, term, &value) != RCP_EVAL_OK || value != wanted;
        if (!fails)
            continue;
        bool races = event == x->q->slice->race[0] || event == x->q->slice->race[1];
        rcp_vec_push(&x->clause, rcp_lit_not(option.lit));
        if (!races)
            rcp_encoding_drop(x, event);
        rcp_encoding_add(x);
    }
    x->took[slot] = actual;
    rcp_evaluator_forget(x->evaluator);
}

/* V3: a term that must have this value. */
static bool keeps_term(rcp_encoding *x, uint32_t event, rcp_term term, uint64_t wanted) {
    bool races = event == x->q->slice->race[0] || event == x->q->slice->race[1];
    uint32_t tid = event_at(x, event)->tid.v, guard = races ? RCP_THE_RACE : event;
    const bool may_be_anything = rcp_query_is_loose(x->q, RCP_LOOSE_UNKNOWN);
    if (term.v == RCP_TERM_CONST.v || (term.v == RCP_TERM_ALL.v && may_be_anything))
        return true;
    if (term.v == RCP_TERM_ALL.v) {
        if (x->deviation[tid] == RCP_NOT_DEVIATED)
            return true;
        rcp_encoding_explain_begin(x);
        rcp_encoding_explain_deviation(x, x->deviation[tid]);
    } else {
        /* As long as its thread is on the recorded way, so is the term: what was recorded was computed by it. */
        if (x->deviation[tid] == RCP_NOT_DEVIATED && x->facts->all_valued && !x->facts->foreign.len &&
            event != x->q->slice->turned)
            return true;
        uint64_t value;
        rcp_eval how = evaluate(x, term, &value);
        if (how == RCP_EVAL_OK ? value == wanted : may_be_anything)
            return true;
        rcp_encoding_explain_begin(x);
        rcp_encoding_explain_term(x, term, guard);
    }
    if (!races)
        rcp_encoding_drop(x, event);
    rcp_encoding_explain_end(x);
    if (x->slots.len == 1 && is_settled(x, x->took[x->slots.at[0]]) && !x->facts->foreign.len)
        exclude_others(x, x->slots.at[0], event, term, wanted);
    return go_on(x);
}

/* An event's condition or address. rv pins it, and what the checker asks for must hold all the same (the two are one
 * but where a read without a recorded value is below the term). */
static bool keeps(rcp_encoding *x, uint32_t event, rcp_term own, bool pinned, uint64_t wanted) {
    return (!pinned || keeps_term(x, event, RCP_TERM_ALL, wanted)) && keeps_term(x, event, own, wanted);
}

static bool keeps_address(rcp_encoding *x, uint32_t event) {
    const rcp_event *e = event_at(x, event);
    return x->relaxation == RCP_RELAX_NOTHING || RCP_MUTANT(NO_ADDRESSES) ||
           keeps(x, event, e->addr_term, rcp_encoding_pins_address(x, event), e->addr);
}

/* What is compared instead of whether it is equal, and what it was then. */
static void take_compared(const rcp_encoding *x, rcp_term *term, uint64_t *was) {
    const rcp_terms *terms = &x->facts->trace->terms;
    const rcp_term_node *n = rcp_term_is_real(*term) ? rcp_term_borrow(terms, *term) : NULL;
    if (!n || n->op != RCP_OP_EQ)
        return;
    const rcp_term_node *left = rcp_term_borrow(terms, (rcp_term){n->a}),
                        *right = rcp_term_borrow(terms, (rcp_term){n->b});
    const bool is_left = left->op == RCP_OP_CONST;
    if (!is_left && right->op != RCP_OP_CONST)
        return;
    *term = (rcp_term){is_left ? n->b : n->a};
    *was = is_left ? left->word : right->word;
}

/* The slice's one event must turn out otherwise than it did. */
static bool turns(rcp_encoding *x) {
    uint32_t event = x->q->slice->race[0];
    const rcp_event *e = event_at(x, event);
    rcp_term term = e->kind == RCP_BRANCH ? e->cond : e->addr_term;
    uint64_t value, was = e->kind == RCP_BRANCH ? e->value : e->addr;
    if (x->q->slice->of_compared && e->kind == RCP_BRANCH)
        take_compared(x, &term, &was);
    if (evaluate(x, term, &value) == RCP_EVAL_OK && value != was) {
        bool is_new = true;
        for (size_t i = 0; i < x->q->slice->n_excluded && is_new; i++)
            is_new = value != x->q->slice->excluded[i];
        if (is_new && x->q->slice->became)
            *x->q->slice->became = value;
        if (is_new)
            return true;
    }
    rcp_encoding_explain_begin(x);
    rcp_encoding_explain_term(x, term, RCP_THE_RACE);
    rcp_encoding_explain_end(x);
    return false;
}

/* A BRANCH without a recorded value: its reads must not deviate. */
static bool reads_kept(rcp_encoding *x, uint32_t event) {
    rcp_eids reads = {0};
    bool kept = true;
    rcp_term_reads(&x->facts->trace->terms, event_at(x, event)->cond, &reads);
    for (size_t i = 0; i < reads.len && kept; i++) {
        uint32_t node = rcp_query_node(x->q, (uint32_t)reads.at[i].v);
        for (uint32_t k = 0; node < x->q->race && k < x->q->touches[node].n && kept; k++) {
            uint32_t slot = x->q->touches[node].first + k;
            if (!rcp_encoding_deviates(x, slot, x->took[slot]))
                continue;
            rcp_encoding_explain_begin(x);
            rcp_encoding_explain_slot(x, slot);
            rcp_encoding_drop(x, event);
            rcp_encoding_explain_end(x);
            kept = false;
        }
    }
    rcp_vec_finish(&reads);
    return kept;
}

/* Is what the solver chose for the slot what the order gives it? */
static bool choice_agrees(rcp_encoding *x, uint32_t slot) {
    if (x->group_of[slot] == NONE || RCP_MUTANT(NO_BLOCKERS))
        return true;
    const rcp_group *group = &x->groups.at[x->group_of[slot]];
    uint32_t read = x->q->event[group->node], actual = x->took[slot];
    for (uint32_t i = 0; i < group->n; i++) {
        rcp_option_from option = x->options.at[group->first + i];
        if (option.source == actual || !rcp_ordering_holds(x->order, option.lit))
            continue;
        rcp_vec_push(&x->clause, rcp_lit_not(option.lit));
        if (option.source && rank(x, option.source - 1) > rank(x, read)) {
            rcp_encoding_want(x, option.source - 1, read);
        } else { /* another write comes between */
            if (option.source)
                rcp_encoding_want(x, actual - 1, option.source - 1);
            rcp_encoding_want(x, read, actual - 1);
        }
        rcp_encoding_add(x);
        return go_on(x);
    }
    return true;
}

static bool read_places(rcp_encoding *x, uint32_t node) {
    const rcp_query *q = x->q;
    uint32_t tid = rcp_query_event(q, node)->tid.v;
    for (uint32_t i = 0; i < q->touches[node].n; i++) {
        uint32_t slot = q->touches[node].first + i;
        x->took[slot] = x->last[q->touched.at[slot]];
        if (!choice_agrees(x, slot))
            return false;
        if (!rcp_encoding_deviates(x, slot, x->took[slot]))
            continue;
        if (x->relaxation == RCP_RELAX_NOTHING && !(RCP_MUTANT(NO_BLOCKERS) && x->group_of[slot] != NONE)) {
            if (x->group_of[slot] != NONE)
                continue; /* and its choice did not agree: a fault already */
            rcp_encoding_borrow_group(x, slot);
            if (!go_on(x))
                return false;
            continue;
        }
        if (x->deviation[tid] == RCP_NOT_DEVIATED && !RCP_MUTANT(NO_DEVIATION))
            x->deviation[tid] = slot;
    }
    return true;
}

static bool write_places(rcp_encoding *x, uint32_t node) {
    const rcp_query *q = x->q;
    const rcp_event *e = rcp_query_event(q, node);
    x->left[node] = e->valued ? RCP_LEFT_RECORDED : RCP_LEFT_AS_RECORDED;
    bool on_the_way = x->deviation[e->tid.v] == RCP_NOT_DEVIATED;
    if (x->relaxation != RCP_RELAX_NOTHING && e->value_term.v == RCP_TERM_ALL.v && !on_the_way)
        x->left[node] = RCP_LEFT_UNKNOWN;
    if (x->relaxation != RCP_RELAX_NOTHING && rcp_term_is_real(e->value_term) && !RCP_MUTANT(NO_VALUES_OF_WRITERS) &&
        !(on_the_way && x->facts->all_valued && !x->facts->foreign.len)) {
        rcp_eval how = evaluate(x, e->value_term, &x->value[node]);
        if ((how == RCP_EVAL_UNDEFINED || how == RCP_EVAL_DOUBTFUL) && !RCP_MUTANT(NO_UNDEFINED_VALUES)) {
            rcp_encoding_explain_begin(x);
            rcp_encoding_explain_term(x, e->value_term, q->event[node]);
            rcp_encoding_drop(x, q->event[node]);
            rcp_encoding_explain_end(x);
            return false;
        }
        x->left[node] = how == RCP_EVAL_OK ? RCP_LEFT_VALUE : RCP_LEFT_UNKNOWN;
        if (how == RCP_EVAL_OK && e->valued && !memcmp(&x->value[node], rcp_event_written(e), e->size))
            x->left[node] = RCP_LEFT_RECORDED;
    }
    for (uint32_t i = 0; i < q->touches[node].n; i++)
        x->last[q->touched.at[q->touches[node].first + i]] = q->event[node] + 1;
    return true;
}

static void modify(rcp_encoding *x, uint32_t event, uint64_t lo, uint64_t hi) {
    if (x->facts->observed.opaques.len && lo < hi)
        rcp_ranges_set(&x->modifier, lo, hi, event + 1);
}

static bool access(rcp_encoding *x, uint32_t node) {
    uint32_t event = x->q->event[node];
    const rcp_event *e = event_at(x, event);
    bool relaxed = x->relaxation != RCP_RELAX_NOTHING;
    if (!keeps_address(x, event))
        return false;
    if (rcp_event_reads(e)) {
        if (!read_places(x, node))
            return false;
        x->reading = node;
        if (relaxed && !RCP_MUTANT(NO_COMPARE_AND_SWAP) &&
            !keeps(x, event, e->cond, rcp_encoding_pins_condition(x, event),
                   (e->kind == RCP_RMW) != (event == x->q->slice->turned)))
            return false;
        if (relaxed && x->facts->observed.implicit_branches && !keeps_term(x, event, RCP_TERM_ALL, 0))
            return false;
    }
    if (rcp_event_writes(e)) {
        if (!write_places(x, node))
            return false;
        modify(x, event, e->addr, e->addr + e->size);
    }
    return true;
}

/* P2, who: the last to change each byte must be the one that was observed. */
static bool found_as_observed(rcp_encoding *x, uint32_t event, const rcp_piece *piece) {
    uint64_t upto;
    for (uint64_t at = piece->lo; at < piece->hi; at = upto) {
        uint32_t last = rcp_ranges_stretch(&x->modifier, at, piece->hi, &upto);
        bool untouched = last == RCP_RANGES_NONE; /* since the slice began */
        if (untouched || last == piece->value || RCP_MUTANT(NO_OPAQUE_WRITERS))
            continue;
        if (piece->value)
            rcp_encoding_want(x, last - 1, piece->value - 1);
        rcp_encoding_want(x, event, last - 1);
        rcp_encoding_drop(x, event);
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

/* P2, what: that one left what it left when observed. */
static bool left_as_observed(rcp_encoding *x, uint32_t event, const rcp_piece *piece) {
    if (x->relaxation == RCP_RELAX_NOTHING || !piece->value || RCP_MUTANT(NO_OPAQUE_VALUES))
        return true;
    const rcp_event *w = event_at(x, piece->value - 1);
    uint32_t node = rcp_query_node(x->q, piece->value - 1);
    if (!rcp_event_writes(w))
        return true;
    uint64_t from = piece->lo - w->addr, n = piece->hi - piece->lo;
    bool past = node >= x->q->race; /* there only the recorded order's own unknowns are in question */
    bool recorded = past ? !x->facts->unknown || !rcp_bit(x->facts->unknown, piece->value - 1)
                         : x->left[node] == RCP_LEFT_RECORDED || x->left[node] == RCP_LEFT_AS_RECORDED;
    if (recorded || (!past && x->left[node] == RCP_LEFT_VALUE && w->valued &&
                     !memcmp((uint8_t *)&x->value[node] + from, rcp_event_written(w) + from, n)))
        return true;
    rcp_encoding_explain_begin(x);
    rcp_encoding_explain_source(x, piece->value);
    rcp_encoding_drop(x, event);
    rcp_encoding_explain_end(x);
    return false;
}

static bool opaque(rcp_encoding *x, uint32_t node) {
    const rcp_observed *o = &x->facts->observed;
    uint32_t event = x->q->event[node];
    const rcp_event *e = event_at(x, event);
    rcp_pieces list = o->reached.at[rcp_observed_opaque(o, (rcp_eid){event})];
    for (size_t i = 0; i < list.n && !rcp_query_is_loose(x->q, RCP_LOOSE_OPAQUE); i++)
        if (!found_as_observed(x, event, &o->pieces.at[list.first + i]) ||
            !left_as_observed(x, event, &o->pieces.at[list.first + i]))
            return false;
    const rcp_reach_def *reach = &x->facts->trace->defs.reaches.at[e->reach.v];
    for (size_t i = 0; i < reach->n; i++)
        modify(x, event, reach->spans[i].lo, reach->spans[i].hi);
    for (uint32_t i = 0; i < x->q->touches[node].n; i++)
        x->last[x->q->touched.at[x->q->touches[node].first + i]] = event + 1;
    return true;
}

/* Of a value that is kept as it was, not of a branch of two ways. */
static bool is_wide(const rcp_encoding *x, rcp_term cond) {
    return rcp_term_is_real(cond) && rcp_term_borrow(&x->facts->trace->terms, cond)->width > 1;
}

static bool branch(rcp_encoding *x, uint32_t event) {
    const rcp_event *e = event_at(x, event);
    bool pinned = rcp_encoding_pins_condition(x, event);
    const rcp_bits *given = x->q->slice->given;
    if (rcp_query_is_loose(x->q, RCP_LOOSE_OPAQUE) &&
        ((given && rcp_bit(given, event)) || rcp_run_facts_call_of(x->facts, event) != RCP_NO_EVENT))
        return true;
    if (x->relaxation == RCP_RELAX_NOTHING || RCP_MUTANT(NO_BRANCHES))
        return true;
    if (rcp_query_is_loose(x->q, RCP_LOOSE_UNKNOWN) && is_wide(x, e->cond))
        return true;
    if (rcp_term_is_real(e->cond) && !e->valued)
        return keeps(x, event, RCP_TERM_CONST, pinned, 0) && reads_kept(x, event);
    return keeps(x, event, e->cond, pinned, e->value);
}

static bool execute(rcp_encoding *x, uint32_t node) {
    uint32_t event = x->q->event[node];
    const rcp_event *e = event_at(x, event);
    x->reading = NONE;
    x->clock = x->rank[node];
    switch ((rcp_kind)e->kind) {
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: return access(x, node);
    case RCP_ALLOC:
    case RCP_FREE:
        if (!keeps_address(x, event))
            return false;
        modify(x, event, e->addr, e->addr + e->value);
        return true;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: return opaque(x, node);
    case RCP_BRANCH: return branch(x, event);
    default: return true;
    }
}

/* M1: an event before the end of the lives of its bytes. */
static bool look_at_lives(rcp_encoding *x) {
    for (size_t i = 0; i < x->q->limits.len && !RCP_MUTANT(NO_LIVES); i++) {
        rcp_life_limit limit = x->q->limits.at[i];
        uint32_t event = x->q->event[limit.node], end = x->q->event[limit.end];
        if (x->rank[limit.node] < x->rank[limit.end] || x->rank[limit.node] > x->rank[x->q->race])
            continue;
        rcp_encoding_want(x, event, end);
        rcp_encoding_drop(x, event);
        rcp_encoding_add(x);
        return false;
    }
    return true;
}

/* R4: the racing compare-and-swap could come next, and would succeed. */
static bool swaps(rcp_encoding *x) {
    const rcp_query *q = x->q;
    if (q->swap == RCP_NO_EVENT)
        return true;
    const rcp_event *e = event_at(x, q->swap);
    if (!read_places(x, q->race))
        return false;
    x->reading = q->race;
    if (x->relaxation == RCP_RELAX_NOTHING)
        return true;
    if (!RCP_MUTANT(NO_COMPARE_AND_SWAP) && !keeps(x, q->swap, e->cond, rcp_encoding_pins_condition(x, q->swap), 1))
        return false;
    if (x->facts->observed.implicit_branches && !keeps_term(x, q->swap, RCP_TERM_ALL, 0))
        return false;
    uint64_t value;
    rcp_eval how = rcp_term_is_real(e->value_term) ? evaluate(x, e->value_term, &value) : RCP_EVAL_OK;
    if ((how != RCP_EVAL_UNDEFINED && how != RCP_EVAL_DOUBTFUL) || RCP_MUTANT(NO_UNDEFINED_VALUES))
        return true;
    rcp_encoding_explain_begin(x);
    rcp_encoding_explain_term(x, e->value_term, RCP_THE_RACE);
    rcp_encoding_explain_end(x);
    return false;
}

bool rcp_encoding_look_at_memory(rcp_encoding *x) {
    const rcp_query *q = x->q;
    if (!look_at_lives(x))
        return false;
    for (size_t i = 0; i < q->places.len; i++)
        x->last[i] = q->places.at[i].base;
    for (size_t t = 0; t < x->facts->trace->defs.threads.len; t++)
        x->deviation[t] = x->facts->first_deviation[t] < q->slice->start ? RCP_DEVIATED_BEFORE : RCP_NOT_DEVIATED;
    rcp_evaluator_forget(x->evaluator);
    x->faults = 0;
    if (x->facts->observed.opaques.len) {
        rcp_ranges_finish(&x->modifier);
        rcp_ranges_init(&x->modifier);
    }
    for (uint32_t i = 0; x->at[i] != q->race; i++)
        if (!execute(x, x->at[i]))
            return false;
    x->reading = NONE;
    x->clock = x->rank[q->race];
    if (q->slice->arranged)
        return !x->faults;
    if (q->slice->turns)
        return !x->faults && (q->slice->turned != RCP_NO_EVENT || turns(x));
    if (q->slice->is_still || q->slice->passes)
        return !x->faults;
    return keeps_address(x, q->slice->race[0]) && keeps_address(x, q->slice->race[1]) && swaps(x) && !x->faults;
}
