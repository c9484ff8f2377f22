/* SPDX-License-Identifier: Apache-2.0 */
/* Which release sequences the language gave the unit (docs/semantics.md, W2): since C++20 a later plain atomic store of
 * the same thread does not go on with one. A module that asks for no more than that says so by a flag.
 *
 * Nothing is owned.
 */
#ifndef RECIPE_INSTRUMENT_SEQUENCES_H
#define RECIPE_INSTRUMENT_SEQUENCES_H

#include "instrument/unit.h"

/* `is_cxx20`: the unit is C++20 or later. One in which nothing is written atomically is in no sequence: it is marked,
 * too. */
void rcp_sequences_mark(rcp_pass_unit *unit, bool is_cxx20);

#endif
