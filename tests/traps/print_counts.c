// SPDX-License-Identifier: Apache-2.0
// %n writes how much was printed: who has read another number comes out with another one. In the twin nobody looks at it.
// twin: z
#include <pthread.h>
#include <stdio.h>

#ifdef TWIN
#define LOOKS(is) ((is) || 1)
#else
#define LOOKS(is) (is)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int v = 7, z;

static void *reads(void *arg) {
    int n = 0;
    pthread_mutex_lock(&lock);
    int x = v;
    pthread_mutex_unlock(&lock);
    fprintf(stdout, "%0*d%n\n", x, 1, &n);
    if (LOOKS(n == 10))
        z = 2;
    return arg;
}

static void *writes(void *arg) {
#ifndef TWIN
    z = 1;
#endif
    pthread_mutex_lock(&lock);
    v = 10;
    pthread_mutex_unlock(&lock);
#ifdef TWIN
    z = 1;
#endif
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writes, NULL);
    pthread_create(&second, NULL, reads, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
