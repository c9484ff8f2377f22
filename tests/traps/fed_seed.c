// SPDX-License-Identifier: Apache-2.0
// What a thread does hangs on a seed made of the time, the process's id and the system's random numbers. A race in it is
// shown only by a replay that is told the same; and that is possible, because nothing else ever saw them.
// twin: x
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static int x;
static unsigned rounds[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < *(unsigned *)argument; i++)
        sum += i;
#ifndef TWIN
    pthread_mutex_lock(&m);
#endif
    x++;
#ifndef TWIN
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    unsigned seed;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        return 1;
    srand(seed ^ (unsigned)time(NULL) ^ (unsigned)getpid() << 16);
    for (int i = 0; i < 2; i++)
        rounds[i] = (unsigned)rand() % 500;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &rounds[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
    return 0;
}
