/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 2 2
 * A pool of threads: when it was recorded the first worker did all jobs. The second may have some, and counts them
 * without a lock as the first does. */
#include "frame.h"

typedef struct job {
    struct job *next;
    int number;
} job;

static job *jobs;
static int completed, adds_up;

static job *take(void) {
    pthread_mutex_lock(&m);
    job *first = jobs;
    if (first)
        jobs = first->next;
    pthread_mutex_unlock(&m);
    return first;
}

static void work(void) {
    for (job *j; (j = take());) {
        pthread_mutex_lock(&n);
        adds_up += j->number;
        pthread_mutex_unlock(&n);
        free(j);
        completed++;
    }
}

static void T1(void) { work(); }
static void T2(void) { work(); }

__attribute__((constructor)) static void make(void) {
    for (int i = 0; i < 4; i++) {
        job *j = malloc(sizeof *j);
        *j = (job){jobs, i};
        jobs = j;
    }
}
