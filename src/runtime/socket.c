/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets: what blocks gives the baton up; data, addresses and lengths that come in are logged whole. */
#include "runtime/block.h"
#include "runtime/descriptors.h"
#include "runtime/follow.h"
#include "runtime/lifecycle.h"
#include "runtime/names.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/talk.h"
#include "runtime/thread.h"
#include "runtime/world.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

RCP_REAL_DEFINE(recvfrom)
RCP_REAL_DEFINE(recvmsg)
RCP_REAL_DEFINE(recvmmsg)
RCP_REAL_DEFINE(send)
RCP_REAL_DEFINE(sendto)
RCP_REAL_DEFINE(sendmsg)
RCP_REAL_DEFINE(sendmmsg)
RCP_REAL_DEFINE(accept4)
RCP_REAL_DEFINE(connect)
RCP_REAL_DEFINE(listen)
RCP_REAL_DEFINE(bind)
RCP_REAL_DEFINE(shutdown)
RCP_REAL_DEFINE(socket)
RCP_REAL_DEFINE(socketpair)
RCP_REAL_DEFINE(getsockname)
RCP_REAL_DEFINE(getpeername)
RCP_REAL_DEFINE(getsockopt)
RCP_REAL_DEFINE(getaddrinfo)

_Noreturn void __chk_fail(void);

/* The other end may be anybody's. */
RCP_INTERCEPT int socket(int domain, int type, int protocol) {
    rcp_thread *self = rcp_inside();
    int fd = RCP_REAL(socket)(domain, type, protocol), error = errno;
    if (self && fd >= 0)
        rcp_talk_made(fd, domain, type);
    else if (!self && rcp_is_recording())
        rcp_world_meets(RCP_WORLD_SOCKETS, "a thread that is not recorded makes a socket");
    if (self)
        rcp_outside(self);
    errno = error;
    return fd;
}

/* What takes datagrams can be talked to from here on. */
/* In the file system, where that is so. */
static void has_name(const struct sockaddr *address, socklen_t length) {
    struct sockaddr_un is = {.sun_family = AF_UNSPEC};
    memcpy(&is, address, length < sizeof is - 1 ? length : sizeof is - 1);
    if (is.sun_family == AF_UNIX && is.sun_path[0])
        rcp_names_changed(AT_FDCWD, is.sun_path);
}

RCP_INTERCEPT int bind(int fd, const struct sockaddr *address, socklen_t length) {
    rcp_thread *self = rcp_inside();
    const rcp_talk *fed = self ? rcp_talk_fed(fd) : NULL;
    if (self) {
        rcp_descriptors_touched(fd);
        rcp_talk_binds(fd, address, length);
    }
    /* one that has a name in the file system leaves that there */
    int result = fed && fed->domain != AF_UNIX ? 0 : RCP_REAL(bind)(fd, address, length), type = 0, error = errno;
    if (!self)
        return result;
    rcp_talk_did(fd, !result);
    if (!result)
        rcp_talk_bound(fd);
    if (!result)
        has_name(address, length);
    socklen_t room = sizeof type;
    if (!result && !rcp_sys(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&room, 0) && type == SOCK_DGRAM)
        rcp_log_listens();
    errno = error;
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int listen(int fd, int backlog) {
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_descriptors_touched(fd);
        rcp_talk_listens(fd);
    }
    int result = self && rcp_talk_fed(fd) ? 0 : RCP_REAL(listen)(fd, backlog);
    if (!self)
        return result;
    rcp_talk_did(fd, !result);
    if (!result)
        rcp_log_listens();
    rcp_outside(self);
    return result;
}

static bool receive_is_due(int fd, int flags) {
    rcp_streams_read(fd);
    return !(flags & MSG_DONTWAIT) && rcp_block_is_due(fd, POLLIN);
}
static bool send_is_due(int fd, int flags) { return !(flags & MSG_DONTWAIT) && rcp_block_is_due(fd, POLLOUT); }

/* An address that came back in `room` bytes at most, with its length. */
static void effect_of_address(const void *address, const socklen_t *length, socklen_t room) {
    if (!address || !length)
        return;
    rcp_effect(address, *length < room ? *length : room);
    rcp_effect(length, sizeof *length);
}

