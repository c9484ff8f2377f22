/* SPDX-License-Identifier: Apache-2.0 */
/* Innermost loops of the one shape that regions.h makes plain copies of.
 *
 * LLVM-C shows no loops, so this finds them: one way in (from `before`, which goes nowhere else), one latch that is
 * also the only way out, no other loop within. Preparation has simplified and rotated loops, so most are like that.
 *
 * Invariant: a value that the loop computes is used outside by the phis of `after` alone. Everything is borrowed from
 * the function.
 */
#ifndef RECIPE_INSTRUMENT_LOOPS_H
#define RECIPE_INSTRUMENT_LOOPS_H

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#define RCP_LOOP_BLOCKS 12

typedef struct rcp_loop {
    LLVMBasicBlockRef before, after;
    LLVMBasicBlockRef blocks[RCP_LOOP_BLOCKS]; /* the head is the first */
    unsigned n;
    LLVMBasicBlockRef latch;
    LLVMValueRef condition; /* of the latch */
    bool goes_on;           /* what the condition is while the loop goes on */
} rcp_loop;

typedef RCP_VEC(rcp_loop) rcp_loops;

/* Appends those of the function. */
void rcp_loops_of(LLVMValueRef function, rcp_loops *loops);

bool rcp_loop_has_block(const rcp_loop *loop, LLVMBasicBlockRef block);
/* Is the value computed within the loop? */
bool rcp_loop_has(const rcp_loop *loop, LLVMValueRef value);
/* Is one of the `n` blocks on every way round? */
bool rcp_loop_always_runs_one(const rcp_loop *loop, const LLVMBasicBlockRef *blocks, unsigned n);
/* The sum of `weights`, one for each of the loop's blocks, over the blocks of a way round; false: it depends on the
 * way.
 */
bool rcp_loop_weigh(const rcp_loop *loop, const uint32_t *weights, uint32_t *sum);

#endif
