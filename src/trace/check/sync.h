/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation objects as state machines: locks, conditions, semaphores, barriers, once, their lives; and who
 * sleeps. Rules T5, L, C, S, B, O and J of docs/semantics.md. One step of one thread at a time; shared by the witness
 * checker and the well-formedness check, so that both mean the same by 'holds', 'woken' and 'complete'.
 *
 * It never looks ahead: which sleeper a SIGNAL wakes is left open until a WAKE needs one (see sync.c).
 *
 * Invariant: a step that is refused changes nothing. Owns its states; borrows the definitions, which may grow.
 */
#ifndef RECIPE_TRACE_CHECK_SYNC_H
#define RECIPE_TRACE_CHECK_SYNC_H

#include "trace/model/defs.h"
#include "trace/model/label.h"

typedef struct rcp_sync rcp_sync;

/* With `spurious` a WAKE needs no wake-up (C6). */
rcp_sync *rcp_sync_create(const rcp_defs *defs, bool spurious);
void rcp_sync_destroy(rcp_sync *sync);
/* The same states, to go another way from here. */
rcp_sync *rcp_sync_copy(const rcp_sync *sync);
/* The trace has an INIT of it: before that nothing may name it (J1). Who streams does not know, and is told at the
 * INIT. */
void rcp_sync_expect_init(rcp_sync *sync, rcp_obj object);

/* Executes the event as far as synchronisation goes; every event of every kind passes here. `alone`: a WAIT whose WAKE
 * in the trace is a timeout or spurious (C5); who streams does not know and passes false. False: refused, `why` says
 * it. */
bool rcp_sync_step(rcp_sync *sync, const rcp_event *event, bool alone, char why[RCP_REASON_ROOM]);
/* Could this ACQUIRE or SEM_WAIT (done) come next, but for whoever has it (J1, J2)? */
bool rcp_sync_may_name(rcp_sync *sync, const rcp_event *acquire, char why[RCP_REASON_ROOM]);
/* Has that thread the lock of this ACQUIRE (done), in a mode that excludes it (L1, L2)? Of a SEM_WAIT (done): is the
 * count 0, and has it taken more than it gave? */
bool rcp_sync_excludes(rcp_sync *sync, const rcp_event *acquire, rcp_tid tid);
/* Its last event was a WAIT. */
bool rcp_sync_sleeps(const rcp_sync *sync, rcp_tid tid);

#endif
