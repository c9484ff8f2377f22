/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of libatomic by which the compiler does what this machine does in one step: `__atomic_load(16, …)` for an
 * _Atomic of 128 bits on x86_64, or `__atomic_store(4, …)` for one in a packed struct. They become LLVM's atomic
 * instructions, so that they are recorded and re-executed as those are. The instructions say of no address that it is
 * aligned, and so the back end makes the same calls of them again: the program does what it did.
 *
 * Those for other sizes than 1, 2, 4, 8 and 16 (an _Atomic struct) libatomic does under a lock of its own. They become
 * plain copies under one of the runtime's, which is the same for all code that recipe compiles, recorded or not.
 *
 * Calls for a size that the program computes stay.
 */
#ifndef RECIPE_INSTRUMENT_ATOMIC_CALLS_H
#define RECIPE_INSTRUMENT_ATOMIC_CALLS_H

#include "instrument/unit.h"

/* To be done before functions that must be inlined are: what stands in for a call is one. */
void rcp_atomic_calls_replace(rcp_pass_unit *unit);

#endif
