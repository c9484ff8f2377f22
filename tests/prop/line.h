/* SPDX-License-Identifier: Apache-2.0 */
/* Rules P1 and P3 of docs/semantics.md, transcribed in the most naive way: which events opaque code keeps in their
 * order, and which are points of time. The oracles' own; it shares no code with src/trace/check/barriers.c, which it
 * judges. */
#ifndef RECIPE_PROP_LINE_H
#define RECIPE_PROP_LINE_H

#include "trace/model/trace.h"

/* edges[i * n + j], n events: does i come before j by it? Later events never come before earlier ones. */
void rcp_line_edges(const rcp_trace *trace, bool *edges);

/* Rule P3: what each event is as a point of time. */
typedef struct rcp_line_time {
    bool is_late;  /* it is not before the time at which it was recorded */
    bool is_early; /* it is not after it */
    bool begins;   /* it begins a stretch of time */
    size_t end;    /* where that ends; SIZE_MAX: nowhere */
} rcp_line_time;
/* times[i], n events. */
void rcp_line_times(const rcp_trace *trace, rcp_line_time *times);

#endif
