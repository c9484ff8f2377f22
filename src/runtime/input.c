/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of the system that a replay must give back and that come in memory: time, random numbers, facts about files,
 * the process and the machine. (What comes as a result alone is in the log already.) None of these blocks. */
#include "runtime/answers.h"
#include "runtime/block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

RCP_REAL_DEFINE(time)
RCP_REAL_DEFINE(clock)
RCP_REAL_DEFINE(rand)
RCP_REAL_DEFINE(random)
RCP_REAL_DEFINE(lrand48)
RCP_REAL_DEFINE(mrand48)
RCP_REAL_DEFINE(drand48)
RCP_REAL_DEFINE(arc4random)
RCP_REAL_DEFINE(getpid)
RCP_REAL_DEFINE(getppid)
RCP_REAL_DEFINE(gettid)
RCP_REAL_DEFINE(gettimeofday)
RCP_REAL_DEFINE(clock_gettime)
RCP_REAL_DEFINE(clock_getres)
RCP_REAL_DEFINE(timespec_get)
RCP_REAL_DEFINE(localtime_r)
RCP_REAL_DEFINE(gmtime_r)
RCP_REAL_DEFINE(times)
RCP_REAL_DEFINE(getrusage)
RCP_REAL_DEFINE(getrandom)
RCP_REAL_DEFINE(getentropy)
RCP_REAL_DEFINE(stat)
RCP_REAL_DEFINE(lstat)
RCP_REAL_DEFINE(fstat)
RCP_REAL_DEFINE(fstatat)
RCP_REAL_DEFINE(statfs)
RCP_REAL_DEFINE(fstatfs)
RCP_REAL_DEFINE(getcwd)
RCP_REAL_DEFINE(readlink)
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

/* The same for what is another answer each time: of fixed size, and in a replay the recorded one, with which the call
 * returns `fine`. */
#define ANSWER_AGAIN(type, call, good, address, size, fine)                                                            \
    rcp_thread *self = rcp_inside();                                                                                   \
    type result = fine;                                                                                                \
    int error = errno;                                                                                                 \
    if (!self)                                                                                                         \
        return call;                                                                                                   \
    if (!rcp_answer_bytes(self, address, size)) {                                                                      \
        result = call;                                                                                                 \
        error = errno;                                                                                                 \
    }                                                                                                                  \
    if ((good) && (address))                                                                                           \
        rcp_effect(address, size);                                                                                     \
    rcp_outside(self);                                                                                                 \
    errno = error;                                                                                                     \
    return result

/* What answers by its result alone. A double's bits go through a word, as the log has them. */
#define ANSWER_RESULT(type, call)                                                                                      \
    rcp_thread *self = rcp_inside();                                                                                   \
    if (!self)                                                                                                         \
        return call;                                                                                                   \
    type result;                                                                                                       \
    uint64_t word = 0;                                                                                                 \
    if (rcp_answer_result(self, &word))                                                                                \
        memcpy(&result, &word, sizeof result);                                                                         \
    else                                                                                                               \
        result = call;                                                                                                 \
    rcp_outside(self);                                                                                                 \
    return result

RCP_INTERCEPT time_t time(time_t *at) {
    rcp_thread *self = rcp_inside();
    uint64_t word;
    if (!self)
        return RCP_REAL(time)(at);
    time_t result = rcp_answer_result(self, &word) ? (time_t)word : RCP_REAL(time)(NULL);
    if (at) {
        *at = result;
        rcp_effect(at, sizeof *at);
    }
    rcp_outside(self);
    return result;
}
RCP_INTERCEPT clock_t clock(void) { ANSWER_RESULT(clock_t, RCP_REAL(clock)()); }
RCP_INTERCEPT int rand(void) { ANSWER_RESULT(int, RCP_REAL(rand)()); }
RCP_INTERCEPT long random(void) { ANSWER_RESULT(long, RCP_REAL(random)()); }
RCP_INTERCEPT long lrand48(void) { ANSWER_RESULT(long, RCP_REAL(lrand48)()); }
RCP_INTERCEPT long mrand48(void) { ANSWER_RESULT(long, RCP_REAL(mrand48)()); }
RCP_INTERCEPT double drand48(void) { ANSWER_RESULT(double, RCP_REAL(drand48)()); }
RCP_INTERCEPT uint32_t arc4random(void) { ANSWER_RESULT(uint32_t, RCP_REAL(arc4random)()); }

