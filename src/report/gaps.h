/* SPDX-License-Identifier: Apache-2.0 */
/* What was not looked at: one list, from which every form of the report prints, and which decides what --strict says.
 * 'No race' without a word means that the list is empty.
 *
 * A gap is something that could hide a race: a limit that was reached, a part that was cut off, threads that never ran,
 * replays that were not made, and what is assumed of code outside. Not a gap is what was looked at and found to be
 * none, nor a pair that is a race already, however many instances of it there are.
 *
 * Invariant: every gap has a reason and a count above 0. Gaps own their words.
 */
#ifndef RECIPE_REPORT_GAPS_H
#define RECIPE_REPORT_GAPS_H

#include "results/results.h"

#include <stdbool.h>

typedef enum rcp_gap_kind {
    RCP_GAP_LIMIT,     /* names: of the limits, for --set */
    RCP_GAP_CUT,       /* names: none */
    RCP_GAP_THREADS,   /* names: where they were created */
    RCP_GAP_REPLAYS,   /* names: the numbers of the races */
    RCP_GAP_REFUSED,   /* the recorded order is refused by the rules; names: where */
    RCP_GAP_ANNOTATED, /* what the program asks not to report; names: none */
    RCP_GAP_DEADLOCKS, /* waits that no deadlock is predicted of; names: none */
    RCP_GAP_OUTSIDE,   /* an assumption about code that is not recorded; names: what was called, the worst first */
    RCP_GAP_KINDS
} rcp_gap_kind;

typedef struct rcp_gap {
    rcp_gap_kind kind;
    char *reason;     /* a sentence, with its full stop */
    uint64_t count;   /* how often */
    const char *unit; /* what is counted, for people: "thread"; NULL: the sentence says it */
    RCP_VEC(char *) names;
} rcp_gap;

typedef RCP_VEC(rcp_gap) rcp_gaps;

/* "limit", "cut", "threads", "replays", "refused", "annotated", "deadlocks", "outside" */
const char *rcp_gap_kind_name(rcp_gap_kind kind);
/* A new one at the end, without names; where the count is 0, none, and NULL. */
rcp_gap *rcp_gaps_add(rcp_gaps *gaps, rcp_gap_kind kind, uint64_t count, const char *format, ...) RCP_PRINTF(4, 5);
void rcp_gap_name(rcp_gap *gap, const char *name);
/* Those of the kind go. */
void rcp_gaps_drop(rcp_gaps *gaps, rcp_gap_kind kind);
/* What the analyses left out: limits that were `reached`, runs that were not recorded and not followed to their ends,
 * pairs that are `undecided` (whatever else another model says of a pair counts), what only calls outside or the
 * allocator ruled out, what calls outside do themselves. Of a trace of so many events. */
void rcp_gaps_of_analyses(rcp_gaps *gaps, const rcp_summary *summary, const rcp_limit_counts *reached, uint64_t events,
                          uint64_t undecided, const rcp_defs *defs);
/* Is there one that --strict counts; with `all`, also of what is assumed of code outside? */
bool rcp_gaps_matter(const rcp_gaps *gaps, bool all);
void rcp_gaps_finish(rcp_gaps *gaps);

#endif
