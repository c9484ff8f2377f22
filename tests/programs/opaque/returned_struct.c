/* SPDX-License-Identifier: Apache-2.0 */
/* A struct that left out code returns in memory holds the pointer.
 * expect: none */
#include "threads.h"

int X;
static volatile int Y;
struct large {
    long more[6];
    volatile int *at;
};
static struct large got;
OUTSIDE struct large m_make(void) { return (struct large){{0}, &Y}; }
OUTSIDE void m_wait(const struct large *large) {
    while (*large->at != 1)
        ;
}
static void *first(void *unused) {
    X = 1;
    *got.at = 1;
    return unused;
}
static void *second(void *unused) {
    m_wait(&got);
    return (char *)unused + 0 * X;
}

int main(void) {
    got = m_make();
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
