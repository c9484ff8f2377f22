// SPDX-License-Identifier: Apache-2.0
// A thread ends with a mutex in its hand that processes share: whoever gets it next is told so, and comes after all that
// the dead one did. The twin looks before it asks for the mutex.
// twin: data
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int has;
static pthread_mutex_t lock;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    has = 1;
    data = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &how);
    if (pthread_create(&thread, NULL, worker, NULL))
        return 1;
    while (!has)
        sched_yield();
#ifdef TWIN
    printf("%d\n", data);
#endif
    if (pthread_mutex_lock(&lock) != EOWNERDEAD)
        return 1;
    printf("%d\n", data);
    pthread_mutex_consistent(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
