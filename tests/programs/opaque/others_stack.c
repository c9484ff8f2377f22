/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code that may reach everything waits for what lies on another thread's stack: that thread alone was seen to
 * touch it. expect: none */
#include "threads.h"
#include <semaphore.h>

int X;
static volatile int *where;
static sem_t over;

OUTSIDE void m_wait(void) {
    while (!where || !*where)
        __asm__ volatile("# who knows");
}
OUTSIDE static void tell(volatile int *told) { *told = 1; }

static void *first(void *unused) {
    volatile int told = 0;
    where = &told;
    int seen = X;
    tell(&told);
    sem_wait(&over);
    return (char *)unused + 0 * seen;
}

static void *second(void *unused) {
    m_wait();
    X = 2;
    sem_post(&over);
    return unused;
}

int main(void) {
    sem_init(&over, 0, 0);
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
