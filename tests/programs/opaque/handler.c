/* SPDX-License-Identifier: Apache-2.0 */
/* A signal's handler that is left out sets what another thread looks at.
 * expect: none */
#include "threads.h"
#include <signal.h>

int X;
static volatile int Y;
OUTSIDE void m_on(int signal) { Y = signal; }
static void *first(void *unused) {
    X = 1;
    raise(SIGUSR1);
    return unused;
}
static void *second(void *unused) { return __atomic_load_n(&Y, __ATOMIC_SEQ_CST) ? (char *)unused + 0 * X : unused; }

int main(void) {
    signal(SIGUSR1, m_on);
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
