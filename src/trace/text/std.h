/* SPDX-License-Identifier: Apache-2.0 */
/* The STD format of RAPID: `thread|op(argument)|location`, a line an event; no values, branches, atomics or lock modes.
 *
 * Import. Threads, locks and variables are named by first mention. Each variable has 8 bytes at an address of its own,
 * and its accesses have no values; the fact `branches = implicit` says how to read such a trace (docs/semantics.md). A
 * lock that its holder acquires again is a recursive one. Other tools' files: a thread that is forked or joined as
 * `151` and whose lines begin with `T151` is one thread (or the other way round); a fork of a thread that was forked
 * already is left out, and so is `req`, by which a thread says that it is about to acquire. Facts `note …` say how
 * often. The location number n becomes the source location `name:n`; a negative one `name:|n| in negative`, so that it
 * comes out again as it was. A line that breaks the grammar refuses the file.
 *
 * Export. See trace/text/lower.h for what becomes of the rest. The location is the number above where the trace came
 * from STD (the fact `format`), else the number of the event's source location in the trace, 0 where it has none.
 */
#ifndef RECIPE_TRACE_TEXT_STD_H
#define RECIPE_TRACE_TEXT_STD_H

#include "base/status.h"
#include "base/text.h"
#include "trace/text/lower.h"
#include "trace/model/trace.h"

/* Adds the text's events to `trace`, which the caller initialised and which is empty. Fails with
 * `name:line:column: reason`. The trace is not indexed. */
rcp_code rcp_std_parse(const char *name, const char *text, size_t len, rcp_trace *trace) RCP_MUST_USE;

/* `notes` says what the format could not hold. */
rcp_code rcp_std_print(rcp_text *out, const rcp_trace *trace, rcp_lowering *notes) RCP_MUST_USE;

#endif
