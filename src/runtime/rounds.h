/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait by going round: a loop that only looks, and finds each time what it has found before.
 *
 * The naive model: a thread that has gone round such a loop gives the baton away, and has it again once one of the
 * words that it looked at in that round is another. The pass says where such loops go round (program/ir/spins.h). From
 * there on the thread is asked before each event (hot->limit is 0), and what it loads is written down, until it comes
 * to the same branch again. If it has stored nothing meanwhile but to its own stack, and its atomic operations have
 * changed nothing, that was a round for nothing.
 *
 * What it looked at is compared by way of the shadow, which is never unmapped; what code that is not recorded has
 * written is not seen there. So after so many turns of others as the configuration says memory itself is looked at; and
 * who has looked at more than is written down, or waits for time, has its turn then, as everybody who waits where
 * nobody else could run. It decides who runs, and nothing else: no event is left out, no position changes.
 *
 * Of a loop that also counts its rounds nothing is written down: it may be work. Its thread gives way after 16 rounds,
 * then after twice as many, and so on.
 *
 * `rounds` of a thread is its own, but for the policy, which compares words under the baton's lock while the thread has
 * not the baton.
 */
#ifndef RECIPE_RUNTIME_ROUNDS_H
#define RECIPE_RUNTIME_ROUNDS_H

#include "runtime/thread.h"

/* A round of the loop of that name begins, and is watched. */
void rcp_rounds_begin(rcp_thread *self, uint64_t loop);
/* It goes round, and is not watched from here on. Was it watched, and for nothing? */
bool rcp_rounds_end(rcp_thread *self, uint64_t loop);
/* It has done something that memory does not show. */
void rcp_rounds_forget(rcp_thread *self);
/* A loop goes round that counts its rounds: is it time to give way? */
bool rcp_rounds_count(rcp_thread *self, uint64_t loop);

/* --- while a round is watched (self->rounds.loop is not 0) --- */

void rcp_rounds_read(rcp_thread *self, uint64_t address, uint64_t size, uint64_t value);
/* An event that is not a load of up to 8 bytes; self->event says which. Before it. */
void rcp_rounds_event(rcp_thread *self);

/* The thread is in a call that lets others run, and does nothing else. */
void rcp_rounds_yield(rcp_thread *self);

/* --- of a thread that has given way; under the baton's lock --- */

/* Has one of its words changed, as far as recorded code has written it? */
bool rcp_rounds_may_go_on(const rcp_thread *thread);
/* The same of memory itself, by way of the kernel: it may be gone. True where that is not to be had, too. */
bool rcp_rounds_has_changed(const rcp_thread *thread);
/* Does it wait for a word, and that is still what it was? False also where it is not known what it waits for. */
bool rcp_rounds_waits(const rcp_thread *thread);

#endif
