/* SPDX-License-Identifier: Apache-2.0 */
/* Who touched a place: per thread its last plain and its last atomic access of one sort (reads or writes; an RMW is a
 * write that reads, and a sort of its own among them), under each set of locks that it held (order/engine/locks.h; 0 in
 * orders that do without).
 *
 * The naive model is a set with one element per (thread, atomic or not, RMW or not, lockset). Seed 002 keeps one
 * lockset per thread, overwritten at each access, and so misses races with what it has overwritten (docs/orders.md). An
 * event that comes later has to compare itself with all of them. Mostly it need not: when a write comes after
 * everything that the place has seen, it *covers* it all, and whoever comes after that write comes after all of it. So
 * the elements stand in two groups: at[0 .. fresh) have been put since the last covering write (itself included), the
 * others are covered by it. A reader of this list compares itself with the fresh ones, and with the rest only where a
 * fresh one is unordered. The covered ones are kept, not thrown away as in FastTrack, because a race names the last
 * unordered access of *each* thread.
 *
 * A list `by_place` keeps more: the last access of a thread at each place in the program, of each kind. Of these one is
 * unordered with an event iff any access of that thread, kind and place is, for a later one of a thread is never before
 * an event that an earlier one is not before. So whoever compares itself with the list meets every pair of places. Past
 * the limit order-places a thread's new place takes the one of its places that it has not been at for longest: the last
 * access of each thread is always there.
 *
 * Invariant: (tid, atomic, RMW, set) occurs once; by place (tid, atomic, kind, set, loc). cap is a power of two, or 0;
 * past RCP_TOUCHES_PLAIN elements a hash index of 2 * cap places stands behind the elements in the same block. The list
 * owns its memory.
 */
#ifndef RECIPE_ORDER_ENGINE_TOUCHES_H
#define RECIPE_ORDER_ENGINE_TOUCHES_H

#include "trace/model/event.h"

typedef struct rcp_touch {
    uint32_t tid, count, loc; /* the thread's event number count - 1 */
    uint32_t kind : 5;        /* RCP_READ, RCP_WRITE, RCP_RMW, RCP_FREE */
    uint32_t atomic : 1;
    uint32_t set : 26; /* the locks that were held */
} rcp_touch;

#define RCP_TOUCHES_PLAIN 16 /* up to so many a walk over the list is quicker than a hash */

typedef struct rcp_touches {
    rcp_touch *at;
    uint32_t n, fresh;
    uint32_t cap : 31;
    uint32_t by_place : 1; /* set while the list is empty */
} rcp_touches;

/* Puts the touch among the fresh ones, in place of the same thread's earlier one with the same locks (and, by place, of
 * the same kind at the same place). */
void rcp_touches_put(rcp_touches *touches, rcp_touch touch);
void rcp_touches_copy(rcp_touches *to, const rcp_touches *from);
/* Empty, memory kept for the next use. */
void rcp_touches_clear(rcp_touches *touches);
void rcp_touches_finish(rcp_touches *touches);

#endif
