/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code counts; the second to come goes on.
 * expect: none */
#include "threads.h"

int X;
static int count;
OUTSIDE int m_add(int *at) { return __atomic_add_fetch(at, 1, __ATOMIC_SEQ_CST); }
static void *first(void *unused) {
    X = 1;
    m_add(&count);
    return unused;
}
static void *second(void *unused) { return m_add(&count) == 2 ? (char *)unused + 0 * X : unused; }

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
