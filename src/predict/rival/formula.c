/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/formula.h"

#include "base/hash.h"
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rcp_formulas_init(rcp_formulas *pool) {
    *pool = (rcp_formulas){0};
    rcp_map_init(&pool->by_hash);
    rcp_map_init(&pool->by_name);
    rcp_arena_init(&pool->memory);
    rcp_formula_literal(pool, RCP_SORT_BOOL, 0);
    rcp_formula_literal(pool, RCP_SORT_BOOL, 1);
}

void rcp_formulas_finish(rcp_formulas *pool) {
    rcp_vec_finish(&pool->nodes);
    rcp_vec_finish(&pool->args);
    rcp_vec_finish(&pool->variables);
    rcp_vec_finish(&pool->assertions);
    rcp_vec_finish(&pool->list);
    rcp_map_finish(&pool->by_hash);
    rcp_map_finish(&pool->by_name);
    rcp_vec_finish(&pool->names);
    rcp_arena_finish(&pool->memory);
}

static const char *intern(rcp_formulas *pool, const char *name) {
    size_t len = strlen(name);
    for (uint64_t key = rcp_hash_bytes(name, len);; key++) {
        uint32_t *id = rcp_map_at(&pool->by_name, key);
        if (*id == RCP_MAP_NONE) {
            *id = (uint32_t)pool->names.len;
            rcp_vec_push(&pool->names, rcp_arena_copy(&pool->memory, name, len + 1));
            return pool->names.at[pool->names.len - 1];
        }
        if (!strcmp(pool->names.at[*id], name))
            return pool->names.at[*id];
    }
}

static bool same(const rcp_formulas *pool, const rcp_formula_node *a, const rcp_formula_node *b,
                 const rcp_formula *args) {
    if (a->op != b->op || a->sort != b->sort || a->n_args != b->n_args || a->word != b->word || a->name != b->name)
        return false;
    for (size_t i = 0; i < a->n_args; i++)
        if (pool->args.at[a->args + i] != args[i].v)
            return false;
    return true;
}

static rcp_formula cons(rcp_formulas *pool, rcp_formula_node node, const rcp_formula *args) {
    uint64_t hash = rcp_hash_join(rcp_hash_join((uint64_t)node.op << 8 | node.sort, node.word), (uintptr_t)node.name);
    for (size_t i = 0; i < node.n_args; i++)
        hash = rcp_hash_join(hash, args[i].v);
    for (uint64_t key = hash;; key++) {
        uint32_t *id = rcp_map_at(&pool->by_hash, key);
        if (*id != RCP_MAP_NONE && same(pool, &pool->nodes.at[*id], &node, args))
            return (rcp_formula){*id};
        if (*id != RCP_MAP_NONE)
            continue;
        *id = (uint32_t)pool->nodes.len;
        node.args = (uint32_t)pool->args.len;
        for (size_t i = 0; i < node.n_args; i++)
            rcp_vec_push(&pool->args, args[i].v);
        rcp_vec_push(&pool->nodes, node);
        return (rcp_formula){(uint32_t)pool->nodes.len - 1};
    }
}

rcp_formula rcp_formula_literal(rcp_formulas *pool, unsigned sort, uint64_t word) {
    if (sort >= 1 && sort < 64)
        word &= (UINT64_C(1) << sort) - 1;
    return cons(pool, (rcp_formula_node){.op = RCP_F_LITERAL, .sort = (uint8_t)sort, .word = word}, NULL);
}

rcp_formula rcp_formula_variable(rcp_formulas *pool, unsigned sort, const char *format, ...) {
    char name[64];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    size_t before = pool->nodes.len;
    rcp_formula made =
        cons(pool, (rcp_formula_node){.op = RCP_F_VARIABLE, .sort = (uint8_t)sort, .name = intern(pool, name)}, NULL);
    if (pool->nodes.len > before)
        rcp_vec_push(&pool->variables, made.v);
    return made;
}

rcp_formula rcp_formula_apply(rcp_formulas *pool, unsigned sort, const char *name, const rcp_formula *args, size_t n) {
    RCP_CHECK(n <= UINT16_MAX);
    rcp_formula_node node = {
        .op = RCP_F_APPLY, .sort = (uint8_t)sort, .n_args = (uint16_t)n, .name = intern(pool, name)};
    return cons(pool, node, args);
}

rcp_formula rcp_formula_apply1(rcp_formulas *pool, unsigned sort, const char *name, rcp_formula a) {
    return rcp_formula_apply(pool, sort, name, &a, 1);
}

rcp_formula rcp_formula_apply2(rcp_formulas *pool, unsigned sort, const char *name, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply(pool, sort, name, (const rcp_formula[]){a, b}, 2);
}

rcp_formula rcp_formula_not(rcp_formulas *pool, rcp_formula a) {
    const rcp_formula_node *node = rcp_formula_borrow(pool, a);
    if (node->op == RCP_F_LITERAL)
        return (rcp_formula){!node->word};
    if (node->op == RCP_F_APPLY && !strcmp(node->name, "not"))
        return (rcp_formula){pool->args.at[node->args]};
    return rcp_formula_apply1(pool, RCP_SORT_BOOL, "not", a);
}

