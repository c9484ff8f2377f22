/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: read, write and kin, opening, locking. What the kernel wrote into memory is logged whole, so that a
 * replay can give it back. */
#include "runtime/io.h"

#include "runtime/block.h"
#include "runtime/descriptors.h"
#include "runtime/inputs.h"
#include "runtime/names.h"
#include "runtime/status.h"
#include "runtime/streams.h"
#include "runtime/kept.h"
#include "runtime/ready.h"
#include "runtime/sys.h"
#include "runtime/timers.h"
#include "runtime/world.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

RCP_REAL_DEFINE(read)
RCP_REAL_DEFINE(write)
RCP_REAL_DEFINE(readv)
RCP_REAL_DEFINE(writev)
RCP_REAL_DEFINE(pread)
RCP_REAL_DEFINE(preadv)
RCP_REAL_DEFINE(pwrite)
RCP_REAL_DEFINE(close)
RCP_REAL_DEFINE(openat)
RCP_REAL_DEFINE(lseek)
RCP_REAL_DEFINE(flock)
RCP_REAL_DEFINE(lockf)
RCP_REAL_DEFINE(fcntl)
RCP_REAL_DEFINE(pipe)
RCP_REAL_DEFINE(pipe2)

#ifdef SYS_newfstatat
#define NEWFSTATAT SYS_newfstatat
#else
#define NEWFSTATAT SYS_fstatat
#endif

_Noreturn void __chk_fail(void);

ssize_t rcp_io_read(int fd, void *buffer, size_t size) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(read)(fd, buffer, size);
    const struct iovec one = {buffer, size};
    if (rcp_talk_fed(fd)) {
        ssize_t given = rcp_talk_receive(self, fd, &one, 1, 0, NULL, NULL);
        if (given > 0)
            rcp_effect(buffer, (uint64_t)given);
        rcp_outside(self);
        return given;
    }
    size = rcp_kept_await(self, fd, size);
    rcp_block_leave(self, rcp_block_is_due(fd, POLLIN));
    ssize_t n = RCP_REAL(read)(fd, buffer, size);
    rcp_block_return(self);
    if (n > 0) {
        rcp_inputs_recall(self, fd, buffer, (size_t)n);
        rcp_effect(buffer, (uint64_t)n);
        rcp_timers_look();
    }
    if (n >= 0 && size)
        rcp_kept_read(self, fd, buffer, (size_t)n, size);
    if (rcp_talk_received(self, fd, &one, size, n, NULL, NULL, 0))
        rcp_log_sign(RCP_SIGN_TAKES, self);
    rcp_outside(self);
    return n;
}
RCP_INTERCEPT ssize_t read(int fd, void *buffer, size_t size) { return rcp_io_read(fd, buffer, size); }

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
RCP_INTERCEPT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room) {
    if (size > room)
        __chk_fail();
    return read(fd, buffer, size);
}

RCP_INTERCEPT int eventfd_read(int fd, eventfd_t *value) {
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}
RCP_INTERCEPT int eventfd_write(int fd, eventfd_t value) {
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

static void effect_of_vector(const struct iovec *vector, int count, ssize_t n) {
    for (int i = 0; i < count && n > 0; i++) {
        uint64_t part = vector[i].iov_len < (size_t)n ? vector[i].iov_len : (uint64_t)n;
        rcp_effect(vector[i].iov_base, part);
        n -= (ssize_t)part;
    }
}

ssize_t rcp_io_readv(int fd, const struct iovec *vector, int count) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(readv)(fd, vector, count);
    rcp_kept_escapes(fd);
    ssize_t n;
    if (rcp_talk_fed(fd)) {
        n = rcp_talk_receive(self, fd, vector, (size_t)count, 0, NULL, NULL);
    } else {
        rcp_block_leave(self, rcp_block_is_due(fd, POLLIN));
        n = RCP_REAL(readv)(fd, vector, count);
        rcp_block_return(self);
        rcp_talk_received(self, fd, vector, rcp_talk_size(vector, (size_t)count), n, NULL, NULL, 0);
    }
    effect_of_vector(vector, count, n);
    rcp_outside(self);
    return n;
}
RCP_INTERCEPT ssize_t readv(int fd, const struct iovec *vector, int count) { return rcp_io_readv(fd, vector, count); }

