/* SPDX-License-Identifier: Apache-2.0 */
/* Races by static pair: what a person fixes once, however often it happened.
 *
 * A static pair is the unordered pair of both accesses' (source location, kind); where a location is unknown, the
 * address stands for it. Of each the table keeps, per model, how often it was flagged, the first few dynamic
 * instances, as they come, and as many of the others, picked at random with a fixed seed: some may have a witness where
 * others have none (seed 002's policy).
 *
 * Invariant: a pair has an instance under at least one model. The table owns everything.
 */
#ifndef RECIPE_ORDER_ENGINE_PAIRS_H
#define RECIPE_ORDER_ENGINE_PAIRS_H

#include "base/limits.h"
#include "base/map.h"
#include "order/engine/engine.h"

typedef struct rcp_pair_side {
    uint64_t place; /* the location, or where it is unknown the address with the top bit set */
    uint32_t kind;  /* rcp_kind; 256 more where it is atomic */
} rcp_pair_side;

typedef struct rcp_pair_instance {
    rcp_tid tid; /* the earlier access */
    rcp_position position;
    rcp_eid later;
} rcp_pair_instance;

typedef struct rcp_pair_flags {
    uint64_t count;
    rcp_pair_instance kept[]; /* as many as the limit order-instances: the first ones, then those that are picked */
} rcp_pair_flags;

typedef struct rcp_pair {
    rcp_pair_side side[2];
    rcp_pair_flags *by[RCP_MODELS]; /* NULL: that model does not flag it */
} rcp_pair;

typedef struct rcp_pairs {
    RCP_VEC(rcp_pair) at; /* in the order of their first instances */
    rcp_map by_hash;
    rcp_arena memory;
} rcp_pairs;

void rcp_pairs_init(rcp_pairs *pairs);
void rcp_pairs_finish(rcp_pairs *pairs);
void rcp_pairs_add(rcp_pairs *pairs, rcp_model model, const rcp_order_race *race);
/* Which static pair it is of; UINT32_MAX: none that is there. */
uint32_t rcp_pairs_look_up(const rcp_pairs *pairs, const rcp_order_race *race);
static inline size_t rcp_pair_kept(const rcp_pair_flags *flags) {
    size_t most = (size_t)rcp_limit(RCP_LIMIT_ORDER_INSTANCES);
    return !flags ? 0 : flags->count < most ? (size_t)flags->count : most;
}

#endif
