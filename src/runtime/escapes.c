/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by which standard input escapes those that keep it (kept.h), a socket those that follow it (talk.h), and a
 * standard stream gets another number (streams.h). Each is a call outside, recorded as such. */
#include "runtime/kept.h"
#include "runtime/streams.h"
#include "runtime/talk.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

RCP_REAL_DEFINE(dup)
RCP_REAL_DEFINE(dup2)
RCP_REAL_DEFINE(dup3)

RCP_REAL_DEFINE(ioctl)
RCP_REAL_DEFINE(fdopen)
RCP_REAL_DEFINE(vdprintf)
RCP_REAL_DEFINE(splice)

#define SECOND "a socket gets a second number"

RCP_INTERCEPT int dup(int fd) {
    rcp_kept_escapes(fd);
    rcp_talk_escapes(fd, SECOND);
    rcp_streams_duplicated(fd, -1);
    return RCP_REAL(dup)(fd);
}
RCP_INTERCEPT int dup2(int fd, int to) {
    rcp_kept_escapes(fd);
    rcp_talk_escapes(fd, SECOND);
    rcp_streams_duplicated(fd, to);
    return RCP_REAL(dup2)(fd, to);
}
RCP_INTERCEPT int dup3(int fd, int to, int flags) {
    rcp_kept_escapes(fd);
    rcp_talk_escapes(fd, SECOND);
    rcp_streams_duplicated(fd, to);
    return RCP_REAL(dup3)(fd, to, flags);
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
    return RCP_REAL(ioctl)(fd, request, argument);
}

RCP_INTERCEPT FILE *fdopen(int fd, const char *mode) {
    rcp_talk_escapes(fd, "a socket becomes a stream of stdio's");
    return RCP_REAL(fdopen)(fd, mode);
}

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
    return RCP_REAL(splice)(from, at, to, there, size, flags);
}
