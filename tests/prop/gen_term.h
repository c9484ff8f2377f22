/* SPDX-License-Identifier: Apache-2.0 */
/* Random terms over the reads that a thread of the generator's machine has made.
 *
 * Invariant: every term made here has a value at what the reads took, and that value is returned with it. Terms live in
 * the trace's pool.
 */
#ifndef RECIPE_PROP_GEN_TERM_H
#define RECIPE_PROP_GEN_TERM_H

#include "prop/machine.h"

/* Reads that a term may use: those of thread `tid`, and the event that comes next if that reads (`self`: its size; 0 if
 * it does not). What the next event will read must stand in machine->taken already. */
typedef struct rcp_gen_reads {
    rcp_machine *machine;
    uint32_t tid;
    uint32_t self;
} rcp_gen_reads;

bool rcp_gen_has_reads(const rcp_gen_reads *reads);
/* These three need a read to stand on. `width` is a multiple of 8. */
rcp_term rcp_gen_value(const rcp_gen_reads *reads, unsigned width, uint64_t *value);
rcp_term rcp_gen_condition(const rcp_gen_reads *reads, uint64_t *value);
/* A 64-bit term that is `addr` now: base + (read & mask) * scale. */
rcp_term rcp_gen_address(const rcp_gen_reads *reads, uint64_t addr);
/* 'what the next event reads equals `expected`': the condition of a compare-and-swap. */
rcp_term rcp_gen_equals_self(const rcp_gen_reads *reads, uint64_t expected);

#endif
