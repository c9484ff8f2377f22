/* SPDX-License-Identifier: Apache-2.0 */
/* The stage of the models that predict (predict/analyze.h): on the trace, as much of it as --events says; what is found
 * is handed on as it comes, and what is decided about a pair is kept, so that an analysis that was killed is gone on
 * with.
 */
#ifndef RECIPE_ANALYSIS_PREDICTION_H
#define RECIPE_ANALYSIS_PREDICTION_H

#include "analysis/study.h"

/* `report` is the caller's to finish, also where this fails. */
rcp_code rcp_prediction_run(rcp_study *study, rcp_predict_report *report) RCP_MUST_USE;

#endif
