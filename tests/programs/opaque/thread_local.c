/* SPDX-License-Identifier: Apache-2.0 */
/* Left out code finds what it works on in thread-local variables, and in what is kept for a thread.
 * expect: none */
#include "threads.h"

int X, Z, seen;
volatile int Y, V;
static _Thread_local volatile int *mine;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

OUTSIDE void m_wait(void) {
    while (*mine != 1)
        ;
}
OUTSIDE void m_take(pthread_key_t k) {
    while (*(volatile int *)pthread_getspecific(k) != 1)
        ;
}
static void make_key(void) { pthread_key_create(&key, NULL); }

static void *first(void *unused) {
    X = 1;
    Y = 1;
    Z = 1;
    V = 1;
    return unused;
}

static void *second(void *unused) {
    pthread_once(&once, make_key);
    mine = &Y;
    pthread_setspecific(key, (void *)&V);
    m_wait();
    seen = X;
    m_take(key);
    seen = Z;
    return unused;
}

int main(void) {
    run((void *(*const[])(void *)){first, second}, 2);
    return seen != 1;
}
