/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/term_facts.h"

#include "base/vec.h"

uint16_t rcp_term_facts_deep = 256;

static unsigned arguments_of(const rcp_term_node *node, uint32_t arguments[3]) {
    arguments[0] = node->a;
    arguments[1] = node->b;
    arguments[2] = node->c;
    return node->op <= RCP_OP_READ ? 0 : rcp_op_borrow_traits(node->op)->arity;
}

static bool is_any_deep(const rcp_terms *terms) {
    uint16_t *depth = rcp_alloc((terms->nodes.len + 1) * sizeof *depth), most = 0;
    for (size_t i = 0; i < terms->nodes.len && most <= rcp_term_facts_deep; i++) {
        uint32_t arguments[3];
        unsigned n = arguments_of(&terms->nodes.at[i], arguments);
        depth[i] = 0;
        for (unsigned k = 0; k < n; k++) {
            uint16_t below = depth[arguments[k] - RCP_TERM_FIRST];
            depth[i] = below + 1 > depth[i] ? (uint16_t)(below + 1) : depth[i];
        }
        most = depth[i] > most ? depth[i] : most;
    }
    rcp_release(depth);
    return most > rcp_term_facts_deep;
}

void rcp_term_facts_init(rcp_term_facts *f, const rcp_trace *trace, rcp_lookup *look_up, void *context) {
    const rcp_terms *terms = &trace->terms;
    size_t count = terms->nodes.len, events = trace->events.len;
    *f = (rcp_term_facts){0};
    if (!is_any_deep(terms))
        return;
    f->last = rcp_alloc((count + 1) * sizeof *f->last);
    f->value = rcp_alloc((count + 1) * sizeof *f->value);
    f->known = rcp_alloc_zero(count / 64 + 1, sizeof *f->known);
    rcp_evaluator evaluator;
    rcp_evaluator_init(&evaluator, terms, look_up, context);
    for (size_t i = 0; i < count; i++) { /* arguments come first: each step looks at one node */
        const rcp_term_node *node = &terms->nodes.at[i];
        uint32_t arguments[3], last = 0;
        unsigned n = arguments_of(node, arguments);
        if (node->op == RCP_OP_READ)
            last = node->word < events ? (uint32_t)node->word + 1 : UINT32_MAX;
        for (unsigned k = 0; k < n; k++) {
            uint32_t below = f->last[arguments[k] - RCP_TERM_FIRST];
            last = below > last ? below : last;
        }
        f->last[i] = last;
        f->value[i] = 0;
        bool is_there = last <= events;
        if (is_there &&
            rcp_evaluator_run(&evaluator, (rcp_term){(uint32_t)i + RCP_TERM_FIRST}, &f->value[i]) == RCP_EVAL_OK)
            f->known[i / 64] |= UINT64_C(1) << (i % 64);
    }
    rcp_evaluator_finish(&evaluator);
}

void rcp_term_facts_finish(rcp_term_facts *f) {
    rcp_release(f->last);
    rcp_release(f->value);
    rcp_release(f->known);
    *f = (rcp_term_facts){0};
}
