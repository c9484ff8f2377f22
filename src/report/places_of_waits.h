/* SPDX-License-Identifier: Apache-2.0 */
/* Where threads of a deadlock wait, to tell which deadlocks are one. Waits are JSON objects (docs/report.md), borrowed.
 */
#ifndef RECIPE_REPORT_PLACES_OF_WAITS_H
#define RECIPE_REPORT_PLACES_OF_WAITS_H

#include <stdbool.h>
#include <stddef.h>

/* Is each place of these waits, and there is one, also one of `all`? */
bool rcp_places_of_waits_are_among(char *const *waits, size_t n, char *const *all, size_t n_all);

#endif
