/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer has a mark in bits that no address has, and one in its lowest bits.
 * expect: none */
#include "threads.h"
#include <stdint.h>

int X;
static volatile int Y;
static uintptr_t box;
OUTSIDE void m_wait(const uintptr_t *at) {
    while (*(volatile int *)(*at & 0xfffffffffffc) != 1)
        ;
}
static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}
static void *second(void *unused) {
    box = (uintptr_t)&Y | 0xabul << 56 | 1;
    m_wait(&box);
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
