// SPDX-License-Identifier: Apache-2.0
// Which of two variables a thread's own thread writes is up to who came first: on the way that was not recorded the new thread is
// given another argument. In the trap that one is written under the lock, too.
// twin: racy
// exact: the way is gone without the program
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, racy, other;

static void *first(void *unused) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
#ifndef TWIN
    pthread_mutex_lock(&m);
#endif
    racy = 1;
#ifndef TWIN
    pthread_mutex_unlock(&m);
#endif
    return unused;
}

static void *own(void *given) {
#ifndef TWIN
    pthread_mutex_lock(&m);
#endif
    *(int *)given = 2;
#ifndef TWIN
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}

static void *second(void *unused) {
    pthread_t t;
    pthread_mutex_lock(&m);
    int seen = flag;
    pthread_mutex_unlock(&m);
    pthread_create(&t, NULL, own, seen ? (void *)&other : (void *)&racy);
    pthread_join(t, NULL);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
