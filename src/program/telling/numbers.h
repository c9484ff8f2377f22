/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors as memory: the slot of a number is a byte that has lives, as the heap has: it begins with the call that
 * makes the number, and ends with the one that closes it, which frees it; who uses the number reads it, atomically.
 * Each in front of the call's pair (docs/semantics.md, 'Descriptors as memory').
 *
 * Invariant: both re-executions follow the same numbers, from the call of recorded code that made one to the call that
 * closes it; of one that code outside may have closed, or made, nothing is told from there on. Borrows all it is given.
 */
#ifndef RECIPE_PROGRAM_TELLING_NUMBERS_H
#define RECIPE_PROGRAM_TELLING_NUMBERS_H

#include "program/telling/state.h"

/* The strand is about to leave by that call, which was classified; it has returned. */
void rcp_numbers_begin(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);
void rcp_numbers_return(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t result);

#endif
