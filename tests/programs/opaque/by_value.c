/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that are handed over by value, in memory and in registers.
 * expect: none */
#include "threads.h"

int X, Z;
static volatile int Y;
struct large {
    long more[6];
    volatile int *at;
};
struct small {
    long more;
    volatile int *at;
};
OUTSIDE void m_wait(struct large large) {
    while (*large.at != 1)
        ;
}
OUTSIDE void m_take(struct small small) {
    while (*small.at != 2)
        ;
}
static void *first(void *unused) {
    X = 1;
    Y = 1;
    sched_yield();
    Z = 1;
    Y = 2;
    return unused;
}
static void *second(void *unused) {
    struct large large = {{0}, &Y};
    m_wait(large);
    int seen = X;
    struct small small = {0, &Y};
    m_take(small);
    return (char *)unused + 0 * (seen + Z);
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
