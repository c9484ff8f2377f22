/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code waits for what left out code of another thread writes over the program's arguments: of them both know
 * by themselves.
 * expect: none */
#include "threads.h"

int X, seen;
static volatile char *argument;

__attribute__((constructor)) OUTSIDE void m_begin(int argc, char **argv) { argument = argc ? argv[0] : 0; }

OUTSIDE void m_say(void) { *argument = '!'; }

OUTSIDE void m_wait(void) {
    while (*argument != '!')
        ;
}

static void *first(void *unused) {
    X = 1;
    m_say();
    return unused;
}

static void *second(void *unused) {
    m_wait();
    seen = X;
    return unused;
}

int main(int argc, char **argv) {
    const char before = argv[argc - 1][0];
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1 || argv[0][0] == before;
}
