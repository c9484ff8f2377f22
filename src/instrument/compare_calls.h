/* SPDX-License-Identifier: Apache-2.0 */
/* memcmp and bcmp. Of a small, constant number of bytes they become loads: every compiler makes that of them, and
 * programs count on it in their hottest loops. Others become calls of a function of ours, so that what they read are
 * events, and their results need not be logged. */
#ifndef RECIPE_INSTRUMENT_COMPARE_CALLS_H
#define RECIPE_INSTRUMENT_COMPARE_CALLS_H

#include "instrument/unit.h"

/* Where the module's memcmp is the C library's (memory_calls.h asks for it). */
void rcp_compare_calls_replace(rcp_pass_unit *unit);

#endif
