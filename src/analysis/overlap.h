/* SPDX-License-Identifier: Apache-2.0 */
/* Do two threads ever act beside each other? Where fork and join alone put all that threads do one after the other,
 * there is nothing to predict, however long the trace is. Of most traces the first few events show that there is.
 *
 * Nothing is owned.
 */
#ifndef RECIPE_ANALYSIS_OVERLAP_H
#define RECIPE_ANALYSIS_OVERLAP_H

#include "trace/store/reader.h"

#include <stdbool.h>

/* Among the first `most` events. False: every two events of different threads that could race are ordered by forks and
 * joins, in every execution. */
rcp_code rcp_overlap_find(rcp_reader *reader, uint64_t most, bool *overlap) RCP_MUST_USE;

#endif
