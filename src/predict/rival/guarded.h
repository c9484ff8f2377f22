/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000 §IV as it stands there: both sides of every branch in one formula. Each event of a thread has a guard, what
 * must be true of the values that were read for its thread to come there; after a join, values are choices by the
 * guards (phi). An event counts, as a write that can be read, as one that comes in between, as a lock that is held,
 * only where its guard holds; the order within threads holds whatever the guards. Two accesses race where both guards
 * hold AND both are next.
 *
 * It is the second opinion on recipe and recipe+: predict/rival/sides.h tells it a recorded run and its variants, tests
 * tell it programs whose code they have. Whoever tells does so thread by thread, in the order of the program, all sides
 * of a branch one after the other; an access whose address is not one alone (a base object that may change) is told
 * once per alternative, each with its guard. Loops are told as often as they may run.
 *
 * An event's place in a schedule is an integer, as in predict/rival/smt.h: it is executed where that is before `race`.
 *
 * Memory is cells of up to 8 bytes that are read and written whole; an access has as many as it touches.
 * Synchronisation: locks in both modes, conditions, semaphores, fork, join and the end of the process; and two rules
 * that all else is said with: an event needs another one before it, an event ends what another one uses. Owns all that
 * it makes; formulas are of its pool.
 */
#ifndef RECIPE_PREDICT_RIVAL_GUARDED_H
#define RECIPE_PREDICT_RIVAL_GUARDED_H

#include "base/text.h"
#include "predict/rival/formula.h"
#include "predict/rival/z3.h"

typedef struct rcp_guarded rcp_guarded;

/* An event, by number. */
typedef struct rcp_guarded_event {
    uint32_t v;
} rcp_guarded_event;

rcp_guarded *rcp_guarded_create(void);
void rcp_guarded_destroy(rcp_guarded *guarded);
rcp_formulas *rcp_guarded_pool(rcp_guarded *guarded);

/* Cells are numbered from 0 on. NULL: what it holds in the beginning is not known, and nobody can read it. */
uint32_t rcp_guarded_cell(rcp_guarded *guarded, unsigned bytes, const uint64_t *value);
void rcp_guarded_semaphore(rcp_guarded *guarded, uint32_t semaphore, uint64_t count);

/* Accesses of `n` cells from `cell` on. What a read takes is values[], bit-vectors. What is written may be RCP_FALSE:
 * it is not known, and nobody can read it. */
rcp_guarded_event rcp_guarded_read(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t cell, unsigned n,
                                   rcp_formula *values);
rcp_guarded_event rcp_guarded_write(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t cell, unsigned n,
                                    const rcp_formula *values);
/* The event, a read, also writes that in the same step, where `writes` holds. */
void rcp_guarded_update(rcp_guarded *guarded, rcp_guarded_event event, rcp_formula writes, const rcp_formula *values);

/* *has: it does not wait, and this says whether it has it now; NULL: it waits. */
rcp_guarded_event rcp_guarded_acquire(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t lock,
                                      bool shared, rcp_formula *has);
rcp_guarded_event rcp_guarded_release(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t lock);
rcp_guarded_event rcp_guarded_post(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t semaphore);
rcp_guarded_event rcp_guarded_wait(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t semaphore,
                                   rcp_formula *has);

/* A thread gives its lock back and sleeps on the condition; and it has it again. *woken: it may also wake by itself,
 * and this says whether somebody woke it; NULL: somebody must. */
rcp_guarded_event rcp_guarded_sleep(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t condition,
                                    uint32_t lock);
rcp_guarded_event rcp_guarded_wake(rcp_guarded *guarded, rcp_guarded_event sleep, rcp_formula guard,
                                   rcp_formula *woken);
rcp_guarded_event rcp_guarded_signal(rcp_guarded *guarded, unsigned thread, rcp_formula guard, uint32_t condition,
                                     bool all);

/* All of the child's guards must have this one in them. */
rcp_guarded_event rcp_guarded_fork(rcp_guarded *guarded, unsigned thread, rcp_formula guard, unsigned child);
/* Of the child one of its ends must have come; where it was told none, all that it was told. */
rcp_guarded_event rcp_guarded_join(rcp_guarded *guarded, unsigned thread, rcp_formula guard, unsigned child);
rcp_guarded_event rcp_guarded_end(rcp_guarded *guarded, unsigned thread, rcp_formula guard);
/* The process ends here: nothing is executed after it. */
rcp_guarded_event rcp_guarded_exit(rcp_guarded *guarded, unsigned thread, rcp_formula guard);
/* What others need, or what ends something. */
rcp_guarded_event rcp_guarded_mark(rcp_guarded *guarded, unsigned thread, rcp_formula guard);

/* Where `event` is executed, or next, `earlier` was executed before it. */
void rcp_guarded_need(rcp_guarded *guarded, rcp_guarded_event event, rcp_guarded_event earlier);
/* After `end` nobody executes `event`, which is not next either. */
void rcp_guarded_expire(rcp_guarded *guarded, rcp_guarded_event end, rcp_guarded_event event);

/* The two threads are never there together: one has come to an end before the other's first event. */
void rcp_guarded_apart(rcp_guarded *guarded, unsigned one, unsigned other);

/* All is told: asserts it. False: it has more formulas than that, and nothing can be asked. */
bool rcp_guarded_close(rcp_guarded *guarded, size_t limit);

/* That the event is next, and its guard holds; of an update, where `succeeds`, also that it would write. */
rcp_formula rcp_guarded_next(rcp_guarded *guarded, rcp_guarded_event event, bool succeeds);
/* That the event, a read, takes what is there at the moment of the race. */
rcp_formula rcp_guarded_now(rcp_guarded *guarded, rcp_guarded_event event);
/* That the thread has come past `event`, whatever its guard was. */
rcp_formula rcp_guarded_past(rcp_guarded *guarded, rcp_guarded_event event);
/* That the event is executed, and the last one that is. */
rcp_formula rcp_guarded_last(rcp_guarded *guarded, rcp_guarded_event event);
bool rcp_guarded_last_of(const rcp_guarded *guarded, unsigned thread, rcp_guarded_event *event);

/* Is there a schedule that ends so? RCP_Z3_RACE: yes, and `order`, where it is not NULL, has what is executed in it.
 * *value, where it is not NULL, is what the bit-vector RCP_GUARDED_VALUE is then. After close. */
typedef RCP_VEC(rcp_guarded_event) rcp_guarded_order;
#define RCP_GUARDED_VALUE "value"
rcp_z3_answer rcp_guarded_ask(rcp_guarded *guarded, rcp_formula end, rcp_z3_limits limits, rcp_guarded_order *order,
                              uint64_t *value);
/* The question as an SMT-LIB file. */
void rcp_guarded_print(rcp_text *out, rcp_guarded *guarded, rcp_formula end);

#endif
