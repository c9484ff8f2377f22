/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait: who waits for what, and whether all of them do. Owns nothing. */
#ifndef RECIPE_RUNTIME_WAITS_H
#define RECIPE_RUNTIME_WAITS_H

#include "runtime/say.h"
#include "runtime/thread.h"

/* Under the baton's lock: "thread 0.1 waits in pthread_mutex_lock on 0x… (m)". Not by the watchdog: it asks libc. */
void rcp_waits_describe(const rcp_thread *thread, rcp_say *line);

/* Under the baton's lock: does everybody wait, and nobody for a time or with something to handle? */
bool rcp_waits_for_ever(void);

#endif
