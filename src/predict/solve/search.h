/* SPDX-License-Identifier: Apache-2.0 */
/* One query under one model: a witness, a proof that there is none, or neither within the limit.
 *
 * The solver proposes an order, the encoder looks at it, and what it finds wrong becomes a clause. 'None' is about the
 * slice: it means 'no race' only where the slice is whole.
 *
 * Invariant: the same query gives the same answer, whatever came before it. The caller owns the witness, which no
 * checker has seen yet.
 */
#ifndef RECIPE_PREDICT_SOLVE_SEARCH_H
#define RECIPE_PREDICT_SOLVE_SEARCH_H

#include "predict/solve/encode.h"
#include "trace/model/witness.h"

typedef enum rcp_answer { RCP_ANSWER_WITNESS, RCP_ANSWER_NONE, RCP_ANSWER_LIMIT } rcp_answer;

typedef struct rcp_search_options {
    rcp_relaxation relaxation;
    bool spurious_wakeups;
} rcp_search_options;

typedef struct rcp_search_stats {
    uint64_t rounds, clauses, conflicts, variables;
} rcp_search_stats;

/* `witness` is initialised and empty; it is filled in where one is found. Uses up *steps. */
rcp_answer rcp_search(const rcp_slice *slice, rcp_search_options options, rcp_evaluator *evaluator, uint64_t *steps,
                      rcp_witness *witness, rcp_search_stats *stats);

#endif
