/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are left as they are: calls of them leave instrumented code, and what they call is called back.
 * Each is noted in the report, with why. */
#ifndef RECIPE_INSTRUMENT_OPAQUE_H
#define RECIPE_INSTRUMENT_OPAQUE_H

#include "instrument/unit.h"

/* Gives RCP_OPAQUE_ATTRIBUTE to every function with a body that can't be instrumented, or that the user named
 * (rcp_instrument_request's log_values). */
void rcp_opaque_mark(rcp_pass_unit *unit);
/* Would it be given to this one, as it stands now? */
bool rcp_opaque_will_be(const rcp_pass_unit *unit, LLVMValueRef function);
/* Gives it, once the module is prepared, to those that re-execution would not know how to execute. */
rcp_code rcp_opaque_mark_refused(rcp_pass_unit *unit) RCP_MUST_USE;
/* Gives it to one of our own, or to one that turned out so; the attribute alone, no note. */
void rcp_opaque_set(rcp_pass_unit *unit, LLVMValueRef function, const char *why);
bool rcp_opaque_is(LLVMValueRef function);

#endif
