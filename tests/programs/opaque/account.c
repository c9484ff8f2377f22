/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 4 (Account): main starts two threads, asks m_alive until both have ended, then reads the balances. Each thread adds
 * to its own balance and, without a lock, to the total: the one race. m_alive looks at what the system clears when a
 * thread is gone, by the handle that it is given.
 * expect: total */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int balance[2], total, sum;
static long place;

/* Where the C library keeps the number of a thread. */
__attribute__((noinline)) long m_find(void) {
    int id = (int)syscall(SYS_gettid);
    for (long at = 0;; at += 4)
        if (*(int *)((char *)pthread_self() + at) == id)
            return at;
}

__attribute__((noinline)) int m_alive(pthread_t thread, long at) { return *(volatile int *)((char *)thread + at) > 0; }

static void *deposit(void *of) {
    *(int *)of += 100;
    total += 100;
    return of;
}

int main(void) {
    pthread_t threads[2];
    place = m_find();
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, deposit, &balance[i]);
    for (int i = 0; i < 2; i++)
        while (m_alive(threads[i], place))
            usleep(1000);
    sum = balance[0] + balance[1] + total;
    return sum != 400;
}
