/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody is left out at the end. Where main returns, or anybody calls exit() or its kin, while other threads could run,
 * these run first: each until it waits, sleeps, ends or has had as many events as the configuration's `last_events`.
 * That is a schedule like any other, and what they do is in the recording then. Nobody is waited for in real time, but
 * who sleeps and wakes up within the configuration's `last_sleep`: a slower run of the program would have had it run.
 * It comes before the first exit handler, and while main's variables are there: the pass puts a call of
 * __recipe_linger() in front of main's returns (instrument/linger.h). A main that is not recorded has none: there it
 * comes after main's return, when its variables are gone, and before what libc does then. Threads that are made in exit
 * handlers and destructors get their turn after the last of those.
 *
 * Whoever ends the process meanwhile ends it so.
 */
#ifndef RECIPE_RUNTIME_LINGER_H
#define RECIPE_RUNTIME_LINGER_H

#include "runtime/runtime.h"

struct rcp_run_config;
void rcp_linger_start(const struct rcp_run_config *config);
/* By a thread that is about to end the process. */
void rcp_linger(void);
/* By one that is inside already. */
void rcp_linger_inside(rcp_thread *self);
/* The same, called by main before it returns. */
void __recipe_linger(void);

#endif
