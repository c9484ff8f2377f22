/* SPDX-License-Identifier: Apache-2.0 */
/* The core's part of the baton: passing it on, and stopping before an event; what interceptors use is in runtime.h.
 *
 * Who is next is the policy's to say (policy.h), and what a thread's states mean is thread.h's. Owns nothing: the state
 * is rcp_baton.
 */
#ifndef RECIPE_RUNTIME_BATON_H
#define RECIPE_RUNTIME_BATON_H

#include "runtime/thread.h"

/* Before the event that is `left` before the end of what is reserved: whatever made the thread stop is seen to.
 * True where others or handlers ran meanwhile. */
bool rcp_thread_stop(rcp_thread *self, uint32_t left);
/* Before its end, inside: a witness may have it stand here, too. */
void rcp_thread_stop_at_end(rcp_thread *self);
/* Sets hot->limit by what the policy allows. */
void rcp_thread_set_limit(rcp_thread *self);

/* Under the lock. `ready`: it may be chosen from now on. */
void rcp_baton_ready(rcp_thread *thread);
void rcp_baton_pass(rcp_thread *from, rcp_thread_state state); /* the holder gives it up, and the policy chooses */
void rcp_baton_pick(void);                                     /* nobody holds it: the policy chooses */
/* By a thread that is READY or whose turn it may be already, lock not held: returns as the holder. */
void rcp_baton_await(rcp_thread *self);
void rcp_baton_wake_all(uint64_t key);    /* lock held */
void rcp_baton_steal(rcp_thread *holder); /* lock held; the watchdog */
/* In the child of a fork: the calling thread is the only one. */
void rcp_baton_keep_only(rcp_thread *self);

#endif