/* What can be read at an offset does not block. */
ssize_t rcp_io_pread(int fd, void *buffer, size_t size, off_t offset) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(pread)(fd, buffer, size, offset);
    rcp_block_leave(self, false);
    ssize_t n = RCP_REAL(pread)(fd, buffer, size, offset);
    rcp_block_return(self);
    rcp_streams_read(fd);
    if (n > 0)
        rcp_effect(buffer, (uint64_t)n);
    rcp_outside(self);
    return n;
}
RCP_INTERCEPT ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
    return rcp_io_pread(fd, buffer, size, offset);
}

RCP_INTERCEPT ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset) {
    return pread(fd, buffer, size, offset);
}

ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t offset, size_t room);
RCP_INTERCEPT ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t offset, size_t room) {
    if (size > room)
        __chk_fail();
    return pread(fd, buffer, size, offset);
}

ssize_t __pread64_chk(int fd, void *buffer, size_t size, off64_t offset, size_t room);
RCP_INTERCEPT ssize_t __pread64_chk(int fd, void *buffer, size_t size, off64_t offset, size_t room) {
    return __pread_chk(fd, buffer, size, offset, room);
}

RCP_INTERCEPT ssize_t preadv(int fd, const struct iovec *vector, int count, off_t offset) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(preadv)(fd, vector, count, offset);
    rcp_block_leave(self, false);
    ssize_t n = RCP_REAL(preadv)(fd, vector, count, offset);
    rcp_block_return(self);
    rcp_streams_read(fd);
    effect_of_vector(vector, count, n);
    rcp_outside(self);
    return n;
}

RCP_INTERCEPT ssize_t preadv64(int fd, const struct iovec *vector, int count, off64_t offset) {
    return preadv(fd, vector, count, offset);
}

/* Before it is written: whoever reads it may answer at once. True: by a socket that leads outside. */
static bool goes_out(const rcp_thread *self, int fd, const struct iovec *vector, int count) {
    rcp_streams_printed();
    if (self && rcp_talk_of(fd)) {
        rcp_talk_sends(fd, vector, (size_t)count, NULL, 0);
        return true;
    }
    for (int i = 0; i < count; i++)
        rcp_kept_printed(fd, vector[i].iov_base, vector[i].iov_len);
    return false;
}

/* The same around the real call, whose value is the result. */
#define WRITE(fd, vector, count, call)                                                                                 \
    rcp_thread *self = rcp_inside();                                                                                   \
    bool talks = goes_out(self, fd, vector, count);                                                                    \
    if (!self)                                                                                                         \
        return call;                                                                                                   \
    ssize_t whole = (ssize_t)rcp_talk_size(vector, (size_t)(count)), n = whole;                                        \
    if (!talks || !rcp_peer_feeds()) {                                                                                 \
        rcp_block_leave(self, rcp_block_is_due(fd, POLLOUT));                                                          \
        n = call;                                                                                                      \
        rcp_block_return(self);                                                                                        \
        rcp_talk_did(fd, n == whole);                                                                                  \
    }                                                                                                                  \
    rcp_outside(self);                                                                                                 \
    return n

ssize_t rcp_io_write(int fd, const void *buffer, size_t size) {
    const struct iovec one = {(void *)(uintptr_t)buffer, size};
    WRITE(fd, &one, 1, RCP_REAL(write)(fd, buffer, size));
}
RCP_INTERCEPT ssize_t write(int fd, const void *buffer, size_t size) { return rcp_io_write(fd, buffer, size); }

ssize_t rcp_io_writev(int fd, const struct iovec *vector, int count) {
    WRITE(fd, vector, count, RCP_REAL(writev)(fd, vector, count));
}
RCP_INTERCEPT ssize_t writev(int fd, const struct iovec *vector, int count) { return rcp_io_writev(fd, vector, count); }

/* What else a file is written by is seen by others, too. */
RCP_INTERCEPT ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset) {
    rcp_kept_printed(fd, buffer, size);
    return RCP_REAL(pwrite)(fd, buffer, size, offset);
}
RCP_INTERCEPT ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t offset) {
    return pwrite(fd, buffer, size, offset);
}

