/* SPDX-License-Identifier: Apache-2.0 */
/* A seeded generator of small feasible traces.
 *
 * It runs a random program: each thread makes up idioms (a critical section, a wait in a loop, a hand-over by semaphore
 * …) as it goes, and a random scheduler picks who takes the next step. The machine that carries the steps out
 * (prop/machine.h) holds locks, sleepers, counts and memory with concrete values, so what comes out did happen: every
 * trace is feasible by docs/semantics.md, except that a read of memory that an allocation left undefined is kept by no
 * value rule but the last writer's.
 *
 * Domains are small on purpose (values 0 to 3, few variables, one or two locks), so that coincidences happen: equal
 * values by different writers, branches that several values take, overlapping accesses.
 *
 * Invariant: the same options and seed give the same trace, on every machine. The caller owns the trace.
 */
#ifndef RECIPE_PROP_GEN_H
#define RECIPE_PROP_GEN_H

#include "trace/model/trace.h"

/* What a trace may contain. Each trace draws a subset of what the options allow. */
enum {
    RCP_GEN_LOCKS = 1 << 0,   /* mutexes; with others: recursive ones, spin locks */
    RCP_GEN_RWLOCKS = 1 << 1, /* both modes */
    RCP_GEN_TRY = 1 << 2,     /* acquire, sem wait and join that fail */
    RCP_GEN_CONDS = 1 << 3,   /* wait, wake, signal, broadcast, timeouts */
    RCP_GEN_SEMS = 1 << 4,
    RCP_GEN_BARRIERS = 1 << 5,
    RCP_GEN_ONCE = 1 << 6,
    RCP_GEN_FORKS = 1 << 7,    /* fork and join */
    RCP_GEN_LIVES = 1 << 8,    /* init and destroy of objects */
    RCP_GEN_HEAP = 1 << 9,     /* alloc, free, reuse of addresses, use after free */
    RCP_GEN_ATOMICS = 1 << 10, /* atomic accesses, rmw, compare-and-swap, fences */
    RCP_GEN_WIDTHS = 1 << 11,  /* accesses of mixed width and alignment */
    RCP_GEN_BRANCHES = 1 << 12,
    RCP_GEN_TERMS = 1 << 13,     /* real terms for values and conditions */
    RCP_GEN_ADDRESSES = 1 << 14, /* address terms */
    RCP_GEN_OPAQUE = 1 << 15,
    RCP_GEN_IMAGES = 1 << 16,
    RCP_GEN_UNVALUED = 1 << 17, /* some or all accesses without values */
    RCP_GEN_IMPLICIT = 1 << 18, /* unvalued, with implicit branches: as STD traces are */
    RCP_GEN_EXIT = 1 << 19,
    RCP_GEN_EVERYTHING = (1 << 20) - 1,
};

typedef struct rcp_gen_options {
    uint32_t max_events;               /* a trace has about half to all of it */
    uint32_t min_threads, max_threads; /* at most RCP_GEN_MAX_THREADS */
    uint32_t variables, locks;         /* at most that many; variables at most 3, locks at most 2 */
    uint32_t features;                 /* RCP_GEN_* */
    bool focused;                      /* every trace has all the features allowed, instead of a subset */
} rcp_gen_options;

#define RCP_GEN_MAX_THREADS 4
#define RCP_GEN_MAX_EVENTS  60

/* 20 events at most, 2 to 4 threads, everything allowed. */
rcp_gen_options rcp_gen_defaults(void);

/* What to generate for a seed: the defaults for every other one, else one of a few narrow mixes in which rare meetings
 * of features are frequent (several sleepers and signals, lives and opaque code, terms through atomics …).
 * `max_events`: 0 for the default. */
rcp_gen_options rcp_gen_profile(uint64_t seed, uint32_t max_events);

/* `trace` is initialised and empty; it is indexed afterwards. */
void rcp_gen_trace(rcp_trace *trace, const rcp_gen_options *options, uint64_t seed);

#endif
