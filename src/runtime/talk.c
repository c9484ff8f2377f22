/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/talk.h"

#include "runtime/follow.h"
#include "runtime/kept.h"
#include "runtime/process.h"
#include "runtime/sys.h"
#include "runtime/thread.h"
#include "runtime/world.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/un.h>

enum { DESCRIPTORS = 4096, PLACES = 256, QUIET = 4096 }; /* QUIET: bytes that wait without holding their sender back */

static rcp_talk talks[DESCRIPTORS];
static uint32_t sockets, connections;  /* numbers that were given */
#define CONNECTION (UINT32_C(1) << 31) /* added to those of connections, which a replay has from their pieces */
static uint64_t places[PLACES];        /* where the program can be talked to */
static unsigned n_places;

/* --- descriptors --- */

static void not_followed(const char *what) { rcp_world_meets(RCP_WORLD_SOCKETS, what); }

static bool identify(int fd, rcp_talk *talk) {
    struct stat is;
    if (RCP_SYS2(SYS_fstat, fd, &is) < 0)
        return false;
    talk->device = is.st_dev;
    talk->inode = is.st_ino;
    return true;
}

rcp_talk *rcp_talk_of(int fd) {
    rcp_talk now = {0};
    if (fd < 0 || fd >= DESCRIPTORS || !talks[fd].inode)
        return NULL;
    if (identify(fd, &now) && now.device == talks[fd].device && now.inode == talks[fd].inode)
        return &talks[fd];
    talks[fd].inode = 0;
    not_followed("a socket was closed, or its number taken, in a way that is not followed");
    return NULL;
}

rcp_talk *rcp_talk_fed(int fd) { return rcp_peer_feeds() ? rcp_talk_of(fd) : NULL; }

static rcp_talk *begin(int fd, int domain, int type, uint32_t stream) {
    if (fd >= DESCRIPTORS || !identify(fd, &talks[fd])) {
        not_followed("the program has more sockets than can be followed");
        return NULL;
    }
    rcp_talk *talk = &talks[fd];
    *talk = (rcp_talk){.device = talk->device, .inode = talk->inode, .stream = stream, .domain = domain, .type = type};
    return talk;
}

void rcp_talk_made(int fd, int domain, int type) {
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    bool known =
        (domain == AF_INET || domain == AF_INET6 || domain == AF_UNIX) && (kind == SOCK_STREAM || kind == SOCK_DGRAM);
    if (!known || !(rcp_peer_keeps() || rcp_peer_feeds()))
        not_followed("the program makes a socket, by which others can talk to it");
    if (!known)
        return;
    rcp_world_meets(RCP_WORLD_PEERS, "");
    rcp_peer_talks();
    begin(fd, domain, kind, ++sockets);
}

void rcp_talk_escapes(int fd, const char *what) {
    if (rcp_talk_of(fd))
        not_followed(what);
}

/* --- what goes out --- */

static void out(const rcp_talk *talk, enum rcp_out what, const void *bytes, size_t n) {
    rcp_kept_look();
    rcp_peer_out(RCP_PEER_STREAM(talk->stream), what, bytes, n);
}

/* What an address names, whatever else it says: a port, a file. */
static uint64_t place_of(const struct sockaddr *address, socklen_t length) {
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    const struct sockaddr_un *local = (const void *)address;
    if (!address || length <= sizeof address->sa_family)
        return 0;
    if (address->sa_family == AF_INET && length >= sizeof *four)
        return four->sin_port ? UINT64_C(1) << 32 | four->sin_port : 0;
    if (address->sa_family == AF_INET6 && length >= sizeof *six)
        return six->sin6_port ? UINT64_C(1) << 32 | six->sin6_port : 0;
    char path[sizeof local->sun_path + 1] = "";
    size_t n = length - sizeof address->sa_family;
    memcpy(path, local->sun_path, n < sizeof path - 1 ? n : sizeof path - 1);
    struct stat is;
    if (*path && !RCP_SYS4(SYS_newfstatat, AT_FDCWD, path, &is, 0))
        return rcp_sum((const uint64_t[]){is.st_dev, is.st_ino}, 16);
    return rcp_sum(path, *path ? strlen(path) : n);
}

/* It can be talked to. */
static void note_place(int fd) {
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    if (rcp_peer_feeds())
        return;
    if (RCP_SYS3(SYS_getsockname, fd, &at, &length) < 0 || n_places == PLACES)
        not_followed("the program listens in more places than can be followed");
    else
        places[n_places++] = place_of((struct sockaddr *)&at, length < sizeof at ? length : sizeof at);
}

