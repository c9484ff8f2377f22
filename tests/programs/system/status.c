/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads the process has, as the system says it: those that it has made itself. */
#include "check.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static sem_t begun, end;

static void *stay(void *arg) {
    sem_post(&begun);
    sem_wait(&end);
    return arg;
}

static int by_stream(const char *path) {
    char line[256];
    int threads = -1;
    FILE *f = fopen(path, "r");
    CHECK(f);
    while (fgets(line, sizeof line, f))
        sscanf(line, "Threads: %d", &threads);
    fclose(f);
    return threads;
}

static int by_descriptor(const char *path) {
    char text[4096];
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    ssize_t n = read(fd, text, sizeof text - 1);
    CHECK(n > 0);
    text[n] = 0;
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, sizeof text - 1) == n);
    close(fd);
    const char *at = strstr(text, "\nThreads:");
    CHECK(at && strstr(text, "\nvoluntary_ctxt_switches:"));
    return atoi(at + strlen("\nThreads:"));
}

static int in_stat(const char *path) {
    char text[4096];
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    CHECK(fd >= 0 && n > 0);
    text[n] = 0;
    close(fd);
    char *at = strrchr(text, ')');
    for (int word = 2; word < 20; word++)
        at = strchr(at + 1, ' ');
    return atoi(at + 1);
}

int main(void) {
    pthread_t threads[10];
    char own[64];
    snprintf(own, sizeof own, "/proc/%d/status", getpid());
    CHECK(by_stream("/proc/self/status") == 1);
    sem_init(&begun, 0, 0);
    sem_init(&end, 0, 0);
    for (int i = 0; i < 10; i++) {
        pthread_create(&threads[i], NULL, stay, NULL);
        sem_wait(&begun);
        printf("%d %d %d %d\n", by_stream("/proc/self/status"), by_descriptor("/proc/self/status"), by_stream(own),
               in_stat("/proc/self/stat"));
    }
    printf("of another process: %d\n", by_stream("/proc/1/status") > 0);
    for (int i = 0; i < 10; i++)
        sem_post(&end);
    for (int i = 0; i < 10; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
