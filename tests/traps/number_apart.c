// SPDX-License-Identifier: Apache-2.0
// A thread that has a table of descriptors of its own closes the number there: others' is still open. The twin has one
// table.
// twin: descriptor
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static int file;

static void *uses(void *unused) {
    return write(file, "a line", 6) == 6 ? unused : NULL;
}

static void *closes(void *unused) {
#ifndef TWIN
    if (unshare(CLONE_FILES))
        return unused;
#endif
    close(file);
    return unused;
}

int main(void) {
    pthread_t first, second;
    file = open("/dev/null", O_WRONLY);
    if (pthread_create(&first, NULL, uses, NULL) || pthread_create(&second, NULL, closes, NULL))
        return 1;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
