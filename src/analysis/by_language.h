/* SPDX-License-Identifier: Apache-2.0 */
/* Other runs than the recorded one, by the rules of the language (docs/semantics.md, 'The order of the language'):
 * model c11 over their events, as it is over those of the recorded run.
 *
 * Of a run that the program has made (analysis/shown.h) it is the proof: both accesses happened in it. Of one that was
 * thought out (analysis/variant.h), and of the recorded events in the order of another model's witness, it is a
 * prediction, until the program was led along that and the rules have said the same of what it did then
 * (analysis/replaying.h).
 *
 * Invariant: what is put into the results went through rcp_make_race().
 */
#ifndef RECIPE_ANALYSIS_BY_LANGUAGE_H
#define RECIPE_ANALYSIS_BY_LANGUAGE_H

#include "analysis/study.h"
#include "order/analyze.h"

/* Of the pairs of program points that neither the study nor c11 knows yet; NULL: of all. As long as there is time
 * (base/deadline.h). The run's trace is loaded, where something was found. `report` is initialised; the caller's. */
rcp_code rcp_by_language_find(const rcp_study *study, rcp_subject *run, rcp_order_report *report) RCP_MUST_USE;
/* The same, and what is found becomes races of the study. *fresh: so many. */
rcp_code rcp_by_language_take(rcp_study *study, rcp_subject *run, uint64_t *fresh) RCP_MUST_USE;

/* Along the witnesses that make_race() has kept of races of other models of the recorded run, as long as there is time
 * and the limit way-events. */
rcp_code rcp_by_language_along(rcp_study *study) RCP_MUST_USE;

#endif
