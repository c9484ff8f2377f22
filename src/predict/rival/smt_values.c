/* SPDX-License-Identifier: Apache-2.0 */
/* What reads take and what must come of it: seed 003's equation 2 with the contents of bytes, and the value rules. */
#include "predict/rival/smt_state.h"

#include <inttypes.h>
#include <string.h>

static bool by_terms(const rcp_smt *s) { return s->model != RCP_MODEL_MC; }

static rcp_formula literal_bytes(rcp_smt *s, const uint8_t *bytes, unsigned n) {
    uint64_t word = 0;
    memcpy(&word, bytes, n);
    return rcp_formula_literal(&s->pool, 8 * n, word);
}

const rcp_smt_read *rcp_smt_find_read(const rcp_smt *s, uint64_t eid) {
    uint32_t at = rcp_map_get(&s->read_at, eid);
    return at == RCP_MAP_NONE ? NULL : &s->reads.at[at];
}

rcp_formula rcp_smt_deviated(rcp_smt *s, rcp_tid tid, rcp_position before) {
    const rcp_smt_chain *chain = &s->chains[tid.v];
    size_t n = 0, high = chain->position.len;
    while (n < high) {
        size_t middle = n + (high - n) / 2;
        if (chain->position.at[middle] < before)
            n = middle + 1;
        else
            high = middle;
    }
    return n ? chain->deviated.at[n - 1] : RCP_FALSE;
}

/* ---- Contents: what writer w (1 + event; 0: the life's beginning) leaves in the bytes of the piece. */

static rcp_smt_content initial(rcp_smt *s, const rcp_smt_piece *piece, uint64_t addr) {
    uint8_t bytes[8] = {0};
    bool known = !piece->life;
    if (piece->life && rcp_smt_event(s, piece->life - 1)->outcome != RCP_ZEROED)
        return (rcp_smt_content){RCP_FALSE, RCP_FALSE, RCP_FALSE};
    for (uint32_t i = 0; i < piece->n && !piece->life; i++)
        known &= rcp_observed_initial(s->o, addr + i, &bytes[i]);
    if (!piece->life && !known)
        return (rcp_smt_content){RCP_FALSE, RCP_FALSE, RCP_TRUE};
    return (rcp_smt_content){RCP_TRUE, literal_bytes(s, bytes, piece->n), RCP_FALSE};
}

static rcp_smt_content content(rcp_smt *s, uint32_t w, const rcp_smt_piece *piece, uint64_t addr) {
    if (!w)
        return initial(s, piece, addr);
    const rcp_event *e = rcp_smt_event(s, w - 1);
    if (rcp_event_is_opaque(e))
        return (rcp_smt_content){RCP_FALSE, RCP_FALSE, RCP_TRUE};
    unsigned from = (unsigned)(addr - e->addr);
    if (by_terms(s) && rcp_term_is_real(e->value_term)) {
        rcp_smt_value v = rcp_smt_term(s, w - 1, w - 1, e->value_term, true);
        return (rcp_smt_content){v.ok, rcp_smt_bytes(&s->ops, v.value, from, piece->n), RCP_FALSE};
    }
    rcp_formula kept = RCP_TRUE;
    if (by_terms(s) && e->value_term.v == RCP_TERM_ALL.v)
        kept = rcp_formula_not(&s->pool, rcp_smt_deviated(s, e->tid, s->trace->position[w - 1] + 1));
    if (!e->valued)
        return (rcp_smt_content){RCP_FALSE, RCP_FALSE, kept};
    return (rcp_smt_content){kept, literal_bytes(s, rcp_event_written(e) + from, piece->n), RCP_FALSE};
}

/* Does the read, taking the piece from w, deviate there? */
static rcp_formula deviates(rcp_smt *s, const rcp_event *e, const rcp_smt_piece *piece, uint32_t w, rcp_smt_content c) {
    rcp_formulas *pool = &s->pool;
    rcp_formula when_known = RCP_TRUE;
    if (c.known.v != RCP_FALSE.v && e->valued) {
        rcp_formula recorded = literal_bytes(s, rcp_event_bytes(e) + piece->offset, piece->n);
        when_known = rcp_formula_not(pool, rcp_formula_equal(pool, c.value, recorded));
    } else if (c.known.v != RCP_FALSE.v && w == piece->observed) {
        const rcp_event *writer = w ? rcp_smt_event(s, w - 1) : NULL;
        uint64_t from = w ? e->addr + piece->offset - writer->addr : 0;
        when_known = !w ? RCP_FALSE
                     : !writer->valued
                         ? RCP_TRUE
                         : rcp_formula_not(
                               pool, rcp_formula_equal(pool, c.value,
                                                       literal_bytes(s, rcp_event_written(writer) + from, piece->n)));
    }
    rcp_formula as_recorded = w == piece->observed ? RCP_FALSE : RCP_TRUE;
    return rcp_formula_ite(pool, c.known, when_known, rcp_formula_ite(pool, c.recorded, as_recorded, RCP_TRUE));
}

