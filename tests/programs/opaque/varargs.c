/* SPDX-License-Identifier: Apache-2.0 */
/* What left out code waits for is the last of many variable arguments.
 * expect: none */
#include "threads.h"
#include <stdarg.h>
#include <stddef.h>

int X;
static volatile int Y;
OUTSIDE void m_wait(int n, ...) {
    va_list list;
    volatile int *at = NULL;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        at = va_arg(list, volatile int *);
    va_end(list);
    while (*at != 1)
        ;
}
static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}
static void *second(void *unused) {
    void *no = NULL;
    m_wait(12, no, no, no, no, no, no, no, no, no, no, no, &Y);
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
