/* SPDX-License-Identifier: Apache-2.0 */
/* What branches, addresses, compare-and-swaps, lives and opaque code ask of an execution: rules M1, P2, V2 and V3. */
#include "predict/rival/smt_state.h"

static bool by_terms(const rcp_smt *s) { return s->model != RCP_MODEL_MC; }

/* V2: the reads of a term were executed; all but those of another thread follow. */
static rcp_formula reads_executed(rcp_smt *s, uint64_t eid, uint64_t at, rcp_term term, bool own) {
    if (!rcp_term_is_real(term))
        return RCP_TRUE;
    rcp_eids reads = {0};
    size_t mark = s->pool.list.len;
    rcp_term_reads(&s->trace->terms, term, &reads);
    for (size_t i = 0; i < reads.len; i++)
        if (!(own && reads.at[i].v == eid))
            rcp_formula_push(&s->pool,
                             reads.at[i].v < s->trace->events.len ? rcp_smt_before(s, reads.at[i].v, at) : RCP_FALSE);
    rcp_vec_finish(&reads);
    return rcp_formula_all(&s->pool, mark);
}

/* V3: the term has the recorded value. */
static rcp_formula keeps_term(rcp_smt *s, uint64_t eid, uint64_t at, rcp_term term, uint64_t wanted, bool own) {
    const rcp_event *e = rcp_smt_event(s, eid);
    if (term.v == RCP_TERM_CONST.v)
        return RCP_TRUE;
    if (term.v == RCP_TERM_ALL.v)
        return rcp_formula_not(&s->pool, rcp_smt_deviated(s, e->tid, s->trace->position[eid] + own));
    unsigned width = rcp_term_borrow(&s->trace->terms, term)->width;
    if (width < 64 && wanted >> width)
        return RCP_FALSE;
    rcp_smt_value v = rcp_smt_term(s, eid, at, term, own);
    rcp_formula same = rcp_formula_equal(&s->pool, v.value, rcp_formula_literal(&s->pool, width, wanted));
    return rcp_formula_and(&s->pool, v.ok, same);
}

/* rv puts ALL in a term's place. Where none of the reads deviates, the term has the recorded value, unless that was not
 * recorded: then V3 is asked beside. */
static rcp_formula keeps(rcp_smt *s, uint64_t eid, uint64_t at, rcp_term term, rcp_term own_term, uint64_t wanted,
                         bool own) {
    rcp_formula kept = keeps_term(s, eid, at, term, wanted, own);
    if (term.v == own_term.v || !rcp_term_is_real(own_term))
        return kept;
    rcp_eids reads = {0};
    bool valued = true;
    rcp_term_reads(&s->trace->terms, own_term, &reads);
    for (size_t i = 0; i < reads.len; i++)
        valued &= reads.at[i].v < s->trace->events.len && rcp_smt_event(s, reads.at[i].v)->valued &&
                  rcp_smt_event(s, reads.at[i].v)->tid.v == rcp_smt_event(s, eid)->tid.v;
    rcp_vec_finish(&reads);
    return valued ? kept : rcp_formula_and(&s->pool, kept, keeps_term(s, eid, at, own_term, wanted, own));
}

/* V3, a BRANCH without recorded value: its reads are executed, and none deviates. */
static rcp_formula reads_kept(rcp_smt *s, uint64_t eid, rcp_term term) {
    rcp_eids reads = {0};
    size_t mark = s->pool.list.len;
    rcp_formula_push(&s->pool, reads_executed(s, eid, eid, term, false));
    rcp_term_reads(&s->trace->terms, term, &reads);
    for (size_t i = 0; i < reads.len; i++) {
        const rcp_smt_read *read = rcp_smt_find_read(s, reads.at[i].v);
        rcp_formula_push(&s->pool, read ? rcp_formula_not(&s->pool, read->deviates) : RCP_FALSE);
    }
    rcp_vec_finish(&reads);
    return rcp_formula_all(&s->pool, mark);
}

rcp_formula rcp_smt_address(rcp_smt *s, uint64_t eid, uint64_t at) {
    rcp_term term = rcp_smt_address_term(s, eid);
    return by_terms(s) ? keeps(s, eid, at, term, rcp_smt_event(s, eid)->addr_term, rcp_smt_event(s, eid)->addr, false)
                       : reads_executed(s, eid, at, term, false);
}

/* ---- Lives. */

/* Calls back with each event that ends a life that the access has one of these bytes in. */
static void push_ends(rcp_smt *s, uint64_t eid, uint64_t lo, uint64_t hi, bool at_race) {
    for (size_t i = 0; i < s->facts->changes.len && lo < hi; i++) {
        const rcp_smt_change *change = &s->facts->changes.at[i];
        if (change->eid <= eid || change->hi <= lo || change->lo >= hi)
            continue;
        rcp_formula_push(&s->pool, at_race ? rcp_formula_not(&s->pool, rcp_smt_executed(s, change->eid))
                                           : rcp_smt_before(s, eid, change->eid));
        if (change->lo <= lo) /* what comes after it there ends another life */
            lo = change->hi;
        else if (change->hi >= hi)
            hi = change->lo;
    }
}

