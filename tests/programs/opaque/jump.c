/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code does not return, it jumps.
 * expect: none */
#include "threads.h"
#include <setjmp.h>

int X;
static volatile int Y;
static _Thread_local jmp_buf back;
OUTSIDE void m_wait(void) {
    while (Y != 1)
        ;
    longjmp(back, 1);
}
static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}
static void *second(void *unused) {
    if (!setjmp(back))
        m_wait();
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
