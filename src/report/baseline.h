/* SPDX-License-Identifier: Apache-2.0 */
/* What was known before: fingerprints, of an earlier report in JSON or of a list of them. What is among them is set
 * aside; only what is new counts.
 *
 * Of a report `races`, `deadlocks` and `crashes` are known whatever becomes of them; what was unconfirmed there is
 * known as long as it is: once the program has shown it, it is new. What was suppressed there is not known.
 * Fingerprints of a list are known whatever they are of.
 *
 * Invariant: fingerprints are never 0. The baseline owns its map.
 */
#ifndef RECIPE_REPORT_BASELINE_H
#define RECIPE_REPORT_BASELINE_H

#include "base/json.h"
#include "base/map.h"
#include "report/finding.h"

typedef struct rcp_baseline {
    rcp_map known;
} rcp_baseline;

void rcp_baseline_init(rcp_baseline *baseline);
void rcp_baseline_finish(rcp_baseline *baseline);
/* Adds what a file says: a report of recipe in JSON, or fingerprints, a line each, where '#' begins a comment. Fails
 * where it is neither. */
rcp_code rcp_baseline_parse(rcp_baseline *to, const char *file, const char *text, size_t len) RCP_MUST_USE;
/* Is that race, deadlock or crash of a report in JSON known? So is what has no fingerprint, as in older reports. */
bool rcp_baseline_has(const rcp_baseline *baseline, const rcp_json *one, bool is_race);

void rcp_baseline_apply(const rcp_baseline *baseline, rcp_findings *findings);

#endif
