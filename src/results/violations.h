/* SPDX-License-Identifier: Apache-2.0 */
/* Atomicity violations as rows of results.db: of each recording that shows one, and of variant 0 what was asked.
 * Nothing is owned; what is read is the caller's.
 */
#ifndef RECIPE_RESULTS_VIOLATIONS_H
#define RECIPE_RESULTS_VIOLATIONS_H

#include "base/limits.h"
#include "results/database.h"
#include "results/violation.h"

rcp_code rcp_violations_put(rcp_database *base, uint64_t trace, uint32_t variant, const char *told) RCP_MUST_USE;
rcp_code rcp_violations_read(rcp_database *base, uint64_t trace, rcp_violations *list) RCP_MUST_USE;
/* What was left out where they were looked for. */
void rcp_violations_add_limits(const rcp_violations *list, rcp_limit_counts *reached);

#endif