/* What is more than to read what comes. */
static void follow_receive(int fd, int flags, bool has_more) {
    if (has_more || flags & ~(MSG_DONTWAIT | MSG_WAITALL | MSG_NOSIGNAL | MSG_CMSG_CLOEXEC))
        rcp_talk_escapes(fd, "a socket is read in a way that is not followed");
}
static void follow_send(int fd, int flags, bool has_more) {
    if (has_more || flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE | MSG_EOR))
        rcp_talk_escapes(fd, "a socket is sent by in a way that is not followed");
}

RCP_INTERCEPT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags, struct sockaddr *restrict address,
                               socklen_t *restrict length) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(recvfrom)(fd, buffer, size, flags, address, length);
    socklen_t room = length ? *length : 0;
    const struct iovec one = {buffer, size};
    ssize_t n;
    follow_receive(fd, flags, false);
    if (rcp_talk_fed(fd)) {
        n = rcp_talk_receive(self, fd, &one, 1, flags, address, length);
    } else {
        rcp_block_leave(self, receive_is_due(fd, flags));
        n = RCP_REAL(recvfrom)(fd, buffer, size, flags, address, length);
        rcp_block_return(self);
        bool takes = rcp_talk_received(self, fd, &one, size, n, address, length, room);
        if (takes && !(flags & ~(MSG_DONTWAIT | MSG_WAITALL | MSG_NOSIGNAL)))
            rcp_log_sign(RCP_SIGN_TAKES, self);
    }
    if (n > 0)
        rcp_effect(buffer, (size_t)n < size ? (uint64_t)n : size); /* MSG_TRUNC says more than there is */
    if (n >= 0)
        effect_of_address(address, length, room);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT ssize_t recv(int fd, void *buffer, size_t size, int flags) {
    return recvfrom(fd, buffer, size, flags, NULL, NULL);
}

ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags);
RCP_INTERCEPT ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags) {
    if (size > room)
        __chk_fail();
    return recvfrom(fd, buffer, size, flags, NULL, NULL);
}

ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags, struct sockaddr *address,
                       socklen_t *length);
RCP_INTERCEPT ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags,
                                     struct sockaddr *address, socklen_t *length) {
    if (size > room)
        __chk_fail();
    return recvfrom(fd, buffer, size, flags, address, length);
}

static void effect_of_message(const struct msghdr *message, size_t n) {
    for (size_t i = 0; i < message->msg_iovlen && n; i++) {
        size_t part = message->msg_iov[i].iov_len < n ? message->msg_iov[i].iov_len : n;
        rcp_effect(message->msg_iov[i].iov_base, part);
        n -= part;
    }
    if (message->msg_name)
        rcp_effect(message->msg_name, message->msg_namelen);
    if (message->msg_control)
        rcp_effect(message->msg_control, message->msg_controllen);
    rcp_effect(message, sizeof *message);
}

RCP_INTERCEPT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(recvmsg)(fd, message, flags);
    ssize_t n;
    follow_receive(fd, flags, message->msg_control && message->msg_controllen);
    if (rcp_talk_fed(fd)) {
        n = rcp_talk_receive(self, fd, message->msg_iov, message->msg_iovlen, flags, message->msg_name,
                             &message->msg_namelen);
        message->msg_flags = 0;
    } else {
        socklen_t room = message->msg_name ? message->msg_namelen : 0;
        rcp_block_leave(self, receive_is_due(fd, flags));
        n = RCP_REAL(recvmsg)(fd, message, flags);
        rcp_block_return(self);
        if (n >= 0 && message->msg_flags & ~MSG_CMSG_CLOEXEC)
            rcp_talk_escapes(fd, "a message is too long for who reads it");
        rcp_talk_received(self, fd, message->msg_iov, rcp_talk_size(message->msg_iov, message->msg_iovlen), n,
                          message->msg_name, &message->msg_namelen, room);
    }
    if (n >= 0)
        effect_of_message(message, (size_t)n);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(recvmmsg)(fd, messages, count, flags, timeout);
    rcp_talk_escapes(fd, "several messages are read at once");
    rcp_block_leave(self, receive_is_due(fd, flags));
    int n = RCP_REAL(recvmmsg)(fd, messages, count, flags, timeout);
    rcp_block_return(self);
    for (int i = 0; i < n; i++) {
        effect_of_message(&messages[i].msg_hdr, messages[i].msg_len);
        rcp_effect(&messages[i].msg_len, sizeof messages[i].msg_len);
    }
    rcp_outside(self);
    return n;
}