static pid_t answer_id(pid_t id) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return id;
    rcp_answer_id(self, &id);
    rcp_outside(self);
    return id;
}
RCP_INTERCEPT pid_t getpid(void) { return answer_id(RCP_REAL(getpid)()); }
RCP_INTERCEPT pid_t getppid(void) { return answer_id(RCP_REAL(getppid)()); }
RCP_INTERCEPT pid_t gettid(void) { return answer_id(RCP_REAL(gettid)()); }

RCP_INTERCEPT int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    ANSWER_AGAIN(int, RCP_REAL(gettimeofday)(at, zone), !result, at, sizeof *at, 0);
}
RCP_INTERCEPT int clock_gettime(clockid_t clock, struct timespec *at) {
    ANSWER_AGAIN(int, RCP_REAL(clock_gettime)(clock, at), !result, at, sizeof *at, 0);
}
RCP_INTERCEPT int clock_getres(clockid_t clock, struct timespec *at) {
    ANSWER(int, RCP_REAL(clock_getres)(clock, at), !result, at, sizeof *at);
}
RCP_INTERCEPT int timespec_get(struct timespec *at, int base) {
    ANSWER_AGAIN(int, RCP_REAL(timespec_get)(at, base), result, at, sizeof *at, base);
}
RCP_INTERCEPT struct tm *localtime_r(const time_t *restrict at, struct tm *restrict parts) {
    ANSWER(struct tm *, RCP_REAL(localtime_r)(at, parts), result, parts, sizeof *parts);
}
RCP_INTERCEPT struct tm *gmtime_r(const time_t *restrict at, struct tm *restrict parts) {
    ANSWER(struct tm *, RCP_REAL(gmtime_r)(at, parts), result, parts, sizeof *parts);
}
RCP_INTERCEPT clock_t times(struct tms *used) {
    ANSWER(clock_t, RCP_REAL(times)(used), result != -1, used, sizeof *used);
}
RCP_INTERCEPT int getrusage(__rusage_who_t who, struct rusage *usage) {
    ANSWER_AGAIN(int, RCP_REAL(getrusage)(who, usage), !result, usage, sizeof *usage, 0);
}
RCP_INTERCEPT ssize_t getrandom(void *buffer, size_t size, unsigned flags) {
    ANSWER_AGAIN(ssize_t, RCP_REAL(getrandom)(buffer, size, flags), result > 0, buffer, (uint64_t)result,
                 (ssize_t)size);
}
RCP_INTERCEPT int getentropy(void *buffer, size_t size) {
    ANSWER_AGAIN(int, RCP_REAL(getentropy)(buffer, size), !result, buffer, size, 0);
}

RCP_INTERCEPT int stat(const char *restrict path, struct stat *restrict facts) {
    ANSWER(int, RCP_REAL(stat)(path, facts), !result, facts, sizeof *facts);
}
RCP_INTERCEPT int lstat(const char *restrict path, struct stat *restrict facts) {
    ANSWER(int, RCP_REAL(lstat)(path, facts), !result, facts, sizeof *facts);
}
RCP_INTERCEPT int fstat(int fd, struct stat *facts) {
    ANSWER(int, RCP_REAL(fstat)(fd, facts), !result, facts, sizeof *facts);
}
RCP_INTERCEPT int fstatat(int at, const char *restrict path, struct stat *restrict facts, int flags) {
    ANSWER(int, RCP_REAL(fstatat)(at, path, facts, flags), !result, facts, sizeof *facts);
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
    ANSWER(ssize_t, RCP_REAL(readlink)(path, buffer, size), result > 0, buffer, (uint64_t)result);
}
RCP_INTERCEPT ssize_t readlinkat(int at, const char *restrict path, char *restrict buffer, size_t size) {
    ANSWER(ssize_t, RCP_REAL(readlinkat)(at, path, buffer, size), result > 0, buffer, (uint64_t)result);
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
    ANSWER(int, RCP_REAL(sysinfo)(facts), !result, facts, sizeof *facts);
}
RCP_INTERCEPT int getrlimit(__rlimit_resource_t which, struct rlimit *limit) {
    ANSWER(int, RCP_REAL(getrlimit)(which, limit), !result, limit, sizeof *limit);
}
