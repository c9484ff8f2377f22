/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of rows.txt have in reach, and what is around each of them: T1 writes x_NAME and calls, T2 calls and
 * writes x_NAME. So there is a race, unless the call orders what other threads do. */
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
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <mqueue.h>
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
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wctype.h>

static const char text[] = "12 text, more";
static const struct timespec past = {0, 0};
static pthread_key_t key;
static FILE *nothing_in;
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
double __powidf2(double, int);
double _Complex __divdc3(double, double, double, double), __muldc3(double, double, double, double);
float _Complex __divsc3(float, float, float, float), __mulsc3(float, float, float, float);
long double _Complex __divtc3(long double, long double, long double, long double);
long double _Complex __multc3(long double, long double, long double, long double);

typedef struct row {
    void *(*one)(void *), *(*two)(void *);
} row;

static void run_rows(const row *rows, size_t n) {
    pthread_key_create(&key, NULL);
    nothing_in = fopen("/dev/null", "r");
    for (size_t i = 0; i < n; i++) {
        pthread_t one, two;
        if (pthread_create(&one, NULL, rows[i].one, NULL) || pthread_create(&two, NULL, rows[i].two, NULL))
            abort();
        pthread_join(one, NULL);
        pthread_join(two, NULL);
    }
}

#endif
