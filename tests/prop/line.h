/* SPDX-License-Identifier: Apache-2.0 */
/* Rule P1 of docs/semantics.md, transcribed in the most naive way: which events opaque code keeps in their order. The
 * oracles' own; it shares no code with src/trace/check/barriers.c, which it judges. */
#ifndef RECIPE_PROP_LINE_H
#define RECIPE_PROP_LINE_H

#include "trace/model/trace.h"

/* edges[i * n + j], n events: does i come before j by it? Later events never come before earlier ones. */
void rcp_line_edges(const rcp_trace *trace, bool *edges);

#endif
