/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of simulated programs, for the benches: threads that update shared variables under nested locks, hand work
 * over with wait and notify, publish data behind a flag, branch over what they have read lately, and touch a few
 * variables without a lock.
 *
 * The program is simulated with concrete values, so what comes out did happen; values and branch conditions carry terms
 * over the reads. Each place in the simulated code has a source line of its own, as in a program.
 *
 * Invariant: the same parameters give the same trace, on every machine. The caller owns the trace.
 */
#ifndef RECIPE_BENCH_SIMULATE_H
#define RECIPE_BENCH_SIMULATE_H

#include "trace/model/trace.h"

typedef struct rcp_simulation {
    uint64_t seed;
    size_t events;
    uint32_t threads; /* at most 16 */
    uint32_t locks;   /* beside that of the queue */
    uint32_t guarded; /* variables that are accessed under their lock alone */
    uint32_t flags;   /* flags, each with data behind it */
    uint32_t loose;   /* variables that are accessed without a lock, too */
    uint32_t loosely; /* of a thousand pieces of work: accesses without a lock */
    uint32_t burst;   /* a thread runs up to so many steps in a row */
} rcp_simulation;

/* What the tables of docs/benchmarks/engines.md are made with. */
rcp_simulation rcp_simulation_default(size_t events, uint32_t threads, uint64_t seed);

/* `trace` is initialised and empty; it is indexed afterwards. */
void rcp_simulate(rcp_trace *trace, const rcp_simulation *simulation);

#endif
