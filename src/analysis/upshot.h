/* SPDX-License-Identifier: Apache-2.0 */
/* What came of two operations in a run of the program that was led to them: how the program ended, what the variable
 * held that both are about, and what was printed (docs/semantics.md, 'An atomicity violation', U4 and U5).
 *
 * Events of the run that it was led along are found again by their threads' names, their places, and how often their
 * threads have been there: up to the end of the schedule that is exact.
 *
 * An upshot owns `end`.
 */
#ifndef RECIPE_ANALYSIS_UPSHOT_H
#define RECIPE_ANALYSIS_UPSHOT_H

#include "analysis/partings.h"
#include "base/text.h"
#include "replay/stage.h"

#include <stdbool.h>

/* Which operation comes first; or the writer's section is within the other thread's operation. */
typedef enum rcp_upshot_order {
    RCP_UPSHOT_BETWEEN,
    RCP_UPSHOT_BEFORE, /* the writer's operation */
    RCP_UPSHOT_AFTER,
    RCP_UPSHOT_ORDERS
} rcp_upshot_order;

typedef struct rcp_upshot {
    bool is_so;     /* the program was led there, and did it in that order; else all else says nothing */
    bool is_alone;  /* from the beginning of the first operation to the end of both nobody else wrote the variable */
    rcp_text end;   /* "exited with 0", "deadlocked" … */
    uint64_t lines; /* a number for what was printed, in whatever order the lines came */
    bool knows_before, knows_after,
        knows_last; /* the value when the first one began, when both were over, in the end */
    uint64_t before, after, last;
    bool is_settled; /* nobody else wrote it when both were over */
} rcp_upshot;

/* `from` has the parting; `run` is the trace of what `performance` did. */
void rcp_upshot_take(rcp_upshot *outcome, const rcp_trace *from, const rcp_parting *parting, rcp_upshot_order order,
                     const rcp_trace *run, const rcp_performance *performance);
void rcp_upshot_finish(rcp_upshot *outcome);

typedef enum rcp_upshot_difference {
    RCP_UPSHOT_SAME,
    RCP_UPSHOT_ENDS,
    RCP_UPSHOT_VALUES,
    RCP_UPSHOT_LINES
} rcp_upshot_difference;

/* Did the two operations, and nobody else, make of the same value what they made of it? */
bool rcp_upshot_is_comparable(const rcp_upshot *a, const rcp_upshot *b);
/* The first of these that the two differ in; lines where `with_lines`. */
rcp_upshot_difference rcp_upshot_compare(const rcp_upshot *a, const rcp_upshot *b, bool with_lines);
/* Of two runs along one schedule: is all but what was printed the same? */
bool rcp_upshot_is_again(const rcp_upshot *a, const rcp_upshot *b);

#endif
