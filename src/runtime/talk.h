/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets by which the program talks to somebody outside (peer.h), as streams of pieces: what listens, what was
 * connected, what takes datagrams. When a run is recorded, what comes by them is kept. In a replay that is fed nobody
 * is there: a socket is made, so that its number, its flags and its options are what they would be, but what is asked
 * of it beyond these is answered from the pieces, and never by the system.
 *
 * A socket whose other end is the program's own (it connects to what it listens on) has no outside: then a run is real,
 * as it is with all that is not followed here: copies of descriptors, messages with more than bytes in them, a look
 * without reading, files that are sent, a send that was not taken whole. What is met there is said (world.h).
 *
 * By a thread that has the baton and is inside. Owns the table of descriptors. */
#ifndef RECIPE_RUNTIME_TALK_H
#define RECIPE_RUNTIME_TALK_H

#include "runtime/peer.h"

#include <sys/socket.h>

typedef struct rcp_talk {
    uint64_t device, inode; /* 0: none */
    uint32_t stream;
    int domain, type;
    bool listens;
    uint64_t place;        /* so many pieces have come */
    uint64_t bytes;        /* and so many bytes */
    rcp_peer_piece *given; /* of a replay: the last one */
} rcp_talk;

/* The descriptor leads outside; NULL: it does not, or is not followed. */
rcp_talk *rcp_talk_of(int fd);
/* The same in a replay that is fed: the system is not to be asked. */
rcp_talk *rcp_talk_fed(int fd);

/* --- both: what the program does --- */

/* A socket was made. */
void rcp_talk_made(int fd, int domain, int type);
void rcp_talk_binds(int fd, const struct sockaddr *address, socklen_t length);
void rcp_talk_bound(int fd); /* that has succeeded */
void rcp_talk_listens(int fd);
void rcp_talk_connects(int fd, const struct sockaddr *address, socklen_t length);
void rcp_talk_sends(int fd, const struct iovec *vector, size_t n, const struct sockaddr *address, socklen_t length);
void rcp_talk_shuts(int fd, int how);
/* Before it is closed. */
void rcp_talk_closes(int fd);
/* Something is done with it that is not followed. */
void rcp_talk_escapes(int fd, const char *what);

/* --- a recording: what came of it; errno is the call's --- */

/* True: something came, and nobody outside can notice that it was read. */
bool rcp_talk_received(rcp_thread *self, int fd, const struct iovec *vector, size_t asked, ssize_t n,
                       const void *address, const socklen_t *length, socklen_t room);
void rcp_talk_accepted(rcp_thread *self, int fd, int peer, const void *address, const socklen_t *length,
                       socklen_t room);
void rcp_talk_connected(rcp_thread *self, int fd, int result);
void rcp_talk_named(rcp_thread *self, int fd, bool is_other, const void *address, const socklen_t *length,
                    socklen_t room);
void rcp_talk_shut(rcp_thread *self, int fd, int how, int result);
/* A send, a bind or the like must have been done whole. */
void rcp_talk_did(int fd, bool is_whole);

/* --- a replay: as the calls --- */

ssize_t rcp_talk_receive(rcp_thread *self, int fd, const struct iovec *vector, size_t n, int flags, void *address,
                         socklen_t *length);
int rcp_talk_accept(rcp_thread *self, int fd, void *address, socklen_t *length, int flags);
int rcp_talk_connect(rcp_thread *self, int fd);
int rcp_talk_shutdown(const rcp_thread *self, int fd, int how);
int rcp_talk_name(int fd, bool is_other, void *address, socklen_t *length);

/* Could its next piece have come? */
bool rcp_talk_is_ready(const rcp_talk *talk);

static inline size_t rcp_talk_size(const struct iovec *vector, size_t n) {
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += vector[i].iov_len;
    return size;
}

#endif
