/* SPDX-License-Identifier: Apache-2.0 */
/* Two reports beside each other: what is new in the second, what of the first is gone, how much both have.
 *
 * Both are reports in JSON (report/report.h), so that one that was kept is as good as one that is made now. What a
 * report had suppressed is in none. Something is new exactly where the first report as a baseline would leave it
 * (report/baseline.h): what was unconfirmed and has been shown since is new, too. That something is gone means that
 * this run does not have it.
 *
 * Invariant: a side's JSON lives as long as it does. Sides own what they have read; their names are borrowed.
 */
#ifndef RECIPE_REPORT_DIFF_H
#define RECIPE_REPORT_DIFF_H

#include "base/json.h"
#include "report/baseline.h"

typedef struct rcp_diff_side {
    const char *name;
    rcp_text text;
    rcp_arena arena;
    const rcp_json *all;
    rcp_baseline known; /* what it has */
} rcp_diff_side;

/* `text` is a report in JSON, and is taken. `side` is the caller's to finish, whatever comes of it. */
rcp_code rcp_diff_read(rcp_diff_side *side, const char *name, rcp_text *take_text) RCP_MUST_USE;
void rcp_diff_finish(rcp_diff_side *side);

/* What counts in a report: how many such entries, deadlocks and crashes are new. */
size_t rcp_diff_new(const rcp_diff_side *before, const rcp_diff_side *after);
/* For people, and as an object. */
void rcp_diff_text(rcp_text *to, const rcp_diff_side *before, const rcp_diff_side *after, bool is_coloured);
void rcp_diff_json(rcp_text *to, const rcp_diff_side *before, const rcp_diff_side *after);

#endif
