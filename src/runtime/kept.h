/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input that can't be read twice: a pipe, a terminal. When it is recorded, what was read is kept (DIR/stdin),
 * in pieces (peer.h). A replay finds it as a file, and gives a piece only where its writer could have written it: the
 * rule is the peer's. What had come before something went out, read or not, is known not to answer it.
 *
 * The first process's alone. By a thread that has the baton and is inside, but for rcp_kept_printed. */
#ifndef RECIPE_RUNTIME_KEPT_H
#define RECIPE_RUNTIME_KEPT_H

#include "runtime/peer.h"

/* When recording begins: looks what standard input is. */
void rcp_kept_start(void);
/* When a run that is fed begins, after rcp_peer_feed(). */
void rcp_kept_feed(void);

void rcp_kept_end(void); /* in the child of a fork */

/* Before a call that reads: in a replay the schedule decides when it does. How much of `size` may be read. */
size_t rcp_kept_await(rcp_thread *self, int fd, size_t size);
/* So much was read, of so much that was asked for; 0: the input was over. */
void rcp_kept_read(rcp_thread *self, int fd, const void *bytes, size_t n, size_t asked);

/* The descriptor is read by a call that tells us nothing, or gets another number. */
void rcp_kept_escapes(int fd);
/* It is read by a call that does not say what it took. */
void rcp_kept_loses(int fd);
/* Could what comes next on standard input have come? */
bool rcp_kept_is_there(void);

/* Something is about to go out. By anybody. */
void rcp_kept_look(void);
static inline void rcp_kept_printed(int fd, const void *bytes, size_t n) {
    rcp_kept_look();
    rcp_peer_writes(fd, bytes, n);
}

#endif
