/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that nobody has written hold what the heap has left there. Whoever copies a struct reads them, and that they
 * are other ones than before tells nothing of left out code.
 * expect: X
 * simple: none */
#include "threads.h"

#include <stdlib.h>
#include <string.h>

struct padded {
    char letter;
    long number;
};

int X;
static int one[16], two[16];
static long sum;

OUTSIDE void m_add(int *to, const int *from, int n) {
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

static void copy(void) {
    char *block = malloc(sizeof(struct padded));
    memset(block, 0x5a, sizeof(struct padded));
    free(block);
    struct padded *padded = malloc(sizeof *padded), copied;
    padded->letter = 'a';
    padded->number = 1;
    memcpy(&copied, padded, sizeof copied);
    sum += copied.number;
    free(padded);
}

static void *first(void *unused) {
    X = 1;
    m_add(one, one + 8, 8);
    return unused;
}

static void *second(void *unused) {
    m_add(two, two + 8, 8);
    X = 2;
    return unused;
}

int main(void) {
    m_add(one, two, 8);
    copy();
    run((void *(*const[])(void *)){first, second}, 2);
    return sum != 1;
}
