/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine (program/machine/client.h) and the interpreter tell the explorer: of the recorded run that it notes,
 * and of a run that it thinks out. The machine's context is the rcp_exploring.
 */
#ifndef RECIPE_PROGRAM_EXPLORE_HOOKS_H
#define RECIPE_PROGRAM_EXPLORE_HOOKS_H

#include "program/machine/machine.h"

/* An operation that could trap, or is not defined, with these operands. `what`: a literal. */
void rcp_explore_trap(rcp_machine *machine, const char *what);
/* The top of the stack is an object now, of that many bytes, whose contents are those of another or nobody's. */
void rcp_explore_pushed(rcp_machine *machine, const rcp_strand *strand, uint64_t size, bool is_copy);
/* A value goes where no event shows it: what was recorded after it counts only for the same one. */
void rcp_explore_pin(rcp_machine *machine, uint64_t value);
/* A callback returns these slots. */
void rcp_explore_returns(rcp_machine *machine, const uint64_t *slots, int32_t n);

rcp_pause rcp_explore_interpret(rcp_machine *machine);

/* rcp_client */
rcp_code rcp_explore_advance(rcp_machine *machine) RCP_MUST_USE;
rcp_code rcp_explore_left(rcp_machine *machine, rcp_strand *strand) RCP_MUST_USE;
rcp_permit rcp_explore_event(rcp_machine *machine, rcp_strand *strand, const rcp_ins *ins, const uint64_t *registers);
bool rcp_explore_value(rcp_machine *machine);

#endif
