/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads, begun one after the other. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static inline pthread_t begin(void *(*routine)(void *), void *argument) {
    pthread_t t;
    if (pthread_create(&t, NULL, routine, argument)) {
        perror("pthread_create");
        exit(1);
    }
    return t;
}

static inline void run_both(void *(*one)(void *), void *(*other)(void *)) {
    pthread_t a = begin(one, NULL), b = begin(other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

#endif
