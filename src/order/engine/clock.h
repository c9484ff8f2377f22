/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks that count events: the prefix of each thread that lies before a point.
 *
 * The naive model: every event e has an array C, C[t] = how many events of thread t come before or are e. An event with
 * position p of thread t comes before another event d iff p < C_d[t]; so a clock names a schedule prefix directly.
 *
 * What differs from the naive model, and why it is the same:
 * - An array is shared until somebody changes it (copy on write). A thread's array changes only when it learns
 *   something, so thousands of events, and all that they leave in locks and in memory, refer to one array.
 * - The thread's own entry is not in its array (what stands there is out of date and never looked at) but beside it:
 *   an rcp_stamp is an array plus (thread, count). Otherwise every event would change its thread's array.
 * - A thread that receives a stamp looks at one number first: if it knows `count` events of the stamp's thread already,
 *   then it knows all that came before these, because every clock here is transitively closed.
 *
 * An order that composes with happens-before without containing program order (wcp, sdp) has two clocks per thread: the
 * runner's own is happens-before, and `weak` is the order's. A stamp is always one of happens-before: what stands in a
 * weak clock stands there with all that happened before it (composition from the left), so the one number is enough for
 * it, too. A weak clock's own entry is real: which of its own events the order puts before where the thread is now.
 * What is passed on along an edge of happens-before alone (a lock handed over) is the weak clock as it is (composition
 * from the right); other edges are the order's own, and put the whole stamp into both.
 *
 * Invariant: a handle counts its holders; an array with more than one is never written. Entries past `len` are 0, so
 * that no array is longer than the threads it knows of. The pool owns all arrays.
 */
#ifndef RECIPE_ORDER_ENGINE_CLOCK_H
#define RECIPE_ORDER_ENGINE_CLOCK_H

#include "base/arena.h"
#include "base/vec.h"
#include "order/engine/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_clock {
    uint32_t v;
} rcp_clock; /* 0: knows nothing */

typedef struct rcp_clock_slot {
    uint32_t *at;
    uint32_t len, holders;
    uint32_t size_class; /* room for 1 << size_class entries */
    uint32_t next_spare;
} rcp_clock_slot;

typedef struct rcp_clocks {
    RCP_VEC(rcp_clock_slot) slots; /* slot 0 is the empty clock */
    uint32_t spare;                /* slots that nobody holds */
    uint32_t *free_arrays[33];     /* by size class, linked through their first words */
    rcp_arena memory;
    uint64_t copies, joins; /* statistics */
    bool news;              /* some runner has learned something; whoever asks takes it back */
    rcp_order_graph *graph; /* NULL, or where learned edges are kept; borrowed */
} rcp_clocks;

/* Event number `count` - 1 of thread `tid`, with everything before it. count 0: no event. Holds its clock. */
typedef struct rcp_stamp {
    rcp_clock clock;
    uint32_t tid, count;
} rcp_stamp;

/* A thread as it runs: `count` events so far, the current one included. Holds its clock; `at` and `len` mirror it. */
typedef struct rcp_runner {
    const uint32_t *at;
    uint32_t len, tid, count;
    rcp_clock clock;
    struct rcp_runner *weak; /* NULL where the order has one clock */
} rcp_runner;

/* What the order itself knows: this is what accesses are compared with, and where its own edges end. */
static inline rcp_runner *rcp_runner_seen(rcp_runner *runner) { return runner->weak ? runner->weak : runner; }

/* What earlier events tell all later ones of some kind: the last that was sent, and, where those before it are not
 * before it, their join. In a chain of ordered events (a mutex) `rest` stays empty and everything costs O(1). */
typedef struct rcp_channel {
    rcp_stamp last;
    rcp_clock rest;
    /* Where there are weak clocks: the senders' own, for a lock; else per thread the last one that sent, because the
     * last sender of all may know the others by happens-before alone. */
    rcp_clock weak;
    RCP_VEC(rcp_stamp) senders;
} rcp_channel;

void rcp_clocks_init(rcp_clocks *clocks);
void rcp_clocks_finish(rcp_clocks *clocks);
size_t rcp_clocks_bytes(const rcp_clocks *clocks);

