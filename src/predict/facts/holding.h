/* SPDX-License-Identifier: Apache-2.0 */
/* What locks a thread holds, and what it has acquired since it took each of them (its acquisition history; Kahlon,
 * Ivančić and Gupta: Reasoning about threads communicating via locks, CAV 2005). Interned: the same situation has the
 * same number, and whether two situations can occur at the same time is computed once.
 *
 * Invariant: situation 0 is 'holds nothing'. Modes are kept: two shared holds of one lock exclude nothing. Owns its
 * memory; borrows the trace.
 */
#ifndef RECIPE_PREDICT_FACTS_HOLDING_H
#define RECIPE_PREDICT_FACTS_HOLDING_H

#include "base/map.h"
#include "trace/model/trace.h"

typedef enum rcp_encounter {
    RCP_CAN_MEET,
    RCP_COMMON_LOCK,     /* both hold a lock that only one can */
    RCP_CROSSED_HISTORY, /* each has acquired, while holding its own lock, the one that the other holds to the end */
} rcp_encounter;

typedef struct rcp_holding rcp_holding;

rcp_holding *rcp_holding_create(const rcp_trace *trace);
void rcp_holding_destroy(rcp_holding *holding);
/* Every event, in the recorded order. Returns the situation of its thread just before it. */
uint32_t rcp_holding_add(rcp_holding *holding, const rcp_event *event);
/* The same locks, whatever was acquired since? */
bool rcp_holding_same_locks(const rcp_holding *holding, uint32_t one, uint32_t other);
rcp_encounter rcp_holding_meet(rcp_holding *holding, uint32_t one, uint32_t other);

#endif
