/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that must be inlined are, before anything is recorded: code that asks at compile time counts on it, such as
 * a switch over sizeof behind which stands a call of a function that nobody defines.
 *
 * Functions that will be opaque (opaque.h) are left alone on both sides: inlined, one would make its callers opaque,
 * too, and what is inlined into one would no longer be recorded.
 */
#ifndef RECIPE_INSTRUMENT_ALWAYS_INLINE_H
#define RECIPE_INSTRUMENT_ALWAYS_INLINE_H

#include "instrument/unit.h"

rcp_code rcp_always_inline(rcp_pass_unit *unit) RCP_MUST_USE;

#endif
