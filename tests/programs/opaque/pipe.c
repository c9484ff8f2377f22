/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded code writes into a pipe, left out code reads from it.
 * expect: none */
#include "threads.h"
#include <stdlib.h>
#include <unistd.h>

int X;
static int ends[2];
OUTSIDE void m_read(void) {
    char byte;
    if (read(ends[0], &byte, 1) != 1)
        abort();
}
static void *first(void *unused) {
    X = 1;
    char byte = 1;
    if (write(ends[1], &byte, 1) != 1)
        abort();
    return unused;
}
static void *second(void *unused) {
    m_read();
    return (char *)unused + 0 * X;
}

int main(void) {
    if (pipe(ends))
        return 1;
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
