/* SPDX-License-Identifier: Apache-2.0 */
/* What the C library says of characters in the locale that each program begins with, "C": of ASCII's, and that all
 * others are none. The models CLASS and CASE of the table.
 */
#ifndef RECIPE_OUTSIDE_CHARACTERS_H
#define RECIPE_OUTSIDE_CHARACTERS_H

#include "outside/outside.h"

/* `c` is a byte, or EOF: of others nothing is defined. A row of model CLASS: is it one, 0 or 1; of model CASE: what it
 * is turned into. */
int rcp_outside_character(const rcp_outside *row, int c);

#endif
