/* SPDX-License-Identifier: Apache-2.0 */
/* Ends that the recorded run does not have, and no race. The looker comes late there, and need not wait. In a run in which it does not
 * find the flag, it waits for a signal that has been given (WAITS), does not believe what it sees (ASSERTS), or follows a pointer that
 * nobody has set yet, at which it is led to (CRASHES). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
#ifdef CRASHES
static int *_Atomic pointer;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef WAITS
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
#endif

static void *giver(void *arg) {
#ifdef CRASHES
    static int number = 3;
    atomic_store(&pointer, &number);
#endif
    atomic_store(&flag, 1);
    pthread_mutex_lock(&lock);
#ifdef WAITS
    pthread_cond_signal(&given);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *looker(void *arg) {
#ifdef WAITS
    if (atomic_load(&flag) == 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&given, &lock);
        pthread_mutex_unlock(&lock);
    }
#elif defined CRASHES
    int *at = atomic_load(&pointer);
    atomic_fetch_add(&flag, *at);
#else
    assert(atomic_load(&flag) == 1);
#endif
    return arg;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, giver, 0);
    pthread_create(&other, 0, looker, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
