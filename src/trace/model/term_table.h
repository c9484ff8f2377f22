/* SPDX-License-Identifier: Apache-2.0 */
/* Which terms of a pool there are already, by what they consist of.
 *
 * The naive model is a hash table over the pool's nodes. Of millions of terms each look-up would be a cache miss, and
 * re-execution spent half of its time there. But what is computed is mostly computed of what was computed just now: so
 * a term stands near its youngest argument, in one of a few slots that so many neighbours of the argument have together
 * (a line). Reads are told in the order of their events, so they are a list. Only literals, reads that come later than
 * their place in that list, and what a full line has no room for stand in a hash table (`far`).
 *
 * Invariant: a slot is 0, or the upper half of the node's hash above 1 + the node's index. A line is filled from its
 * first slot on. The table owns its slots; nodes are the pool's.
 */
#ifndef RECIPE_TRACE_MODEL_TERM_TABLE_H
#define RECIPE_TRACE_MODEL_TERM_TABLE_H

#include "base/vec.h"

#include <stdint.h>

struct rcp_term_node;

typedef struct rcp_term_table {
    RCP_VEC(uint64_t) near;
    RCP_VEC(uint32_t) reads; /* 1 + the index of nodes whose events ascend */
    uint64_t *far;
    size_t far_len, far_mask; /* far_mask + 1 slots; none while `far` is NULL */
    uint64_t *literals;       /* slots of `far` that were found last; NULL: none was looked for */
} rcp_term_table;

void rcp_term_table_finish(rcp_term_table *table);

/* 1 + the index of the node that equals `node`; where there is none, `number`, which is put there. `nodes`: the pool's.
 */
uint32_t rcp_term_table_enter(rcp_term_table *table, const struct rcp_term_node *nodes,
                              const struct rcp_term_node *node, uint32_t number);

#endif
