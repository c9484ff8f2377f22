/* SPDX-License-Identifier: Apache-2.0 */
/* What calls do to the library's states that it does not protect: both re-executions ask here when a call begins.
 *
 * Invariant: the same calls in both. Borrows all that it is given.
 */
#ifndef RECIPE_PROGRAM_TELLING_STATES_H
#define RECIPE_PROGRAM_TELLING_STATES_H

#include "program/telling/state.h"

/* The strand is about to leave by the call that `visit` is, which was classified. */
void rcp_telling_state(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);

#endif
