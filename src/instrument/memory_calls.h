/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's functions that copy and fill memory, where the module calls them by name or takes their address:
 * memcpy in a table of functions, __memcpy_chk of _FORTIFY_SOURCE. As outside calls their accesses would not be events,
 * and all that they wrote would be logged when it is read. So a call becomes the intrinsic where it can, and otherwise
 * one of a function of ours that does the same and is instrumented like any other. A comparison of a few bytes becomes
 * the loads that every compiler makes of it.
 *
 * The program can tell one thing: such a pointer in a program and in a library of its own differ.
 */
#ifndef RECIPE_INSTRUMENT_MEMORY_CALLS_H
#define RECIPE_INSTRUMENT_MEMORY_CALLS_H

#include "instrument/unit.h"

/* After object sizes are constants. Modules that were compiled with -fno-builtin stay as they are: there such a name
 * may be the program's own function. */
void rcp_memory_calls_replace(rcp_pass_unit *unit);

#endif
