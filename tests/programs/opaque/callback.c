/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code calls back what waits.
 * expect: none */
#include "threads.h"

int X;
static volatile int Y;
static void look(volatile int *at) {
    while (*at != 1)
        ;
}
OUTSIDE void m_call(void (*function)(volatile int *), volatile int *at) { function(at); }
static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}
static void *second(void *unused) {
    m_call(look, &Y);
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
