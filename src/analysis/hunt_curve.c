/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_curve.h"

#include <stdio.h>

static void thin(rcp_hunt_curve *curve) {
    size_t n = 0;
    for (size_t i = 0; i < curve->at.len; i += 2)
        curve->at.at[n++] = curve->at.at[i];
    curve->at.len = n;
    const double apart = curve->at.at[n - 1].seconds / (double)n;
    curve->step = 2 * curve->step > apart ? 2 * curve->step : apart;
}

void rcp_hunt_curve_add(rcp_hunt_curve *curve, const rcp_hunt_point *point) {
    const size_t n = curve->at.len;
    if (n >= 2 && curve->at.at[n - 1].seconds - curve->at.at[n - 2].seconds < curve->step) {
        curve->at.at[n - 1] = *point;
        return;
    }
    if (n == RCP_HUNT_POINTS)
        thin(curve);
    rcp_vec_push(&curve->at, *point);
}

rcp_code rcp_hunt_curve_put(const rcp_hunt_curve *curve, rcp_results *results) {
    for (rcp_statistic_id id = RCP_STATISTIC_HUNT_AT_SECONDS; id <= RCP_STATISTIC_HUNT_AT_RACES; id++)
        RCP_TRY(rcp_results_forget_statistics(results, id));
    for (size_t i = 0; i < curve->at.len; i++) {
        const rcp_hunt_point *p = &curve->at.at[i];
        const rcp_statistic_value rows[] = {{RCP_STATISTIC_HUNT_AT_SECONDS, p->seconds},
                                            {RCP_STATISTIC_HUNT_AT_RUNS, (double)p->runs},
                                            {RCP_STATISTIC_HUNT_AT_CLASSES, (double)p->classes},
                                            {RCP_STATISTIC_HUNT_AT_BRANCHES, (double)p->branches},
                                            {RCP_STATISTIC_HUNT_AT_RACES, (double)p->races}};
        char number[24]; /* by which they are sorted */
        snprintf(number, sizeof number, "%02zu", i);
        RCP_TRY(rcp_results_put_statistics(results, number, rows, sizeof rows / sizeof *rows));
    }
    return RCP_OK;
}
