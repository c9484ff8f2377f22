/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock of the program: nobody has the baton, nobody is READY, and nobody can become so by himself.
 *
 * It is certain only where nobody else can end a wait either. So it is none where
 * - a thread waits in the kernel (AWAY), or has a deadline;
 * - the program handles a signal: whoever sends it may have it end a wait;
 * - there is a thread that nobody records (the C library has some for timers, asynchronous input and messages);
 * - a process was made that has this memory, or something has woken others unseen (rcp_wakes_unseen());
 * - what somebody waits for can be had;
 * - somebody waits, in a fed replay, for what comes from outside (peer.h): then the replay has starved.
 * What other processes can end is waited for in the kernel: objects that are shared, pipes, their ends.
 *
 * A recording ends then (RCP_ENDED_DEADLOCK), and so does a replay: the program would wait for ever. Where only a
 * signal could end it, that is said once, and the program waits as it would natively.
 *
 * The watchdog decides, under the baton's lock. It is a thread unknown to libc: nothing here may call that.
 */
#ifndef RECIPE_RUNTIME_DEADLOCK_H
#define RECIPE_RUNTIME_DEADLOCK_H

#include "runtime/thread.h"

/* What the process exits with then. */
enum { RCP_DEADLOCK_STATUS = 1 };

/* By the watchdog, under the baton's lock, while nobody has the baton. */
void rcp_deadlock_look(void);

#endif
