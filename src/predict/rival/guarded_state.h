/* SPDX-License-Identifier: Apache-2.0 */
/* What guarded.c (telling, order, memory, questions) and guarded_sync.c (locks, semaphores, conditions) share. */
#ifndef RECIPE_PREDICT_RIVAL_GUARDED_STATE_H
#define RECIPE_PREDICT_RIVAL_GUARDED_STATE_H

#include "base/limits.h"
#include "predict/rival/guarded.h"

enum { RCP_GUARDED_THREADS = RCP_MOST_GUARDED, RCP_GUARDED_NOBODY = UINT8_MAX };

typedef enum rcp_guarded_kind {
    RCP_G_ACCESS,
    RCP_G_ACQUIRE, /* a WAKE, too: `with` is its sleep */
    RCP_G_RELEASE, /* a sleep, too */
    RCP_G_POST,
    RCP_G_WAIT,
    RCP_G_SIGNAL,
    RCP_G_FORK,
    RCP_G_JOIN,
    RCP_G_END,
    RCP_G_EXIT,
    RCP_G_MARK,
} rcp_guarded_kind;

typedef struct rcp_guarded_told {
    uint8_t kind;
    uint8_t thread;
    bool reads, shared, tries, all, is_wake;
    uint32_t object;    /* first cell, lock, semaphore, child; a signal's condition */
    uint32_t n;         /* cells */
    uint32_t condition; /* of a sleep and a wake */
    uint32_t with;      /* a wake's sleep */
    size_t takes;       /* a read's values, in rcp_guarded.values */
    size_t leaves;      /* what it writes, likewise */
    rcp_formula guard;
    rcp_formula writes; /* RCP_FALSE: it does not */
    rcp_formula has;    /* a lock or a semaphore: it has it; a wake: somebody woke it */
    rcp_formula place;
} rcp_guarded_told;

typedef struct rcp_guarded_pair {
    uint32_t first, second;
} rcp_guarded_pair;

typedef struct rcp_guarded_cell_state {
    uint8_t bytes;
    bool is_known;
    uint64_t value;
    RCP_VEC(uint32_t) writers;
} rcp_guarded_cell_state;

struct rcp_guarded {
    rcp_formulas pool;
    rcp_formula race;
    RCP_VEC(rcp_guarded_told) events;
    RCP_VEC(uint32_t) threads[RCP_GUARDED_THREADS]; /* their events, in order */
    RCP_VEC(rcp_formula) values;
    RCP_VEC(rcp_guarded_cell_state) cells;
    RCP_VEC(struct rcp_guarded_count {
        uint32_t object;
        uint64_t value;
    })
    semaphores;
    RCP_VEC(rcp_guarded_pair) needs, ends; /* (event, earlier); (end, event) */
    RCP_VEC(rcp_guarded_pair) apart;       /* threads */
    rcp_z3 *z3;
};

static inline const rcp_guarded_told *rcp_guarded_at(const rcp_guarded *g, uint32_t number) {
    return &g->events.at[number];
}

/* guarded.c */
rcp_formula rcp_guarded_less(rcp_guarded *g, rcp_formula x, rcp_formula y);
rcp_formula rcp_guarded_before(rcp_guarded *g, uint32_t x, uint32_t y);
rcp_formula rcp_guarded_executed(rcp_guarded *g, uint32_t x);

/* guarded_sync.c: what an ACQUIRE, a WAIT or a wake asks */
void rcp_guarded_assert_lock(rcp_guarded *g, uint32_t x);
void rcp_guarded_assert_token(rcp_guarded *g, uint32_t x);
void rcp_guarded_assert_woken(rcp_guarded *g, uint32_t x);

#endif
