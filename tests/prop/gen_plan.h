/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the generator share: gen_plan.c makes up what a thread means to do, idiom by idiom; gen.c sets the
 * stage, carries the plans out on the machine and schedules.
 *
 * Invariant: a script's steps before `next` have been executed or given up. The generator owns its machine and borrows
 * the trace.
 */
#ifndef RECIPE_PROP_GEN_PLAN_H
#define RECIPE_PROP_GEN_PLAN_H

#include "prop/gen.h"
#include "prop/machine.h"

/* What a thread means to do next. */
typedef enum rcp_gen_op {
    RCP_DO_ACQUIRE,
    RCP_DO_TRY_ACQUIRE, /* the critical section that follows is dropped if it fails */
    RCP_DO_RELEASE,
    RCP_DO_READ,
    RCP_DO_WRITE,
    RCP_DO_RMW,
    RCP_DO_CAS,
    RCP_DO_FENCE,
    RCP_DO_BRANCH,
    RCP_DO_WAIT, /* the machine knows the rest until the WAKE */
    RCP_DO_SIGNAL,
    RCP_DO_BROADCAST,
    RCP_DO_POST,
    RCP_DO_DOWN,
    RCP_DO_TRY_DOWN,
    RCP_DO_ENTER,
    RCP_DO_ONCE,
    RCP_DO_ONCE_END,
    RCP_DO_FORK,
    RCP_DO_JOIN,
    RCP_DO_TRY_JOIN,
    RCP_DO_INIT,
    RCP_DO_DESTROY,
    RCP_DO_ALLOC,
    RCP_DO_FREE,
    RCP_DO_OPAQUE_BEGIN,
    RCP_DO_OPAQUE_END,
    RCP_DO_END,
    RCP_DO_EXIT,
} rcp_gen_op;

typedef struct rcp_gen_planned {
    rcp_gen_op what;
    rcp_obj object, lock;
    rcp_mode mode;
    uint64_t addr;
    uint32_t size;
    uint32_t child;
    rcp_reach reach;
    bool atomic;
} rcp_gen_planned;

#define RCP_GEN_SCRIPT  16
#define RCP_GEN_REACHES 4
enum { RCP_GEN_LATE, RCP_GEN_EARLY, RCP_GEN_READING, RCP_GEN_TIMES };

typedef struct rcp_gen_script {
    rcp_gen_planned at[RCP_GEN_SCRIPT];
    uint32_t next, len;
    uint32_t blocked; /* in a row; a thread that is stuck for long makes up something else */
} rcp_gen_script;

typedef struct rcp_gen_block {
    uint64_t addr, bytes;
    bool live, was_live;
} rcp_gen_block;

typedef struct rcp_gen {
    rcp_machine machine;
    rcp_random random;
    uint32_t features;
    uint32_t limit;
    uint32_t variables, width; /* the width that most accesses have */
    uint32_t n_locks;
    rcp_obj locks[2], rwlock, cond, sem, barrier, once;
    rcp_obj some; /* any object, drawn anew for each plan */
    rcp_reach reaches[RCP_GEN_REACHES];
    rcp_reach times[RCP_GEN_TIMES];
    rcp_gen_block blocks[2];
    bool terms, addresses;
    uint32_t eager;      /* percent of idioms that are a wait or a signal, where there are conditions */
    uint32_t discipline; /* percent of accesses on their own that go under a lock instead */
    rcp_gen_script scripts[RCP_GEN_MAX_THREADS];
} rcp_gen;

static inline bool rcp_gen_has(const rcp_gen *g, uint32_t feature) { return g->features & feature; }
static inline bool rcp_gen_percent(rcp_gen *g, uint32_t p) { return rcp_random_percent(&g->random, p); }
static inline uint32_t rcp_gen_below(rcp_gen *g, uint32_t n) { return rcp_random_below(&g->random, n); }

/* One more step of the thread's script; dropped where that is full. */
void rcp_gen_push(rcp_gen *g, uint32_t tid, rcp_gen_planned step);
/* An access, and perhaps a branch on it. */
void rcp_gen_plan_access(rcp_gen *g, uint32_t tid);
/* A new script for the thread: one idiom. */
void rcp_gen_plan(rcp_gen *g, uint32_t tid);

#endif
