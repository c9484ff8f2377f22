/* SPDX-License-Identifier: Apache-2.0 */
/* Where an event is in the program's own code: what a header of the C++ library does is done by whoever called it.
 * Nothing is owned.
 */
#ifndef RECIPE_TRACE_MODEL_OWN_PLACE_H
#define RECIPE_TRACE_MODEL_OWN_PLACE_H

#include "trace/model/defs.h"
#include "trace/model/event.h"

/* Is that recipe's code in place of the C++ library's (src/stdcxx)? */
bool rcp_own_place_is_ours(const char *file);
/* The same, or a header of the C++ library? */
bool rcp_own_place_is_library(const char *file);
/* The innermost place outside of it; where there is none, the event's own. */
rcp_loc rcp_own_place(const rcp_defs *defs, const rcp_event *event);

#endif
