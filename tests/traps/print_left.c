// SPDX-License-Identifier: Apache-2.0
// What is printed into a pipe orders nothing, though somebody reads it: the program asks for nothing that could have changed since
// it began. In the twin nothing but printing is between the two accesses.
// twin: data
// stdout: answered true
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int data, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
#ifndef TWIN
    pthread_mutex_lock(&lock);
#endif
    data = 1;
#ifndef TWIN
    pthread_mutex_unlock(&lock);
#endif
    printf("written\n");
    fflush(stdout);
    return arg;
}

static void *reader(void *arg) {
    printf("reads\n");
    fflush(stdout);
#ifndef TWIN
    pthread_mutex_lock(&lock);
#endif
    seen = data;
#ifndef TWIN
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void) {
    char line[64];
    struct stat is;
    pthread_t threads[2];
    int fd = open("/etc/passwd", O_RDONLY), kept[2];
    if (fd < 0 || read(fd, line, sizeof line) < 0 || stat("/", &is) || pipe(kept) || write(kept[1], line, 1) != 1)
        return 1;
    if (read(kept[0], line, 1) != 1)
        return 1;
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
