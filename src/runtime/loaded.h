/* SPDX-License-Identifier: Apache-2.0 */
/* What can only be read of libraries that the program loads while it runs: it is constant for as long as they are
 * loaded, and the image has a part that says so.
 *
 * Asking the loader would take its lock, whose holder may wait for the baton. So /proc/self/maps says what is mapped of
 * the library's file, and what may be written there. Only recorded code's own calls of dlopen are looked at, and of
 * what these load the library alone that they name: that one stays until somebody closes it, which dlclose sees.
 * Others (what it wants itself, what libraries load) are constant for nobody.
 */
#ifndef RECIPE_RUNTIME_LOADED_H
#define RECIPE_RUNTIME_LOADED_H

#include <stdbool.h>
#include <stdint.h>

void rcp_loaded_start(void);
/* A call outside has returned; by the holder of the baton, inside. */
void rcp_loaded_look(uint64_t callee, uint64_t value);
/* Is there such memory among it? By anybody. */
bool rcp_loaded_is_constant(uint64_t from, uint64_t to);

#endif
