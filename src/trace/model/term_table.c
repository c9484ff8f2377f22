/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/term_table.h"

#include "base/hash.h"
#include "trace/model/term.h"

#include <string.h>

/* As many slots as a cache line of the processor has. Half of them are in use where each term has one younger one that
 * is made of it. */
enum { LINE = 8, NEIGHBOURS = 4, FIRST_FAR = 64, LITERALS = 1 << 12 };

void rcp_term_table_finish(rcp_term_table *table) {
    rcp_vec_finish(&table->near);
    rcp_vec_finish(&table->reads);
    rcp_release(table->far);
    rcp_release(table->literals);
    *table = (rcp_term_table){0};
}

static bool same(const rcp_term_node *x, const rcp_term_node *y) {
    return x->op == y->op && x->width == y->width && x->a == y->a && x->word == y->word;
}

static uint64_t hash_of(const rcp_term_node *node) {
    uint64_t head = (uint64_t)node->op << 40 | (uint64_t)node->width << 32 | node->a;
    return rcp_hash_join(head, node->word);
}

/* Nodes are far apart in memory: one is looked at only where it is likely the one. */
static bool is_it(uint64_t slot, uint64_t hash, const rcp_term_node *nodes, const rcp_term_node *node) {
    return slot >> 32 == hash >> 32 && same(&nodes[(uint32_t)slot - 1], node);
}

/* Where it is in `far`, or the empty slot where it belongs. Its place is by the half of the hash that slots keep. */
static uint64_t *far_slot(const rcp_term_table *table, uint64_t hash, const rcp_term_node *nodes,
                          const rcp_term_node *node) {
    for (size_t i = hash >> 32 & table->far_mask;; i = (i + 1) & table->far_mask) {
        uint64_t slot = table->far[i];
        if (!slot || is_it(slot, hash, nodes, node))
            return &table->far[i];
    }
}

static void grow_far(rcp_term_table *table) {
    size_t slots = table->far ? (table->far_mask + 1) * 2 : FIRST_FAR;
    uint64_t *old = table->far;
    size_t n = old ? table->far_mask + 1 : 0;
    table->far = rcp_alloc_zero(slots, sizeof *table->far);
    table->far_mask = slots - 1;
    for (size_t i = 0; i < n; i++) {
        size_t at = old[i] >> 32 & table->far_mask;
        while (old[i] && table->far[at])
            at = (at + 1) & table->far_mask;
        if (old[i])
            table->far[at] = old[i];
    }
    rcp_release(old);
}

static uint32_t enter_far(rcp_term_table *table, uint64_t hash, const rcp_term_node *nodes, const rcp_term_node *node,
                          uint32_t number) {
    if (!table->far || table->far_len * 4 >= (table->far_mask + 1) * 3)
        grow_far(table);
    uint64_t *slot = far_slot(table, hash, nodes, node);
    if (!*slot) {
        *slot = hash >> 32 << 32 | number;
        table->far_len++;
    }
    return (uint32_t)*slot;
}

/* The same few literals are wanted again and again: most are found without a look into the large table. */
static uint32_t enter_literal(rcp_term_table *table, uint64_t hash, const rcp_term_node *nodes,
                              const rcp_term_node *node, uint32_t number) {
    if (!table->literals)
        table->literals = rcp_alloc_zero(LITERALS, sizeof *table->literals);
    uint64_t *slot = &table->literals[hash & (LITERALS - 1)];
    if (!*slot || !is_it(*slot, hash, nodes, node))
        *slot = hash >> 32 << 32 | enter_far(table, hash, nodes, node, number);
    return (uint32_t)*slot;
}

/* The first of `reads` whose event is not before this one. */
static size_t read_at(const rcp_term_table *table, const rcp_term_node *nodes, uint64_t event) {
    size_t low = 0, high = table->reads.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (nodes[table->reads.at[middle] - 1].word < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t enter_read(rcp_term_table *table, uint64_t hash, const rcp_term_node *nodes, const rcp_term_node *node,
                           uint32_t number) {
    size_t n = table->reads.len;
    uint64_t last = n ? nodes[table->reads.at[n - 1] - 1].word : 0;
    for (size_t i = n && node->word <= last ? read_at(table, nodes, node->word) : n; i < n; i++) {
        const rcp_term_node *other = &nodes[table->reads.at[i] - 1];
        if (other->word != node->word)
            break;
        if (same(other, node))
            return table->reads.at[i];
    }
    if (node->word < last)
        return enter_far(table, hash, nodes, node, number);
    rcp_vec_push(&table->reads, number);
    return number;
}

static uint64_t *line_of(rcp_term_table *table, const rcp_term_node *node) {
    uint32_t youngest = node->a > node->b ? node->a : node->b; /* EXTRACT: or its low bit, if that is more */
    youngest = youngest > node->c ? youngest : node->c;
    size_t line = (size_t)(youngest / NEIGHBOURS) * LINE;
    if (line >= table->near.len) {
        size_t more = line + LINE - table->near.len;
        memset(rcp_vec_extend(&table->near, more), 0, more * sizeof *table->near.at);
    }
    return &table->near.at[line];
}

uint32_t rcp_term_table_enter(rcp_term_table *table, const rcp_term_node *nodes, const rcp_term_node *node,
                              uint32_t number) {
    uint64_t hash = hash_of(node);
    if (node->op == RCP_OP_CONST)
        return enter_literal(table, hash, nodes, node, number);
    if (node->op == RCP_OP_READ)
        return enter_read(table, hash, nodes, node, number);
    uint64_t *line = line_of(table, node);
    for (unsigned i = 0; i < LINE; i++) {
        if (!line[i]) {
            line[i] = hash >> 32 << 32 | number;
            return number;
        }
        if (is_it(line[i], hash, nodes, node))
            return (uint32_t)line[i];
    }
    return enter_far(table, hash, nodes, node, number);
}
