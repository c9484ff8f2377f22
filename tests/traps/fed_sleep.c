// SPDX-License-Identifier: Apache-2.0
// Threads that sleep where others run, and end right after it. The trap's variable is atomic. In the twin it is not: the
// race is where the others' turns fall into the sleep, so a replay must let them run before the sleep is over, else the
// thread has ended already when its turn comes.
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#ifndef TWIN
#include <stdatomic.h>
static atomic_int x;
#else
static int x;
#endif

static void *sleeper(void *argument) {
    x++;
    usleep(3000);
    return argument;
}

static void *late(void *argument) {
    usleep(1000);
    x++;
    usleep(1000);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i == 1 ? late : sleeper, NULL);
    usleep(500);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", (int)x);
    return 0;
}