/* `call` with what comes before and after it; its value is the result. */
#define SEND(fd, vector, count, flags, has_more, address, length, call)                                                \
    rcp_thread *self = rcp_inside();                                                                                   \
    if (!self)                                                                                                         \
        return call;                                                                                                   \
    ssize_t whole = (ssize_t)rcp_talk_size(vector, count), n = whole;                                                  \
    follow_send(fd, flags, has_more);                                                                                  \
    rcp_talk_sends(fd, vector, count, address, length);                                                                \
    if (!rcp_talk_fed(fd)) {                                                                                           \
        rcp_block_leave(self, send_is_due(fd, flags));                                                                 \
        n = call;                                                                                                      \
        rcp_block_return(self);                                                                                        \
        rcp_talk_did(fd, n == whole);                                                                                  \
    }                                                                                                                  \
    rcp_outside(self);                                                                                                 \
    return n

RCP_INTERCEPT ssize_t send(int fd, const void *buffer, size_t size, int flags) {
    const struct iovec one = {(void *)(uintptr_t)buffer, size};
    SEND(fd, &one, 1, flags, false, NULL, 0, RCP_REAL(send)(fd, buffer, size, flags));
}

RCP_INTERCEPT ssize_t sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *address,
                             socklen_t length) {
    const struct iovec one = {(void *)(uintptr_t)buffer, size};
    SEND(fd, &one, 1, flags, false, address, length, RCP_REAL(sendto)(fd, buffer, size, flags, address, length));
}

RCP_INTERCEPT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    if (message->msg_control && message->msg_controllen) /* perhaps descriptors */
        rcp_descriptors_handed();
    SEND(fd, message->msg_iov, message->msg_iovlen, flags, message->msg_control && message->msg_controllen,
         message->msg_name, message->msg_namelen, RCP_REAL(sendmsg)(fd, message, flags));
}

RCP_INTERCEPT int shutdown(int fd, int how) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(shutdown)(fd, how);
    rcp_talk_shuts(fd, how);
    int result;
    if (rcp_talk_fed(fd)) {
        result = rcp_talk_shutdown(self, fd, how);
    } else {
        result = RCP_REAL(shutdown)(fd, how);
        rcp_talk_shut(self, fd, how, result);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sendmmsg)(fd, messages, count, flags);
    rcp_log_descriptor(RCP_LOG_ANY_DESCRIPTOR);
    rcp_talk_escapes(fd, "several messages are sent at once");
    rcp_block_leave(self, send_is_due(fd, flags));
    int n = RCP_REAL(sendmmsg)(fd, messages, count, flags);
    rcp_block_return(self);
    for (int i = 0; i < n; i++)
        rcp_effect(&messages[i].msg_len, sizeof messages[i].msg_len);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(accept4)(fd, address, length, flags);
    socklen_t room = length ? *length : 0;
    if (rcp_talk_fed(fd)) {
        int given = rcp_talk_accept(self, fd, address, length, flags);
        if (given >= 0)
            effect_of_address(address, length, room);
        rcp_outside(self);
        return given;
    }
    self->accepts = rcp_block_is_due(fd, POLLIN);
    if (self->accepts && rcp_follow_is_alone()) /* also where there is but one thread, somebody must see that */
        rcp_thread_watch();
    rcp_block_leave(self, self->accepts);
    int peer = RCP_REAL(accept4)(fd, address, length, flags);
    rcp_block_return(self);
    self->accepts = false;
    rcp_talk_accepted(self, fd, peer, address, length, room);
    if (peer >= 0)
        effect_of_address(address, length, room);
    rcp_outside(self);
    return peer;
}

RCP_INTERCEPT int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
    return accept4(fd, address, length, 0);
}

/* Whether it will block can't be asked. One to this machine does not, unless the queue there is full; then it is the
 * watchdog's. */
static bool is_near(const struct sockaddr *address, socklen_t length) {
    if (!address || length < sizeof address->sa_family)
        return true; /* an error */
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    switch (address->sa_family) {
    case AF_INET: return length >= sizeof *four && ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    case AF_INET6: return length >= sizeof *six && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    default: return address->sa_family == AF_UNIX;
    }
}

