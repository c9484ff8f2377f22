/* SPDX-License-Identifier: Apache-2.0 */
/* What would keep the two accesses of a race apart, as far as it can be told from what both do and which locks they
 * have: advice for people, and no claim of the checker's. Of atomics that are too weak the cures are said elsewhere
 * (`why`), and of what becomes of synchronisation objects nothing is known here.
 */
#ifndef RECIPE_REPORT_HELP_H
#define RECIPE_REPORT_HELP_H

#include "report/entries.h"
#include "report/handed.h"

/* Where one of the two functions accesses the same object at another line, which must be in the same section as that
 * side's; NULL: nowhere. */
const rcp_location *rcp_help_other_line(const rcp_finding *finding, const rcp_bug *entry, size_t side);
/* Sentences; nothing where there is no advice. `entry`: what else of the two functions is of that bug; may be NULL.
 * `many`: rcp_handed_find_many(). */
void rcp_help_put(rcp_text *to, const rcp_finding *finding, const rcp_bug *entry, const rcp_handing *many);

#endif
