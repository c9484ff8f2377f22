// SPDX-License-Identifier: Apache-2.0
// Standard output is a file, and the program asks how large that is, by its name: who sees that it has grown
// comes after who printed.
// twin: data
// args: said
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

int main(int argc, char **argv) {
    struct stat before, now;
    const char *path = argv[argc - 1];
    if (stat(path, &before))
        return 1;
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
