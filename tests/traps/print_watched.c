// SPDX-License-Identifier: Apache-2.0
// Standard output is a file, and the system tells the program when it is written.
// twin: data
// args: said
#include <pthread.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(int argc, char **argv) {
    char events[4096];
    int watch = inotify_init();
    if (watch < 0 || inotify_add_watch(watch, argv[argc - 1], IN_MODIFY) < 0)
        return 1;
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    if (read(watch, events, sizeof events) <= 0)
        return 1;
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
