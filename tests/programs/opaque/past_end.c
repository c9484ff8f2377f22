/* SPDX-License-Identifier: Apache-2.0 */
/* All that left out code is given is the end of a block.
 * expect: none */
#include "threads.h"
#include <stdlib.h>

int X;
static volatile int *block, *end;
OUTSIDE void m_wait(volatile int **at) {
    while ((*at)[-1] != 1)
        ;
}
static void *first(void *unused) {
    X = 1;
    block[3] = 1;
    return unused;
}
static void *second(void *unused) {
    m_wait(&end);
    return (char *)unused + 0 * X;
}

int main(void) {
    block = calloc(4, sizeof *block);
    end = block + 4;
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
