/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that an analysis keeps about itself: one table (statistics.def) gives each its name here, its words in
 * results.db and --stats, and its key in the JSON report.
 *
 * Invariant: no two rows have the same words, so that what was kept is found again. Rows are static; nothing is owned.
 */
#ifndef RECIPE_RESULTS_STATISTICS_H
#define RECIPE_RESULTS_STATISTICS_H

#include <stddef.h>

typedef enum rcp_statistic_id {
#define ROW(id, group, label, json) RCP_STATISTIC_##id,
#include "results/statistics.def"
#undef ROW
    RCP_STATISTICS /* also: of another version, none of ours */
} rcp_statistic_id;

typedef struct rcp_statistic_row {
    const char *group, *label, *json; /* as statistics.def says */
} rcp_statistic_row;

const rcp_statistic_row *rcp_statistic_borrow_row(rcp_statistic_id id);

/* "prediction: queries"; `of` stands where the row has NULL, and is NULL where it has none. */
enum { RCP_STATISTIC_KEY = 4096 }; /* a function of C++ has a long name */
void rcp_statistic_key(rcp_statistic_id id, const char *of, char key[RCP_STATISTIC_KEY]);
/* Which row the words are of. */
rcp_statistic_id rcp_statistic_find(const char *key);
/* What follows the group: "queries". */
const char *rcp_statistic_label(const char *key);

/* A number of an analysis, on its way to results.db. */
typedef struct rcp_statistic_value {
    rcp_statistic_id id;
    double value;
} rcp_statistic_value;

#endif
