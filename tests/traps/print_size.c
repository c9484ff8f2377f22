// SPDX-License-Identifier: Apache-2.0
// Standard output is a file, and the program asks how large that is, by its name and by a descriptor: who sees that it has grown
// comes after who printed.
// twin: data
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(void) {
    char path[4096];
    struct stat before, now;
    ssize_t n = readlink("/proc/self/fd/1", path, sizeof path - 1);
    if (n < 0)
        return 1;
    path[n] = 0;
    if (stat(path, &before) || !S_ISREG(before.st_mode))
        return 1; /* no file */
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    do
        usleep(100);
    while (stat(path, &now) || now.st_size == before.st_size);
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
