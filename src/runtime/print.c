/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed through streams, told to kept.h where that wants to know, and to streams.h that it is. A call that
 * formats is formatted once more for it, before the real one: it has no other effect than to fill a buffer. All of
 * these are calls outside, recorded as such. */
#ifndef __NO_INLINE__ /* libc would define some of these itself */
#define __NO_INLINE__ 1
#endif
#include "runtime/formats.h"
#include "runtime/kept.h"
#include "runtime/own.h"
#include "runtime/streams.h"
#include "runtime/sys.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

RCP_REAL_DEFINE(fwrite)
RCP_REAL_DEFINE(fwrite_unlocked)
RCP_REAL_DEFINE(fputs)
RCP_REAL_DEFINE(fputs_unlocked)
RCP_REAL_DEFINE(puts)
RCP_REAL_DEFINE(fputc)
RCP_REAL_DEFINE(fputc_unlocked)
RCP_REAL_DEFINE(vfprintf)
RCP_REAL_DEFINE(perror)
RCP_REAL_DEFINE(fflush)
RCP_REAL_DEFINE(fflush_unlocked)

static int of(FILE *stream) { return stream == stdout ? 1 : stream == stderr ? 2 : fileno_unlocked(stream); }

/* Whoever takes what is printed takes no more of it: that is an answer. */
static int told_result(int result) {
    if (result < 0)
        rcp_streams_answered();
    return result;
}
static size_t told_written(size_t done, size_t n) {
    if (done < n)
        rcp_streams_answered();
    return done;
}

static void told(FILE *stream, const void *bytes, size_t n) {
    rcp_streams_printed();
    rcp_kept_printed(of(stream), bytes, n);
}

static void format(int fd, const char *format, va_list arguments) {
    char buffer[1024];
    va_list again;
    rcp_streams_printed();
    if (!rcp_peer_listens()) {
        rcp_kept_printed(fd, NULL, 0);
        return;
    }
    int error = errno;
    va_copy(again, arguments);
    int n = rcp_formats_print(buffer, sizeof buffer, format, again);
    va_end(again);
    char *room = n >= (int)sizeof buffer ? rcp_own_memory((uint64_t)n + 1) : NULL;
    if (room) {
        va_copy(again, arguments);
        rcp_formats_print(room, (size_t)n + 1, format, again);
        va_end(again);
        rcp_kept_printed(fd, room, (size_t)n);
        RCP_SYS2(SYS_munmap, room, (uint64_t)n + 1);
    } else if (n > 0) {
        rcp_kept_printed(fd, buffer, (size_t)n < sizeof buffer ? (size_t)n : sizeof buffer - 1);
    }
    errno = error;
}

