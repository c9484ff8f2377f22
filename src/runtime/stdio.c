/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: input that may block gives the baton up, and what was read is logged whole; flockfile is a lock like others.
 *
 * Each call locks its stream for itself alone, which orders nothing that a program may rely on, so that is not in the
 * trace. Output (print.c) keeps the baton: it rarely blocks, and then the watchdog helps. What scanf stores is learnt
 * by reading.
 */
#ifndef __NO_INLINE__ /* libc would define some of these itself */
#define __NO_INLINE__ 1
#endif
#include "runtime/block.h"
#include "runtime/inputs.h"
#include "runtime/kept.h"
#include "runtime/status.h"
#include "runtime/streams.h"
#include "runtime/world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

RCP_REAL_DEFINE(fopen)
RCP_REAL_DEFINE(fopen64)
RCP_REAL_DEFINE(fread)
RCP_REAL_DEFINE(fread_unlocked)
RCP_REAL_DEFINE(fgets)
RCP_REAL_DEFINE(fgets_unlocked)
RCP_REAL_DEFINE(getdelim)
RCP_REAL_DEFINE(fgetc)
RCP_REAL_DEFINE(fseek)
RCP_REAL_DEFINE(fseeko)
RCP_REAL_DEFINE(flockfile)
RCP_REAL_DEFINE(ftrylockfile)
RCP_REAL_DEFINE(funlockfile)

int __uflow(FILE *stream);
RCP_REAL_DEFINE(__uflow)

_Noreturn void __chk_fail(void);

/* Will reading that much ask the kernel, and must that wait? */
static bool is_due(FILE *stream, size_t size) {
    int fd = fileno_unlocked(stream);
    if (fd < 0 || (size_t)(stream->_IO_read_end - stream->_IO_read_ptr) >= size)
        return false;
    return rcp_block_is_due(fd, POLLIN);
}

static bool has_line(const FILE *stream, int end) {
    size_t n = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
    return n && memchr(stream->_IO_read_ptr, end, n);
}

typedef size_t reader(void *restrict, size_t, size_t, FILE *restrict);

static size_t read_items(reader *real, void *buffer, size_t size, size_t n, FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return real(buffer, size, n, stream);
    rcp_kept_await(self, fileno_unlocked(stream), size * n);
    rcp_block_leave(self, is_due(stream, size * n));
    size_t items = real(buffer, size, n, stream);
    rcp_block_return(self);
    if (items) {
        rcp_inputs_recall(self, fileno_unlocked(stream), buffer, items * size);
        rcp_effect(buffer, items * size); /* a last one that came in part is learnt by reading */
    }
    if (size && n)
        rcp_kept_read(self, fileno_unlocked(stream), buffer, items * size, size * n);
    rcp_outside(self);
    return items;
}

RCP_INTERCEPT size_t fread(void *restrict buffer, size_t size, size_t n, FILE *restrict stream) {
    return read_items(RCP_REAL(fread), buffer, size, n, stream);
}
RCP_INTERCEPT size_t fread_unlocked(void *restrict buffer, size_t size, size_t n, FILE *restrict stream) {
    return read_items(RCP_REAL(fread_unlocked), buffer, size, n, stream);
}

static void check_room(size_t room, size_t size, size_t n) {
    size_t bytes;
    if (__builtin_mul_overflow(size, n, &bytes) || bytes > room)
        __chk_fail();
}

size_t __fread_chk(void *restrict buffer, size_t room, size_t size, size_t n, FILE *restrict stream);
RCP_INTERCEPT size_t __fread_chk(void *restrict buffer, size_t room, size_t size, size_t n, FILE *restrict stream) {
    check_room(room, size, n);
    return fread(buffer, size, n, stream);
}
size_t __fread_unlocked_chk(void *restrict buffer, size_t room, size_t size, size_t n, FILE *restrict stream);
RCP_INTERCEPT size_t __fread_unlocked_chk(void *restrict buffer, size_t room, size_t size, size_t n,
                                          FILE *restrict stream) {
    check_room(room, size, n);
    return fread_unlocked(buffer, size, n, stream);
}

typedef char *line_reader(char *restrict, int, FILE *restrict);

static char *read_line(line_reader *real, char *buffer, int size, FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return real(buffer, size, stream);
    rcp_kept_await(self, fileno_unlocked(stream), (size_t)size);
    rcp_block_leave(self, size > 1 && !has_line(stream, '\n') && is_due(stream, (size_t)size - 1));
    char *line = real(buffer, size, stream);
    rcp_block_return(self);
    if (line)
        rcp_effect(line, strlen(line) + 1);
    rcp_kept_read(self, fileno_unlocked(stream), line, line ? strlen(line) : 0, (size_t)size);
    rcp_outside(self);
    return line;
}

RCP_INTERCEPT char *fgets(char *restrict buffer, int size, FILE *restrict stream) {
    return read_line(RCP_REAL(fgets), buffer, size, stream);
}
RCP_INTERCEPT char *fgets_unlocked(char *restrict buffer, int size, FILE *restrict stream) {
    return read_line(RCP_REAL(fgets_unlocked), buffer, size, stream);
}

char *__fgets_chk(char *restrict buffer, size_t room, int size, FILE *restrict stream);
RCP_INTERCEPT char *__fgets_chk(char *restrict buffer, size_t room, int size, FILE *restrict stream) {
    if (size > 0 && (size_t)size > room)
        __chk_fail();
    return fgets(buffer, size, stream);
}
char *__fgets_unlocked_chk(char *restrict buffer, size_t room, int size, FILE *restrict stream);
RCP_INTERCEPT char *__fgets_unlocked_chk(char *restrict buffer, size_t room, int size, FILE *restrict stream) {
    if (size > 0 && (size_t)size > room)
        __chk_fail();
    return fgets_unlocked(buffer, size, stream);
}

