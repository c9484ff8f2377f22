/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a trace that shows a disagreement as small as it gets, for people to read.
 *
 * Parts are taken away one at a time (a thread's events, an event, a term, an image) as long as the predicate still
 * holds; greedy, until nothing more can go. What the predicate asks must include that the trace stays one worth looking
 * at.
 *
 * Invariant: the result satisfies the predicate, if the trace given did. The caller owns both traces.
 */
#ifndef RECIPE_PROP_SHRINK_H
#define RECIPE_PROP_SHRINK_H

#include "trace/model/trace.h"

typedef bool rcp_shrink_predicate(void *context, const rcp_trace *trace);

/* What most predicates ask first: is it a trace that could have been recorded? */
bool rcp_shrink_is_execution(const rcp_trace *trace);

/* `small` is initialised and empty; it is indexed afterwards. At most 64 events. */
void rcp_shrink(const rcp_trace *trace, rcp_shrink_predicate *holds, void *context, rcp_trace *small);

#endif
