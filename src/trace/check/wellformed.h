/* SPDX-License-Identifier: Apache-2.0 */
/* Is the recorded trace itself an execution? docs/semantics.md, applied to the observed order: threads,
 * synchronisation, lives, the value of every valued read against the last write, every term against what was recorded.
 *
 * Streaming: events come in order, one at a time; memory grows with the live words, threads and objects, and with the
 * bytes of the reads (about 1 byte per event and the bytes that were read), because a term may name any of them later.
 * A trace that was cut off, with locks held and threads asleep, is fine.
 *
 * Invariant: a fault does not stop the check; an event that breaks a rule of synchronisation is taken as not
 * executed, so one fault can bring others after it. The check owns the faults and borrows definitions and terms,
 * which may grow.
 */
#ifndef RECIPE_TRACE_CHECK_WELLFORMED_H
#define RECIPE_TRACE_CHECK_WELLFORMED_H

#include "trace/store/reader.h"
#include "trace/model/trace.h"

typedef struct rcp_fault {
    rcp_eid eid;
    rcp_tid tid;
    rcp_loc loc;
    char reason[256];
} rcp_fault;

typedef struct rcp_wellformed rcp_wellformed;

/* How many faults are kept; the rest is only counted. */
#define RCP_FAULTS_KEPT 100

rcp_wellformed *rcp_wellformed_create(const rcp_defs *defs, const rcp_terms *terms);
void rcp_wellformed_destroy(rcp_wellformed *check);
/* The next event, which passed rcp_event_validate(); `eid` counts up from 0. Fails only where a limit is reached. */
rcp_code rcp_wellformed_add(rcp_wellformed *check, rcp_eid eid, const rcp_event *event) RCP_MUST_USE;
/* All events of a reader, from its beginning, or as many as there is time for (base/deadline.h); *n of them. */
rcp_code rcp_wellformed_read(rcp_wellformed *check, rcp_reader *reader, uint64_t *n) RCP_MUST_USE;
/* No more events. How many faults there were; 0: well-formed. */
uint64_t rcp_wellformed_finish(rcp_wellformed *check);
/* Fault `i` in the order found, NULL past the last one kept. Borrowed until the check is destroyed or added to. */
const rcp_fault *rcp_wellformed_borrow(const rcp_wellformed *check, size_t i);

#endif
