// SPDX-License-Identifier: Apache-2.0
// Code that is not recorded makes standard output a pipe that the program reads, without a function of the C library's.
// twin: data
// plain: redirect.c
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

void lead_output_to(int fd);

static int data, seen;
static int ends[2];

static void *printer(void *arg) {
    data = 1;
    puts("go");
    fflush(stdout);
    return arg;
}

int main(void) {
    char c;
    if (pipe(ends))
        return 1;
    lead_output_to(ends[1]);
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    if (read(ends[0], &c, 1) != 1)
        return 1;
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
