/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by which standard input escapes those that keep it (kept.h), a socket those that follow it (talk.h), and a
 * standard stream gets another number (streams.h); and what a pipe of the process's own may become another's by
 * (descriptors.h). Each is a call outside, recorded as such. */
#include "runtime/descriptors.h"
#include "runtime/kept.h"
#include "runtime/streams.h"
#include "runtime/sys.h"
#include "runtime/talk.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

RCP_REAL_DEFINE(dup)
RCP_REAL_DEFINE(dup2)
RCP_REAL_DEFINE(dup3)

RCP_REAL_DEFINE(ioctl)
RCP_REAL_DEFINE(fdopen)
RCP_REAL_DEFINE(freopen)
RCP_REAL_DEFINE(freopen64)
RCP_REAL_DEFINE(vdprintf)
RCP_REAL_DEFINE(splice)
RCP_REAL_DEFINE(vmsplice)
RCP_REAL_DEFINE(setsockopt)
RCP_REAL_DEFINE(eventfd)
RCP_REAL_DEFINE(epoll_create)
RCP_REAL_DEFINE(epoll_create1)
RCP_REAL_DEFINE(timerfd_create)
RCP_REAL_DEFINE(close_range)
RCP_REAL_DEFINE(closefrom)

#define SECOND "a socket gets a second number"

RCP_INTERCEPT int dup(int fd) {
    rcp_kept_escapes(fd);
    rcp_talk_escapes(fd, SECOND);
    rcp_streams_duplicated(fd, -1);
    rcp_descriptors_escapes(fd);
    return rcp_descriptors_made(RCP_REAL(dup)(fd), fd);
}
RCP_INTERCEPT int dup2(int fd, int to) {
    rcp_kept_escapes(fd);
    rcp_talk_escapes(fd, SECOND);
    rcp_streams_duplicated(fd, to);
    rcp_descriptors_escapes(fd);
    rcp_descriptors_escapes(to);
    return rcp_descriptors_made(RCP_REAL(dup2)(fd, to), fd);
}
int __dup2(int fd, int to);
RCP_INTERCEPT int __dup2(int fd, int to) { return dup2(fd, to); }
RCP_INTERCEPT int dup3(int fd, int to, int flags) {
    rcp_kept_escapes(fd);
    rcp_talk_escapes(fd, SECOND);
    rcp_streams_duplicated(fd, to);
    rcp_descriptors_escapes(fd);
    rcp_descriptors_escapes(to);
    return rcp_descriptors_made(RCP_REAL(dup3)(fd, to, flags), fd);
}

/* Does the request only ask for what the descriptor has, or set a flag of it? */
static bool is_about_itself(unsigned long request) {
    switch (request) {
    case FIONBIO:
    case FIOCLEX:
    case FIONCLEX:
    case FIONREAD:
    case TIOCOUTQ:
    case TCGETS:
    case TIOCGWINSZ: return true;
    default: return false;
    }
}

/* Its third argument is a word, a pointer or nothing: handed on as it is. That it shall not wait is a flag like others.
 */
RCP_INTERCEPT int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (request != FIONBIO && request != FIOCLEX && request != FIONCLEX)
        rcp_talk_escapes(fd, "a socket is asked for what is not followed, by ioctl");
    if (!is_about_itself(request)) /* it may be told of others, which it is to write to */
        rcp_descriptors_handed();
    return RCP_REAL(ioctl)(fd, request, argument);
}

RCP_INTERCEPT FILE *fdopen(int fd, const char *mode) {
    rcp_talk_escapes(fd, "a socket becomes a stream of stdio's");
    rcp_descriptors_escapes(fd);
    return RCP_REAL(fdopen)(fd, mode);
}

/* libc opens what it leads to by itself. */
static FILE *reopened(FILE *stream) {
    struct stat is;
    if (stream && RCP_SYS2(SYS_fstat, fileno_unlocked(stream), &is) >= 0 && S_ISFIFO(is.st_mode))
        rcp_descriptors_handed();
    return stream;
}
RCP_INTERCEPT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    return reopened(RCP_REAL(freopen)(path, mode, stream));
}
RCP_INTERCEPT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
    return reopened(RCP_REAL(freopen64)(path, mode, stream));
}

FILE *_IO_fdopen(int fd, const char *mode);
RCP_INTERCEPT FILE *_IO_fdopen(int fd, const char *mode) { return fdopen(fd, mode); }

RCP_INTERCEPT int vdprintf(int fd, const char *restrict format, va_list arguments) {
    rcp_talk_escapes(fd, "a socket is printed to");
    return RCP_REAL(vdprintf)(fd, format, arguments);
}
RCP_INTERCEPT int dprintf(int fd, const char *restrict format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vdprintf(fd, format, arguments);
    va_end(arguments);
    return n;
}

RCP_INTERCEPT ssize_t splice(int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags) {
    rcp_talk_escapes(from, "a socket is spliced");
    rcp_talk_escapes(to, "a socket is spliced");
    rcp_descriptors_lent(to, from);
    return RCP_REAL(splice)(from, at, to, there, size, flags);
}

/* The pipe has the memory itself, not what it holds: whatever is written there until it is read, its reader sees. */
RCP_INTERCEPT ssize_t vmsplice(int pipe, const struct iovec *parts, size_t n, unsigned flags) {
    rcp_descriptors_handed();
    ssize_t r = RCP_REAL(vmsplice)(pipe, parts, n, flags);
    rcp_thread *self = r > 0 ? rcp_inside() : NULL;
    if (!self)
        return r;
    for (size_t i = 0, left = (size_t)r; left; i++) {
        size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
        if (size)
            rcp_log_alias((uint64_t)parts[i].iov_base, 0, size);
        left -= size;
    }
    rcp_outside(self);
    return r;
}

/* --- what makes, closes or changes descriptors of the process's own, and nothing else --- */

RCP_INTERCEPT int eventfd(unsigned count, int flags) {
    return rcp_descriptors_made(RCP_REAL(eventfd)(count, flags), -1);
}
RCP_INTERCEPT int timerfd_create(clockid_t clock, int flags) {
    return rcp_descriptors_made(RCP_REAL(timerfd_create)(clock, flags), -1);
}
RCP_INTERCEPT int epoll_create(int size) { return rcp_descriptors_made(RCP_REAL(epoll_create)(size), -1); }
RCP_INTERCEPT int epoll_create1(int flags) { return rcp_descriptors_made(RCP_REAL(epoll_create1)(flags), -1); }

RCP_INTERCEPT int setsockopt(int fd, int level, int name, const void *value, socklen_t size) {
    rcp_descriptors_escapes(fd);
    return RCP_REAL(setsockopt)(fd, level, name, value, size);
}

RCP_INTERCEPT int close_range(unsigned first, unsigned last, int flags) {
    rcp_descriptors_handed();
    if (flags & CLOSE_RANGE_UNSHARE) /* the thread has a table of its own, as by unshare() */
        rcp_log_unseen(RCP_UNSEEN_ENDS);
    return RCP_REAL(close_range)(first, last, flags);
}
RCP_INTERCEPT void closefrom(int first) {
    rcp_descriptors_handed();
    RCP_REAL(closefrom)(first);
}
