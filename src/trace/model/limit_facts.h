/* SPDX-License-Identifier: Apache-2.0 */
/* The limits (base/limits.h) under which the events of a recorded run were made, as facts of their trace: those that
 * had another value than usual, and those that left something out, how often. Events are made once and analysed many
 * times; so what was left out when they were made is known to whoever reports.
 *
 * Invariant: a fact of a limit that this version does not have says nothing. Nothing is owned.
 */
#ifndef RECIPE_TRACE_MODEL_LIMIT_FACTS_H
#define RECIPE_TRACE_MODEL_LIMIT_FACTS_H

#include "base/limits.h"
#include "trace/model/defs.h"

/* Before the first event: the values of now. */
void rcp_limit_facts_put_values(rcp_defs *defs);
/* After the last one. */
void rcp_limit_facts_put_reached(rcp_defs *defs, const rcp_limit_counts *reached);

/* Were the events made under the values of now? */
bool rcp_limit_facts_are_ours(const rcp_defs *defs);
/* Adds what was left out when they were made. */
void rcp_limit_facts_add(const rcp_defs *defs, rcp_limit_counts *to);

#endif
