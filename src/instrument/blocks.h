/* SPDX-License-Identifier: Apache-2.0 */
/* The shape of a function's blocks, as the pass wants it: long ones, because a segment ends with its block and each
 * costs a reservation, and an own block behind every invoke, where what it returned can be looked at. */
#ifndef RECIPE_INSTRUMENT_BLOCKS_H
#define RECIPE_INSTRUMENT_BLOCKS_H

#include "instrument/unit.h"

/* Joins each block with the one that only it leads to, and to which it only leads. */
void rcp_blocks_join(rcp_pass_unit *unit, LLVMValueRef function);
/* Gives every invoke a normal destination that nothing else leads to. */
void rcp_blocks_split_invokes(rcp_pass_unit *unit, LLVMValueRef function);
/* What is in front of the instruction in its block goes to a block of its own in front of that, which has no end yet:
 * it is returned. All that led to the one leads to the other. */
LLVMBasicBlockRef rcp_blocks_split(rcp_pass_unit *unit, LLVMValueRef at);

#endif
