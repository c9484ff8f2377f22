/* SPDX-License-Identifier: Apache-2.0 */
/* What a program was started with is nobody's object, and main looks at it. That some code is left out does not make
 * each look at the clock one of those.
 * expect: X */
#include "threads.h"

#include <string.h>
#include <time.h>

int X, named;

OUTSIDE void m_nothing(void) {}

static void *first(void *unused) {
    X = 1;
    return time(NULL) ? unused : NULL;
}

static void *second(void *unused) {
    struct timespec now;
    m_nothing();
    clock_gettime(CLOCK_MONOTONIC, &now);
    X = 2;
    return unused;
}

int main(int argc, char **argv) {
    named = strcmp(argv[argc - 1], "nobody") && argv[0][0];
    run((void *(*const[])(void *)){first, second}, 2);
    return !named || argv[0][1] == '\n';
}
