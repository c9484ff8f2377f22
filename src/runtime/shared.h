/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that processes share. What other processes do with them is not in this trace, so this process's operations
 * alone would make no sense there (a semaphore is taken that nobody posted). They are left out: to whoever reads the
 * trace they are calls of code that is not known, which orders more than it should and never less. A note says so.
 */
#ifndef RECIPE_RUNTIME_SHARED_H
#define RECIPE_RUNTIME_SHARED_H

#include "runtime/runtime.h"

extern bool rcp_shared_noted; /* mutex.c */

/* Inside, before an operation is told: true where it must not be. The first time, a note is made. */
static inline bool rcp_shared_is_untold(bool is_shared) {
    if (is_shared && !rcp_shared_noted) {
        rcp_shared_noted = true;
        rcp_log_note(
            "a mutex, lock, condition, barrier or semaphore is shared between processes: what is done with it is "
            "not in this trace");
    }
    return is_shared;
}

#endif