int rcp_io_close(int fd) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(close)(fd);
    rcp_descriptors_closed(fd);
    if (rcp_talk_of(fd))
        rcp_talk_closes(fd);
    else
        rcp_peer_closes(fd);
    rcp_ready_closed(fd);
    int result = RCP_REAL(close)(fd);
    rcp_outside(self);
    return result;
}
RCP_INTERCEPT int close(int fd) { return rcp_io_close(fd); }

/* libc has it by this name, too. */
int __close(int fd);
RCP_INTERCEPT int __close(int fd) { return close(fd); }

/* A FIFO waits for its other end. */
static bool open_is_due(int at, const char *path, int flags) {
    struct stat facts;
    return !(flags & (O_NONBLOCK | O_PATH)) && !RCP_SYS4(NEWFSTATAT, at, path, &facts, 0) && S_ISFIFO(facts.st_mode);
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(openat)(at, path, flags, mode);
    rcp_world_path(path);
    if (path && !strcmp(path, "/dev/userfaultfd")) { /* as the call of that name: syscall.c */
        rcp_log_note(
            "userfaultfd: threads that resolve each other's faults can't be recorded; open() failed with EPERM");
        rcp_outside(self);
        errno = EPERM;
        return -1;
    }
    path = rcp_streams_meant(at, path);
    rcp_block_leave(self, open_is_due(at, path, flags));
    int fd = RCP_REAL(openat)(at, path, flags, mode);
    rcp_block_return(self);
    if (!(flags & O_CREAT) || flags & O_EXCL)
        rcp_streams_path(at, path);
    if (fd >= 0 && !(flags & O_PATH)) {
        rcp_inputs_opened(fd, flags & O_ACCMODE);
        rcp_status_opened(fd, path);
    }
    if (fd >= 0 && flags & O_CREAT)
        rcp_names_written(fd);
    if (fd >= 0 && flags & (O_CREAT | O_TRUNC))
        rcp_peer_out((uint64_t)fd, RCP_OUT_OPEN, path, strlen(path));
    rcp_outside(self);
    return fd;
}

/* The mode is there only with these flags; without them what va_arg finds is not used. */
#define MODE(mode, flags)                                                                                              \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

RCP_INTERCEPT int open(const char *path, int flags, ...) {
    MODE(mode, flags)
    return open_at(AT_FDCWD, path, flags, mode);
}
RCP_INTERCEPT int open64(const char *path, int flags, ...) {
    MODE(mode, flags)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
RCP_INTERCEPT int openat(int at, const char *path, int flags, ...) {
    MODE(mode, flags)
    return open_at(at, path, flags, mode);
}
RCP_INTERCEPT int openat64(int at, const char *path, int flags, ...) {
    MODE(mode, flags)
    return open_at(at, path, flags | O_LARGEFILE, mode);
}

/* By other names: as libc calls it, as _FORTIFY_SOURCE does, which sees that no mode is wanted, and for new files. */
int __open(const char *path, int flags, ...);
int __open64(const char *path, int flags, ...);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int at, const char *path, int flags);
int __openat64_2(int at, const char *path, int flags);
RCP_INTERCEPT int __open(const char *path, int flags, ...) {
    MODE(mode, flags)
    return open_at(AT_FDCWD, path, flags, mode);
}
RCP_INTERCEPT int __open64(const char *path, int flags, ...) {
    MODE(mode, flags)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
static void want_no_mode(int flags) {
    if (flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE)
        __chk_fail();
}
RCP_INTERCEPT int __open_2(const char *path, int flags) { return __openat_2(AT_FDCWD, path, flags); }
RCP_INTERCEPT int __open64_2(const char *path, int flags) { return __openat64_2(AT_FDCWD, path, flags); }
RCP_INTERCEPT int __openat_2(int at, const char *path, int flags) {
    want_no_mode(flags);
    return open_at(at, path, flags, 0);
}
RCP_INTERCEPT int __openat64_2(int at, const char *path, int flags) {
    return __openat_2(at, path, flags | O_LARGEFILE);
}
RCP_INTERCEPT int creat(const char *path, mode_t mode) {
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
RCP_INTERCEPT int creat64(const char *path, mode_t mode) {
    return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC | O_LARGEFILE, mode);
}

/* Locks of files: without waiting if that works, so that the baton is kept where nobody competes. */
static bool is_taken(int result) { return result && (errno == EAGAIN || errno == EACCES || errno == EWOULDBLOCK); }

RCP_INTERCEPT int flock(int fd, int operation) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(flock)(fd, operation);
    rcp_streams_answered();
    int error = errno, result = RCP_REAL(flock)(fd, operation | LOCK_NB);
    if (is_taken(result) && !(operation & LOCK_NB)) {
        errno = error;
        rcp_block_leave(self, true);
        result = RCP_REAL(flock)(fd, operation);
        rcp_block_return(self);
    }
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int lockf(int fd, int command, off_t size) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(lockf)(fd, command, size);
    rcp_streams_answered();
    int error = errno, result = RCP_REAL(lockf)(fd, command == F_LOCK ? F_TLOCK : command, size);
    if (is_taken(result) && command == F_LOCK) {
        errno = error;
        rcp_block_leave(self, true);
        result = RCP_REAL(lockf)(fd, command, size);
        rcp_block_return(self);
    }
    rcp_outside(self);
    return result;
}
RCP_INTERCEPT int lockf64(int fd, int command, off64_t size) { return lockf(fd, command, size); }

