/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes: which reads matter, whom each may take its bytes from, what comes of it. Rules M, P2, I and V. */
#include "predict/rival/smt_state.h"

#include <inttypes.h>
#include <string.h>

/* What the model takes an event's condition and address to depend on (docs/semantics.md; rv: whatever is decided after
 * a read may depend on it). */
rcp_term rcp_smt_condition_term(const rcp_smt *s, uint64_t eid) {
    const rcp_event *e = rcp_smt_event(s, eid);
    bool pins = s->model == RCP_MODEL_RV && (e->kind == RCP_BRANCH || rcp_term_is_real(e->cond));
    return pins ? RCP_TERM_ALL : e->cond;
}

rcp_term rcp_smt_address_term(const rcp_smt *s, uint64_t eid) {
    const rcp_event *e = rcp_smt_event(s, eid);
    bool constant = e->addr_term.v == RCP_TERM_CONST.v && !(rcp_event_is_access(e) && s->trace->life[eid]);
    return s->model == RCP_MODEL_RV && !constant ? RCP_TERM_ALL : e->addr_term;
}

/* No read may deviate: every one is pinned. Under mc contents are then as recorded, whatever terms say (V2). */
static bool all_pinned(const rcp_smt *s) { return s->model == RCP_MODEL_MC || s->o->implicit_branches; }
static bool by_terms(const rcp_smt *s) { return s->model != RCP_MODEL_MC; }

/* ---- Which reads matter. */

static void want_read(rcp_smt *s, uint64_t eid) {
    if (eid >= s->trace->events.len || !rcp_event_reads(rcp_smt_event(s, eid)) || !rcp_smt_in_cone(s, eid))
        return;
    uint32_t *at = rcp_map_at(&s->read_at, eid);
    if (*at != RCP_MAP_NONE)
        return;
    *at = (uint32_t)s->reads.len;
    rcp_vec_push(&s->reads, ((rcp_smt_read){.eid = eid, .pinned = all_pinned(s)}));
}

/* All reads of the thread before this position. */
static void want_all(rcp_smt *s, rcp_tid tid, rcp_position before) {
    for (; s->all_before[tid.v] < before; s->all_before[tid.v]++)
        if (s->all_before[tid.v] < s->upto[tid.v])
            want_read(s, rcp_trace_event_of(s->trace, tid, s->all_before[tid.v]).v);
}

static void want_term(rcp_smt *s, uint64_t eid, rcp_term term, bool own) {
    const rcp_event *e = rcp_smt_event(s, eid);
    if (term.v == RCP_TERM_ALL.v) {
        want_all(s, e->tid, s->trace->position[eid] + own);
        return;
    }
    if (!rcp_term_is_real(term))
        return;
    s->scratch.len = 0;
    rcp_term_reads(&s->trace->terms, term, &s->scratch);
    for (size_t i = 0; i < s->scratch.len; i++)
        want_read(s, s->scratch.at[i].v);
}

/* The model's term, and the event's own where that is another. */
static void want_both(rcp_smt *s, uint64_t eid, rcp_term term, rcp_term own_term, bool own) {
    want_term(s, eid, term, own);
    if (own_term.v != term.v)
        want_term(s, eid, own_term, own);
}

