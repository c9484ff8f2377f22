/* SPDX-License-Identifier: Apache-2.0 */
/* Time, random numbers, facts about files, the process and the machine. */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec a, b;
    for (int i = 0; i < 100; i++) {
        CHECK(!clock_gettime(CLOCK_MONOTONIC, &a) && !clock_gettime(CLOCK_MONOTONIC, &b));
        CHECK(a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec <= b.tv_nsec));
    }
    struct timeval v;
    time_t now = time(NULL), again;
    CHECK(!gettimeofday(&v, NULL) && v.tv_sec >= now && time(&again) == again && again >= now);
    CHECK(timespec_get(&a, TIME_UTC) == TIME_UTC && a.tv_sec >= now);
    struct tm parts;
    time_t epoch = 86400;
    CHECK(gmtime_r(&epoch, &parts) == &parts && parts.tm_year == 70 && parts.tm_mday == 2);
    CHECK(localtime_r(&now, &parts) && mktime(&parts) == now);
    clock_t used = clock();
    struct tms tms;
    struct rusage usage;
    CHECK(used != (clock_t)-1 && times(&tms) != (clock_t)-1 && !getrusage(RUSAGE_SELF, &usage) && usage.ru_maxrss > 0);

    unsigned char random[64] = {0}, zero[64] = {0};
    CHECK(getrandom(random, sizeof random, 0) == sizeof random && memcmp(random, zero, sizeof zero));
    memset(random, 0, sizeof random);
    CHECK(!getentropy(random, sizeof random) && memcmp(random, zero, sizeof zero));

    char name[] = "facts-XXXXXX", text[4096], link[4096];
    int fd = mkstemp(name);
    CHECK(fd >= 0 && write(fd, "12345", 5) == 5);
    struct stat s, l;
    CHECK(!fstat(fd, &s) && s.st_size == 5 && S_ISREG(s.st_mode) && !stat(name, &l) && l.st_ino == s.st_ino);
    CHECK(!fstatat(AT_FDCWD, name, &l, 0) && l.st_ino == s.st_ino && stat("no such file", &l) == -1);
    CHECK(getcwd(text, sizeof text) && text[0] == '/');
    char *own = getcwd(NULL, 0);
    CHECK(own && !strcmp(own, text));
    free(own);
    snprintf(link, sizeof link, "%s.link", name);
    CHECK(!symlink(name, link) && !lstat(link, &l) && S_ISLNK(l.st_mode));
    ssize_t n = readlink(link, text, sizeof text);
    CHECK(n == (ssize_t)strlen(name) && !memcmp(text, name, (size_t)n));
    CHECK(!unlink(link) && !unlink(name) && !close(fd));

    struct utsname u;
    struct sysinfo facts;
    struct rlimit limit;
    CHECK(!uname(&u) && !strcmp(u.sysname, "Linux") && !sysinfo(&facts) && facts.totalram > 0);
    CHECK(!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur > 0 && !gethostname(text, sizeof text));
    CHECK(!strcmp(text, u.nodename) && getpid() > 0 && getppid() > 0);
    puts("facts: fine");
}
