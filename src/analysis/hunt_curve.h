/* SPDX-License-Identifier: Apache-2.0 */
/* How far a hunt had come when: at most so many points, whatever its length. Where there would be more, every second
 * one is left out, and from then on points are twice as far apart. The last point is always the latest.
 *
 * Invariant: seconds and all counts only grow from point to point. Owns its points.
 */
#ifndef RECIPE_ANALYSIS_HUNT_CURVE_H
#define RECIPE_ANALYSIS_HUNT_CURVE_H

#include "base/vec.h"
#include "results/results.h"

#include <stdint.h>

enum { RCP_HUNT_POINTS = 24 };

typedef struct rcp_hunt_point {
    double seconds; /* of the hunt, through all of its calls */
    uint64_t runs, classes;
    uint64_t branches; /* sides of those that depend on others, to which some run has gone */
    uint64_t races;
} rcp_hunt_point;

typedef struct rcp_hunt_curve {
    RCP_VEC(rcp_hunt_point) at;
    double step; /* seconds, at least, between a point and the next but the last one */
} rcp_hunt_curve;

void rcp_hunt_curve_add(rcp_hunt_curve *curve, const rcp_hunt_point *point);
/* In place of what was put of the analysis before. */
rcp_code rcp_hunt_curve_put(const rcp_hunt_curve *curve, rcp_results *results) RCP_MUST_USE;

#endif
