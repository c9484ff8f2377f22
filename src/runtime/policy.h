/* SPDX-License-Identifier: Apache-2.0 */
/* Who runs next, and how far: the one interface of the scheduler's policies.
 *
 * A policy is asked whenever the baton is free: a thread has run as far as it might, blocked, ended, yielded, or was
 * robbed. It sees threads, their positions (`at`) and who is READY; it answers with a thread and the position before
 * which that thread runs undisturbed. It never sees a clock or an address, so its answers are a function of the seed
 * and of what the program did. A witness is carried out the same way: RCP_POLICY_FILE's steps are 'this thread, up to
 * there'.
 *
 * All functions are called under the baton's lock, by one thread at a time.
 */
#ifndef RECIPE_RUNTIME_POLICY_H
#define RECIPE_RUNTIME_POLICY_H

#include "runtime/choice.h"

void rcp_policy_start(const struct rcp_run_config *config, const struct rcp_run_step *steps);
void rcp_policy_created(rcp_thread *thread);

/* `last` had the baton and stands at last->at; it is in the list of the READY (at its end) unless it is blocked. NULL:
 * nobody had. The list is not empty. */
rcp_choice rcp_policy_choose(rcp_thread *last, rcp_policy_why why);

/* `thread` has become READY while `holder` runs: shall the holder stop at its next event? */
bool rcp_policy_is_urgent(const rcp_thread *thread, const rcp_thread *holder);

/* Is it seen to that who waits by going round gives way? Also without the lock. */
bool rcp_policy_sees_waits(void);

/* The thread is about to end the process (linger.h): until it has the baton again whoever else is READY runs, as many
 * events as the configuration says. False: nobody is, and `anyway` is false; or another thread is about to end it
 * already. */
bool rcp_policy_linger(rcp_thread *thread, bool anyway);
/* It goes on. Who is there now has had its events, unless it is `but`. */
void rcp_policy_linger_end(const rcp_thread *but);

#endif
