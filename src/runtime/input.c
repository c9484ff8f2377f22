/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of the system that come in memory: facts about files, the process and the machine. (What comes as a result
 * alone is in the log already.) None of these blocks, and in a replay all of them are real calls; but no file is from
 * after the time that the program is shown. */
#include "runtime/clock.h"
#include "runtime/block.h"
#include "runtime/streams.h"
#include "runtime/world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(clock_getres)
RCP_REAL_DEFINE(localtime_r)
RCP_REAL_DEFINE(gmtime_r)
RCP_REAL_DEFINE(localtime)
RCP_REAL_DEFINE(gmtime)
RCP_REAL_DEFINE(asctime)
RCP_REAL_DEFINE(fstatat)
RCP_REAL_DEFINE(statx)
RCP_REAL_DEFINE(statfs)
RCP_REAL_DEFINE(fstatfs)
RCP_REAL_DEFINE(getcwd)
RCP_REAL_DEFINE(readlinkat)
RCP_REAL_DEFINE(gethostname)
RCP_REAL_DEFINE(uname)
RCP_REAL_DEFINE(sysinfo)
RCP_REAL_DEFINE(getrlimit)

_Noreturn void __chk_fail(void);

/* `call` writes `size` bytes at `address` where `good` holds of its result. */
#define ANSWER(type, call, good, address, size)                                                                        \
    rcp_thread *self = rcp_inside();                                                                                   \
    type result = call;                                                                                                \
    if (!self)                                                                                                         \
        return result;                                                                                                 \
    int error = errno;                                                                                                 \
    if ((good) && (address))                                                                                           \
        rcp_effect(address, size);                                                                                     \
    rcp_outside(self);                                                                                                 \
    errno = error;                                                                                                     \
    return result

RCP_INTERCEPT int clock_getres(clockid_t clock, struct timespec *at) {
    ANSWER(int, RCP_REAL(clock_getres)(clock, at), !result, at, sizeof *at);
}
RCP_INTERCEPT struct tm *localtime_r(const time_t *restrict at, struct tm *restrict parts) {
    ANSWER(struct tm *, RCP_REAL(localtime_r)(at, parts), result, parts, sizeof *parts);
}
RCP_INTERCEPT struct tm *gmtime_r(const time_t *restrict at, struct tm *restrict parts) {
    ANSWER(struct tm *, RCP_REAL(gmtime_r)(at, parts), result, parts, sizeof *parts);
}
/* These write what the library keeps in one place for all threads: who still reads there what it was given before is in
 * a race with the next call. */
RCP_INTERCEPT struct tm *localtime(const time_t *at) {
    ANSWER(struct tm *, RCP_REAL(localtime)(at), result, result, sizeof *result);
}
RCP_INTERCEPT struct tm *gmtime(const time_t *at) {
    ANSWER(struct tm *, RCP_REAL(gmtime)(at), result, result, sizeof *result);
}
RCP_INTERCEPT char *asctime(const struct tm *parts) {
    ANSWER(char *, RCP_REAL(asctime)(parts), result, result, strlen(result) + 1);
}
/* (By the standard asctime(localtime(at)): so both places are written.) */
RCP_INTERCEPT char *ctime(const time_t *at) {
    rcp_thread *self = rcp_inside();
    struct tm *parts = RCP_REAL(localtime)(at);
    char *result = parts ? RCP_REAL(asctime)(parts) : NULL;
    if (!self)
        return result;
    int error = errno;
    if (parts)
        rcp_effect(parts, sizeof *parts);
    if (result)
        rcp_effect(result, strlen(result) + 1);
    rcp_outside(self);
    errno = error;
    return result;
}

static void bound_times(struct stat *facts) {
    rcp_clock_bound(&facts->st_atim);
    rcp_clock_bound(&facts->st_mtim);
    rcp_clock_bound(&facts->st_ctim);
}

static void look(int at, const char *path) {
    if (path && *path)
        rcp_streams_path(at, path);
    else
        rcp_streams_file(at);
}

