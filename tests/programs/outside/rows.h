/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of rows/*.txt have in reach. */
#ifndef ROWS_H
#define ROWS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <langinfo.h>
#include <linux/futex.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <mqueue.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <printf.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>

static const char text[] = "12 text, more";
__attribute__((unused)) static _Thread_local struct addrinfo *addresses;
__attribute__((unused)) static _Thread_local struct ifaddrs *interfaces;
__attribute__((unused)) static _Thread_local DIR *folder;
static const struct timespec past = {0, 0}, future = {4102444800, 0};
static _Thread_local char out[256], line[16] = "12 lines", *end;
static _Thread_local int is;
static _Thread_local long at;

static inline void nothing(void) {}
static inline void nothing_at(int code, void *unused) { (void)code, (void)unused; }
static inline int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static inline int compare_r(const void *a, const void *b, void *unused) {
    (void)unused;
    return compare(a, b);
}
static inline int different(const void *a, const void *b) { return (a > b) - (a < b); }
static inline int atoll_of(int n) { return is ? n : -n; }

static inline void nothing_to(void *unused) { (void)unused; }
static inline void nothing_of(int number) { (void)number; }
static inline void *same(void *p) { return p; }
static inline int same_11(void *unused) {
    (void)unused;
    return 0;
}
static _Thread_local FILE *stream;

/* The thread's own objects, and who wakes it when it waits there. */
typedef struct own {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    mtx_t c11_lock;
    cnd_t c11;
    int waits;
} own;
static _Thread_local own *mine;

__attribute__((unused)) static void *wake(void *p) {
    own *of = p;
    for (int waits = 0; !waits; sched_yield()) {
        pthread_mutex_lock(&of->lock);
        waits = of->waits;
        of->waits = 0;
        pthread_cond_broadcast(&of->cond);
        pthread_mutex_unlock(&of->lock);
    }
    return NULL;
}
__attribute__((unused)) static void *wake_c11(void *p) {
    own *of = p;
    for (int waits = 0; !waits; sched_yield()) {
        mtx_lock(&of->c11_lock);
        waits = of->waits;
        of->waits = 0;
        cnd_broadcast(&of->c11);
        mtx_unlock(&of->c11_lock);
    }
    return NULL;
}
__attribute__((unused)) static void start_waker(void *(*waker)(void *)) {
    pthread_t thread;
    mine = calloc(1, sizeof *mine);
    pthread_mutex_init(&mine->lock, NULL);
    pthread_cond_init(&mine->cond, NULL);
    mtx_init(&mine->c11_lock, mtx_plain);
    cnd_init(&mine->c11);
    if (pthread_create(&thread, NULL, waker, mine))
        abort();
    pthread_detach(thread);
}

/* A mutex whose owner has ended. */
__attribute__((unused)) static void *lock_it(void *lock) {
    pthread_mutex_lock(lock);
    return NULL;
}
__attribute__((unused)) static void orphan(void) {
    pthread_t thread;
    pthread_mutexattr_t robust;
    mine = calloc(1, sizeof *mine);
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mine->lock, &robust);
    if (pthread_create(&thread, NULL, lock_it, &mine->lock))
        abort();
    pthread_join(thread, NULL);
}

/* A signal that waits for this thread; one that comes again and again. */
__attribute__((unused)) static void pend(void) {
    sigset_t set;
    signal(SIGUSR2, nothing_of);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_kill(pthread_self(), SIGUSR2);
}
__attribute__((unused)) static void tick(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    timer_t timer;
    signal(SIGUSR1, nothing_of);
    event._sigev_un._tid = gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &often, NULL))
        abort();
}

/* Headers give the old ones the names of the new ones. */
int old_sscanf(const char *, const char *, ...) __asm__("sscanf");
int old_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
int __isoc99_sscanf(const char *, const char *, ...), __isoc99_vsscanf(const char *, const char *, va_list);
int __isoc23_sscanf(const char *, const char *, ...);
char *__xpg_basename(char *), *dirname(char *);

/* v_NAME() calls a function that takes a va_list. */
#define LISTED(name, ...)                                                                                              \
    __attribute__((unused, noinline)) static int v_##name(int unused, ...) {                                           \
        va_list list;                                                                                                  \
        va_start(list, unused);                                                                                        \
        int result = name(__VA_ARGS__, list);                                                                          \
        va_end(list);                                                                                                  \
        return result;                                                                                                 \
    }
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vprintf_chk(int, const char *, va_list);
int __vasprintf_chk(char **, int, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
LISTED(vfprintf, stderr, "%d")
LISTED(vprintf, "%d")
LISTED(vasprintf, &end, "%d")
LISTED(old_vsscanf, text, "%d")
LISTED(__isoc99_vsscanf, text, "%d")
LISTED(vsnprintf, out, 20, "%d")
LISTED(vsprintf, out, "%d")
LISTED(__vfprintf_chk, stderr, 1, "%d")
LISTED(__vprintf_chk, 1, "%d")
LISTED(__vasprintf_chk, &end, 1, "%d")
LISTED(__vsnprintf_chk, out, 20, 1, 256, "%d")
LISTED(__vsprintf_chk, out, 1, 256, "%d")

/* No header declares these. */
void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
char *__stpcpy_chk(char *, const char *, size_t), *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t), *__strcpy_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t), *__strncpy_chk(char *, const char *, size_t, size_t);
int __fprintf_chk(FILE *, int, const char *, ...), __printf_chk(int, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...), __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
char *__fgets_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t), __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __read_chk(int, void *, size_t, size_t), __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
int _IO_putc(int, FILE *), _IO_getc(FILE *), __xpg_strerror_r(int, char *, size_t);
int __open_2(const char *, int), __open64_2(const char *, int), __openat_2(int, const char *, int),
    __openat64_2(int, const char *, int);
int __sched_cpucount(size_t, const cpu_set_t *);
long __sysconf(int);
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));

/* The compiler knows these by their names, but not with -fno-builtin. */
int(setjmp)(jmp_buf) __attribute__((returns_twice));
int _setjmp(jmp_buf) __attribute__((returns_twice));
int __sigsetjmp(sigjmp_buf, int) __attribute__((returns_twice));
double __powidf2(double, int);
double _Complex __divdc3(double, double, double, double), __muldc3(double, double, double, double);
float _Complex __divsc3(float, float, float, float), __mulsc3(float, float, float, float);
/* t: 128 bits, x: the 80 of x86_64's long double */
#ifdef __x86_64__
typedef __float128 wide;
#else
typedef long double wide;
#endif
typedef _Complex float wide_complex __attribute__((mode(TC)));
wide_complex __divtc3(wide, wide, wide, wide), __multc3(wide, wide, wide, wide);
long double _Complex __divxc3(long double, long double, long double, long double);
long double _Complex __mulxc3(long double, long double, long double, long double);

#include "run.h"

#endif
