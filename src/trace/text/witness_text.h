/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of a witness: for people, tests and bug reports.
 *
 *     recipe witness 1
 *     # comment
 *     recorded to 20
 *     T1 to 3
 *     T2 to 5
 *     race T1 3 T2 5
 *
 * `recorded to 20` (optional, before all steps): the first 20 events of the trace come first, in the recorded order.
 * `T1 to 3`: T1 runs until it has executed 3 of its events. `race` (optional, the last line): the events at these
 * positions, the next ones of both threads, race. Threads have the names that the text form of the trace gives them;
 * blanks are free.
 *
 * Invariant: printing and parsing again gives the same witness. Nothing is kept; the caller owns text and witness.
 */
#ifndef RECIPE_TRACE_TEXT_WITNESS_TEXT_H
#define RECIPE_TRACE_TEXT_WITNESS_TEXT_H

#include "base/text.h"
#include "trace/model/witness.h"

/* `trace` is indexed and `witness` initialised and empty. Refuses what breaks the form and threads and positions that
 * the trace does not have: 'name:line: reason'. */
rcp_code rcp_witness_parse(const char *name, const char *text, size_t len, const rcp_trace *trace,
                           rcp_witness *witness) RCP_MUST_USE;
/* Appends to `out`. The witness names what `trace`, which is indexed, has. */
void rcp_witness_print(rcp_text *out, const rcp_trace *trace, const rcp_witness *witness);

#endif