RCP_INTERCEPT size_t fwrite(const void *restrict bytes, size_t size, size_t n, FILE *restrict stream) {
    told(stream, bytes, size * n);
    return told_written(RCP_REAL(fwrite)(bytes, size, n, stream), size ? n : 0);
}
RCP_INTERCEPT size_t fwrite_unlocked(const void *restrict bytes, size_t size, size_t n, FILE *restrict stream) {
    told(stream, bytes, size * n);
    return told_written(RCP_REAL(fwrite_unlocked)(bytes, size, n, stream), size ? n : 0);
}
RCP_INTERCEPT int fputs(const char *restrict text, FILE *restrict stream) {
    told(stream, text, strlen(text));
    return told_result(RCP_REAL(fputs)(text, stream));
}
RCP_INTERCEPT int fputs_unlocked(const char *restrict text, FILE *restrict stream) {
    told(stream, text, strlen(text));
    return told_result(RCP_REAL(fputs_unlocked)(text, stream));
}
RCP_INTERCEPT int puts(const char *text) {
    told(stdout, text, strlen(text));
    told(stdout, "\n", 1);
    return told_result(RCP_REAL(puts)(text));
}
RCP_INTERCEPT int fputc(int c, FILE *stream) {
    told(stream, &(char){(char)c}, 1);
    return told_result(RCP_REAL(fputc)(c, stream));
}
RCP_INTERCEPT int putc(int c, FILE *stream) { return fputc(c, stream); }
RCP_INTERCEPT int putchar(int c) { return fputc(c, stdout); }
int _IO_putc(int c, FILE *stream);
RCP_INTERCEPT int _IO_putc(int c, FILE *stream) { return fputc(c, stream); }
RCP_INTERCEPT int fputc_unlocked(int c, FILE *stream) {
    told(stream, &(char){(char)c}, 1);
    return told_result(RCP_REAL(fputc_unlocked)(c, stream));
}
RCP_INTERCEPT int putc_unlocked(int c, FILE *stream) { return fputc_unlocked(c, stream); }
RCP_INTERCEPT int putchar_unlocked(int c) { return fputc_unlocked(c, stdout); }
/* What putc_unlocked calls when the buffer is full: what it holds was not told. */
int __overflow(FILE *stream, int c);
RCP_REAL_DEFINE(__overflow)
RCP_INTERCEPT int __overflow(FILE *stream, int c) {
    rcp_streams_printed();
    return told_result(RCP_REAL(__overflow)(stream, c));
}
RCP_INTERCEPT int fflush(FILE *stream) {
    rcp_streams_printed();
    return told_result(RCP_REAL(fflush)(stream));
}
RCP_INTERCEPT int fflush_unlocked(FILE *stream) {
    rcp_streams_printed();
    return told_result(RCP_REAL(fflush_unlocked)(stream));
}
RCP_INTERCEPT void perror(const char *text) {
    char line[512];
    int error = errno;
    rcp_streams_printed();
    if (rcp_peer_listens()) {
        snprintf(line, sizeof line, "%s: %d\n", text ? text : "", error);
        rcp_kept_printed(2, line, strlen(line));
    }
    errno = error;
    RCP_REAL(perror)(text);
}

static int print(FILE *restrict stream, const char *restrict text, va_list arguments) {
    format(of(stream), text, arguments);
    return told_result(RCP_REAL(vfprintf)(stream, text, arguments));
}
RCP_INTERCEPT int vfprintf(FILE *restrict stream, const char *restrict text, va_list arguments) {
    rcp_formats_tell(text, arguments);
    return print(stream, text, arguments);
}
RCP_INTERCEPT int vprintf(const char *restrict text, va_list arguments) { return vfprintf(stdout, text, arguments); }
/* `call` with the arguments after `last` as `arguments`. */
#define WITH_ARGUMENTS(last, call)                                                                                     \
    va_list arguments;                                                                                                 \
    va_start(arguments, last);                                                                                         \
    int n = call;                                                                                                      \
    va_end(arguments);                                                                                                 \
    return n

RCP_INTERCEPT int printf(const char *restrict text, ...) { WITH_ARGUMENTS(text, print(stdout, text, arguments)); }
RCP_INTERCEPT int fprintf(FILE *restrict stream, const char *restrict text, ...) {
    WITH_ARGUMENTS(text, print(stream, text, arguments));
}
/* What _FORTIFY_SOURCE makes of them: the flag forbids %n in memory that can be written, which the real ones check. */
int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict text, va_list arguments);
int __vprintf_chk(int flag, const char *restrict text, va_list arguments);
int __printf_chk(int flag, const char *restrict text, ...);
int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict text, ...);
RCP_REAL_DEFINE(__vfprintf_chk)
static int print_checked(FILE *restrict stream, int flag, const char *restrict text, va_list arguments) {
    format(of(stream), text, arguments);
    return told_result(RCP_REAL(__vfprintf_chk)(stream, flag, text, arguments));
}
RCP_INTERCEPT int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict text, va_list arguments) {
    rcp_formats_tell(text, arguments);
    return print_checked(stream, flag, text, arguments);
}
RCP_INTERCEPT int __vprintf_chk(int flag, const char *restrict text, va_list arguments) {
    return __vfprintf_chk(stdout, flag, text, arguments);
}
RCP_INTERCEPT int __printf_chk(int flag, const char *restrict text, ...) {
    WITH_ARGUMENTS(text, print_checked(stdout, flag, text, arguments));
}
RCP_INTERCEPT int __fprintf_chk(FILE *restrict stream, int flag, const char *restrict text, ...) {
    WITH_ARGUMENTS(text, print_checked(stream, flag, text, arguments));
}