/* ---- Which pieces can be unknown: a fixpoint, so that the others need no variable for it. */

static bool writer_maybe_unknown(rcp_smt *s, const rcp_event *e, const rcp_smt_piece *piece, uint32_t w) {
    bool by_record = e->valued && w == piece->observed; /* as recorded will do */
    if (!w) {
        rcp_smt_content c = initial(s, piece, e->addr + piece->offset);
        return c.known.v == RCP_FALSE.v && !(c.recorded.v == RCP_TRUE.v && by_record);
    }
    const rcp_event *writer = rcp_smt_event(s, w - 1);
    if (rcp_event_is_opaque(writer))
        return !by_record;
    if (by_terms(s) && writer->value_term.v == RCP_TERM_ALL.v)
        return true;
    if (!by_terms(s) || !rcp_term_is_real(writer->value_term))
        return !writer->valued && !by_record;
    const rcp_smt_term_facts *facts = &s->facts->terms[writer->value_term.v - RCP_TERM_FIRST];
    if (facts->tid != RCP_SMT_NOBODY && (facts->tid != writer->tid.v || facts->last > s->trace->position[w - 1]))
        return true;
    s->scratch.len = 0;
    rcp_term_reads(&s->trace->terms, writer->value_term, &s->scratch);
    for (size_t i = 0; i < s->scratch.len; i++) {
        const rcp_smt_read *read = rcp_smt_find_read(s, s->scratch.at[i].v);
        if (!read)
            return true;
        for (size_t k = 0; k < read->n_pieces; k++)
            if (s->pieces.at[read->pieces + k].maybe_unknown)
                return true;
    }
    return false;
}

static void find_unknowns(rcp_smt *s) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < s->reads.len; i++) {
            const rcp_smt_read *read = &s->reads.at[i];
            const rcp_event *e = rcp_smt_event(s, read->eid);
            if (read->pinned && e->valued)
                continue;
            for (size_t k = 0; k < read->n_pieces; k++) {
                rcp_smt_piece *piece = &s->pieces.at[read->pieces + k];
                for (size_t j = 0; j < piece->n_writers && !piece->maybe_unknown; j++)
                    if (writer_maybe_unknown(s, e, piece, s->writers.at[piece->writers + j]))
                        changed = piece->maybe_unknown = true;
            }
        }
    }
}

/* ---- Variables: v12_0 is what event 12 takes from byte 0 on, k12_0 whether that is known, x12_0 whether it deviates.
 */

static void declare(rcp_smt *s) {
    rcp_formulas *pool = &s->pool;
    for (size_t i = 0; i < s->reads.len; i++) {
        rcp_smt_read *read = &s->reads.at[i];
        const rcp_event *e = rcp_smt_event(s, read->eid);
        size_t mark = pool->list.len;
        for (size_t k = 0; k < read->n_pieces; k++) {
            rcp_smt_piece *piece = &s->pieces.at[read->pieces + k];
            rcp_formula recorded = RCP_FALSE;
            if (e->valued)
                recorded = literal_bytes(s, rcp_event_bytes(e) + piece->offset, piece->n);
            piece->value = e->valued && read->pinned
                               ? recorded
                               : rcp_formula_variable(pool, 8 * piece->n, "v%" PRIu64 "_%u", read->eid, piece->offset);
            piece->known = piece->maybe_unknown
                               ? rcp_formula_variable(pool, RCP_SORT_BOOL, "k%" PRIu64 "_%u", read->eid, piece->offset)
                               : RCP_TRUE;
            if (read->pinned)
                piece->deviates = RCP_FALSE;
            else if (e->valued && !piece->maybe_unknown)
                piece->deviates = rcp_formula_not(pool, rcp_formula_equal(pool, piece->value, recorded));
            else
                piece->deviates =
                    rcp_formula_variable(pool, RCP_SORT_BOOL, "x%" PRIu64 "_%u", read->eid, piece->offset);
            rcp_formula_push(pool, piece->deviates);
        }
        read->deviates = rcp_formula_any(pool, mark);
    }
    for (uint32_t t = 0; t < s->facts->threads; t++) {
        rcp_formula before = RCP_FALSE;
        for (rcp_position p = 0; p < s->upto[t]; p++) {
            const rcp_smt_read *read = rcp_smt_find_read(s, rcp_trace_event_of(s->trace, (rcp_tid){t}, p).v);
            if (!read)
                continue;
            before = rcp_formula_or(pool, before, read->deviates);
            rcp_vec_push(&s->chains[t].position, p);
            rcp_vec_push(&s->chains[t].deviated, before);
        }
    }
}

