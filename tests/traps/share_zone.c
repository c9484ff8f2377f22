// SPDX-License-Identifier: Apache-2.0
// The time zone is a file, which is read when somebody first asks for local time: who finds what it says comes after who put it
// there. The twin's reader looks at the data before it asks.
// twin: data
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOUR = 3600 };
static int data;
/* One kind of time, an hour before Greenwich, and its name (tzfile(5)). */
static const unsigned char zone[54] = {'T', 'Z', 'i', 'f', [39] = 1, [43] = 4, [46] = HOUR >> 8, [47] = HOUR & 255, [50] = 'A', 'B', 'C'};

static void *writer(void *unused) {
    data = 1;
    return rename("zone.new", "zone") ? &data : unused;
}

static void *reader(void *unused) {
    struct tm parts;
    time_t at = 1000000;
#ifdef TWIN
    if (!data)
        return unused;
#endif
    for (int i = 0; i < 40; i++) /* most likely the other one has come so far; if not, nothing is found */
        sched_yield();
    localtime_r(&at, &parts);
    if (parts.tm_gmtoff != HOUR)
        return unused;
    return data ? unused : NULL;
}

int main(void) {
    pthread_t threads[2];
    char path[PATH_MAX];
    remove("zone");
    int file = open("zone.new", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (file < 0 || write(file, zone, sizeof zone) != sizeof zone || close(file) || !getcwd(path, sizeof path - 8))
        return 1;
    setenv("TZ", strcat(path, "/zone"), 1);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
