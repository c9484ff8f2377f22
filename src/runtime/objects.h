/* SPDX-License-Identifier: Apache-2.0 */
/* The synchronisation objects that the log has named and that have not been destroyed, found by the memory they are in.
 *
 * Most programs free or unmap memory with a mutex in it without a word. Whoever reads the trace must know that what
 * comes to lie there next is another object, so a DESTROY is logged before the memory's life ends. Objects in stack
 * frames are beyond us: a frame ends without a call. There the next INIT, or the next life of the thread's stack,
 * tells.
 *
 * Invariant: all functions are called by the holder of the baton. Memory comes from mmap and is never given back.
 */
#ifndef RECIPE_RUNTIME_OBJECTS_H
#define RECIPE_RUNTIME_OBJECTS_H

#include "abi/log.h"

#include <stdbool.h>

/* The log names the object in full. Known already: nothing happens. */
void rcp_objects_saw(uint64_t address, enum rcp_sync_object kind);
/* The log has a DESTROY of it. */
void rcp_objects_gone(uint64_t address);
/* Others come to use this memory: logs a DIVIDE for each known object in it of which `divides` says so, and knows it no
 * more. */
void rcp_objects_divide(uint64_t address, uint64_t size, bool (*divides)(uint64_t, enum rcp_sync_object));
/* The life of this memory ends: logs a DESTROY for each known object in it. */
void rcp_objects_end(uint64_t address, uint64_t size);

#endif
