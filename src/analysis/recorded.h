/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever works on traces takes recorded runs, too: their events are made first. What is known of functions that are
 * not recorded is kept in the recording. */
#ifndef RECIPE_ANALYSIS_RECORDED_H
#define RECIPE_ANALYSIS_RECORDED_H

#include "analysis/notices.h"
#include "program/machine/machine.h"

#include <stdbool.h>

/* Where `directory` is a recorded run without events, makes them, as many as there is time for (base/deadline.h), and
 * says so where that is a part; again, where they are a part and there is more time now. `notices` may be NULL. */
rcp_code rcp_recorded_prepare(const char *directory, const rcp_notices *notices) RCP_MUST_USE;

/* The same of a run without events, until all of these moments are behind; what comes later is not told. */
rcp_code rcp_recorded_prepare_until(const char *directory, const rcp_stand *stops, size_t n) RCP_MUST_USE;

/* Is it a recorded run of which a beginning alone was told? */
bool rcp_recorded_is_begun(const char *directory);
/* Tells more of such a run, where there is time for it (base/deadline.h) and none was told since; the next one who
 * prepares it puts that in its place. *done: it was told. */
rcp_code rcp_recorded_go_on(const char *directory, const rcp_notices *notices, bool *done) RCP_MUST_USE;

/* Events of a recorded run that were made under other limits than those of now (base/limits.h) are removed. */
rcp_code rcp_recorded_renew(const char *directory, const rcp_notices *notices) RCP_MUST_USE;

/* The events of a recorded run with all of its memory, in a trace of their own (program/telling/recorded_events.h). */
rcp_code rcp_recorded_tell_all(const char *directory, const char *to) RCP_MUST_USE;

/* What is said of functions that are not recorded (program/reach/opaque_file.h), kept in the recording: `file`, or what
 * recipe.opts names, `barriers` and `volatiles` (atomic or plain); each may be NULL. Where that is other than before,
 * the events are made anew. */
rcp_code rcp_recorded_opaque(const char *directory, const char *file, const char *barriers,
                             const char *volatiles) RCP_MUST_USE;

#endif
