/* SPDX-License-Identifier: Apache-2.0 */
/* own_stack.c, on a stack that the program has given the thread: a block of its own.
 * expect: none */
#include "threads.h"

#include <stdlib.h>

int X, seen;
volatile int *_Atomic place;

OUTSIDE void m_wait(void) {
    volatile int y = 0;
    place = &y;
    while (y != 1)
        ;
}

static void *first(void *unused) {
    volatile int *at;
    while (!(at = place))
        ;
    X = 1;
    *at = 1;
    return unused;
}

static void *second(void *unused) {
    m_wait();
    seen = X;
    return unused;
}

int main(void) {
    enum { SIZE = 1 << 20 };
    pthread_attr_t attributes;
    pthread_t waiter;
    void *stack = aligned_alloc(4096, SIZE);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, SIZE);
    pthread_create(&waiter, &attributes, second, 0);
    run((void *(*const[])(void *)){first}, 1);
    pthread_join(waiter, 0);
    free(stack);
    return seen != 1;
}