/* `command` waits for a lock: the one that does not. */
static int without_waiting(int command) {
    return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : command;
}

static int control(int fd, int command, void *argument) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(fcntl)(fd, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
        rcp_kept_escapes(fd);
        rcp_talk_escapes(fd, "a socket gets a second number");
        rcp_streams_duplicated(fd, -1);
    } else if (command != F_GETFD && command != F_SETFD && command != F_GETFL && command != F_SETFL) {
        rcp_streams_answered(); /* locks, leases, what a pipe has room for */
    }
    bool is_flag = command == F_GETFD || command == F_SETFD || command == F_GETFL ||
                   (command == F_SETFL && !((uintptr_t)argument & O_ASYNC));
    if (!is_flag) /* a second number; who gets a signal of it */
        rcp_descriptors_touched(fd);
    if (command == F_GETLK || command == F_SETOWN || command == F_GETOWN || command == F_SETOWN_EX)
        rcp_world_ids();
    int error = errno, result = RCP_REAL(fcntl)(fd, without_waiting(command), argument);
    if (command != without_waiting(command) && is_taken(result)) {
        errno = error;
        rcp_block_leave(self, true);
        result = RCP_REAL(fcntl)(fd, command, argument);
        rcp_block_return(self);
    }
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        rcp_descriptors_made(result, fd);
    if (!result && (command == F_GETLK || command == F_OFD_GETLK))
        rcp_effect(argument, sizeof(struct flock));
    rcp_outside(self);
    return result;
}

/* Its third argument is a word, a pointer or nothing: handed on as it is. */
RCP_INTERCEPT int fcntl(int fd, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(fd, command, argument);
}
RCP_INTERCEPT int fcntl64(int fd, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(fd, command, argument);
}

int __fcntl(int fd, int command, ...);
RCP_INTERCEPT int __fcntl(int fd, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return control(fd, command, argument);
}

/* Where a file ends is what others have written. */
RCP_INTERCEPT off_t lseek(int fd, off_t offset, int from) {
    off_t at = RCP_REAL(lseek)(fd, offset, from);
    rcp_streams_read(fd);
    return at;
}
RCP_INTERCEPT off64_t lseek64(int fd, off64_t offset, int from) { return lseek(fd, offset, from); }

RCP_INTERCEPT int pipe(int fds[2]) {
    rcp_thread *self = rcp_inside();
    int result = RCP_REAL(pipe)(fds);
    if (!result)
        rcp_descriptors_made_two(fds);
    if (!self)
        return result;
    if (!result)
        rcp_effect(fds, 2 * sizeof *fds);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int pipe2(int fds[2], int flags) {
    rcp_thread *self = rcp_inside();
    int result = RCP_REAL(pipe2)(fds, flags);
    if (!result)
        rcp_descriptors_made_two(fds);
    if (!self)
        return result;
    if (!result)
        rcp_effect(fds, 2 * sizeof *fds);
    rcp_outside(self);
    return result;
}

int __pipe(int fds[2]);
RCP_INTERCEPT int __pipe(int fds[2]) { return pipe(fds); }
