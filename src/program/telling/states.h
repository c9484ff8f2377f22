/* SPDX-License-Identifier: Apache-2.0 */
/* What calls do to synchronisation objects, and to states of the library that it does not protect, as memory.
 *
 * Invariant: the same calls in both. Borrows all that it is given.
 */
#ifndef RECIPE_PROGRAM_TELLING_STATES_H
#define RECIPE_PROGRAM_TELLING_STATES_H

#include "program/telling/state.h"

/* The strand is about to leave by the call that `visit` is, which was classified. */
void rcp_telling_state(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit);

/* The first re-execution: what a record of synchronisation does to its object, as memory. */
void rcp_telling_object(rcp_telling *telling, const rcp_log_record *record);

#endif