/* ---- The disjunction over writers. */

/* No other write comes between w and the read. */
static void push_not_between(rcp_smt *s, const rcp_smt_piece *piece, uint64_t read, uint32_t w) {
    rcp_formulas *pool = &s->pool;
    if (w)
        rcp_formula_push(pool, rcp_smt_before(s, w - 1, read));
    for (size_t i = 0; i < piece->n_others; i++) {
        uint32_t other = s->writers.at[piece->others + i];
        if (other == w)
            continue;
        rcp_formula later = rcp_smt_before(s, read, other - 1);
        rcp_formula_push(pool, w ? rcp_formula_or(pool, rcp_smt_before(s, other - 1, w - 1), later) : later);
    }
}

static void push_taken(rcp_smt *s, const rcp_smt_read *read, const rcp_smt_piece *piece, uint32_t w) {
    rcp_formulas *pool = &s->pool;
    const rcp_event *e = rcp_smt_event(s, read->eid);
    rcp_smt_content c = content(s, w, piece, e->addr + piece->offset);
    rcp_formula off = deviates(s, e, piece, w, c);
    if (read->pinned)
        rcp_formula_push(pool, rcp_formula_not(pool, off));
    if (read->pinned && e->valued)
        return;
    bool by_record = e->valued && w == piece->observed;
    if (c.known.v != RCP_FALSE.v)
        rcp_formula_push(pool, rcp_formula_implies(pool, c.known, rcp_formula_equal(pool, piece->value, c.value)));
    if (by_record && c.recorded.v != RCP_FALSE.v)
        rcp_formula_push(pool, rcp_formula_implies(
                                   pool, c.recorded,
                                   rcp_formula_equal(pool, piece->value,
                                                     literal_bytes(s, rcp_event_bytes(e) + piece->offset, piece->n))));
    if (piece->maybe_unknown)
        rcp_formula_push(pool, rcp_formula_equal(pool, piece->known,
                                                 rcp_formula_or(pool, c.known, by_record ? c.recorded : RCP_FALSE)));
    if (rcp_formula_borrow(pool, piece->deviates)->op == RCP_F_VARIABLE)
        rcp_formula_push(pool, rcp_formula_equal(pool, piece->deviates, off));
}

static void take(rcp_smt *s, const rcp_smt_read *read) {
    rcp_formulas *pool = &s->pool;
    for (size_t k = 0; k < read->n_pieces; k++) {
        const rcp_smt_piece *piece = &s->pieces.at[read->pieces + k];
        size_t any = pool->list.len;
        for (size_t j = 0; j < piece->n_writers; j++) {
            size_t all = pool->list.len;
            uint32_t w = s->writers.at[piece->writers + j];
            push_not_between(s, piece, read->eid, w);
            push_taken(s, read, piece, w);
            rcp_formula choice = rcp_formula_all(pool, all);
            rcp_formula_push(pool, choice);
        }
        rcp_smt_require(s, read->eid, rcp_formula_any(pool, any), "takes the bytes of a write");
    }
}

bool rcp_smt_take(rcp_smt *s) {
    find_unknowns(s);
    declare(s);
    for (size_t i = 0; i < s->reads.len && s->pool.nodes.len <= s->limit; i++)
        take(s, &s->reads.at[i]);
    return s->pool.nodes.len <= s->limit;
}

rcp_formula rcp_smt_left_as_recorded(rcp_smt *s, uint64_t w, uint64_t lo, uint64_t hi) {
    const rcp_event *e = rcp_smt_event(s, w);
    size_t mark = s->pool.list.len;
    for (uint64_t at = lo; at < hi; at += 8) {
        rcp_smt_piece piece = {.n = (uint32_t)(hi - at < 8 ? hi - at : 8)};
        rcp_smt_content c = content(s, (uint32_t)w + 1, &piece, at);
        rcp_formula as_known = RCP_FALSE;
        if (e->valued && c.known.v != RCP_FALSE.v)
            as_known =
                rcp_formula_equal(&s->pool, c.value, literal_bytes(s, rcp_event_written(e) + (at - e->addr), piece.n));
        rcp_formula_push(&s->pool, rcp_formula_ite(&s->pool, c.known, as_known, c.recorded));
    }
    return rcp_formula_all(&s->pool, mark);
}
