/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the baton from a thread that blocks in code that we do not know.
 *
 * A helper thread looks every few milliseconds at the holder, if others could run. It takes the baton where the holder
 * has been outside since the last look and sleeps in the kernel (or was found asleep in the same call a few times, with
 * signal handlers between), or has been outside for a second. A holder that merely
 * computes outside, or that the system has not let run, keeps it: else the schedule would depend on the machine's load.
 *
 * Where nobody has the baton it looks for a deadlock (deadlock.h).
 *
 * The helper is a bare clone, unknown to libc: it uses nothing but sys.h.
 */
#ifndef RECIPE_RUNTIME_WATCHDOG_H
#define RECIPE_RUNTIME_WATCHDOG_H

#include "runtime/thread.h"

void rcp_watchdog_set(uint32_t microseconds); /* between two looks; at the start */
/* When a second thread comes to be; then nothing. `bury`: called under the baton's lock with a holder whose system
 * thread is gone. */
void rcp_watchdog_start(void (*bury)(rcp_thread *holder));
void rcp_watchdog_forget(void); /* in the child of a fork: there is none */

#endif
