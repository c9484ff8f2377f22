/* SPDX-License-Identifier: Apache-2.0 */
/* libc++'s std::call_once, for who did not find the flag complete. One lock for all flags of a program or library. */
#include "stdcxx/libcxx.h"

enum { UNSET = 0, PENDING = 1 };
static const unsigned long COMPLETE = ~0UL;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void call_once(volatile unsigned long *flag, void *argument, void (*function)(void *))
    STDCXX(_ZNSt3__111__call_onceERVmPvPFvS2_E);

static void set(volatile unsigned long *flag, unsigned long to) {
    pthread_mutex_lock(&mutex);
    __atomic_store_n(flag, to, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

/* An exception came out: the next one tries. */
static void give_up(volatile unsigned long **flag) {
    if (*flag)
        set(*flag, UNSET);
}

void call_once(volatile unsigned long *flag, void *argument, void (*function)(void *)) {
    pthread_mutex_lock(&mutex);
    while (__atomic_load_n(flag, __ATOMIC_RELAXED) == PENDING)
        pthread_cond_wait(&changed, &mutex);
    bool is_mine = __atomic_load_n(flag, __ATOMIC_RELAXED) == UNSET;
    if (is_mine)
        __atomic_store_n(flag, PENDING, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    if (!is_mine)
        return;
    volatile unsigned long *pending __attribute__((cleanup(give_up))) = flag;
    function(argument);
    pending = NULL;
    set(flag, COMPLETE);
}
