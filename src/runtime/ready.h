/* SPDX-License-Identifier: Apache-2.0 */
/* Which sockets are ready: poll, select and epoll, of those that lead outside (talk.h). When a run is recorded, what
 * each such call answered is kept. In a replay that is fed the system is never asked about them. The recorded answer of
 * the same call is given where it could be one: of what was ready the next piece could have come, and of what was not,
 * nothing later has been given and the stream is at the same place. Where there is none, or it could not, what could
 * have come is ready, and what could lack is not. A socket takes what is sent.
 *
 * All by a thread that has the baton and is inside. Owns the table of what epolls have. */
#ifndef RECIPE_RUNTIME_READY_H
#define RECIPE_RUNTIME_READY_H

#include "runtime/talk.h"

#include <poll.h>
#include <sys/epoll.h>

/* --- a recording: what a call answered --- */

void rcp_ready_keep(rcp_thread *self, const struct pollfd *fds, nfds_t n);

/* --- a replay --- */

/* Is one of them to be answered here? */
bool rcp_ready_is_fed(const struct pollfd *fds, nfds_t n);
typedef enum rcp_ready_answer {
    RCP_READY,       /* some are: `revents` of those that lead outside says which; others are 0 */
    RCP_READY_OTHER, /* none of them is: others, or the clock, end the call */
    RCP_READY_SIGNAL /* a signal has */
} rcp_ready_answer;
/* `waits`: the call may; `has_others`: it asks for others, too; `has_end`: time ends it. */
rcp_ready_answer rcp_ready_answer_to(rcp_thread *self, struct pollfd *fds, nfds_t n, bool waits, bool has_others,
                                     bool has_end);

/* The call has waited for others, or for the clock: could those that were not ready still lack what came later? Else
 * there is no answer. */
void rcp_ready_waited(const struct pollfd *fds, nfds_t n);

/* --- epoll --- */

/* epoll_ctl has succeeded. */
void rcp_ready_control(int epoll, int what, int fd, const struct epoll_event *event);
void rcp_ready_closed(int fd);
/* Those of this epoll that lead outside, as poll has them: at most `room`; and what the program calls the nth. */
nfds_t rcp_ready_list(int epoll, struct pollfd *fds, nfds_t room);
/* In the order in which the recorded answer had them. */
void rcp_ready_order(const rcp_thread *self, struct pollfd *fds, nfds_t n);
bool rcp_ready_is_followed(int epoll);
epoll_data_t rcp_ready_data(int epoll, int fd);
/* Which descriptor of the list is meant; below 0: none. */
int rcp_ready_of_data(int epoll, epoll_data_t data);
bool rcp_ready_has_others(int epoll);

enum { RCP_READY_MOST = 256 };

#endif
