// SPDX-License-Identifier: Apache-2.0
// A read-write lock that prefers writers refuses readers that try while a writer waits: that tells them that it has
// come. The twin looks before it knows.
// twin: data
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int data;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *writer(void *unused) {
    data = 1;
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    if (pthread_create(&thread, NULL, writer, NULL))
        return 1;
#ifdef TWIN
    printf("%d\n", data);
#endif
    while (!pthread_rwlock_tryrdlock(&lock)) {
        pthread_rwlock_unlock(&lock);
        sched_yield();
    }
    printf("%d\n", data);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