RCP_INTERCEPT int fstatat(int at, const char *restrict path, struct stat *restrict facts, int flags) {
    rcp_thread *self = rcp_inside();
    rcp_world_path(path);
    const char *meant = rcp_streams_meant(at, path);
    if (meant != path)
        flags &= ~AT_SYMLINK_NOFOLLOW;
    path = meant;
    int result = RCP_REAL(fstatat)(at, path, facts, flags), error = errno;
    look(at, path);
    if (!self)
        return result;
    if (!result) {
        bound_times(facts);
        rcp_effect(facts, sizeof *facts);
    }
    rcp_outside(self);
    errno = error;
    return result;
}
RCP_INTERCEPT int stat(const char *restrict path, struct stat *restrict facts) {
    return fstatat(AT_FDCWD, path, facts, 0);
}
RCP_INTERCEPT int lstat(const char *restrict path, struct stat *restrict facts) {
    return fstatat(AT_FDCWD, path, facts, AT_SYMLINK_NOFOLLOW);
}
RCP_INTERCEPT int fstat(int fd, struct stat *facts) { return fstatat(fd, "", facts, AT_EMPTY_PATH); }
RCP_INTERCEPT int statx(int at, const char *restrict path, int flags, unsigned mask, struct statx *restrict facts) {
    rcp_thread *self = rcp_inside();
    rcp_world_path(path);
    const char *meant = rcp_streams_meant(at, path);
    if (meant != path)
        flags &= ~AT_SYMLINK_NOFOLLOW;
    path = meant;
    int result = RCP_REAL(statx)(at, path, flags, mask, facts), error = errno;
    look(at, path);
    if (!self)
        return result;
    if (!result) {
        struct statx_timestamp *times[] = {&facts->stx_atime, &facts->stx_btime, &facts->stx_ctime, &facts->stx_mtime};
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            struct timespec time = {times[i]->tv_sec, times[i]->tv_nsec};
            rcp_clock_bound(&time);
            times[i]->tv_sec = time.tv_sec;
            times[i]->tv_nsec = (uint32_t)time.tv_nsec;
        }
        rcp_effect(facts, sizeof *facts);
    }
    rcp_outside(self);
    errno = error;
    return result;
}
/* On these machines a file's size has 64 bits in any case. */
RCP_INTERCEPT int stat64(const char *restrict path, struct stat64 *restrict facts) {
    return stat(path, (struct stat *)facts);
}
RCP_INTERCEPT int lstat64(const char *restrict path, struct stat64 *restrict facts) {
    return lstat(path, (struct stat *)facts);
}
RCP_INTERCEPT int fstat64(int fd, struct stat64 *facts) { return fstat(fd, (struct stat *)facts); }
RCP_INTERCEPT int fstatat64(int at, const char *restrict path, struct stat64 *restrict facts, int flags) {
    return fstatat(at, path, (struct stat *)facts, flags);
}
RCP_INTERCEPT int statfs(const char *path, struct statfs *facts) {
    ANSWER(int, RCP_REAL(statfs)(path, facts), !result, facts, sizeof *facts);
}
RCP_INTERCEPT int fstatfs(int fd, struct statfs *facts) {
    ANSWER(int, RCP_REAL(fstatfs)(fd, facts), !result, facts, sizeof *facts);
}

RCP_INTERCEPT char *getcwd(char *buffer, size_t size) {
    ANSWER(char *, RCP_REAL(getcwd)(buffer, size), result, result, strlen(result) + 1);
}
char *__getcwd_chk(char *buffer, size_t size, size_t room);
RCP_INTERCEPT char *__getcwd_chk(char *buffer, size_t size, size_t room) {
    if (size > room)
        __chk_fail();
    return getcwd(buffer, size);
}
RCP_INTERCEPT ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size) {
    return readlinkat(AT_FDCWD, path, buffer, size);
}
RCP_INTERCEPT ssize_t readlinkat(int at, const char *restrict path, char *restrict buffer, size_t size) {
    rcp_thread *self = rcp_inside();
    rcp_world_path(path);
    ssize_t n = RCP_REAL(readlinkat)(at, path, buffer, size);
    int error = errno;
    rcp_streams_path(at, path);
    if (!self)
        return n;
    if (n > 0)
        rcp_effect(buffer, (uint64_t)n);
    rcp_outside(self);
    errno = error;
    return n;
}
ssize_t __readlink_chk(const char *restrict path, char *restrict buffer, size_t size, size_t room);
RCP_INTERCEPT ssize_t __readlink_chk(const char *restrict path, char *restrict buffer, size_t size, size_t room) {
    if (size > room)
        __chk_fail();
    return readlink(path, buffer, size);
}
RCP_INTERCEPT int gethostname(char *buffer, size_t size) {
    ANSWER(int, RCP_REAL(gethostname)(buffer, size), !result, buffer, strnlen(buffer, size));
}
RCP_INTERCEPT int uname(struct utsname *facts) { ANSWER(int, RCP_REAL(uname)(facts), !result, facts, sizeof *facts); }
RCP_INTERCEPT int sysinfo(struct sysinfo *facts) {
    rcp_thread *self = rcp_inside();
    int result = RCP_REAL(sysinfo)(facts), error = errno;
    if (!self)
        return result;
    if (!result) {
        if (rcp_clock_is_fed())
            facts->uptime = rcp_clock_now(CLOCK_BOOTTIME) / 1000000000;
        rcp_effect(facts, sizeof *facts);
    }
    rcp_outside(self);
    errno = error;
    return result;
}
RCP_INTERCEPT int getrlimit(__rlimit_resource_t which, struct rlimit *limit) {
    ANSWER(int, RCP_REAL(getrlimit)(which, limit), !result, limit, sizeof *limit);
}
