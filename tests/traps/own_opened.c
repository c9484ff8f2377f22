// SPDX-License-Identifier: Apache-2.0
// A pipe of the program's own is opened once more, by the name that the system has for it. Who writes by the new number writes to
// the pipe, and who reads there comes after it. The twin's reader looks before it reads.
// twin: data
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int data, ends[2], again;

static void *writer(void *unused) {
    data = 1;
    return write(again, "", 1) == 1 ? unused : &data;
}

static void *reader(void *unused) {
    char byte;
#ifdef TWIN
    int found = data;
    return read(ends[0], &byte, 1) == 1 && found ? unused : &data;
#else
    return read(ends[0], &byte, 1) == 1 && data ? unused : &data;
#endif
}

int main(void) {
    pthread_t threads[2];
    char path[32];
    if (pipe(ends))
        return 1;
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    again = open(path, O_WRONLY);
    if (again < 0 || pthread_create(&threads[0], NULL, writer, NULL) || pthread_create(&threads[1], NULL, reader, NULL))
        return 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
