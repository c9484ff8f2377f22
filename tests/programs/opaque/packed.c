/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer lies at an odd address, in a packed struct.
 * expect: none */
#include "threads.h"
#include <string.h>

int X;
static volatile int Y;
static struct __attribute__((packed)) {
    char tag;
    volatile int *to;
} box;
OUTSIDE void m_wait(const char *at) {
    volatile int *to;
    memcpy(&to, at + 1, sizeof to);
    while (*to != 1)
        ;
}
static void *first(void *unused) {
    X = 1;
    Y = 1;
    return unused;
}
static void *second(void *unused) {
    box.to = &Y;
    m_wait((const char *)&box);
    return (char *)unused + 0 * X;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
