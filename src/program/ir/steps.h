/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions are events, and how they fall into segments: abi/position.h in terms of LLVM.
 *
 * The one definition that the instrumentation and re-execution share: the pass walks the steps of a function to put
 * hooks in, the decoder walks them to know where the hooks are. Both see the same module: the pass embeds its bitcode
 * after src/instrument/prepare.h and before it touches anything.
 *
 * A segment is a maximal run of COUNTED steps of one block with no BREAKING step between them. The first step of a
 * segment carries its number of events in `reserve`.
 */
#ifndef RECIPE_PROGRAM_IR_STEPS_H
#define RECIPE_PROGRAM_IR_STEPS_H

#include "base/vec.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Metadata of an addition, subtraction or multiplication that the language lets no program overflow. */
#define RCP_STEPS_NO_WRAP "recipe.nsw"

/* Metadata of a load or copy that reads padding alone (instrument/padding.h): it happens, but is no access of what it
 * reads. */
#define RCP_STEPS_PADDING "recipe.padding"

/* Functions that stand for calls of the C library (instrument/stand_in.h) have names that begin so. */
#define RCP_STEPS_STAND_IN "recipe."

typedef enum rcp_step_kind {
    RCP_STEP_NONE,
    /* Counted in segments. */
    RCP_STEP_LOAD, /* atomic ones too */
    RCP_STEP_STORE,
    RCP_STEP_RMW,
    RCP_STEP_CMPXCHG,
    RCP_STEP_FENCE,
    RCP_STEP_BRANCH,   /* conditional br that can go to this block or an earlier one */
    RCP_STEP_SWITCH,   /* the same of switch */
    RCP_STEP_INDIRECT, /* indirectbr */
    RCP_STEP_TICK,     /* unconditional br to this block or an earlier one */
    /* Breaking: they count for themselves or not at all. */
    RCP_STEP_COPY,  /* memcpy, memmove: 2 events */
    RCP_STEP_FILL,  /* memset: 1 event */
    RCP_STEP_LEAVE, /* a call or invoke that may leave instrumented code, non-empty inline assembly: 1 event */
    RCP_STEP_CALL,  /* a call or invoke of a function that this module defines for good: none */
    RCP_STEP_RESUME,
    /* Neither: a place where something is logged. */
    RCP_STEP_VALUE,   /* an intrinsic that is not in program/ir/intrinsics.h: its result is logged */
    RCP_STEP_TLS,     /* llvm.threadlocal.address: logged only in modules that were loaded late */
    RCP_STEP_LANDING, /* landingpad */
    RCP_STEP_SAVE,    /* llvm.stacksave: the top of the recipe stack */
    RCP_STEP_RESTORE, /* llvm.stackrestore */
} rcp_step_kind;

typedef struct rcp_step {
    LLVMValueRef instruction;
    rcp_step_kind kind;
    uint32_t reserve; /* events of the segment that begins here; 0: none does */
    uint32_t left;    /* of a counted step: events of its segment from here on */
} rcp_step;

typedef RCP_VEC(rcp_step) rcp_steps;

/* The steps of a function that has a body, in the order of its blocks and instructions; those of kind NONE are left
 * out. Appends to `steps`. */
void rcp_steps_of(LLVMValueRef function, rcp_steps *steps);

/* Has it a body, and is not instrumented? */
bool rcp_steps_is_left_out(LLVMValueRef function);

/* Does the module define `function` for good: can no other definition take its place, and is it instrumented? */
bool rcp_steps_is_final(LLVMValueRef function);

/* The function that a call or invoke names, aliases looked through; NULL: an indirect call or inline assembly. */
LLVMValueRef rcp_steps_callee(LLVMValueRef call);

/* Is the call inline assembly that asks the machine for what is another answer each time: a clock, a random number? A
 * replay gives back what was recorded (__recipe_clock of abi/hooks.h). */
bool rcp_steps_asks_machine(LLVMValueRef call);
/* Of such a one: is it a random number? */
bool rcp_steps_asks_chance(LLVMValueRef call);
/* Is the call inline assembly that calls the system, as far as its text says? */
bool rcp_steps_calls_system(LLVMValueRef call);

/* Does the call return twice (setjmp and its kin)? */
bool rcp_steps_returns_twice(LLVMValueRef call);

/* Does it carry the metadata of that name? */
bool rcp_steps_has_metadata(LLVMValueRef instruction, const char *name);

/* The name of an intrinsic up to its first type suffix, as "llvm.memcpy" for llvm.memcpy.p0.p0.i64; NULL where the
 * function is none. Borrowed from LLVM; `len` takes its length. */
const char *rcp_steps_intrinsic(LLVMValueRef function, size_t *len);
/* Is the call one of that intrinsic? */
bool rcp_steps_calls_intrinsic(LLVMValueRef call, const char *name);

/* Functions that carry this attribute are left as they are (its value says why); calls of them leave. */
#define RCP_OPAQUE_ATTRIBUTE "recipe-opaque"

/* Functions that carry this one are recorded like others; what they do is not to be reported. */
#define RCP_SPARED_ATTRIBUTE "recipe-spared"
bool rcp_steps_is_spared(LLVMValueRef function);

/* A flag of modules whose other branches are logged too by record --log-values (recipe cc -frecipe-log-branches). */
#define RCP_BRANCHES_FLAG "recipe-log-branches"

/* A flag of modules whose release sequences go on by read-modify-writes alone, as C++20 has it
 * (instrument/sequences.h). */
#define RCP_SEQUENCES_FLAG "recipe-sequences"

#endif
