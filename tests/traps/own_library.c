// SPDX-License-Identifier: Apache-2.0
// A library moves a pipe of the program's own to the number of another one. Who writes by that number writes to the pipe, as the
// program does not see; who reads there comes after it. The twin's reader looks before it reads.
// twin: data
// library: own_library.c
#include <pthread.h>
#include <unistd.h>

int move_to(int from, int to);

static int data, ends[2], others[2];

static void *writer(void *unused) {
    data = 1;
    return write(others[1], "", 1) == 1 ? unused : &data;
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
    if (pipe(ends) || pipe(others) || move_to(ends[1], others[1]) < 0)
        return 1;
    if (pthread_create(&threads[0], NULL, writer, NULL) || pthread_create(&threads[1], NULL, reader, NULL))
        return 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
