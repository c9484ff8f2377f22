/* SPDX-License-Identifier: Apache-2.0 */
/* The value rules V1, V2 and V3 of docs/semantics.md, weakest last: what the reads of another order must keep. */
#ifndef RECIPE_TRACE_CHECK_VALUE_RULE_H
#define RECIPE_TRACE_CHECK_VALUE_RULE_H

typedef enum rcp_value_rule {
    RCP_VALUES_LAST_WRITER, /* causal reads keep their last writer (seed 002's predictable trace) */
    RCP_VALUES_SAME,        /* every read takes its recorded value (seeds 003, 004: mc) */
    RCP_VALUES_RELAXED,     /* every branch and address keeps its term's value (seed 000: recipe-s) */
} rcp_value_rule;

#endif
