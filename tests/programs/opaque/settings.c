/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code changes the environment, and recorded code asks for it.
 * expect: none */
#include "threads.h"
#include <stdlib.h>

int X;
OUTSIDE void m_set(void) { setenv("TOLD", "1", 1); }
static void *first(void *unused) {
    X = 1;
    m_set();
    return unused;
}
static void *second(void *unused) { return getenv("TOLD") ? (char *)unused + 0 * X : unused; }

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
