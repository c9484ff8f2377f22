/* SPDX-License-Identifier: Apache-2.0 */
/* Races that the program asks not to report: one side is at a place of the source that annotations, or
 * no_sanitize("thread"), speak of (docs/semantics.md, 'Annotations'). They are races all the same; they are counted. */
#ifndef RECIPE_ANALYSIS_SPARED_H
#define RECIPE_ANALYSIS_SPARED_H

#include "trace/model/defs.h"
#include "trace/model/event.h"

/* Is the event an access at such a place, as the facts of `said` have it? These are of its own trace, or of another run
 * of the same program. */
bool rcp_spared_is(const rcp_defs *said, const rcp_defs *defs, const rcp_event *event);

#endif