/* Closes the list from `mark` on. `absorbing` is the argument that settles it; the other literal says nothing. */
static rcp_formula close(rcp_formulas *pool, size_t mark, const char *name, rcp_formula absorbing) {
    size_t kept = mark;
    rcp_formula neutral = {!absorbing.v}, result;
    for (size_t i = mark; i < pool->list.len; i++) {
        rcp_formula a = pool->list.at[i];
        if (a.v == absorbing.v) {
            pool->list.len = mark;
            return absorbing;
        }
        if (a.v != neutral.v && (kept == mark || pool->list.at[kept - 1].v != a.v))
            pool->list.at[kept++] = a;
    }
    size_t n = kept - mark;
    /* more arguments than a node holds: nested, which means the same */
    while (n > UINT16_MAX) {
        size_t out = mark;
        for (size_t i = 0; i < n; i += UINT16_MAX)
            pool->list.at[out++] = rcp_formula_apply(pool, RCP_SORT_BOOL, name, pool->list.at + mark + i,
                                                     n - i < UINT16_MAX ? n - i : UINT16_MAX);
        n = out - mark;
    }
    result = !n       ? neutral
             : n == 1 ? pool->list.at[mark]
                      : rcp_formula_apply(pool, RCP_SORT_BOOL, name, pool->list.at + mark, n);
    pool->list.len = mark;
    return result;
}

rcp_formula rcp_formula_all(rcp_formulas *pool, size_t mark) { return close(pool, mark, "and", RCP_FALSE); }
rcp_formula rcp_formula_any(rcp_formulas *pool, size_t mark) { return close(pool, mark, "or", RCP_TRUE); }

rcp_formula rcp_formula_sum(rcp_formulas *pool, size_t mark) {
    size_t n = pool->list.len - mark;
    rcp_formula result = !n       ? rcp_formula_literal(pool, RCP_SORT_INT, 0)
                         : n == 1 ? pool->list.at[mark]
                                  : rcp_formula_apply(pool, RCP_SORT_INT, "+", pool->list.at + mark, n);
    pool->list.len = mark;
    return result;
}

rcp_formula rcp_formula_and(rcp_formulas *pool, rcp_formula a, rcp_formula b) {
    size_t mark = pool->list.len;
    rcp_formula_push(pool, a);
    rcp_formula_push(pool, b);
    return rcp_formula_all(pool, mark);
}

rcp_formula rcp_formula_or(rcp_formulas *pool, rcp_formula a, rcp_formula b) {
    size_t mark = pool->list.len;
    rcp_formula_push(pool, a);
    rcp_formula_push(pool, b);
    return rcp_formula_any(pool, mark);
}

rcp_formula rcp_formula_implies(rcp_formulas *pool, rcp_formula a, rcp_formula b) {
    if (a.v == RCP_FALSE.v || b.v == RCP_TRUE.v)
        return RCP_TRUE;
    if (a.v == RCP_TRUE.v)
        return b;
    if (b.v == RCP_FALSE.v)
        return rcp_formula_not(pool, a);
    return rcp_formula_apply2(pool, RCP_SORT_BOOL, "=>", a, b);
}

rcp_formula rcp_formula_ite(rcp_formulas *pool, rcp_formula condition, rcp_formula a, rcp_formula b) {
    if (rcp_formula_is_literal(pool, condition))
        return condition.v == RCP_TRUE.v ? a : b;
    if (a.v == b.v)
        return a;
    unsigned sort = rcp_formula_borrow(pool, a)->sort;
    if (sort == RCP_SORT_BOOL && a.v == RCP_TRUE.v)
        return rcp_formula_or(pool, condition, b);
    if (sort == RCP_SORT_BOOL && b.v == RCP_FALSE.v)
        return rcp_formula_and(pool, condition, a);
    return rcp_formula_apply(pool, sort, "ite", (const rcp_formula[]){condition, a, b}, 3);
}

rcp_formula rcp_formula_equal(rcp_formulas *pool, rcp_formula a, rcp_formula b) {
    if (a.v == b.v)
        return RCP_TRUE;
    if (rcp_formula_is_literal(pool, a) && rcp_formula_is_literal(pool, b))
        return RCP_FALSE; /* hash-consed: equal ones are one */
    if (rcp_formula_borrow(pool, a)->sort == RCP_SORT_BOOL) {
        if (rcp_formula_is_literal(pool, a))
            return a.v == RCP_TRUE.v ? b : rcp_formula_not(pool, b);
        if (rcp_formula_is_literal(pool, b))
            return b.v == RCP_TRUE.v ? a : rcp_formula_not(pool, a);
    }
    /* a choice between literals, as comparisons leave them */
    const rcp_formula_node *node = rcp_formula_borrow(pool, a);
    if (rcp_formula_is_literal(pool, b) && node->op == RCP_F_APPLY && !strcmp(node->name, "ite")) {
        rcp_formula condition = {pool->args.at[node->args]}, one = {pool->args.at[node->args + 1]},
                    two = {pool->args.at[node->args + 2]};
        if (rcp_formula_is_literal(pool, one) && rcp_formula_is_literal(pool, two))
            return one.v == b.v ? condition : two.v == b.v ? rcp_formula_not(pool, condition) : RCP_FALSE;
    }
    return rcp_formula_apply2(pool, RCP_SORT_BOOL, "=", a, b);
}

void rcp_formula_assert(rcp_formulas *pool, rcp_formula a, const char *comment) {
    if (a.v == RCP_TRUE.v)
        return;
    rcp_assertion assertion = {a, rcp_arena_copy(&pool->memory, comment, strlen(comment) + 1)};
    rcp_vec_push(&pool->assertions, assertion);
}
