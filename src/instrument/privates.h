/* SPDX-License-Identifier: Apache-2.0 */
/* Stack objects that nobody else can reach: their address is used to load and store there, and for nothing else.
 *
 * What is in such an object comes from the function's own stores, so its memory and its shadow need not be compared: a
 * load may take the shadow's bytes, which re-execution has too. Both are written all the same, for --log-values and for
 * whoever looks at the program with a debugger.
 */
#ifndef RECIPE_INSTRUMENT_PRIVATES_H
#define RECIPE_INSTRUMENT_PRIVATES_H

#include "base/map.h"

#include <llvm-c/Core.h>

/* Adds the function's loads from such objects, by their addresses in our memory. Before stack objects are moved to the
 * recipe stack. */
void rcp_privates_find(LLVMValueRef function, rcp_map *loads);

#endif
