/* SPDX-License-Identifier: Apache-2.0 */
/* What threads do on the way to a race: in the recorded run, and along the schedule that leads there. For a form of the
 * report that shows both, event by event.
 *
 * A moment is an event that somebody may want to see: of a synchronisation object or a thread, of the bytes that a
 * finding is about, an atomic one, or one at which a step of a schedule ends; where the trace is small every access and
 * every call outside. Of a long schedule the last moments are kept, next to the race: how many events lie between two
 * moments of a thread is told by their positions.
 *
 * Invariant: none. Findings and all that they borrow are borrowed.
 */
#ifndef RECIPE_REPORT_TIMELINE_H
#define RECIPE_REPORT_TIMELINE_H

#include "report/excerpts.h"
#include "report/finding.h"

/* Two members of a JSON object: "traces", a list of what their moments are made of, and "timelines", one per finding
 * that is proven (docs/report.md, 'HTML'). The places are wanted in `excerpts`. One pass over each trace; of one that
 * can't be read once more there is nothing. */
void rcp_timelines_put(rcp_text *to, const rcp_findings *findings, rcp_excerpts *excerpts);

#endif
