// SPDX-License-Identifier: Apache-2.0
// What a thread does hangs on what it reads from a pipe, which a replay can't read again: it is given what was read then,
// in the pieces in which it came. The twin writes without the lock.
// stdin: seven
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int x;
static char word[16];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void set(int value) {
#ifndef TWIN
    pthread_mutex_lock(&m);
#endif
    x = value;
#ifndef TWIN
    pthread_mutex_unlock(&m);
#endif
}

static void *listen_to(void *argument) {
    if (read(0, word, sizeof word - 1) > 0 && !strcmp(word, "seven\n"))
        set(7);
    return argument;
}

static void *work(void *argument) {
    set(1);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, listen_to, &m);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
