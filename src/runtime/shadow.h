/* SPDX-License-Identifier: Apache-2.0 */
/* The value shadow (abi/shadow.h): mapping it, and comparing lines with it.
 *
 * The places where programs, heaps, libraries and stacks usually are have their shadow mapped at the start, without
 * memory behind it; anything else when it is first touched (SIGSEGV). Nothing is ever unmapped.
 */
#ifndef RECIPE_RUNTIME_SHADOW_H
#define RECIPE_RUNTIME_SHADOW_H

#include "abi/shadow.h"
#include "runtime/thread.h"

static inline void *rcp_shadow_of(const void *address) { return (void *)((uint64_t)address ^ RCP_SHADOW_KEY); }

/* May execute the program anew. */
void rcp_shadow_start(char **arguments, char **environment);
void rcp_shadow_fill(uint64_t address, uint64_t size, uint8_t byte);
/* Memory that was read: where the shadow differs it is refreshed; for a recorded thread its lines are logged at
 * `position`. `value`: what the read saw, laid over the lines. */
void rcp_shadow_check(rcp_thread *self, uint64_t position, uint64_t address, const void *value, uint64_t size);
/* The same for a range that is about to be read. */
void rcp_shadow_check_range(rcp_thread *self, uint64_t position, uint64_t address, uint64_t size);

#endif