/* P2: the observed last writer of what opaque code reaches must have left what it recorded. */
static size_t opaque_number(const rcp_smt *s, uint64_t eid) {
    size_t low = 0, high = s->o->opaques.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->o->opaques.at[middle] < eid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void want_reached(rcp_smt *s, uint64_t eid) {
    rcp_pieces list = s->o->reached.at[opaque_number(s, eid)];
    for (size_t i = 0; i < list.n; i++) {
        uint32_t last = s->o->pieces.at[list.first + i].value;
        if (last && rcp_event_writes(rcp_smt_event(s, last - 1)))
            want_term(s, last - 1, rcp_smt_event(s, last - 1)->value_term, true);
    }
}

static void want_of_event(rcp_smt *s, uint64_t eid) {
    const rcp_event *e = rcp_smt_event(s, eid);
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    if (all_pinned(s))
        want_read(s, eid);
    if (!by_terms(s))
        return;
    if (uses & RCP_USES_COND)
        want_both(s, eid, rcp_smt_condition_term(s, eid), e->cond, true);
    if (uses & RCP_USES_ADDR_TERM)
        want_both(s, eid, rcp_smt_address_term(s, eid), e->addr_term, false);
    /* whether there is a value depends on it */
    if (rcp_event_writes(e) && rcp_term_is_real(e->value_term) &&
        s->facts->terms[e->value_term.v - RCP_TERM_FIRST].partial)
        want_term(s, eid, e->value_term, true);
    if (rcp_event_is_opaque(e))
        want_reached(s, eid);
}

/* ---- Who could have written what a read takes. */

/* Event w (a write or an opaque event) as a writer of the byte at `addr` in this life? */
static bool writes_there(const rcp_smt *s, uint64_t w, uint64_t addr, uint32_t life) {
    const rcp_event *e = rcp_smt_event(s, w);
    uint64_t upto;
    if (rcp_event_is_opaque(e))
        return rcp_defs_reach_holds(&s->trace->defs, e->reach, addr, addr + 1) &&
               rcp_smt_facts_life_at(s->facts, w, addr) == life;
    return addr >= e->addr && addr < e->addr + e->size && rcp_observed_life(s->o, (rcp_eid){w}, addr, &upto) == life;
}

/* Marks where the read's bytes must be cut: there the set of writers, the life or what was observed changes. */
static void cut_at(uint8_t *cuts, uint64_t addr, uint32_t size, uint64_t at) {
    if (at > addr && at < addr + size)
        cuts[at - addr] = 1;
}

static void find_cuts(rcp_smt *s, const rcp_event *e, uint64_t eid, uint8_t *cuts) {
    uint64_t upto, end = e->addr + e->size;
    for (uint64_t at = e->addr; at < end; at = upto) {
        rcp_observed_life(s->o, (rcp_eid){eid}, at, &upto);
        cut_at(cuts, e->addr, e->size, upto);
    }
    for (uint64_t at = e->addr; at < end; at = upto) {
        rcp_observed_writer(s->o, (rcp_eid){eid}, at, &upto);
        cut_at(cuts, e->addr, e->size, upto);
    }
    for (uint64_t word = e->addr / 8; word <= (end - 1) / 8; word++) {
        cut_at(cuts, e->addr, e->size, word * 8);
        for (uint32_t i = rcp_map_get(&s->facts->words, word); i != RCP_MAP_NONE; i = s->facts->writers.at[i].next) {
            const rcp_event *w = rcp_smt_event(s, s->facts->writers.at[i].eid);
            cut_at(cuts, e->addr, e->size, w->addr);
            cut_at(cuts, e->addr, e->size, w->addr + w->size);
        }
    }
    for (size_t i = 0; i < s->facts->changes.len; i++) {
        cut_at(cuts, e->addr, e->size, s->facts->changes.at[i].lo);
        cut_at(cuts, e->addr, e->size, s->facts->changes.at[i].hi);
    }
    for (size_t i = 0; i < s->o->opaques.len; i++) {
        const rcp_event *w = rcp_smt_event(s, s->o->opaques.at[i]);
        const rcp_reach_def *reach = &s->trace->defs.reaches.at[w->reach.v];
        for (size_t k = 0; k < reach->n; k++) {
            cut_at(cuts, e->addr, e->size, reach->spans[k].lo);
            cut_at(cuts, e->addr, e->size, reach->spans[k].hi);
        }
    }
    uint8_t value;
    for (uint64_t at = e->addr + 1; at < end; at++)
        if (rcp_observed_initial(s->o, at, &value) != rcp_observed_initial(s->o, at - 1, &value))
            cut_at(cuts, e->addr, e->size, at);
}

/* Must another write of the list come between w and the read? Then the read can't take w. */
static bool is_covered(const rcp_smt *s, uint64_t w, uint64_t read, const uint32_t *others, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t other = others[i] - 1;
        if (other != w && rcp_smt_facts_before(s->facts, w, other) && rcp_smt_facts_before(s->facts, other, read))
            return true;
    }
    return false;
}