static ssize_t read_up_to(char **line, size_t *room, int end, FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(getdelim)(line, room, end, stream);
    rcp_kept_await(self, fileno_unlocked(stream), SIZE_MAX);
    rcp_block_leave(self, !has_line(stream, end) && is_due(stream, SIZE_MAX));
    ssize_t n = RCP_REAL(getdelim)(line, room, end, stream);
    rcp_block_return(self);
    if (line && room) {
        rcp_effect(line, sizeof *line);
        rcp_effect(room, sizeof *room);
        if (n >= 0)
            rcp_effect(*line, (uint64_t)n + 1);
        rcp_kept_read(self, fileno_unlocked(stream), *line, n >= 0 ? (size_t)n : 0, SIZE_MAX);
    }
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream) {
    return read_up_to(line, room, end, stream);
}
RCP_INTERCEPT ssize_t __getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict stream) {
    return read_up_to(line, room, end, stream);
}
RCP_INTERCEPT ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream) {
    return read_up_to(line, room, '\n', stream);
}

typedef int character_reader(FILE *);

static int read_character(character_reader *real, FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return real(stream);
    rcp_kept_await(self, fileno_unlocked(stream), 1);
    rcp_block_leave(self, is_due(stream, 1));
    int c = real(stream);
    rcp_block_return(self);
    rcp_kept_read(self, fileno_unlocked(stream), &(char){(char)c}, c != EOF, 1);
    rcp_outside(self);
    return c;
}

RCP_INTERCEPT int fgetc(FILE *stream) { return read_character(RCP_REAL(fgetc), stream); }
RCP_INTERCEPT int getc(FILE *stream) { return read_character(RCP_REAL(fgetc), stream); }
RCP_INTERCEPT int getchar(void) { return read_character(RCP_REAL(fgetc), stdin); }
int _IO_getc(FILE *stream);
RCP_INTERCEPT int _IO_getc(FILE *stream) { return read_character(RCP_REAL(fgetc), stream); }
/* What getc_unlocked calls when the buffer is empty; the buffer itself is read by the program, and so learnt. */
RCP_INTERCEPT int __uflow(FILE *stream) { return read_character(RCP_REAL(__uflow), stream); }

/* Opening does not block but for FIFOs, and there the watchdog helps. */
#define OPEN(name, path, mode)                                                                                         \
    rcp_thread *self = rcp_inside();                                                                                   \
    if (!self)                                                                                                         \
        return RCP_REAL(name)(path, mode);                                                                             \
    rcp_world_path(path);                                                                                              \
    const char *meant = rcp_streams_meant(AT_FDCWD, path);                                                             \
    rcp_block_leave(self, false);                                                                                      \
    FILE *stream = RCP_REAL(name)(meant, mode);                                                                        \
    rcp_block_return(self);                                                                                            \
    if (*mode == 'r' || strchr(mode, 'x'))                                                                             \
        rcp_streams_path(AT_FDCWD, meant);                                                                             \
    if (stream) {                                                                                                      \
        rcp_inputs_opened(fileno_unlocked(stream), *mode == 'r' ? O_RDONLY : O_RDWR);                                  \
        rcp_status_opened(fileno_unlocked(stream), meant);                                                             \
    }                                                                                                                  \
    rcp_outside(self);                                                                                                 \
    return stream

RCP_INTERCEPT FILE *fopen(const char *restrict path, const char *restrict mode) { OPEN(fopen, path, mode); }
RCP_INTERCEPT FILE *fopen64(const char *restrict path, const char *restrict mode) { OPEN(fopen64, path, mode); }

/* Where a file ends is what others have written. */
static int sought(FILE *stream, int from, int result) {
    int error = errno;
    if (from == SEEK_END)
        rcp_streams_read(fileno_unlocked(stream));
    errno = error;
    return result;
}
RCP_INTERCEPT int fseek(FILE *stream, long offset, int from) {
    return sought(stream, from, RCP_REAL(fseek)(stream, offset, from));
}
RCP_INTERCEPT int fseeko(FILE *stream, off_t offset, int from) {
    return sought(stream, from, RCP_REAL(fseeko)(stream, offset, from));
}

/* A stream's lock belongs to a thread and counts. */
RCP_INTERCEPT void flockfile(FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (!self) {
        RCP_REAL(flockfile)(stream);
        return;
    }
    while (RCP_REAL(ftrylockfile)(stream))
        rcp_wait_for(self, (rcp_wanted){RCP_LOG_WAIT_STREAM, (uint64_t)stream}, (uint64_t)stream, RCP_NO_DEADLINE);
    rcp_log_sync(RCP_SYNC_ACQUIRE, (uint64_t)stream, RCP_SYNC_RECURSIVE, RCP_SYNC_DONE);
    rcp_outside(self);
}

RCP_INTERCEPT int ftrylockfile(FILE *stream) {
    rcp_thread *self = rcp_inside();
    int result = RCP_REAL(ftrylockfile)(stream);
    if (!self)
        return result;
    rcp_log_sync(RCP_SYNC_ACQUIRE, (uint64_t)stream, RCP_SYNC_RECURSIVE, result ? RCP_SYNC_FAILED : RCP_SYNC_DONE);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT void funlockfile(FILE *stream) {
    rcp_thread *self = rcp_inside();
    if (self)
        rcp_log_sync(RCP_SYNC_RELEASE, (uint64_t)stream, RCP_SYNC_RECURSIVE, RCP_SYNC_DONE);
    RCP_REAL(funlockfile)(stream);
    if (!self) {
        rcp_wakes_unseen();
        return;
    }
    rcp_wake((uint64_t)stream, 1);
    rcp_outside(self);
}
