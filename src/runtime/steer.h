/* SPDX-License-Identifier: Apache-2.0 */
/* Steering (after Sen: Race Directed Random Testing of Concurrent Programs, PLDI 2008): where no exact schedule can be
 * followed, a thread that is about to touch a watched place is held before it while others go on, until another stands
 * before an access of its own to the same bytes, one of which writes, not both of which are atomic. Then both are next:
 * that is a race, shown by the run itself. Nothing is fed, and nobody is led: who runs otherwise is the policy's
 * choice.
 *
 * A thread is let go when it has met somebody (in every second run when it has met some more: whoever comes makes his
 * access, and the held one stands still before its own), when others have had so many events (giving way counts as
 * some), and when nobody else could run and none comes back within a moment, or, by the run's `patience`, within
 * longer: a timer's thread comes when its time has passed, and no sooner. Where a thread is held again and again for
 * nothing, that is done less and less often, by thread, place in memory and in the code, and kind of access; after so
 * many events of the run nobody is held any more, and it goes on at full speed. Where threads have met in runs before,
 * one is held once, and for a moment: whoever stands there does not come to where nobody has met yet.
 *
 * It decides who runs, and nothing else: no event is left out, no position changes, so the recording is one like every
 * other. What is met is written to DIR/outcome (abi/run.h). Owns its counters; places and outcome are borrowed.
 */
#ifndef RECIPE_RUNTIME_STEER_H
#define RECIPE_RUNTIME_STEER_H

#include "runtime/thread.h"

extern bool rcp_steer_is_on; /* somebody may be held: every thread is asked before each event (hot->limit is 0) */

/* `met`: config->met places in the code at which threads have met in runs before. */
void rcp_steer_start(const struct rcp_run_config *config, const struct rcp_run_place *watched, const uint64_t *met,
                     struct rcp_run_outcome *outcome);
/* In the child of a fork, and where the run is long enough. */
void rcp_steer_end(void);

/* The holder, about to do self->event at self->at. True: it is to stop here. Either it is held (self->parked); or it
 * has met somebody who was held before a conflicting access, which is told: that one makes its access next, and then
 * this one. False, too, where whom it has met is held still. */
bool rcp_steer_stops(rcp_thread *self);

/* --- under the baton's lock, for the policy --- */

/* So many events the run has had, and so many with those that a yield counts for: is the thread to be passed over
 * still? */
bool rcp_steer_passes_over(rcp_thread *thread, uint64_t events, uint64_t held_clock);
/* Who is next because two have met, and whether for one event alone; NULL: the policy chooses. */
rcp_thread *rcp_steer_next(bool *for_one);
/* Whoever runs may wait for one of those that are held: all are let go. */
void rcp_steer_let_go(void);
/* May somebody come back who could meet those that are held? */
bool rcp_steer_is_worth_a_nap(void);

/* How many looks a nap has at most, and that it had so many. Lock not held: by who has the baton. */
uint32_t rcp_steer_looks(const rcp_thread *self);
void rcp_steer_has_napped(const rcp_thread *self, uint32_t looks);

#endif
