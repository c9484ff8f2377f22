/* SPDX-License-Identifier: Apache-2.0 */
/* An atomicity violation that the program has shown. Whoever has the list owns it. */
#ifndef RECIPE_RESULTS_VIOLATION_H
#define RECIPE_RESULTS_VIOLATION_H

#include "base/vec.h"

#include <stdint.h>

/* A JSON object (docs/report.md). Of variant 0: what was asked. */
typedef struct rcp_violation {
    uint32_t variant; /* the run that shows it */
    char *told;
} rcp_violation;

typedef RCP_VEC(rcp_violation) rcp_violations;

#endif
