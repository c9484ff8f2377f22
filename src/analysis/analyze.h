/* SPDX-License-Identifier: Apache-2.0 */
/* One analysis from beginning to end: which stages, in which order. What comes of it is in results.db. */
#ifndef RECIPE_ANALYSIS_ANALYZE_H
#define RECIPE_ANALYSIS_ANALYZE_H

#include "analysis/study.h"

/* The directory holds a trace, or a recorded run, whose events are made first. `prediction` takes what the
 * models that predict say of their work, and of another tool's warnings; the caller's to finish. */
rcp_code rcp_analyze(const rcp_study_options *options, const rcp_notices *notices,
                     rcp_predict_report *prediction) RCP_MUST_USE;

/* Says how often what is dear was done since rcp_tally_begin(): for the run, and for variants of it. */
void rcp_analyze_say_tally(const rcp_notices *notices);

#endif
