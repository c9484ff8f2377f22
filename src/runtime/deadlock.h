/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock of the program: nobody has the baton, nobody is READY, and nobody can become so by himself.
 *
 * It is said once, on standard error and in the log; then the program waits as it would natively: a signal may rescue
 * it. A replay of a program that handles no signal is over then.
 */
#ifndef RECIPE_RUNTIME_DEADLOCK_H
#define RECIPE_RUNTIME_DEADLOCK_H

#include "runtime/say.h"
#include "runtime/thread.h"

/* Under the baton's lock: "thread 0.1 waits in pthread_mutex_lock on 0x… (m)". */
void rcp_deadlock_describe(const rcp_thread *thread, rcp_say *line);

/* Under the baton's lock, by whoever had the baton last. True: there is one, and it was said now. */
bool rcp_deadlock_look(void);
/* The same where one of them waits on that key, which somebody outside could wake: that is no deadlock. */
bool rcp_deadlock_is_starved(uint64_t key);

#endif
