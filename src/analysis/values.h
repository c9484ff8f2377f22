/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses and their values in words, for the sentences that are kept with a race. Nothing is owned.
 */
#ifndef RECIPE_ANALYSIS_VALUES_H
#define RECIPE_ANALYSIS_VALUES_H

#include "base/text.h"
#include "trace/model/defs.h"
#include "trace/model/event.h"

/* x, pool.completed; nothing of memory without a name */
void rcp_values_bare_name(const rcp_defs *defs, const rcp_event *access, rcp_text *to);
/* In a sentence: `x`; of memory without a name 0x7f… */
void rcp_values_name(const rcp_defs *defs, const rcp_event *access, rcp_text *to);
/* "a.c:12"; nothing where there is no file */
void rcp_values_place(const rcp_defs *defs, rcp_loc loc, rcp_text *to);
/* An address as one, a number as one. */
void rcp_values_put(uint64_t value, uint64_t size, rcp_text *to);

#endif
