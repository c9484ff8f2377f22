/* SPDX-License-Identifier: Apache-2.0 */
/* The one place at which a finding becomes a race. Partial orders, prediction, exploration and the second opinion hand
 * in what they found; whatever is reported went through here.
 *
 * What claims to be proven is judged anew, by nobody who has looked for it: the checker must accept its witness by one
 * of its rules, and, where the run was recorded, the code must go along it. What the checker or the code refuses is a
 * mistake of ours: it is kept as unproven, and said. Then the race gets its name (results/fingerprint.h), its pair is
 * known from now on, and it is stored.
 *
 * The race stays the caller's.
 */
#ifndef RECIPE_ANALYSIS_MAKE_RACE_H
#define RECIPE_ANALYSIS_MAKE_RACE_H

#include "analysis/study.h"

/* `race` is of events of `run`, whose trace is loaded; its models are set. A race of a variant is kept only where the
 * code goes along it: nobody recorded that run, unless it was steered, and went there. *kept: it was stored. */
rcp_code rcp_make_race(rcp_study *study, rcp_subject *run, rcp_race *race, bool *kept) RCP_MUST_USE;

/* Does the checker accept the witness, by one of its rules? The run's checker is made. */
rcp_code rcp_race_check(const rcp_study *study, const rcp_subject *run, const rcp_race *race,
                        rcp_check_verdict *verdict) RCP_MUST_USE;

#endif
