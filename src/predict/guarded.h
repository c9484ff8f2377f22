/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000 §IV as it stands there: both sides of every branch in one formula. Each event of a thread has a guard, what
 * must be true of the values that were read for its thread to come there; after a join, values are choices by the
 * guards (phi). An event counts, as a write that can be read, as one that comes in between, as a lock that is held,
 * only where its guard holds; the order within threads holds whatever the guards. Two accesses race where both guards
 * hold AND both are next.
 *
 * It is the second opinion on recipe and recipe+, for tests: no variant is made and no code is run for it. Whoever has
 * the code in hand tells it, thread by thread, in the order of the program, all sides of a branch one after the other;
 * an access whose address is not one alone (a base object that may change) is told once per alternative, each with its
 * guard. Loops are told as often as they may run.
 *
 * An event's place in a schedule is an integer, as in predict/smt.h: it is executed where that is before `race`.
 *
 * Memory: locations of up to 8 bytes, each with pieces that are read and written whole. Synchronisation: locks in both
 * modes, semaphores, fork, join and the end of the process. Owns all that it makes; formulas are of its pool.
 */
#ifndef RECIPE_PREDICT_GUARDED_H
#define RECIPE_PREDICT_GUARDED_H

#include "predict/formula.h"
#include "predict/z3.h"

typedef struct rcp_guarded rcp_guarded;

/* An event, by number. */
typedef struct rcp_guarded_event {
    uint32_t v;
} rcp_guarded_event;

/* `piece`: bytes that are read and written together. */
rcp_guarded *rcp_guarded_create(unsigned piece);
void rcp_guarded_destroy(rcp_guarded *guarded);
rcp_formulas *rcp_guarded_pool(rcp_guarded *guarded);

/* What a location holds in the beginning: pieces * piece bytes. */
void rcp_guarded_initial(rcp_guarded *guarded, uint32_t location, unsigned pieces, uint64_t value);
void rcp_guarded_semaphore(rcp_guarded *guarded, uint32_t semaphore, uint32_t count);

/* Accesses of `n` pieces from `first` on. What a read takes is *value, a bit-vector. */
rcp_guarded_event rcp_guarded_read(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t location,
                                   unsigned first, unsigned n, rcp_formula *value);
rcp_guarded_event rcp_guarded_write(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t location,
                                    unsigned first, unsigned n, rcp_formula value);
/* The event, a read, also writes that in the same step, where `writes` holds. */
void rcp_guarded_update(rcp_guarded *guarded, rcp_guarded_event event, rcp_formula writes, rcp_formula value);

/* *has: it does not wait, and this says whether it has it now; NULL: it waits. */
void rcp_guarded_acquire(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t lock, bool shared,
                         rcp_formula *has);
void rcp_guarded_release(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t lock);
void rcp_guarded_post(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t semaphore);
void rcp_guarded_wait(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t semaphore, rcp_formula *has);

/* All of the child's guards must have this one in them. */
void rcp_guarded_fork(rcp_guarded *guarded, unsigned thread, rcp_formula guard, unsigned child);
void rcp_guarded_join(rcp_guarded *guarded, unsigned thread, rcp_formula guard, unsigned child);
/* The process ends here: nothing is executed after it. */
rcp_guarded_event rcp_guarded_exit(rcp_guarded *guarded, unsigned thread, rcp_formula guard);

/* All is told: asserts it. */
void rcp_guarded_close(rcp_guarded *guarded);

/* That the event is next, and its guard holds; of an update, where `succeeds`, also that it would write. */
rcp_formula rcp_guarded_next(rcp_guarded *guarded, rcp_guarded_event event, bool succeeds);
/* Is there a schedule that ends so? RCP_Z3_RACE: yes. After close. */
rcp_z3_answer rcp_guarded_ask(rcp_guarded *guarded, rcp_formula end, rcp_z3_limits limits);

#endif
