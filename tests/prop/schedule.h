/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules as lists of event numbers, and ways to get new ones: at random, and by small changes to a feasible one.
 * Most results are not feasible; all keep program order and execute a prefix of each thread.
 *
 * The caller owns a schedule; it holds at most 64 events.
 */
#ifndef RECIPE_PROP_SCHEDULE_H
#define RECIPE_PROP_SCHEDULE_H

#include "prop/random.h"
#include "trace/model/trace.h"
#include "trace/model/witness.h"

typedef struct rcp_schedule {
    uint8_t at[64];
    uint32_t len;
} rcp_schedule;

void rcp_schedule_of_witness(const rcp_trace *trace, const rcp_witness *witness, rcp_schedule *schedule);
/* `witness` is initialised; its old steps go. No race is claimed. Of a beginning that is as recorded, at most
 * `recorded` events are said that way. */
void rcp_schedule_to_witness(const rcp_trace *trace, const rcp_schedule *schedule, uint32_t recorded,
                             rcp_witness *witness);
/* The events in the order in which they were observed. */
void rcp_schedule_observed(const rcp_trace *trace, rcp_schedule *schedule);
/* A random merge of random prefixes. */
void rcp_schedule_merge(const rcp_trace *trace, rcp_random *random, rcp_schedule *schedule);
/* Swaps two neighbours, moves an event, takes one away (with all that follow in its thread), or adds a thread's next
 * one. */
void rcp_schedule_mutate(const rcp_trace *trace, rcp_random *random, rcp_schedule *schedule);
/* Two threads' next events after the schedule; false if there are none. */
bool rcp_schedule_next_pair(const rcp_trace *trace, rcp_random *random, const rcp_schedule *schedule, rcp_eid pair[2]);

#endif
