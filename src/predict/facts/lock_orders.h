/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of locks: who asks for a lock while it has others, and where that could end with threads that wait for each
 * other, each for what the next one has (a cycle).
 *
 * One pass over the events, in the recorded order, keeps what each thread holds. A *wish* is a way of asking: thread,
 * place, lock and mode, and what is held, each with the place where it was taken. A cycle is made of wishes of
 * different threads, each of which holds what the one before asks for, and nothing that any other one asks for (a
 * smaller cycle is in there else); no two hold what only one can (a gate lock); none comes before another in every
 * execution. Whether its threads can stand there at one moment is a query (predict/solve/ladder.h).
 *
 * A place is one in the program's own code (trace/model/own_place.h) with the call that led there: locks are often
 * taken by a function of the program's own, or by a class of the C++ library. Of locks with names the name belongs to
 * it: what is asked for at one place may be this lock or that one.
 *
 * A semaphore of one that only who has taken it gives back is a lock, too, in what was recorded. That nobody else gives
 * it back in another run, nobody knows: such a cycle is a deadlock only where the program shows it.
 *
 * Not among them: what a thread already holds and takes again, what it does not get, and spin locks, for which nobody
 * waits that others could see. Whoever waits for something else while it holds a lock that others take is counted.
 *
 * Invariant: cycles by their number of threads, then as they are found; of the same places, in whatever order and by
 * whatever threads and locks, there is one, with its closest instances. Owns its memory.
 */
#ifndef RECIPE_PREDICT_FACTS_LOCK_ORDERS_H
#define RECIPE_PREDICT_FACTS_LOCK_ORDERS_H

#include "base/limits.h"
#include "predict/facts/must.h"

enum { RCP_WISH_INSTANCES = 4 };

/* A lock in a mode: 2 * lock + (1: shared). */
typedef struct rcp_held_lock {
    uint32_t key, depth;
    uint64_t place; /* where it was taken */
} rcp_held_lock;

typedef struct rcp_lock_wish {
    uint32_t tid, wants;
    uint64_t place;
    uint32_t first, n_held;             /* in `held` */
    uint32_t event[RCP_WISH_INSTANCES]; /* the first two, and the last two */
    uint32_t n;
} rcp_lock_wish;

/* So many ACQUIREs, ascending. */
typedef struct rcp_standing {
    uint32_t n, event[RCP_MOST_STANDING];
} rcp_standing;

typedef struct rcp_lock_cycle {
    uint64_t places; /* a number for them */
    uint64_t found;  /* instances of wishes that form it */
    bool is_cut;     /* there are more than are kept */
    RCP_VEC(rcp_standing) kept;
} rcp_lock_cycle;

typedef struct rcp_locks_held {
    RCP_VEC(rcp_held_lock) locks;
} rcp_locks_held;

typedef struct rcp_other_wait {
    uint64_t place;
    uint32_t lock, by; /* `by`: the semaphore that is waited for, which counts if it is no lock; or RCP_MAP_NONE */
} rcp_other_wait;

typedef struct rcp_lock_orders {
    const rcp_defs *defs; /* borrowed */
    RCP_VEC(rcp_locks_held) threads;
    RCP_VEC(rcp_lock_wish) wishes;
    RCP_VEC(rcp_held_lock) held;
    RCP_VEC(rcp_other_wait) others; /* waits for something else, by place and lock that is held meanwhile */
    rcp_map by_hash, other_at;
    rcp_map place_at; /* location and stack -> in `places` */
    RCP_VEC(uint64_t) places;
    rcp_map signals;  /* semaphores that are no locks */
    rcp_map taken_by; /* lock -> 1 + its thread, or 0: several */
    RCP_VEC(rcp_lock_cycle) cycles;
    rcp_map cycle_at;
    bool is_over; /* the search for them was ended at its limit */
} rcp_lock_orders;

void rcp_lock_orders_init(rcp_lock_orders *orders, const rcp_defs *defs);
void rcp_lock_orders_finish(rcp_lock_orders *orders);
/* Every event, in the recorded order; `number` is its own. */
void rcp_lock_orders_add(rcp_lock_orders *orders, uint32_t number, const rcp_event *event);
/* Forgets the instances of which `stays` says no. */
void rcp_lock_orders_keep(rcp_lock_orders *orders, bool (*stays)(void *context, uint32_t event), void *context);
/* Lists the cycles anew. `must` NULL: nothing is known of the order, and no limit counts as reached: to see whether
 * there is anything to ask. */
void rcp_lock_orders_find(rcp_lock_orders *orders, const rcp_must *must);
/* Places at which a thread waits for something else than a lock, and has one that others take. */
uint64_t rcp_lock_orders_other_waits(const rcp_lock_orders *orders);

#endif
