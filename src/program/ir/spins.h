/* SPDX-License-Identifier: Apache-2.0 */
/* Loops by which a thread waits: going round once more changes nothing that others can see, and finds the same unless
 * somebody else has written.
 *
 * What is looked for is a way round without a store, a copy or a call that may do something, every access on which has
 * an address that does not change from round to round (so for (i …) sum += a[i] is none), and an exit that is decided
 * by what was read in the round. Where every exit is, the loop ends only once something that it reads has changed:
 * `endless`. A loop that also counts its rounds and stops after so many is not.
 *
 * It decides who runs when, and nothing else: a loop that is taken for one of these and is none costs time. Both the
 * pass, which puts hooks there (abi/hooks.h: __recipe_round), and whoever executes the code without having been
 * recorded (program/explore/) ask here, so that both give way at the same branches. Everything is borrowed from the
 * function.
 */
#ifndef RECIPE_PROGRAM_IR_SPINS_H
#define RECIPE_PROGRAM_IR_SPINS_H

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

#define RCP_SPIN_BLOCKS 32 /* a loop that has more is no wait */

typedef struct rcp_spin {
    LLVMValueRef latch; /* the branch that goes round */
    unsigned side;      /* its successor that is the way round */
    bool endless;
    LLVMValueRef busy[RCP_SPIN_BLOCKS]; /* calls on other ways round that may do something: of each block the first */
    unsigned n_busy;
} rcp_spin;

typedef RCP_VEC(rcp_spin) rcp_spins;

/* Appends those of the function. */
void rcp_spins_of(LLVMValueRef function, rcp_spins *spins);

/* An instruction or a call that only lets a moment pass: a processor's hint, or assembly that is nothing but one. */
bool rcp_spins_is_pause(LLVMValueRef call);

#endif
