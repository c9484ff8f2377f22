/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 004's optimisation of D (section 3.2.1), for comparison: where an object leads is looked for once, and changed
 * by recorded writes alone. What code that is not recorded has written into it is not followed, so a call may reach
 * more than this says: the paper calls it unsound, and so it is.
 *
 * Invariant: a tree holds an object's words as they were, but for recorded writes. Ownership: trees own their bytes.
 */
#ifndef RECIPE_PROGRAM_REACH_TREES_H
#define RECIPE_PROGRAM_REACH_TREES_H

#include "base/map.h"
#include "base/vec.h"
#include "program/machine/space.h"

typedef struct rcp_tree {
    uint64_t lo, hi; /* whole words */
    uint8_t *bytes;
    RCP_VEC(uint64_t) leading; /* offsets of the words that lead somewhere */
} rcp_tree;

typedef struct rcp_trees {
    rcp_map index; /* an object's key → at */
    RCP_VEC(rcp_tree) at;
    rcp_map missed_index; /* address of a granule → missed: what code outside left there */
    RCP_VEC(uint64_t) missed;
} rcp_trees;

/* True: the word leads somewhere. */
typedef bool rcp_tree_follow(void *context, uint64_t word);

void rcp_trees_init(rcp_trees *trees);
void rcp_trees_finish(rcp_trees *trees);
/* Follows the words of the object `key`, which lies at [lo, hi). */
void rcp_trees_walk(rcp_trees *trees, rcp_space *space, uint64_t key, uint64_t lo, uint64_t hi, rcp_tree_follow *follow,
                    void *context);
/* The line at `address` is about to become `bytes`, and no recorded write did that. */
void rcp_trees_miss(rcp_trees *trees, rcp_space *space, uint64_t address, const uint8_t bytes[64]);

#endif
