// SPDX-License-Identifier: Apache-2.0
// Standard output is a file, and another stream tells where that ends.
// twin: data
// args: said
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

static long end_of(FILE *file) { return fseek(file, 0, SEEK_END) ? -1 : ftell(file); }

int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file)
        return 1;
    long before = end_of(file);
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    while (end_of(file) == before)
        usleep(100);
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
