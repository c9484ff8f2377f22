/* SPDX-License-Identifier: Apache-2.0 */
/* memcmp and bcmp of a small, constant number of bytes, as loads: every compiler makes that of them, and programs count
 * on it in their hottest loops, where an outside call would cost a hundred times as much. */
#ifndef RECIPE_INSTRUMENT_COMPARE_CALLS_H
#define RECIPE_INSTRUMENT_COMPARE_CALLS_H

#include "instrument/unit.h"

/* Where the module's memcmp is the C library's (memory_calls.h asks for it). */
void rcp_compare_calls_replace(rcp_unit *unit);

#endif