static void find_writers(rcp_smt *s, rcp_smt_piece *piece, uint64_t eid, uint64_t addr) {
    piece->others = s->writers.len;
    for (uint32_t i = rcp_map_get(&s->facts->words, addr / 8); i != RCP_MAP_NONE; i = s->facts->writers.at[i].next) {
        uint64_t w = s->facts->writers.at[i].eid;
        if (w != eid && rcp_smt_in_cone(s, w) && writes_there(s, w, addr, piece->life))
            rcp_vec_push(&s->writers, (uint32_t)w + 1);
    }
    for (size_t i = 0; i < s->o->opaques.len; i++)
        if (rcp_smt_in_cone(s, s->o->opaques.at[i]) && writes_there(s, s->o->opaques.at[i], addr, piece->life))
            rcp_vec_push(&s->writers, (uint32_t)s->o->opaques.at[i] + 1);
    piece->n_others = s->writers.len - piece->others;
    piece->writers = s->writers.len;
    bool from_start = true;
    for (size_t i = 0; i < piece->n_others; i++) {
        uint64_t w = s->writers.at[piece->others + i] - 1;
        from_start &= !rcp_smt_facts_before(s->facts, w, eid);
        if (!rcp_smt_facts_before(s->facts, eid, w) &&
            !is_covered(s, w, eid, piece->n_others ? s->writers.at + piece->others : NULL, piece->n_others))
            rcp_vec_push(&s->writers, (uint32_t)w + 1);
    }
    if (from_start)
        rcp_vec_push(&s->writers, 0);
    piece->n_writers = s->writers.len - piece->writers;
}

static bool cut_read(rcp_smt *s, size_t index) {
    uint64_t eid = s->reads.at[index].eid;
    const rcp_event *e = rcp_smt_event(s, eid);
    uint8_t *cuts = rcp_alloc_zero(e->size, 1);
    uint64_t upto;
    find_cuts(s, e, eid, cuts);
    s->reads.at[index].pieces = s->pieces.len;
    for (uint32_t from = 0, to; from < e->size && s->writers.len < s->limit; from = to) {
        for (to = from + 1; to < e->size && !cuts[to];)
            to++;
        rcp_smt_piece piece = {.offset = from, .n = to - from};
        piece.life = rcp_observed_life(s->o, (rcp_eid){eid}, e->addr + from, &upto);
        piece.observed = rcp_observed_writer(s->o, (rcp_eid){eid}, e->addr + from, &upto);
        find_writers(s, &piece, eid, e->addr + from);
        rcp_vec_push(&s->pieces, piece);
    }
    s->reads.at[index].n_pieces = s->pieces.len - s->reads.at[index].pieces;
    rcp_release(cuts);
    return s->writers.len < s->limit;
}

bool rcp_smt_find_reads(rcp_smt *s, const rcp_eid *race) {
    for (uint64_t eid = 0; eid < s->trace->events.len; eid++)
        if (rcp_smt_in_cone(s, eid))
            want_of_event(s, eid);
    for (int i = 0; race && i < 2 && by_terms(s); i++)
        want_both(s, race[i].v, rcp_smt_address_term(s, race[i].v), rcp_smt_event(s, race[i].v)->addr_term, false);
    /* and those on which the writes that they may take depend */
    for (size_t i = 0; i < s->reads.len; i++) {
        if (!cut_read(s, i))
            return false;
        for (size_t k = 0; k < s->reads.at[i].n_pieces && by_terms(s); k++) {
            rcp_smt_piece *piece = &s->pieces.at[s->reads.at[i].pieces + k];
            for (size_t j = 0; j < piece->n_writers; j++) {
                uint32_t w = s->writers.at[piece->writers + j];
                if (w && rcp_event_writes(rcp_smt_event(s, w - 1)))
                    want_term(s, w - 1, rcp_smt_event(s, w - 1)->value_term, true);
            }
        }
    }
    return true;
}
