/* SPDX-License-Identifier: Apache-2.0 */
/* Terms as bit-vectors: what the reads of a term took, as its evaluator sees it. */
#include "predict/rival/smt_state.h"

/* What the read took, as the evaluator of `eid` sees it at the moment `at`. */
static rcp_smt_value leaf(rcp_smt *s, uint64_t eid, uint64_t at, const rcp_term_node *node, bool own) {
    rcp_formulas *pool = &s->pool;
    const rcp_smt_read *read = rcp_smt_find_read(s, node->word);
    unsigned bytes = node->width / 8;
    const rcp_smt_value unknown = {rcp_formula_literal(pool, node->width, 0), RCP_FALSE, RCP_FALSE};
    if (!read)
        return unknown;
    const rcp_event *e = rcp_smt_event(s, read->eid);
    if (node->a > e->size || bytes > e->size - node->a)
        return unknown;
    rcp_formula value = RCP_FALSE;
    size_t mark = pool->list.len;
    rcp_formula_push(pool, own && read->eid == eid ? RCP_TRUE : rcp_smt_before(s, read->eid, at));
    bool some = false;
    for (size_t i = 0; i < read->n_pieces; i++) {
        const rcp_smt_piece *piece = &s->pieces.at[read->pieces + i];
        uint32_t from = piece->offset > node->a ? piece->offset : node->a;
        uint32_t to = piece->offset + piece->n < node->a + bytes ? piece->offset + piece->n : node->a + bytes;
        if (from >= to)
            continue;
        rcp_formula part = rcp_smt_bytes(&s->ops, piece->value, from - piece->offset, to - from);
        value = some ? rcp_smt_concat(&s->ops, part, value) : part;
        some = true;
        rcp_formula_push(pool, piece->known);
    }
    return (rcp_smt_value){value, rcp_formula_all(pool, mark), RCP_FALSE};
}

/* Whom the memo of a subterm serves: everybody where all its reads are earlier ones of the evaluator's own thread. */
static uint64_t user(const rcp_smt *s, uint64_t eid, uint64_t at, uint32_t term, bool own) {
    const rcp_smt_term_facts *facts = &s->facts->terms[term - RCP_TERM_FIRST];
    bool clean = facts->tid == RCP_SMT_NOBODY ||
                 (facts->tid == rcp_smt_event(s, eid)->tid.v && facts->last < s->trace->position[eid]);
    if (clean)
        return 1;
    return (eid << 2 | (uint64_t)own << 1 | (at == RCP_AT_RACE)) + 2;
}

rcp_smt_value rcp_smt_term(rcp_smt *s, uint64_t eid, uint64_t at, rcp_term term, bool own) {
    const rcp_terms *terms = &s->trace->terms;
    size_t base = s->todo.len;
    rcp_vec_push(&s->todo, term.v);
    while (s->todo.len > base) {
        uint32_t id = s->todo.at[s->todo.len - 1];
        rcp_smt_memo *memo = &s->memo[id - RCP_TERM_FIRST];
        uint64_t serves = user(s, eid, at, id, own);
        const rcp_term_node *node = rcp_term_borrow(terms, (rcp_term){id});
        if (memo->evaluator == serves) {
            s->todo.len--;
            continue;
        }
        const uint32_t ids[3] = {node->a, node->b, node->c};
        unsigned arity = rcp_op_borrow_traits(node->op)->arity;
        rcp_smt_value arg[3] = {0};
        bool ready = true;
        for (unsigned i = 0; node->op > RCP_OP_READ && i < arity; i++) {
            const rcp_smt_memo *below = &s->memo[ids[i] - RCP_TERM_FIRST];
            if (below->evaluator != user(s, eid, at, ids[i], own)) {
                rcp_vec_push(&s->todo, ids[i]);
                ready = false;
            }
            arg[i] = below->value;
        }
        if (!ready)
            continue;
        if (node->op == RCP_OP_CONST)
            memo->value = (rcp_smt_value){rcp_formula_literal(&s->pool, node->width, node->word), RCP_TRUE, RCP_FALSE};
        else if (node->op == RCP_OP_READ)
            memo->value = leaf(s, eid, at, node, own);
        else
            memo->value = rcp_smt_combine(&s->ops, node, rcp_term_borrow(terms, (rcp_term){node->a})->width, arg);
        memo->evaluator = serves;
        s->todo.len--;
    }
    return s->memo[term.v - RCP_TERM_FIRST].value;
}
