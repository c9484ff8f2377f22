/* SPDX-License-Identifier: Apache-2.0 */
/* What a whole trace says about its objects, from one pass ahead of the orders: who gives and how many take part.
 *
 * Where one thread alone posts a semaphore or signals a condition, its j-th post must come before anybody's j-th wait
 * (less the initial count); where a barrier has as many users as members, every generation is known. Only what is so in
 * the whole trace is so in every schedule of its events: an order that must not order too much (wdp) asks here.
 *
 * Invariant: the same trace, whole. Owns its table.
 */
#ifndef RECIPE_ORDER_ENGINE_FACTS_H
#define RECIPE_ORDER_ENGINE_FACTS_H

#include "trace/model/trace.h"

typedef struct rcp_object_facts {
    uint32_t giver;             /* 1 + the thread that posts, signals; 0: nobody so far */
    bool several;               /* givers */
    RCP_VEC(uint32_t) entrants; /* barrier: threads that enter it */
} rcp_object_facts;

typedef struct rcp_order_facts {
    RCP_VEC(rcp_object_facts) objects;
} rcp_order_facts;

void rcp_order_facts_init(rcp_order_facts *facts);
void rcp_order_facts_finish(rcp_order_facts *facts);
void rcp_order_facts_add(rcp_order_facts *facts, const rcp_event *events, size_t n);

/* Does one thread alone give (post, signal, broadcast)? */
static inline bool rcp_order_facts_one_giver(const rcp_order_facts *facts, uint32_t object) {
    return facts && object < facts->objects.len && facts->objects.at[object].giver &&
           !facts->objects.at[object].several;
}
/* Has the barrier as many users as members? */
static inline bool rcp_order_facts_all_enter(const rcp_order_facts *facts, uint32_t object, uint64_t members) {
    return facts && object < facts->objects.len && facts->objects.at[object].entrants.len == members;
}

#endif
