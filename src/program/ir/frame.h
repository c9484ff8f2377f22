/* SPDX-License-Identifier: Apache-2.0 */
/* Where the stack objects of a function are: the arithmetic that instrumented code and re-execution share.
 *
 * A frame begins at `top`, what struct rcp_hot's `stack` was at entry (16-aligned). Its slots are, in this order,
 *   1. every byval parameter (the bytes that it points to are copied there at the call, and the parameter is that
 * copy),
 *   2. every alloca of the entry block whose count is a constant, in the order of the instructions,
 * pushed one after the other when the function is entered. Every other alloca is pushed where it is executed, with
 * count × size of its type. A push is
 *     top = address = (top - size) & -max(16, align)
 * llvm.stacksave is `top`, llvm.stackrestore sets it, return and resume put back what it was at entry. A landing pad
 * and the second return of setjmp put back what the frame's `top` is at that time.
 */
#ifndef RECIPE_PROGRAM_IR_FRAME_H
#define RECIPE_PROGRAM_IR_FRAME_H

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct rcp_frame_slot {
    LLVMValueRef value; /* a parameter or an alloca */
    uint64_t size, align;
} rcp_frame_slot;

typedef RCP_VEC(rcp_frame_slot) rcp_frame_slots;

static inline uint64_t rcp_frame_push(uint64_t top, uint64_t size, uint64_t align) {
    return (top - size) & -(align < 16 ? 16 : align);
}

/* Appends the slots that are pushed at entry, in their order. */
void rcp_frame_slots_of(LLVMValueRef function, LLVMTargetDataRef layout, rcp_frame_slots *slots);

/* Is the alloca one of those? Else its size is count × rcp_frame_unit() where it is executed. */
bool rcp_frame_is_static(LLVMValueRef alloca);
uint64_t rcp_frame_unit(LLVMValueRef alloca, LLVMTargetDataRef layout);

/* The type that a byval parameter points to; NULL: it is none. */
LLVMTypeRef rcp_frame_byval(LLVMValueRef parameter);

#endif
