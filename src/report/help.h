/* SPDX-License-Identifier: Apache-2.0 */
/* What would keep the two sides of a race apart, as far as that can be told from what both hold and do: a lock that the
 * one has and the other has not, one that both gave up a line too early, a lock for reading where one writes, memory
 * that is freed or ends too early, an atomic object that one of them accesses otherwise. It is advice: the engines and
 * the checker know nothing of it.
 *
 * Invariant: what it says of locks, lines and threads is so in the trace. Lines of the program that it names are in
 * `lines`, each once, but for those of the two accesses, which stand there anyhow. Its holder finishes it.
 */
#ifndef RECIPE_REPORT_HELP_H
#define RECIPE_REPORT_HELP_H

#include "report/entries.h"
#include "report/handed.h"

typedef struct rcp_help {
    rcp_text words;         /* sentences; empty where there is no advice */
    RCP_VEC(rcp_loc) lines; /* to be quoted, in the order in which they are named */
    const rcp_bug *entry;   /* what else of the two functions is of that bug; may be NULL */
} rcp_help;

/* Where one of the two functions accesses the same object at another line, which must be in the same section as that
 * side's; NULL: nowhere. */
const rcp_location *rcp_help_other_line(const rcp_finding *finding, const rcp_bug *entry, size_t side);
/* `many`: rcp_handed_find_many(). */
void rcp_help_make(rcp_help *to, const rcp_finding *finding, const rcp_bug *entry, const rcp_handing *many);
void rcp_help_finish(rcp_help *help);

/* --- for report/help*.c --- */

/* "a.c:12", which is to be quoted. */
void rcp_help_line(rcp_help *to, const rcp_finding *finding, rcp_loc loc);
/* The same of an access of the two. */
void rcp_help_access(rcp_help *to, const rcp_finding *finding, size_t side);
/* Of what is written too early; false: nothing is known to be. */
bool rcp_help_early(rcp_help *to, const rcp_finding *finding);
/* Of memory that is freed, or goes with its thread: `end` is the side that does. */
void rcp_help_free(rcp_help *to, const rcp_finding *finding, size_t end);
void rcp_help_lent(rcp_help *to, const rcp_finding *finding, size_t end);
/* Of weak memory orders: those that would do. */
void rcp_help_orders(rcp_help *to, const rcp_finding *finding);

#endif