/* The empty clock is not counted: a zeroed handle is one without anybody's doing. */
static inline void rcp_clock_hold(rcp_clocks *clocks, rcp_clock clock) {
    if (clock.v)
        clocks->slots.at[clock.v].holders++;
}
void rcp_clock_forget(rcp_clocks *clocks, rcp_clock clock); /* its last holder has let go; use rcp_clock_drop() */
static inline void rcp_clock_drop(rcp_clocks *clocks, rcp_clock clock) {
    if (clock.v && !--clocks->slots.at[clock.v].holders)
        rcp_clock_forget(clocks, clock);
}
/* A clock with these entries, one holder. */
rcp_clock rcp_clock_make(rcp_clocks *clocks, const uint32_t *at, uint32_t n);
/* The clock will be held or dropped. */
static inline void rcp_clock_expect(const rcp_clocks *clocks, rcp_clock clock) {
    __builtin_prefetch(&clocks->slots.at[clock.v], 1);
}
/* *place = clock, counting holders. */
static inline void rcp_clock_put(rcp_clocks *clocks, rcp_clock *place, rcp_clock clock) {
    if (place->v == clock.v)
        return;
    rcp_clock_hold(clocks, clock);
    rcp_clock_drop(clocks, *place);
    *place = clock;
}
static inline uint32_t rcp_clock_entry(const rcp_clocks *clocks, rcp_clock clock, uint32_t tid) {
    const rcp_clock_slot *slot = &clocks->slots.at[clock.v];
    return tid < slot->len ? slot->at[tid] : 0;
}
/* *clock = the pointwise maximum of itself and `other`. */
void rcp_clock_join(rcp_clocks *clocks, rcp_clock *clock, rcp_clock other);
/* *clock's entry of `tid` becomes at least `count`. */
void rcp_clock_raise(rcp_clocks *clocks, rcp_clock *clock, uint32_t tid, uint32_t count);
/* Both: everything that the stamp stands for. */
void rcp_clock_join_stamp(rcp_clocks *clocks, rcp_clock *clock, rcp_stamp stamp);

/* Is event number `count` - 1 of `tid` the runner's own or known to it? */
static inline bool rcp_runner_knows(const rcp_runner *runner, uint32_t tid, uint32_t count) {
    return tid == runner->tid || (tid < runner->len && count <= runner->at[tid]);
}
/* The stamp comes before the runner's current event. */
void rcp_clock_learn(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp stamp); /* the part that is not O(1) */
static inline void rcp_clock_take(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp stamp) {
    if (stamp.count && !rcp_runner_knows(runner, stamp.tid, stamp.count))
        rcp_clock_learn(clocks, runner, stamp);
}
/* The same in both clocks, where there are two. */
static inline void rcp_clock_receive(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp stamp) {
    rcp_clock_take(clocks, runner, stamp);
    if (runner->weak)
        rcp_clock_take(clocks, runner->weak, stamp);
}
/* The runner knows all that `other` does, its own entry included. */
void rcp_runner_join(rcp_clocks *clocks, rcp_runner *runner, rcp_clock other);
/* A stamp of the runner's current event; what was in *place is let go. */
static inline void rcp_stamp_set(rcp_clocks *clocks, rcp_stamp *place, const rcp_runner *runner) {
    rcp_clock_put(clocks, &place->clock, runner->clock);
    place->tid = runner->tid;
    place->count = runner->count;
}
static inline void rcp_stamp_drop(rcp_clocks *clocks, rcp_stamp *place) {
    rcp_clock_drop(clocks, place->clock);
    *place = (rcp_stamp){0};
}

/* The runner's current event comes before all who receive from the channel from now on. */
void rcp_channel_send(rcp_clocks *clocks, rcp_channel *channel, const rcp_runner *runner);
/* All that was sent comes before the runner's current event. */
void rcp_channel_receive(rcp_clocks *clocks, const rcp_channel *channel, rcp_runner *runner);
/* The same over an edge that is happens-before's alone: the weak clock learns no more than the senders' weak ones knew.
 */
void rcp_channel_receive_lock(rcp_clocks *clocks, const rcp_channel *channel, rcp_runner *runner);
void rcp_channel_copy(rcp_clocks *clocks, rcp_channel *to, const rcp_channel *from);

#endif
