// SPDX-License-Identifier: Apache-2.0
// Standard output is a file, and the program reads that file by another name.
// twin: data
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static int data, seen;

static void *printer(void *arg) {
    data = 1;
    printf("go\n");
    fflush(stdout);
    return arg;
}

int main(void) {
    char c;
    int fd = open("/proc/self/fd/1", O_RDONLY);
    if (fd < 0 || lseek(fd, 0, SEEK_END) < 0)
        return 0; /* not a file */
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
#ifdef TWIN
    seen = data;
#endif
    while (read(fd, &c, 1) != 1)
        usleep(1000);
    seen += data;
    pthread_join(thread, NULL);
    return seen < 1;
}
