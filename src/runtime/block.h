/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that may block in the kernel: around the real call.
 *
 * The real call is made outside, never inside: handlers of the program's run within it, it may be cancelled, and the
 * watchdog may step in where we judged wrongly. Where it will not block the baton is kept, so that a program that only
 * uses files, or finds its input ready, has the same schedule each time. Where it will, the others run meanwhile.
 *
 *     rcp_thread *self = rcp_inside();
 *     if (!self)
 *         return RCP_REAL(read)(…);
 *     rcp_block_leave(self, rcp_block_is_due(fd, POLLIN));
 *     ssize_t n = RCP_REAL(read)(…);
 *     rcp_block_return(self);
 *     if (n > 0)
 *         rcp_effect(…);
 *     rcp_outside(self);
 *     return n;
 *
 * Invariant: errno is the real call's after rcp_block_return, and the caller's before it.
 */
#ifndef RECIPE_RUNTIME_BLOCK_H
#define RECIPE_RUNTIME_BLOCK_H

#include "runtime/runtime.h"

#include <poll.h>

/* Would a call that waits for `events` (of poll) on the descriptor block now? It is about to be made. */
bool rcp_block_is_due(int fd, short events);

void rcp_block_leave(rcp_thread *self, bool blocks);
void rcp_block_return(rcp_thread *self);

/* All of that for a call that writes nothing into the program's memory; its value is the call's. `due` is asked only
 * where the calling thread is recorded. */
#define RCP_BLOCK_CALL(due, name, ...)                                                                                 \
    ({                                                                                                                 \
        rcp_thread *caller_ = rcp_inside();                                                                            \
        if (caller_)                                                                                                   \
            rcp_block_leave(caller_, due);                                                                             \
        __auto_type result_ = RCP_REAL(name)(__VA_ARGS__);                                                             \
        if (caller_) {                                                                                                 \
            rcp_block_return(caller_);                                                                                 \
            rcp_outside(caller_);                                                                                      \
        }                                                                                                              \
        result_;                                                                                                       \
    })

#endif
