/* SPDX-License-Identifier: Apache-2.0 */
/* The valued form, STD's cousin: a line an event, fields separated by blanks.
 * `Read|Write thread variable value` · `Acq|Rel thread lock 0` · `Fork|Join thread child 0` · `Begin|End thread 0 0`.
 *
 * Import as for STD (trace/text/std.h), with values: 64-bit decimal numbers, which may be negative. The form has no
 * locations; an event's is its line in the file.
 *
 * Export as for STD; an access of more than 8 bytes becomes several, values are printed unsigned, and a trace in which
 * an access has no value is refused.
 */
#ifndef RECIPE_TRACE_TEXT_VALUED_H
#define RECIPE_TRACE_TEXT_VALUED_H

#include "base/status.h"
#include "base/text.h"
#include "trace/text/lower.h"
#include "trace/model/trace.h"

/* As rcp_std_parse(). */
rcp_code rcp_valued_parse(const char *name, const char *text, size_t len, rcp_trace *trace) RCP_MUST_USE;
rcp_code rcp_valued_print(rcp_text *out, const rcp_trace *trace, rcp_lowering *notes) RCP_MUST_USE;

#endif