static bool is_own(const struct sockaddr *address, socklen_t length) {
    uint64_t place = n_places ? place_of(address, length) : 0;
    for (unsigned i = 0; i < n_places; i++)
        if (place && places[i] == place)
            return true;
    return false;
}

void rcp_talk_binds(int fd, const struct sockaddr *address, socklen_t length) {
    const rcp_talk *talk = rcp_talk_of(fd);
    if (talk)
        out(talk, RCP_OUT_BIND, address, length);
}

void rcp_talk_bound(int fd) {
    if (rcp_talk_of(fd))
        note_place(fd);
}

void rcp_talk_listens(int fd) {
    rcp_talk *talk = rcp_talk_of(fd);
    if (!talk)
        return;
    talk->listens = true;
    out(talk, RCP_OUT_LISTEN, NULL, 0);
}

void rcp_talk_connects(int fd, const struct sockaddr *address, socklen_t length) {
    const rcp_talk *talk = rcp_talk_of(fd);
    if (!talk)
        return;
    if (is_own(address, length))
        not_followed("the program talks to itself by a socket");
    if (talk->type == SOCK_DGRAM)
        not_followed("a socket for datagrams is connected");
    out(talk, RCP_OUT_CONNECT, address, length);
}

void rcp_talk_sends(int fd, const struct iovec *vector, size_t n, const struct sockaddr *address, socklen_t length) {
    const rcp_talk *talk = rcp_talk_of(fd);
    if (!talk)
        return;
    if (is_own(address, length))
        not_followed("the program talks to itself by a socket");
    for (size_t i = 0; i < n; i++)
        out(talk, RCP_OUT_BYTES, vector[i].iov_base, vector[i].iov_len);
    if (talk->type == SOCK_DGRAM)
        out(talk, RCP_OUT_DATAGRAM, address, address ? length : 0);
}

void rcp_talk_shuts(int fd, int how) {
    const rcp_talk *talk = rcp_talk_of(fd);
    if (talk)
        out(talk, RCP_OUT_SHUTDOWN, &how, sizeof how);
}

void rcp_talk_closes(int fd) {
    rcp_talk *talk = rcp_talk_of(fd);
    if (!talk)
        return;
    out(talk, RCP_OUT_CLOSE, NULL, 0);
    talk->inode = 0;
}

/* --- a recording --- */

static uint32_t address_bytes(const void *address, const socklen_t *length, socklen_t room) {
    return !address || !length ? 0 : *length < room ? *length : room;
}

static void keep(rcp_thread *self, rcp_talk *talk, struct rcp_run_piece piece, const void *address,
                 const struct iovec *vector) {
    piece.stream = talk->stream;
    piece.place = talk->place;
    if (piece.kind != RCP_RUN_NOTHING && piece.kind != RCP_RUN_NAME && piece.kind != RCP_RUN_UNSHUT)
        talk->place++;
    rcp_peer_keep(self, piece, NULL, address, vector);
    if (piece.is_noticed)
        out(talk, RCP_OUT_READ, &piece.result, sizeof piece.result);
}

/* A call was ended by a signal: that is no piece, the handler is replayed. */
static bool keep_failure(rcp_thread *self, rcp_talk *talk, size_t asked) {
    int error = errno;
    if (error == EINTR)
        return true;
    bool is_nothing = error == EAGAIN || error == EWOULDBLOCK;
    keep(self, talk,
         (struct rcp_run_piece){.kind = is_nothing ? RCP_RUN_NOTHING : RCP_RUN_FAILED, .asked = asked, .result = error},
         NULL, NULL);
    errno = error;
    return true;
}

/* Does so much wait behind what was just read that its sender may have been held back? */
static bool is_noticed(int fd, rcp_talk *talk, size_t n) {
    int waiting = 0;
    talk->bytes += n;
    if (RCP_SYS3(SYS_ioctl, fd, FIONREAD, &waiting) < 0)
        waiting = QUIET;
    return talk->bytes + (uint64_t)waiting > QUIET;
}

/* A socket of the network that the program has not given less room than others have. What is not there yet may be on
 * its way: neither that nor fewer bytes than were asked for say anything of what others have done. Of local sockets
 * they do. */
static bool is_network(int fd, const rcp_talk *talk) {
    enum { ROOM = 16 * QUIET };
    int room = 0;
    socklen_t size = sizeof room;
    return (talk->domain == AF_INET || talk->domain == AF_INET6) &&
           rcp_sys(SYS_getsockopt, fd, SOL_SOCKET, SO_RCVBUF, (long)&room, (long)&size, 0) >= 0 && room >= ROOM;
}

