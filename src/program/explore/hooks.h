/* SPDX-License-Identifier: Apache-2.0 */
/* What the interpreter tells the explorer (program/explore/explore.h). */
#ifndef RECIPE_PROGRAM_EXPLORE_HOOKS_H
#define RECIPE_PROGRAM_EXPLORE_HOOKS_H

#include "program/machine/machine.h"

/* An operation that could trap, or is not defined, with these operands. `what`: a literal. */
void rcp_explore_trap(rcp_machine *machine, const char *what);
/* The top of the stack is an object now, of that many bytes, whose contents are those of another or nobody's. */
void rcp_explore_pushed(rcp_machine *machine, const rcp_strand *strand, uint64_t size, bool is_copy);
/* A value goes where no event shows it: what was recorded after it counts only for the same one. */
void rcp_explore_pin(rcp_machine *machine, uint64_t value);
/* A VALUE is wanted. False: what was recorded is not the answer, and the strand stops. */
bool rcp_explore_value(rcp_machine *machine);
/* A callback returns these slots. */
void rcp_explore_returns(rcp_machine *machine, const uint64_t *slots, int32_t n);

#endif
