/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers lead to what the process has made for itself: pipes, pairs of sockets, counters of events, and what
 * watches them. Whoever closes one, gives it another number, or hands it on says so in the log (RCP_SIGN_DESCRIPTORS):
 * where it is recorded code that knows already, where it is not, nobody else would (program/telling/descriptors.h).
 *
 * Invariant: who has been made and not been closed by a function that the runtime stands in front of is known. One that
 * counts as its own though it is not says more than it need.
 *
 * By any thread, and by handlers of signals; errno stays. */
#ifndef RECIPE_RUNTIME_DESCRIPTORS_H
#define RECIPE_RUNTIME_DESCRIPTORS_H

#include "runtime/runtime.h"

/* `fd`, which is returned, was made: as `like` is; -1: of the process's own. Negative: it was not. */
int rcp_descriptors_made(int fd, int like);
void rcp_descriptors_made_two(const int fds[2]);
/* Something is done with it by which it may be another's; the same by one who is inside. */
void rcp_descriptors_escapes(int fd);
void rcp_descriptors_touched(int fd);
/* As the latter, and its number leads nowhere from here on. */
void rcp_descriptors_closed(int fd);
/* Was any of them ever made? */
bool rcp_descriptors_are_there(void);
/* Any of them may be another's. */
void rcp_descriptors_handed(void);
/* Pages of the one become the other's contents: who writes there later writes into the pipe. */
void rcp_descriptors_lent(int to, int from);

#endif