bool rcp_talk_received(rcp_thread *self, int fd, const struct iovec *vector, size_t asked, ssize_t n,
                       const void *address, const socklen_t *length, socklen_t room) {
    rcp_talk *talk = rcp_talk_of(fd);
    if (!talk || !rcp_peer_keeps())
        return false;
    if (n < 0) {
        keep_failure(self, talk, asked);
        return false;
    }
    int error = errno;
    bool is_over = !n && asked && talk->type == SOCK_STREAM;
    uint64_t size = (size_t)n < asked ? (size_t)n : asked; /* MSG_TRUNC says more than there is */
    struct rcp_run_piece piece = {.kind = is_over ? RCP_RUN_OVER : RCP_RUN_BYTES,
                                  .asked = asked,
                                  .result = n,
                                  .is_noticed = is_noticed(fd, talk, (size_t)n),
                                  .address = address_bytes(address, length, room),
                                  .size = size};
    keep(self, talk, piece, address, vector);
    bool takes = !piece.is_noticed && asked && is_network(fd, talk);
    errno = error;
    return takes;
}

void rcp_talk_accepted(rcp_thread *self, int fd, int other, const void *address, const socklen_t *length,
                       socklen_t room) {
    rcp_talk *talk = rcp_talk_of(fd);
    if (!talk || !rcp_peer_keeps())
        return;
    if (other < 0) {
        keep_failure(self, talk, 0);
        return;
    }
    int error = errno;
    keep(self, talk,
         (struct rcp_run_piece){.kind = RCP_RUN_CONNECTION,
                                .result = CONNECTION | ++connections,
                                .address = address_bytes(address, length, room)},
         address, NULL);
    begin(other, talk->domain, talk->type, CONNECTION | connections);
    errno = error;
}

void rcp_talk_connected(rcp_thread *self, int fd, int result) {
    rcp_talk *talk = rcp_talk_of(fd);
    if (!talk || !rcp_peer_keeps())
        return;
    int error = errno;
    if (result && (error == EINPROGRESS || error == EALREADY || error == EINTR || error == EAGAIN))
        not_followed("a connection is made without waiting for it");
    else
        keep(self, talk,
             (struct rcp_run_piece){.kind = result ? RCP_RUN_FAILED : RCP_RUN_CONNECTED, .result = result ? error : 0},
             NULL, NULL);
    errno = error;
}

void rcp_talk_named(rcp_thread *self, int fd, bool is_other, const void *address, const socklen_t *length,
                    socklen_t room) {
    rcp_talk *talk = rcp_talk_of(fd);
    if (!talk || !rcp_peer_keeps())
        return;
    keep(self, talk,
         (struct rcp_run_piece){.kind = RCP_RUN_NAME,
                                .asked = is_other,
                                .result = *length,
                                .address = address_bytes(address, length, room)},
         address, NULL);
}

void rcp_talk_shut(rcp_thread *self, int fd, int how, int result) {
    rcp_talk *talk = rcp_talk_of(fd);
    int error = errno;
    if (result && talk && rcp_peer_keeps() && error == ENOTCONN)
        keep(self, talk, (struct rcp_run_piece){.kind = RCP_RUN_UNSHUT, .asked = (uint64_t)how, .result = error}, NULL,
             NULL);
    else
        rcp_talk_did(fd, !result);
    errno = error;
}

void rcp_talk_did(int fd, bool is_whole) {
    int error = errno;
    if (!is_whole && rcp_peer_keeps() && rcp_talk_of(fd))
        not_followed("a socket did not take what it was given");
    errno = error;
}

/* --- a replay --- */

static int fails(int error) {
    errno = error;
    return -1;
}

bool rcp_talk_is_ready(const rcp_talk *talk) {
    rcp_peer_piece *next = rcp_peer_next(talk->stream, talk->given);
    return next && rcp_peer_could_come(next);
}

static bool waits(int fd, int flags) {
    return !(flags & MSG_DONTWAIT) && !(RCP_SYS3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK);
}

/* Was nothing there for this very call when it was recorded? */
static bool lacked(const rcp_thread *self, const rcp_talk *talk, rcp_peer_piece *next) {
    for (rcp_peer_piece *p = rcp_peer_any(talk->given); p && p != next; p = rcp_peer_any(p))
        if (p->kind == RCP_RUN_NOTHING && p->stream == talk->stream && p->role == self->role &&
            p->position == self->hot->position)
            return rcp_peer_is_ahead(p);
    return false;
}

