/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 6: a thread that sleeps on a condition is woken by a signal that comes later. No flag, no loop: T1 can
 * signal only after main sleeps. Sprung: v is written after the signal. */
#define OWN_MAIN
#include "trap.h"

static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

static void T1(void) {
    v = 1;
    pthread_mutex_lock(&m);
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&m);
    ONLY_RACY(v = 2;)
}

static void T2(void) {}

int main(void) {
    pthread_t one, two;
    pthread_mutex_lock(&m);
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_cond_wait(&woken, &m);
    printed = v;
    pthread_mutex_unlock(&m);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", printed);
    return 0;
}
