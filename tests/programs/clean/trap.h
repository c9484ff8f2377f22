/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of the traps: T1 and T2, started in this order; `set` and `get` touch a word under a lock. With the turns
 * that recording has by default T1 is at its end before T2 begins. Compiled with -DRACY a trap is sprung: there the
 * race is real, and must be found. */
#ifndef TRAP_H
#define TRAP_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef RACY
#define ONLY_RACY(...) __VA_ARGS__
#else
#define ONLY_RACY(...)
#endif

static void T1(void);
static void T2(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int v, printed;

__attribute__((unused)) static void set(int *word, int value) {
    pthread_mutex_lock(&m);
    *word = value;
    pthread_mutex_unlock(&m);
}

__attribute__((unused)) static int get(const int *word) {
    pthread_mutex_lock(&m);
    int value = *word;
    pthread_mutex_unlock(&m);
    return value;
}

static void *first(void *unused) {
    T1();
    return unused;
}
static void *second(void *unused) {
    T2();
    return unused;
}

#ifndef OWN_MAIN
int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", printed);
    return 0;
}
#endif

#endif
