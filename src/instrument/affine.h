/* SPDX-License-Identifier: Apache-2.0 */
/* Values that grow by the same amount in every iteration of a loop: first + iteration * step.
 *
 * LLVM-C has no scalar evolution; this is the strict part of it that regions.h needs. A value is a sum of terms (values
 * that the loop does not change, times constants), a constant and a step, modulo 2^width. Preparation took the promises
 * out that nothing overflows; so an extension of a narrower sum holds only where that sum, computed in 64 bits, stays
 * within its type from the first iteration to the last: a *check*, which the code asks when it runs.
 *
 * What is not recognised is refused, never guessed. All values are borrowed from the function.
 */
#ifndef RECIPE_INSTRUMENT_AFFINE_H
#define RECIPE_INSTRUMENT_AFFINE_H

#include "instrument/emit.h"
#include "instrument/loops.h"

#define RCP_AFFINE_TERMS 4

typedef struct rcp_affine_term {
    LLVMValueRef value; /* NULL: 1 */
    bool is_signed;     /* how it is extended, where it is narrower than the sum */
    int64_t factor;
} rcp_affine_term;

typedef struct rcp_affine {
    unsigned width; /* pointers are 64 bits */
    unsigned n;
    rcp_affine_term terms[RCP_AFFINE_TERMS];
    int64_t constant;
    rcp_affine_term step; /* factor 0: none */
} rcp_affine;

/* `sum` (of 64 bits) stays within an integer of `width` bits. */
typedef struct rcp_affine_check {
    rcp_affine sum;
    unsigned width;
    bool is_signed;
} rcp_affine_check;

typedef struct rcp_affine_scope {
    rcp_pass_unit *unit;
    const rcp_loop *loop;
    RCP_VEC(rcp_affine_check) checks; /* what all that was recognised so far relies on */
    unsigned work;                    /* so that an expression with many common parts does not take for ever */
} rcp_affine_scope;

/* False: it is no such value, as far as we see. */
bool rcp_affine_of(rcp_affine_scope *scope, LLVMValueRef value, rcp_affine *result);

bool rcp_affine_same_term(const rcp_affine_term *a, const rcp_affine_term *b);
/* Do two sums differ by a constant alone, in every iteration? */
bool rcp_affine_is_parallel(const rcp_affine *a, const rcp_affine *b);

/* Code for the value in the first iteration, and for a term, as integers of `width` bits, where the builder stands (in
 * front of the loop). Computations of the loop's own that do not change are done there once more. */
LLVMValueRef rcp_affine_build(rcp_affine_scope *scope, LLVMBuilderRef builder, const rcp_affine *affine);
LLVMValueRef rcp_affine_build_term(rcp_affine_scope *scope, LLVMBuilderRef builder, const rcp_affine_term *term,
                                   unsigned width);
/* Is exactly one of its terms a pointer, once? */
bool rcp_affine_is_address(const rcp_affine *affine);

#endif
