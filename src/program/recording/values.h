/* SPDX-License-Identifier: Apache-2.0 */
/* The file `values` of a run that was recorded with --log-values (abi/log.h): every event as it was, the oracle for
 * re-execution. Read from beginning to end, once; the file is mapped and owned. */
#ifndef RECIPE_PROGRAM_RECORDING_VALUES_H
#define RECIPE_PROGRAM_RECORDING_VALUES_H

#include "abi/log.h"
#include "base/status.h"
#include "program/recording/mapped.h"

#include <stdbool.h>

typedef struct rcp_values {
    rcp_mapped file;
    size_t at, n; /* in entries */
} rcp_values;

rcp_code rcp_values_open(const char *path, rcp_values *values) RCP_MUST_USE;
void rcp_values_close(rcp_values *values);
/* False: there are no more. */
bool rcp_values_next(rcp_values *values, struct rcp_logged_value *value);

#endif
