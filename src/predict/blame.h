/* SPDX-License-Identifier: Apache-2.0 */
/* What a pair that is no race would be without a rule that stands for something nobody knows: what calls outside do,
 * and which memory the allocator gives to whom. The pair was looked at, and is none by the rules; but 'no race' hangs
 * on them, so the report says it, with names.
 *
 * The question is asked of the ladder again with the rule left out (RCP_LOOSE_… of predict/solve/slice.h), and answered
 * with the first thing that the checker refuses in what comes of it. That is a guess at who is to blame, good enough to
 * say where to look; it never makes a race, and never takes one away.
 *
 * Invariant: the same pair gets the same answer. Nothing is owned.
 */
#ifndef RECIPE_PREDICT_BLAME_H
#define RECIPE_PREDICT_BLAME_H

#include "predict/solve/ladder.h"

typedef enum rcp_blamed { RCP_BLAMED_NONE, RCP_BLAMED_CALL, RCP_BLAMED_REUSE } rcp_blamed;

typedef struct rcp_blame {
    uint32_t what; /* rcp_blamed */
    uint32_t
        who; /* CALL: the function, a string; REUSE: where the memory was given out again, a location. 0: unknown */
} rcp_blame;

/* Which rules the trace has anything of; 0: there is nobody to blame. */
unsigned rcp_blame_rules(const rcp_groundwork *groundwork);
/* The two do not race, under this relaxation. */
rcp_code rcp_blame_find(rcp_ladder *ladder, unsigned rules, rcp_relaxation relaxation, rcp_eid a, rcp_eid b,
                        rcp_blame *blame) RCP_MUST_USE;

#endif
