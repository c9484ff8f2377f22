/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses inside calls outside are no events, so no model compares them with anything. Where such a call may touch
 * memory that another thread writes, and nothing orders the two, there may be a race that nobody looks for: here those
 * calls are counted, by function, for the report.
 *
 * Compared are memory in the call's reach and the other's write (or its read, where it shows that code outside wrote
 * there), by the order that every execution has without opaque code (predict/facts/must.h) and by locks
 * (predict/facts/holding.h). Memory that others than the process can see is left out: it is in every call's reach.
 *
 * Invariant: a function and a place in the program are counted once. Of many calls of one kind the first ones are
 * compared, then fewer and fewer: what is counted is at least so many. Borrows what it is made with.
 */
#ifndef RECIPE_PREDICT_FACTS_INSIDE_H
#define RECIPE_PREDICT_FACTS_INSIDE_H

#include "predict/facts/holding.h"
#include "predict/facts/must.h"

typedef struct rcp_inside rcp_inside;

/* A function that was called, and how many places of other threads its calls may race with. */
typedef struct rcp_inside_count {
    rcp_str callee;
    uint64_t places;
} rcp_inside_count;

typedef RCP_VEC(rcp_inside_count) rcp_inside_counts;

/* `order` and `holding` have every event that is spoken of here. */
rcp_inside *rcp_inside_create(const rcp_run_facts *facts, const rcp_must *order, rcp_holding *holding);
/* What was counted goes to `counts`, which are the caller's; NULL: nowhere. */
void rcp_inside_destroy(rcp_inside *inside, rcp_inside_counts *counts);
/* An OPAQUE_BEGIN or OPAQUE_END. True: it begins a call that all earlier accesses in its reach are now to be compared
 * with, by rcp_inside_earlier(). */
bool rcp_inside_call(rcp_inside *inside, uint32_t event, uint32_t situation);
void rcp_inside_earlier(rcp_inside *inside, uint32_t access, uint32_t situation);
/* An access, against the calls before it. */
void rcp_inside_later(rcp_inside *inside, uint32_t access, uint32_t situation);

#endif
