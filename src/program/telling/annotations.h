/* SPDX-License-Identifier: Apache-2.0 */
/* What the program says of its own threads: annotations by a call (src/outside/annotations.def), and by the sequence of
 * instructions that valgrind's tools take for a request and every processor for nothing (docs/semantics.md,
 * 'Annotations').
 *
 * One that orders is a pair with an object of its own. Memory in which races are wanted is told as relaxed atomics.
 * What a thread does where it asks not to be reported is told as it is; the sink keeps the places (sink_state.h).
 */
#ifndef RECIPE_PROGRAM_TELLING_ANNOTATIONS_H
#define RECIPE_PROGRAM_TELLING_ANNOTATIONS_H

#include "program/telling/state.h"

/* Is this assembly, and all of it, a request to valgrind's tools? */
bool rcp_annotations_is_request(const char *text, size_t len, bool is_aarch64);
/* `visit` has its name and its row. Of a request it gets the row of what that says, and of every annotation where the
 * object is. */
void rcp_annotations_classify(const rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit, bool is_request);
/* The second re-execution: from here on it holds. */
void rcp_annotations_note(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);

#endif
