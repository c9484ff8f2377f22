/* SPDX-License-Identifier: Apache-2.0 */
/* The stage of the models that explore: runs that the recorded one is a neighbour of, by the project's own solver
 * (analysis/variants.h) or by the guarded formula (analysis/opinion.h), and how much time they get.
 */
#ifndef RECIPE_ANALYSIS_EXPLORATION_H
#define RECIPE_ANALYSIS_EXPLORATION_H

#include "analysis/study.h"

/* The study's run is recorded, and prediction has looked at it. */
rcp_code rcp_explore_neighbours(rcp_study *study) RCP_MUST_USE;

#endif
