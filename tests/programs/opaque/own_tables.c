/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the C library's that recorded code looks at itself: tables of characters, errno, arguments without names.
 * Calls of left out code beside it order nothing.
 * expect: X */
#include "threads.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>

int X, Y, sums[2];

OUTSIDE void m_elsewhere(int *at) { *at += 1; }

__attribute__((noinline)) static int sum(int n, ...) {
    va_list list;
    int all = 0;
    va_start(list, n);
    while (n-- > 0)
        all += va_arg(list, int);
    va_end(list);
    return all;
}

static int look(int n) {
    errno = n;
    return sum(3, n, isalpha(n) != 0, toupper(n)) + errno;
}

static void *first(void *unused) {
    int own = 0;
    X = 1;
    sums[0] = look('a');
    m_elsewhere(&own);
    return unused;
}

static void *second(void *unused) {
    int own = 0;
    m_elsewhere(&own);
    sums[1] = look('b');
    X = 2;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return !sums[0] || !sums[1];
}
