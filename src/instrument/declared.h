/* SPDX-License-Identifier: Apache-2.0 */
/* What the source says that a pointer leads to.
 *
 * Pointers of the IR have no types, and a class and the one it is derived from may be of one size. Debug information
 * has the types of variables, of members and of what functions return; from there the type of what a pointer leads to
 * follows, as far as it is got from them by members, by elements, and by following other pointers.
 *
 * For code as the front end leaves it, with all variables in memory. The lookup borrows the unit.
 */
#ifndef RECIPE_INSTRUMENT_DECLARED_H
#define RECIPE_INSTRUMENT_DECLARED_H

#include "base/map.h"
#include "base/vec.h"
#include "instrument/unit.h"

#include <llvm-c/DebugInfo.h>

typedef struct rcp_declared {
    const rcp_pass_unit *unit;
    rcp_map variables; /* of one function: a place in its memory → which of the types it has */
    RCP_VEC(LLVMMetadataRef) types;
} rcp_declared;

void rcp_declared_init(rcp_declared *declared, const rcp_pass_unit *unit);
void rcp_declared_finish(rcp_declared *declared);
/* What comes then is of this function. */
void rcp_declared_enter(rcp_declared *declared, LLVMValueRef function);

/* Where the data of an object of `size` bytes ends that the pointer leads to; what follows is padding. 0: not known.
 * Where several objects of that size begin there (a class and its base), `whole` takes the outermost one, else the one
 * whose data ends first. */
uint64_t rcp_declared_data(const rcp_declared *declared, LLVMValueRef pointer, uint64_t size, bool whole);

#endif
