/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of the heap that were freed, and are given to the allocator later: after so many bytes of others. Until then
 * nobody is given their memory. A thread that is given what another has freed comes after it in every execution that
 * can be thought of (docs/semantics.md, M1), though it only needed some memory. So as long as there is other memory, it
 * gets that.
 *
 * Which blocks: those that another thread has allocated than frees them, and the first that a thread frees of its own
 * (when it has ended, its heap is the next thread's). What else a thread frees it is most likely given again itself,
 * which orders nothing, and is in its caches. First freed, first given back, by counts alone: every run of a schedule
 * has the same addresses. Only by the holder of the baton.
 */
#ifndef RECIPE_RUNTIME_RETIRED_H
#define RECIPE_RUNTIME_RETIRED_H

#include "runtime/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most so many bytes wait at a time. */
void rcp_retired_start(uint64_t most);
/* The thread was given the block. */
void rcp_retired_note(const rcp_thread *self, const void *block);
/* The thread frees the block of `room` bytes. */
void rcp_retired_add(rcp_thread *self, void *block, size_t room);
/* There is no memory left: all of them are given back. False: there were none. */
bool rcp_retired_release(void);

#endif
