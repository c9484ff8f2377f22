/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/smt2.h"

#include <inttypes.h>
#include <string.h>

/* Nested deeper than this, a formula gets a name, so that nobody's stack grows with a trace. */
enum { DEEPEST = 30 };

typedef struct printer {
    rcp_text *out;
    const rcp_formulas *pool;
    uint32_t *uses;  /* of each node, counted from the assertions that are printed */
    uint32_t *named; /* d<n>; 0: has no name */
    uint8_t *depth;
    uint32_t names;
} printer;

static void print_sort(rcp_text *out, unsigned sort) {
    switch (sort) {
    case RCP_SORT_BOOL: rcp_text_puts(out, "Bool"); break;
    case RCP_SORT_INT: rcp_text_puts(out, "Int"); break;
    case RCP_SORT_FLOAT: rcp_text_puts(out, "Float32"); break;
    case RCP_SORT_DOUBLE: rcp_text_puts(out, "Float64"); break;
    default: rcp_text_printf(out, "(_ BitVec %u)", sort);
    }
}

static void print_literal(rcp_text *out, const rcp_formula_node *node) {
    if (node->sort == RCP_SORT_BOOL) {
        rcp_text_puts(out, node->word ? "true" : "false");
    } else if (node->sort == RCP_SORT_INT) {
        rcp_text_printf(out, "%" PRIu64, node->word);
    } else if (node->sort % 4 == 0) {
        rcp_text_printf(out, "#x%0*" PRIx64, node->sort / 4, node->word);
    } else {
        rcp_text_puts(out, "#b");
        for (unsigned i = node->sort; i-- > 0;)
            rcp_text_puts(out, node->word >> i & 1 ? "1" : "0");
    }
}

/* `top`: the formula itself, not its name. */
static void print_formula(printer *p, uint32_t id, bool top) {
    const rcp_formula_node *node = &p->pool->nodes.at[id];
    if (!top && p->named[id]) {
        rcp_text_printf(p->out, "d%" PRIu32, p->named[id]);
    } else if (node->op == RCP_F_LITERAL) {
        print_literal(p->out, node);
    } else if (!node->n_args) {
        rcp_text_puts(p->out, node->name);
    } else {
        rcp_text_printf(p->out, "(%s", node->name);
        for (size_t i = 0; i < node->n_args; i++) {
            rcp_text_puts(p->out, " ");
            print_formula(p, p->pool->args.at[node->args + i], false);
        }
        rcp_text_puts(p->out, ")");
    }
}

/* Does it deserve a name? A comparison of two variables is shorter than one. */
static bool worth(const printer *p, uint32_t id) {
    const rcp_formula_node *node = &p->pool->nodes.at[id];
    if (!node->n_args)
        return false;
    if (p->depth[id] >= DEEPEST)
        return true;
    return p->uses[id] > 1 && p->depth[id] > 1;
}

/* Counts uses from the assertions down, and nesting from the leaves up: an argument's id is smaller than its user's. */
static void survey(printer *p, size_t from) {
    const rcp_formulas *pool = p->pool;
    for (size_t i = from; i < pool->assertions.len; i++)
        p->uses[pool->assertions.at[i].formula.v]++;
    for (size_t id = pool->nodes.len; id-- > 0;)
        for (size_t i = 0; p->uses[id] && i < pool->nodes.at[id].n_args; i++)
            p->uses[pool->args.at[pool->nodes.at[id].args + i]]++;
    for (uint32_t id = 0; id < pool->nodes.len; id++) {
        const rcp_formula_node *node = &pool->nodes.at[id];
        unsigned depth = 0;
        for (size_t i = 0; i < node->n_args; i++) {
            uint32_t arg = pool->args.at[node->args + i];
            unsigned below = p->named[arg] ? 0 : p->depth[arg];
            depth = below > depth ? below : depth;
        }
        p->depth[id] = (uint8_t)(node->n_args ? depth + 1 : 0);
        if (p->uses[id] && worth(p, id))
            p->named[id] = ++p->names;
    }
}

void rcp_smt2_print(rcp_text *out, const rcp_formulas *pool, size_t from) {
    printer p = {.out = out, .pool = pool};
    size_t n = pool->nodes.len;
    p.uses = rcp_alloc_zero(n, sizeof *p.uses);
    p.named = rcp_alloc_zero(n, sizeof *p.named);
    p.depth = rcp_alloc_zero(n, sizeof *p.depth);
    survey(&p, from);
    for (size_t i = 0; i < pool->variables.len; i++) {
        const rcp_formula_node *node = &pool->nodes.at[pool->variables.at[i]];
        if (!p.uses[pool->variables.at[i]])
            continue;
        rcp_text_printf(out, "(declare-const %s ", node->name);
        print_sort(out, node->sort);
        rcp_text_puts(out, ")\n");
    }
    for (uint32_t id = 0; id < n; id++) {
        if (!p.named[id])
            continue;
        rcp_text_printf(out, "(define-fun d%" PRIu32 " () ", p.named[id]);
        print_sort(out, pool->nodes.at[id].sort);
        rcp_text_puts(out, " ");
        print_formula(&p, id, true);
        rcp_text_puts(out, ")\n");
    }
    for (size_t i = from; i < pool->assertions.len; i++) {
        const rcp_assertion *a = &pool->assertions.at[i];
        if (a->comment[0])
            rcp_text_printf(out, "; %s\n", a->comment);
        rcp_text_puts(out, "(assert ");
        print_formula(&p, a->formula.v, false);
        rcp_text_puts(out, ")\n");
    }
    rcp_release(p.uses);
    rcp_release(p.named);
    rcp_release(p.depth);
}

const char *rcp_smt2_logic(const rcp_formulas *pool) {
    bool linear = false, all = false;
    uint8_t *used = rcp_alloc_zero(pool->nodes.len, 1);
    for (size_t i = 0; i < pool->assertions.len; i++)
        used[pool->assertions.at[i].formula.v] = 1;
    for (size_t id = pool->nodes.len; id-- > 0;) {
        const rcp_formula_node *node = &pool->nodes.at[id];
        for (size_t i = 0; used[id] && i < node->n_args; i++)
            used[pool->args.at[node->args + i]] = 1;
        all |= used[id] && node->sort != RCP_SORT_BOOL && node->sort != RCP_SORT_INT;
        linear |= used[id] && node->op == RCP_F_APPLY && node->sort == RCP_SORT_INT;
    }
    rcp_release(used);
    return all ? "ALL" : linear ? "QF_LIA" : "QF_IDL";
}
