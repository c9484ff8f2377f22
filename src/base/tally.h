/* SPDX-License-Identifier: Apache-2.0 */
/* How often what is dear was done, counted where it happens: whoever does it twice can't hide it. 'recipe analyze -v'
 * says it at its end.
 *
 * Counts are of the process that began counting and of all that were copied from it since: they share one page. Where
 * nobody has begun, nothing is counted. What is done for variants of a run is counted apart.
 */
#ifndef RECIPE_BASE_TALLY_H
#define RECIPE_BASE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

typedef enum rcp_tallied {
    RCP_TALLY_LOADS,        /* traces that were loaded into memory, or their beginnings */
    RCP_TALLY_READ_ON,      /* of such a beginning, more or less was wanted */
    RCP_TALLY_REEXECUTIONS, /* the code was run again, along its log or another order */
    RCP_TALLY_TELLINGS,     /* of these, for events or for moments to go back to */
    RCP_TALLY_RUN_FACTS,
    RCP_TALLY_FORCED_WRITES,
    RCP_TALLY_CHECKERS,
    RCP_TALLY_REPLAYS, /* runs of the program along a witness */
    RCP_TALLIED
} rcp_tallied;

/* Its words, for people: "loads of the trace". */
const char *rcp_tally_name(rcp_tallied what);

/* From 0. What the system refuses is not counted. */
void rcp_tally_begin(void);
/* What comes now is done for a variant, or for the run itself. Answers what it was before. */
bool rcp_tally_for_variant(bool is_variant);
void rcp_tally_count(rcp_tallied what);
uint64_t rcp_tally_of(rcp_tallied what, bool is_variant);

#endif
