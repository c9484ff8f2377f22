/* SPDX-License-Identifier: Apache-2.0 */
/* Where a block was allocated of which only the end is an event: nothing was shared in it until somebody freed it. Who
 * told the trace has said so (RCP_ALLOCATED_FACT). Nothing is owned.
 */
#ifndef RECIPE_REPORT_ALLOCATED_H
#define RECIPE_REPORT_ALLOCATED_H

#include "trace/model/defs.h"

/* Of what that event frees; 0: not known. */
rcp_loc rcp_allocated_where(const rcp_defs *defs, rcp_eid free);

#endif
