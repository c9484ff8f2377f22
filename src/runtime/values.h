/* SPDX-License-Identifier: Apache-2.0 */
/* --log-values: every event, with its value, into the file `values` (abi/log.h).
 *
 * All events take the precise path then (hot->limit is 0). What a store or an atomic leaves in memory is known only
 * after it: it is kept pending, and read when the thread's next event or entry into the runtime comes. Until then
 * nobody else has had the baton.
 */
#ifndef RECIPE_RUNTIME_VALUES_H
#define RECIPE_RUNTIME_VALUES_H

#include "runtime/thread.h"

void rcp_values_open(int fd, const char *path);
void rcp_values_close(void);
void rcp_values_part_ways(int fd, const char *path);

/* Whoever wants to know of each event instead of a file, or besides; NULL: nobody. */
typedef void rcp_values_listener(uint32_t kind, uint64_t address, const void *bytes, uint64_t size);
void rcp_values_listen(rcp_values_listener *listener);

void rcp_values_settle(rcp_thread *self);
/* The pending one, if there is any. */
static inline void rcp_values_flush(rcp_thread *self) {
    if (__builtin_expect(self->value.size != 0, 0))
        rcp_values_settle(self);
}
/* An event of which all is known. `bytes`: what was loaded or written, NULL where there is nothing. */
void rcp_values_event(rcp_thread *self, uint32_t kind, uint64_t address, const void *bytes, uint64_t size);
/* An event whose value will be in memory. */
void rcp_values_expect(rcp_thread *self, uint32_t kind, uint64_t address, uint64_t size);

#endif
