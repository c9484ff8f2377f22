/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread knew at each of its events, for as long as somebody may ask: the handling of races puts an access
 * behind an earlier one that it races with, and so behind all that came before that one.
 *
 * The naive model is one clock per event (two where the order has two). A clock changes only when its thread learns
 * something, so an entry stands for all events until the next. An event that every thread knows can race with nobody:
 * what stands for such events alone is let go from time to time. Where a thread sleeps all along that lets go of
 * nothing; then the oldest are forgotten, half of the longest list at a time, and what hangs on them is not ordered.
 * That is no error: the handling of races only keeps away what vindication would refute.
 *
 * Invariant: of one thread entries are sorted by count. Owns its lists; the clocks stay the pool's.
 */
#ifndef RECIPE_ORDER_ENGINE_PAST_H
#define RECIPE_ORDER_ENGINE_PAST_H

#include "order/engine/clock.h"

typedef struct rcp_past_entry {
    uint32_t count; /* from this event of the thread on, as in rcp_stamp */
    rcp_clock clock, weak;
} rcp_past_entry;

typedef struct rcp_past_thread {
    RCP_VEC(rcp_past_entry) at;
    uint32_t forgotten; /* nothing is known of events up to this count */
} rcp_past_thread;

typedef struct rcp_past {
    rcp_clocks *clocks;
    RCP_VEC(rcp_past_thread) threads;
    uint64_t kept, most, peak;
    uint64_t missing; /* how often somebody asked for what was forgotten */
} rcp_past;

void rcp_past_init(rcp_past *past, rcp_clocks *clocks);
void rcp_past_finish(rcp_past *past);
/* The runner's current event, which may have learned something, is over. */
void rcp_past_note(rcp_past *past, const rcp_runner *runner);
/* What `tid` knew after its event number `count` - 1, in the order's own clock as well where it has one. Both are
 * borrowed until the next event. False: it is forgotten. */
bool rcp_past_find(rcp_past *past, uint32_t tid, uint32_t count, rcp_stamp *stamp, rcp_clock *weak);
/* Every thread that can still run knows the first `count` events of `tid`. */
void rcp_past_let_go(rcp_past *past, uint32_t tid, uint32_t count);

#endif
