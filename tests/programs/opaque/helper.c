/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that left out code makes carries what was done from one to the other.
 * expect: none */
#include "threads.h"
#include <stddef.h>

int X;
static volatile int Y, Z;
static void *m_helper(void *at) {
    while (Y != 1)
        ;
    *(volatile int *)at = 1;
    return NULL;
}
OUTSIDE void m_start(volatile int *at) {
    pthread_t t;
    pthread_create(&t, NULL, m_helper, (void *)at);
    pthread_detach(t);
}
static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}
static void *second(void *unused) {
    m_start(&Z);
    while (Z != 1)
        sched_yield();
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
