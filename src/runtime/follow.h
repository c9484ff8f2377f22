/* SPDX-License-Identifier: Apache-2.0 */
/* Following a schedule, step by step; and a witness, which is a schedule that ends with two accesses, both next in
 * their threads.
 *
 * A step names a thread and how far it goes. It is over when the thread stands before the event `until`, blocks or has
 * ended there. Where the thread is away before that (a read that has not returned yet), everybody waits for it: so it
 * was when this was recorded. While a schedule is followed, the clock decides nothing: a wait with a deadline ends by
 * it where the schedule says that its thread goes on and nobody has woken it, and only there.
 *
 * Handlers of signals that were recorded begin where the schedule has them: a signal that comes earlier is held back,
 * and where it has not come yet its thread waits for it. That is possible of any signal but those that a thread causes
 * itself, which come where they came. A signal that finds its thread in a call without the baton is not held back,
 * because it has ended what the thread waits in.
 *
 * A schedule that can't be followed is left to round-robin, with a note. A witness that can't ends the process: what it
 * has shown until then would be another execution. DIR/outcome (abi/run.h) says how far it came.
 *
 * All functions but those for signals are called under the baton's lock.
 */
#ifndef RECIPE_RUNTIME_FOLLOW_H
#define RECIPE_RUNTIME_FOLLOW_H

#include "runtime/choice.h"

void rcp_follow_start(const struct rcp_run_config *config, const struct rcp_run_step *steps);
/* DIR/outcome, with what is beside the way; and what a guess that misses its end is steered by. */
void rcp_follow_tell(struct rcp_run_outcome *outcome, const struct rcp_run_place *watched);
/* Gives the thread its role. */
void rcp_follow_created(rcp_thread *thread);

/* Is a schedule being followed? Also without the lock. */
bool rcp_follow_is_on(void);
/* The step that is carried out asks nothing more of the thread, which waits in a call: it had the baton when it was
 * recorded, and did not go on. It may wait again. */
bool rcp_follow_stays(const rcp_thread *self);
/* And is it a witness? */
bool rcp_follow_is_witness(void);
/* As rcp_policy_choose; false: it is followed no more, and somebody else must choose. */
bool rcp_follow_choose(rcp_thread *last, rcp_policy_why why, rcp_choice *choice);
/* `last` gave the baton up, and nobody is READY: who waits until a deadline, and has the next step, may still be
 * chosen. A witness in which nobody can go on any more is lost here and now. */
void rcp_follow_choose_waiting(rcp_thread *last, rcp_policy_why why, rcp_choice *choice);
/* Every thread waits for another, for good: a run with a witness ends here, unless it is to be looked at as a run. */
void rcp_follow_deadlock(const char *waits);
/* Without a word: in the child of a fork. */
void rcp_follow_end(void);
/* A witness goes on in the child of this fork: in the child, and in its parent, which runs free from here on. */
void rcp_follow_pass_on(void);
void rcp_follow_leave(void);
/* A witness goes on no more, for what this says. */
void rcp_follow_abandon(const char *why);
/* There is nothing more to feed a witness that has been shown with: the run ends here. */
void rcp_follow_starve(void);
/* Is a schedule followed that nobody has proven? */
bool rcp_follow_is_guess(void);
/* The thread that it waits for does not come. */
void rcp_follow_give_up(void);
/* Of those that wait on the key, the one that the schedule needs first; NULL: it needs none, or none is followed. */
rcp_thread *rcp_follow_prefers(rcp_thread *first, uint64_t key);
/* --- signals: by the thread itself, where nothing else is said --- */

/* Must it wait, because a handler is due elsewhere? `position` as below; UINT64_MAX: it is in instrumented code. */
bool rcp_follow_holds(const rcp_thread *self, int signal, uint64_t position);
/* The schedule has the handler of this signal (0: of any) begin at that position of the thread's. By anybody. */
bool rcp_follow_is_due(const rcp_thread *thread, int signal, uint64_t position);
/* It stands before the event of self->at, its signal has not come, and its step leads on, or into the handler. */
bool rcp_follow_awaits(const rcp_thread *self);
/* A handler begins at this position. */
void rcp_follow_handles(rcp_thread *self, int signal, uint64_t position);
/* Up to where may it run before a handler is due? */
uint64_t rcp_follow_next_handler(const rcp_thread *self);
/* Whom the schedule has handle this signal next, which `self` does not; NULL: nobody is known. */
const rcp_thread *rcp_follow_whose(const rcp_thread *self, int signal);
/* Is the thread whose turn it is waited for, until its signal comes? With the lock. */
bool rcp_follow_awaits_signal(void);

/* Is it a run to which nobody will connect but itself? Also without the lock. */
bool rcp_follow_is_alone(void);
/* And is the thread whose turn it is in accept()? */
bool rcp_follow_awaits_client(void);

/* Milliseconds to wait for a thread that is away; 0: as the watchdog thinks. UINT32_MAX: for ever. */
uint32_t rcp_follow_patience(void);

#endif
