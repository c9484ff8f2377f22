/* SPDX-License-Identifier: Apache-2.0 */
/* What is around each call of rows/: T1 writes x_NAME and calls, T2 calls and writes x_NAME. So there is a race, unless
 * the call orders what other threads do. */
#ifndef RUN_H
#define RUN_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct row {
    void *(*one)(void *), *(*two)(void *);
} row;

static pthread_key_t key;
static FILE *nothing_in;

/* What T2 does after the call, where that does not return: as the thread unwinds. */
static __thread void (*after)(void);
__attribute__((unused)) static void finish(void *unused) {
    (void)unused;
    if (after)
        after();
}

/* What libraries do once, by which threads would be ordered: the unwinder looks for what it needs, and FIRST(). */
#ifndef FIRST
#define FIRST() ((void)0)
#endif
static void *first(void *unused) {
    (void)unused;
    FIRST();
    pthread_exit(NULL);
}

static void run_rows(const row *rows, size_t n) {
    pthread_key_create(&key, NULL);
    nothing_in = fopen("/dev/null", "r");
    pthread_t done;
    if (pthread_create(&done, NULL, first, NULL))
        abort();
    pthread_join(done, NULL);
    for (size_t i = 0; i < n; i++) {
        pthread_t one, two;
        if (pthread_create(&one, NULL, rows[i].one, NULL) || pthread_create(&two, NULL, rows[i].two, NULL))
            abort();
        pthread_join(one, NULL);
        pthread_join(two, NULL);
    }
}

#endif
