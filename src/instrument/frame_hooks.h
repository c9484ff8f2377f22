/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds a function's own code: how it is entered from outside, its stack objects on the recipe stack
 * (program/ir/frame.h), and how it leaves.
 *
 * A function that may be called from code that we did not see gets a new first block that asks who calls. */
#ifndef RECIPE_INSTRUMENT_FRAME_HOOKS_H
#define RECIPE_INSTRUMENT_FRAME_HOOKS_H

#include "instrument/emit.h"
#include "program/ir/steps.h"

typedef struct rcp_frame_hooks {
    LLVMValueRef called_back; /* i1; NULL: never from outside */
    LLVMValueRef entry;       /* top of the recipe stack at entry; NULL: the function does not use it */
    LLVMValueRef top;         /* after the static slots */
    LLVMValueRef variable;    /* where the current top is kept; NULL: it is always `top` */
    LLVMValueRef depth;       /* NULL: not needed */
    bool moved;               /* the top differs from the entry's */
    bool twice;               /* it calls setjmp: the variable must be in memory */
} rcp_frame_hooks;

/* Is the function called, or can it be, by code that is not instrumented? Asked of all functions before the first hook
 * is written: hooks use addresses themselves. */
bool rcp_frame_hooks_is_reachable(LLVMValueRef function);

/* Head and exits. `reachable` as above. The steps are those of the function, before any hook. */
void rcp_frame_hooks_write(rcp_emitter *emitter, rcp_frame_hooks *frame, const rcp_steps *steps, bool reachable);

/* The current top, as a pointer: what a landing pad or a second return puts back. */
LLVMValueRef rcp_frame_hooks_top(rcp_emitter *emitter, const rcp_frame_hooks *frame);
/* The program moves it: llvm.stackrestore. */
void rcp_frame_hooks_set_top(rcp_emitter *emitter, const rcp_frame_hooks *frame, LLVMValueRef top);

#endif
