/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual pointers in destructors: stored only where that changes something.
 *
 * A destructor begins by storing its class's virtual pointer. Of an object of that very class it is there already, and
 * a thread that the destructor is about to join may go on calling virtual functions: the language orders what the
 * object is, not how a compiler says so. So in destructors, and there alone,
 *     *object = vptr;     becomes     if (*object != vptr) *object = vptr;
 * In every schedule, recorded, predicted or replayed, a store that would change nothing is then no write, by the rules
 * that all code has; one that does change something is one. A constructor's store stays: what was there before belongs
 * to no object.
 */
#ifndef RECIPE_INSTRUMENT_VPTRS_H
#define RECIPE_INSTRUMENT_VPTRS_H

#include "instrument/unit.h"

/* After `sroa`: whether a store is one of these is seen by where its value comes from, at every level. */
void rcp_vptrs_compare(rcp_pass_unit *unit, LLVMValueRef function);

#endif
