/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly of x86_64 that is one locked instruction ("lock; cmpxchg %2, %1", "xchg", "lock; xadd", "lock; incl"
 * …) with or without a flag that it leaves ("sete %1", "=@ccz") becomes LLVM's atomic instruction for it, so that it is
 * recorded, and re-executed, as one. A locked instruction orders all memory: the access is sequentially consistent, and
 * a fence stands in front of it (docs/semantics.md, W5).
 *
 * What has another form, or more operands in memory, stays as it is: outside, and it may do anything.
 */
#ifndef RECIPE_INSTRUMENT_MACHINE_ATOMICS_H
#define RECIPE_INSTRUMENT_MACHINE_ATOMICS_H

#include "instrument/unit.h"

void rcp_machine_atomics_replace(rcp_pass_unit *unit);

#endif