/* The piece that this call is given; NULL: errno says why none. */
static rcp_peer_piece *take(rcp_thread *self, int fd, rcp_talk *talk, size_t asked, bool may_wait, const char *call) {
    for (bool is_tried = false;; is_tried = true) { /* a schedule that is followed says first when it goes on */
        if (may_wait && (is_tried || rcp_follow_is_on()) && !rcp_peer_await(self)) {
            errno = EINTR;
            return NULL;
        }
        if (rcp_talk_of(fd) != talk) { /* closed by another meanwhile */
            errno = EBADF;
            return NULL;
        }
        rcp_peer_piece *next = rcp_peer_next(talk->stream, talk->given);
        bool could = next && next->asked == asked && rcp_peer_could_come(next);
        bool lacks =
            lacked(self, talk, next) || (!may_wait && !could && rcp_peer_may_lack(talk->stream, talk->place, POLLIN));
        if (lacks) {
            errno = EAGAIN;
            return NULL;
        }
        if (could) {
            talk->given = next;
            talk->place++;
            rcp_peer_give(next);
            return next;
        }
        if (may_wait && rcp_follow_stays(self))
            continue;
        if (!may_wait || rcp_follow_is_on())
            rcp_peer_lacks(call);
        if (!may_wait) {
            errno = EAGAIN;
            return NULL;
        }
    }
}

static void put_address(rcp_peer_piece *piece, void *address, socklen_t *length, socklen_t whole) {
    if (!address || !length)
        return;
    memcpy(address, rcp_peer_address(piece), piece->address < *length ? piece->address : *length);
    *length = whole;
}

ssize_t rcp_talk_receive(rcp_thread *self, int fd, const struct iovec *vector, size_t n, int flags, void *address,
                         socklen_t *length) {
    rcp_talk *talk = rcp_talk_of(fd);
    size_t asked = rcp_talk_size(vector, n);
    rcp_peer_piece *piece = take(self, fd, talk, asked, waits(fd, flags),
                                 "the program reads from a socket what did not come there by then");
    if (!piece)
        return -1;
    if (piece->kind == RCP_RUN_FAILED)
        return fails((int)piece->result);
    const uint8_t *at = rcp_peer_bytes(piece);
    for (uint64_t left = piece->size, part; left; left -= part, at += part, vector++) {
        part = vector->iov_len < left ? vector->iov_len : left;
        memcpy(vector->iov_base, at, part);
    }
    put_address(piece, address, length, piece->address);
    return piece->result;
}

int rcp_talk_accept(rcp_thread *self, int fd, void *address, socklen_t *length, int flags) {
    rcp_talk *talk = rcp_talk_of(fd);
    rcp_peer_piece *piece =
        take(self, fd, talk, 0, waits(fd, 0), "the program accepts a connection that was not there by then");
    if (!piece)
        return -1;
    if (piece->kind == RCP_RUN_FAILED)
        return fails((int)piece->result);
    long made = RCP_SYS3(SYS_socket, talk->domain, talk->type | flags, 0);
    if (made < 0)
        return fails((int)-made);
    put_address(piece, address, length, piece->address);
    begin((int)made, talk->domain, talk->type, (uint32_t)piece->result);
    return (int)made;
}

int rcp_talk_connect(rcp_thread *self, int fd) {
    rcp_peer_piece *piece =
        take(self, fd, rcp_talk_of(fd), 0, true, "the program connects to somebody who did not answer");
    return !piece ? -1 : piece->kind == RCP_RUN_FAILED ? fails((int)piece->result) : 0;
}

int rcp_talk_name(int fd, bool is_other, void *address, socklen_t *length) {
    const rcp_talk *talk = rcp_talk_of(fd);
    for (rcp_peer_piece *p = rcp_peer_any(NULL); p; p = rcp_peer_any(p))
        if (p->kind == RCP_RUN_NAME && p->stream == talk->stream && p->asked == is_other && rcp_peer_could_come(p)) {
            put_address(p, address, length, (socklen_t)p->result);
            return 0;
        }
    rcp_peer_lacks("the program asks for a socket's name that was not asked for by then");
    return fails(ENOTCONN);
}

/* That the other end is gone too is what whoever was there did: it fails where the same call failed, and could. Where
 * it did not, it succeeds: what says that the other end is gone may come later. */
int rcp_talk_shutdown(const rcp_thread *self, int fd, int how) {
    const rcp_talk *talk = rcp_talk_of(fd);
    for (rcp_peer_piece *p = rcp_peer_any(NULL); p; p = rcp_peer_any(p)) {
        if (p->kind != RCP_RUN_UNSHUT || p->stream != talk->stream || p->role != self->role ||
            p->position != self->hot->position)
            continue;
        if (p->asked != (uint64_t)how || p->place != talk->place || !rcp_peer_could_come(p))
            rcp_peer_lacks("the program shuts a socket down whose other end was not gone by then");
        rcp_peer_give(p);
        return fails((int)p->result);
    }
    return 0;
}
