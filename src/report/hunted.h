/* SPDX-License-Identifier: Apache-2.0 */
/* How far a hunt had come when (analysis/hunt_curve.h), as it was kept. The caller owns the points. */
#ifndef RECIPE_REPORT_HUNTED_H
#define RECIPE_REPORT_HUNTED_H

#include "report/finding.h"

typedef struct rcp_hunted_point {
    double seconds, runs, classes, branches, races;
} rcp_hunted_point;

typedef RCP_VEC(rcp_hunted_point) rcp_hunted_curve;

/* In the order of time; none of several processes, each of which has its own. */
void rcp_hunted_curve_read(rcp_hunted_curve *curve, const rcp_findings *findings);
/* " After 1.5 s 3 classes and 0 races, after 2.9 s 7 and 1.": the last point, and a few before it. Nothing of a hunt
 * that was over in no time. */
void rcp_hunted_curve_print(rcp_text *to, const rcp_hunted_curve *curve);

#endif
