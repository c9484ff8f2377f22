// SPDX-License-Identifier: Apache-2.0
// Standard output is a file, and a copy of its descriptor tells where it ends.
// twin: data
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    puts("go");
    fflush(stdout);
    return arg;
}

int main(void) {
    int copy = dup(1);
    off_t before = lseek(copy, 0, SEEK_END);
    if (before < 0)
        return 1; /* no file */
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    while (lseek(copy, 0, SEEK_CUR) == before)
        usleep(100);
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
