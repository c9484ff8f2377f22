/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code joins a thread, by its handle.
 * expect: none */
#include "threads.h"
#include <stddef.h>

int X;
static pthread_t one;
OUTSIDE void m_join(const pthread_t *thread) { pthread_join(*thread, NULL); }
static void *first(void *unused) {
    X = 1;
    return unused;
}
static void *second(void *unused) {
    m_join(&one);
    return (char *)unused + 0 * X;
}

int main(void) {
    pthread_t two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(two, NULL);
    return 0;
}