RCP_INTERCEPT int connect(int fd, const struct sockaddr *address, socklen_t length) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(connect)(fd, address, length);
    int result;
    rcp_descriptors_touched(fd);
    rcp_talk_connects(fd, address, length);
    if (rcp_talk_fed(fd)) {
        result = rcp_talk_connect(self, fd);
    } else {
        rcp_block_leave(self, !is_near(address, length));
        result = RCP_REAL(connect)(fd, address, length);
        rcp_block_return(self);
        rcp_talk_connected(self, fd, result);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int socketpair(int domain, int type, int protocol, int fds[2]) {
    rcp_thread *self = rcp_inside();
    int result = RCP_REAL(socketpair)(domain, type, protocol, fds);
    if (!result)
        rcp_descriptors_made_two(fds);
    if (!self)
        return result;
    if (!result)
        rcp_effect(fds, 2 * sizeof *fds);
    rcp_outside(self);
    return result;
}

static int get_name(__typeof__(&getsockname) real, int fd, struct sockaddr *address, socklen_t *length) {
    rcp_thread *self = rcp_inside();
    bool is_other = real == RCP_REAL(getpeername);
    socklen_t room = self ? *length : 0;
    int result = self && rcp_talk_fed(fd) ? rcp_talk_name(fd, is_other, address, length) : real(fd, address, length);
    if (!self)
        return result;
    if (!result)
        rcp_talk_named(self, fd, is_other, address, length, room);
    else
        rcp_talk_did(fd, false);
    if (!result)
        effect_of_address(address, length, room);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
    return get_name(RCP_REAL(getsockname), fd, address, length);
}

RCP_INTERCEPT int getpeername(int fd, struct sockaddr *restrict address, socklen_t *restrict length) {
    return get_name(RCP_REAL(getpeername), fd, address, length);
}

/* What the program has set, or the system for every socket alike. That there is no error is what one without an other
 * end says, too. */
static bool is_own_option(int level, int option) {
    static const int own[] = {SO_TYPE,   SO_DOMAIN,   SO_PROTOCOL, SO_ERROR,  SO_REUSEADDR, SO_REUSEPORT, SO_KEEPALIVE,
                              SO_LINGER, SO_RCVTIMEO, SO_SNDTIMEO, SO_RCVBUF, SO_SNDBUF,    SO_BROADCAST};
    static const int of_tcp[] = {TCP_NODELAY, TCP_CORK, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_DEFER_ACCEPT};
    const int *list = level == SOL_SOCKET ? own : level == IPPROTO_TCP ? of_tcp : NULL;
    size_t n = level == SOL_SOCKET ? sizeof own / sizeof *own : sizeof of_tcp / sizeof *of_tcp;
    for (size_t i = 0; list && i < n; i++)
        if (list[i] == option)
            return true;
    return false;
}

RCP_INTERCEPT int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict length) {
    rcp_thread *self = rcp_inside();
    rcp_streams_read(fd);
    int result = RCP_REAL(getsockopt)(fd, level, option, value, length);
    if (!self)
        return result;
    bool is_error = level == SOL_SOCKET && option == SO_ERROR && !result && *(const int *)value;
    if (is_error || !is_own_option(level, option))
        rcp_talk_escapes(fd, "a socket is asked for what others have done");
    if (!result)
        effect_of_address(value, length, *length);
    rcp_outside(self);
    return result;
}

/* No name, which somebody would have to be asked for. */
static bool is_numeric(const char *node) {
    struct in6_addr room;
    return inet_pton(AF_INET, node, &room) == 1 || inet_pton(AF_INET6, node, &room) == 1 || !strcmp(node, "localhost");
}

/* Asks servers, reads files, loads libraries. What it returns is a list on the heap, learnt as it is read. */
RCP_INTERCEPT int getaddrinfo(const char *restrict node, const char *restrict service,
                              const struct addrinfo *restrict hints, struct addrinfo **restrict list) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(getaddrinfo)(node, service, hints, list);
    rcp_streams_answered();
    if (node && !(hints && hints->ai_flags & AI_NUMERICHOST) && !is_numeric(node))
        rcp_world_meets(RCP_WORLD_SOCKETS, "the program asks for the address of a name");
    rcp_block_leave(self, !hints || !(hints->ai_flags & AI_NUMERICHOST));
    int result = RCP_REAL(getaddrinfo)(node, service, hints, list);
    rcp_block_return(self);
    if (!result)
        rcp_effect(list, sizeof *list);
    rcp_outside(self);
    return result;
}
