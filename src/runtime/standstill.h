/* SPDX-License-Identifier: Apache-2.0 */
/* Where a witness of a deadlock ends: threads stand, each right before a call that takes a lock (abi/run.h, `stand`).
 *
 * One after the other makes its call, and must wait in it, for good: with a deadline, or where it gets the lock, it was
 * none. When all of them wait, and each for what another one of them has, nobody can let them go on, whatever the other
 * threads do: that is the deadlock, and the process is ended. Where it is not known who has a lock (one that is held to
 * read, a semaphore) the others run free, and it is one only where in the end every thread waits (deadlock.h), and
 * these still do.
 *
 * All functions are called under the baton's lock. DIR/outcome is borrowed from follow.c.
 */
#ifndef RECIPE_RUNTIME_STANDSTILL_H
#define RECIPE_RUNTIME_STANDSTILL_H

#include "runtime/choice.h"

/* All must stand before their calls now: the verdict is REACHED, or this does not return. */
void rcp_standstill_begin(const struct rcp_run_config *config, struct rcp_run_outcome *outcome);
/* Who goes on, into its call. False: all of them wait, and nobody is led any more. */
bool rcp_standstill_choose(rcp_choice *choice);
/* Every thread waits for good. Where all of them do since they were led there, that is what was looked for. */
void rcp_standstill_conclude(void);
/* The one that makes its call does not come back, and is not seen to wait either. */
_Noreturn void rcp_standstill_give_up(void);

#endif
