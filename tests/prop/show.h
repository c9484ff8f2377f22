/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a trace and a witness for whoever looks into a failure. */
#ifndef RECIPE_PROP_SHOW_H
#define RECIPE_PROP_SHOW_H

#include "trace/model/trace.h"
#include "trace/model/witness.h"

#include <stdio.h>

void rcp_show_trace(FILE *to, const rcp_trace *trace);
/* Every event of the schedule on a line of its own, with its number in the trace. */
void rcp_show_witness(FILE *to, const rcp_trace *trace, const rcp_witness *witness);

#endif
