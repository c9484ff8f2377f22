/* SPDX-License-Identifier: Apache-2.0 */
/* How recorded threads begin and end: numbered by their creator, heard of by the log, given a stack of ours; adopted
 * where nobody saw them begin, buried where nobody saw them end.
 *
 * Invariant: a thread is in rcp_baton.all from its creation until it has ended and was joined or detached; its number
 * names it in the log for good.
 */
#ifndef RECIPE_RUNTIME_LIFECYCLE_H
#define RECIPE_RUNTIME_LIFECYCLE_H

#include "runtime/thread.h"

void rcp_thread_start_main(void);
/* By the parent, inside. The child is numbered, and can be chosen once rcp_thread_created has said so. */
rcp_thread *rcp_thread_create(rcp_thread *parent, uint64_t stack_size);
void rcp_thread_cancel_create(rcp_thread *child); /* the real creation failed: as if it had never been */
void rcp_thread_created(rcp_thread *child, pthread_t id, bool detached);
/* First and last thing that the child does. */
void rcp_thread_begin(rcp_thread *child);
void rcp_thread_end(rcp_thread *self);
/* It was joined or detached. */
void rcp_thread_forget(rcp_thread *thread);
/* A thread that we did not see begin enters instrumented code: it gets a recipe stack, and a number if we record. */
void rcp_thread_adopt(void);
/* Somebody must look at who waits (watchdog.h), also while there is but one thread. */
void rcp_thread_watch(void);
/* The holder's system thread is gone without a word: the lock is held. */
void rcp_thread_bury(rcp_thread *thread);

#endif
