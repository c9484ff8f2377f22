/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by which standard input escapes those that keep it (kept.h). Each is a call outside, recorded as such. */
#include "runtime/kept.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

RCP_REAL_DEFINE(dup)
RCP_REAL_DEFINE(dup2)
RCP_REAL_DEFINE(dup3)

RCP_INTERCEPT int dup(int fd) {
    rcp_kept_escapes(fd);
    return RCP_REAL(dup)(fd);
}
RCP_INTERCEPT int dup2(int fd, int to) {
    rcp_kept_escapes(fd);
    return RCP_REAL(dup2)(fd, to);
}
RCP_INTERCEPT int dup3(int fd, int to, int flags) {
    rcp_kept_escapes(fd);
    return RCP_REAL(dup3)(fd, to, flags);
}

/* What they store is learnt by reading; what they took is not known. */
#define SCANS(vscan, vfscan, scan, fscan)                                                                              \
    int vfscan(FILE *restrict stream, const char *restrict text, va_list arguments);                                   \
    int vscan(const char *restrict text, va_list arguments);                                                           \
    int fscan(FILE *restrict stream, const char *restrict text, ...);                                                  \
    int scan(const char *restrict text, ...);                                                                          \
    RCP_REAL_DEFINE(vfscan)                                                                                            \
    RCP_INTERCEPT int vfscan(FILE *restrict stream, const char *restrict text, va_list arguments) {                    \
        rcp_kept_escapes(fileno_unlocked(stream));                                                                     \
        return RCP_REAL(vfscan)(stream, text, arguments);                                                              \
    }                                                                                                                  \
    RCP_INTERCEPT int vscan(const char *restrict text, va_list arguments) { return vfscan(stdin, text, arguments); }   \
    RCP_INTERCEPT int fscan(FILE *restrict stream, const char *restrict text, ...) {                                   \
        va_list arguments;                                                                                             \
        va_start(arguments, text);                                                                                     \
        int n = vfscan(stream, text, arguments);                                                                       \
        va_end(arguments);                                                                                             \
        return n;                                                                                                      \
    }                                                                                                                  \
    RCP_INTERCEPT int scan(const char *restrict text, ...) {                                                           \
        va_list arguments;                                                                                             \
        va_start(arguments, text);                                                                                     \
        int n = vfscan(stdin, text, arguments);                                                                        \
        va_end(arguments);                                                                                             \
        return n;                                                                                                      \
    }

SCANS(__isoc99_vscanf, __isoc99_vfscanf, __isoc99_scanf, __isoc99_fscanf)