rcp_formula rcp_smt_alive(rcp_smt *s, uint64_t eid, uint64_t other) {
    const rcp_event *e = rcp_smt_event(s, eid);
    bool at_race = other != eid;
    uint64_t end = e->addr + rcp_event_extent(e), upto;
    size_t mark = s->pool.list.len;
    for (uint64_t at = e->addr; at < end; at = upto) {
        uint32_t life = rcp_observed_life(s->o, (rcp_eid){eid}, at, &upto);
        if (at_race && life == other + 1 && rcp_smt_event(s, other)->kind == RCP_FREE)
            continue; /* R1: the life that the other one, a FREE, begins */
        if (life)
            rcp_formula_push(&s->pool, at_race ? rcp_smt_executed(s, life - 1) : rcp_smt_before(s, life - 1, eid));
        if (rcp_event_is_access(e))
            push_ends(s, eid, at, upto < end ? upto : end, at_race);
    }
    return rcp_formula_all(&s->pool, mark);
}

/* ---- Opaque code (P2): whoever changed each byte of its reach last is the one observed, and left what was recorded.
 */

static bool changes_there(const rcp_smt *s, uint64_t eid, uint64_t lo, uint64_t hi) {
    const rcp_event *e = rcp_smt_event(s, eid);
    if (rcp_event_is_opaque(e))
        return rcp_defs_reach_holds(&s->trace->defs, e->reach, lo, hi);
    return (rcp_event_writes(e) || e->kind == RCP_ALLOC || e->kind == RCP_FREE) && e->addr < hi &&
           lo < e->addr + rcp_event_extent(e);
}

static void opaque(rcp_smt *s, uint64_t eid) {
    rcp_formulas *pool = &s->pool;
    size_t number = 0;
    while (s->o->opaques.at[number] != eid)
        number++;
    rcp_pieces list = s->o->reached.at[number];
    for (size_t i = 0; i < list.n; i++) {
        const rcp_piece *piece = &s->o->pieces.at[list.first + i];
        size_t mark = pool->list.len;
        if (piece->value)
            rcp_formula_push(pool, rcp_smt_before(s, piece->value - 1, eid));
        for (uint64_t other = 0; other < s->trace->events.len; other++) {
            if (other == eid || other + 1 == piece->value || !rcp_smt_in_cone(s, other) ||
                !changes_there(s, other, piece->lo, piece->hi))
                continue;
            rcp_formula later = rcp_smt_before(s, eid, other);
            rcp_formula_push(
                pool, piece->value ? rcp_formula_or(pool, rcp_smt_before(s, other, piece->value - 1), later) : later);
        }
        if (by_terms(s) && piece->value && rcp_event_writes(rcp_smt_event(s, piece->value - 1)))
            rcp_formula_push(pool, rcp_smt_left_as_recorded(s, piece->value - 1, piece->lo, piece->hi));
        rcp_smt_require(s, eid, rcp_formula_all(pool, mark), "opaque code finds what it found (P2)");
    }
}

/* ---- Everything that an execution of the event asks. */

static void branch(rcp_smt *s, uint64_t eid, const rcp_event *e) {
    rcp_term cond = rcp_smt_condition_term(s, eid);
    bool unvalued = rcp_term_is_real(e->cond) && !e->valued; /* there is nothing to compare the term with */
    rcp_formula asks = !by_terms(s) ? reads_executed(s, eid, eid, cond, false)
                       : unvalued   ? reads_kept(s, eid, e->cond)
                                    : keeps(s, eid, eid, cond, e->cond, e->value, false);
    if (unvalued && cond.v != e->cond.v)
        asks = rcp_formula_and(&s->pool, asks, keeps_term(s, eid, eid, cond, 0, false));
    rcp_smt_require(s, eid, asks, "the branch goes the same way (V3)");
}

static void access(rcp_smt *s, uint64_t eid, const rcp_event *e) {
    rcp_smt_require(s, eid, rcp_smt_alive(s, eid, eid), "in the life of its memory (M1)");
    rcp_smt_require(s, eid, rcp_smt_address(s, eid, eid), "keeps its address");
    if (rcp_event_reads(e)) {
        rcp_term cond = rcp_smt_condition_term(s, eid);
        rcp_smt_require(s, eid,
                        by_terms(s) ? keeps(s, eid, eid, cond, e->cond, e->kind == RCP_RMW, true)
                                    : reads_executed(s, eid, eid, cond, true),
                        "the compare-and-swap ends the same way");
    }
    if (!rcp_event_writes(e) || !rcp_term_is_real(e->value_term))
        return;
    if (!by_terms(s))
        rcp_smt_require(s, eid, reads_executed(s, eid, eid, e->value_term, true), "what it writes is there");
    else if (s->facts->terms[e->value_term.v - RCP_TERM_FIRST].partial)
        rcp_smt_require(s, eid, rcp_formula_not(&s->pool, rcp_smt_term(s, eid, eid, e->value_term, true).bad),
                        "what it writes has a value");
}

bool rcp_smt_memory(rcp_smt *s) {
    if (!rcp_smt_take(s))
        return false;
    for (uint64_t eid = 0; eid < s->trace->events.len && s->pool.nodes.len <= s->limit; eid++) {
        const rcp_event *e = rcp_smt_event(s, eid);
        if (!rcp_smt_in_cone(s, eid))
            continue;
        if (rcp_event_is_access(e) || e->kind == RCP_ALLOC || e->kind == RCP_FREE)
            access(s, eid, e);
        else if (e->kind == RCP_BRANCH)
            branch(s, eid, e);
        else if (rcp_event_is_opaque(e))
            opaque(s, eid);
    }
    return s->pool.nodes.len <= s->limit;
}
