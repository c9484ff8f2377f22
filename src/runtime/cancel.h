/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation with waits that are ours.
 *
 * pthread_cancel always marks the thread for real, and unwinding is always libc's. What is ours is when:
 *   - A real cancellation point that runs outside (a call between rcp_give and rcp_take, or one that nobody intercepts)
 *     acts by itself: libc's signal for it hits nothing else, because libc is told that every thread is cancelled at
 *     such points only, and the runtime waits by system calls of its own.
 *   - A wait of ours that is a cancellation point natively (condition variables, semaphores, joins) begins with
 *     rcp_cancel_point; pthread_cancel ends such a wait by rcp_interrupt, and the waiter comes to rcp_cancel_point
 * again when it has what POSIX wants it to have: after pthread_cond_wait the mutex.
 *   - An interceptor that calls a real cancellation point inside says rcp_cancel_point before: there libc must not act,
 *     the thread would run on as one that is inside.
 *   - A thread that wants to be cancelled asynchronously is stopped like one that a signal has hit: before its next
 * event.
 *
 * Acting on a cancel has no event in the trace; a note in the log tells that it happened.
 */
#ifndef RECIPE_RUNTIME_CANCEL_H
#define RECIPE_RUNTIME_CANCEL_H

#include "runtime/runtime.h"

/* Does not return where a cancel is due. The caller is inside, and outside code could be unwound from where it stands.
 */
void rcp_cancel_point(rcp_thread *self);
bool rcp_cancel_is_due(const rcp_thread *self);
/* Outside, where handlers of signals run: acts if the thread takes cancels at any time. */
void rcp_cancel_run(rcp_thread *self);

#endif
