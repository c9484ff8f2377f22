/* SPDX-License-Identifier: Apache-2.0 */
/* Vindication (seed 002, section 6): is a pair that an order leaves unordered a predictable race? Three answers: a
 * race, with a witness that the checker accepted under 'same last writer'; none, because no schedule can be; or
 * unknown.
 *
 * 1. Schedules that are as recorded but for what must move: up to the earlier access, or up to the critical section
 * that holds it, which then comes last. Far apart or not, most races have one, and it costs a pass over the trace.
 * 2. What any schedule must execute (order/proof/cone.h), and in which order (order/proof/saturate.h): a contradiction
 * refutes.
 * 3. Schedules of that and no more: greedily, in the recorded order, latest first, then in random orders of a fixed
 * seed.
 * 4. Where few events are concerned, all schedules (order/proof/search.h).
 *
 * What is refuted is no race under seed 002's definition; the value models may still have one there.
 *
 * Cost is counted in events looked at or executed by the checker, so that every machine decides the same.
 *
 * Invariant: nothing is called a race that the checker has not accepted. A vindicator borrows the trace, which is
 * indexed, and its checker; the caller owns the witnesses.
 */
#ifndef RECIPE_ORDER_PROOF_VINDICATE_H
#define RECIPE_ORDER_PROOF_VINDICATE_H

#include "trace/check/checker.h"

typedef enum rcp_vindication { RCP_IS_RACE, RCP_NO_RACE, RCP_UNKNOWN, RCP_VINDICATIONS } rcp_vindication;

typedef struct rcp_vindicator rcp_vindicator;

/* How it was decided, for statistics. */
typedef enum rcp_vindicated_by {
    RCP_BY_RECORDED, /* 1 */
    RCP_BY_CONE,     /* 2 */
    RCP_BY_GREEDY,   /* 3 */
    RCP_BY_SEARCH,   /* 4 */
    RCP_BY_NOTHING,
    RCP_BY_COUNT
} rcp_vindicated_by;

typedef struct rcp_vindicate_result {
    rcp_vindication outcome;
    rcp_vindicated_by by;
    rcp_witness witness; /* a race: the schedule; else empty */
    char why[200];       /* no race, unknown: in words */
} rcp_vindicate_result;

/* Runs wdp over the first `upto` events and keeps its graph: no later access can be asked about. */
rcp_code rcp_vindicator_create(const rcp_trace *trace, const rcp_checker *checker, uint64_t upto,
                               rcp_vindicator **vindicator) RCP_MUST_USE;
void rcp_vindicator_destroy(rcp_vindicator *vindicator);
/* Two accesses or FREEs of different threads, the earlier one first. *limit is how many events may be looked at; what
 * was is taken from it. */
rcp_code rcp_vindicate(rcp_vindicator *vindicator, rcp_eid earlier, rcp_eid later, uint64_t *limit,
                       rcp_vindicate_result *result) RCP_MUST_USE;
void rcp_vindicate_result_finish(rcp_vindicate_result *result);

#endif
