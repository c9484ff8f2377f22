/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that goes with its thread, which another thread accesses: a local variable or a thread_local one, whose
 * address somebody stored for others to have. No event names it; the line that stored the address mostly does ("lent =
 * &own"). Nothing is owned.
 */
#ifndef RECIPE_REPORT_LENT_H
#define RECIPE_REPORT_LENT_H

#include "report/finding.h"

/* "own"; false: the line is not there, or says more than one name. */
bool rcp_lent_name(rcp_text *to, const rcp_finding *finding);

#endif
