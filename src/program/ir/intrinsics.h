/* SPDX-License-Identifier: Apache-2.0 */
/* The intrinsics that re-execution computes itself, because their results are functions of their arguments alone.
 *
 * The one list that the pass and the decoder share (program/ir/steps.h): the result of any other intrinsic is logged
 * where it is called. So what is not modelled here costs log, and nothing else.
 */
#ifndef RECIPE_PROGRAM_IR_INTRINSICS_H
#define RECIPE_PROGRAM_IR_INTRINSICS_H

#include <stddef.h>

typedef enum rcp_intrinsic_shape {
    RCP_INTRINSIC_BINARY,   /* rcp_binary */
    RCP_INTRINSIC_UNARY,    /* rcp_unary; further arguments are hints */
    RCP_INTRINSIC_OVERFLOW, /* rcp_overflow */
    RCP_INTRINSIC_FUNNEL,   /* 1: left */
    RCP_INTRINSIC_FMA,
    RCP_INTRINSIC_CONVERT,     /* rcp_conversion */
    RCP_INTRINSIC_SAME,        /* its first argument */
    RCP_INTRINSIC_REDUCE,      /* rcp_binary over the lanes of the only argument */
    RCP_INTRINSIC_REDUCE_FROM, /* rcp_binary over the first argument, then the lanes of the second, in order */
    RCP_INTRINSIC_NOTHING,
    RCP_INTRINSIC_TRAP,
} rcp_intrinsic_shape;

typedef struct rcp_intrinsic {
    const char *name; /* without the suffixes of types */
    rcp_intrinsic_shape shape;
    int what;
} rcp_intrinsic;

/* NULL: it is none of them. */
const rcp_intrinsic *rcp_intrinsic_find(const char *name, size_t len);

#endif
