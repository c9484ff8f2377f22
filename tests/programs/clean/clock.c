/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 3: who looks at the clock later sees a later time: T2 reads v only if the time that it was told is before
 * its own, and it is told one only after v was written. No race, and no schedule in which time runs backward. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long told;
static int v, printed;

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *one(void *unused) {
    v = 1;
    long time = now();
    pthread_mutex_lock(&lock);
    told = time;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *two(void *unused) {
    long own = now();
    pthread_mutex_lock(&lock);
    long other = told;
    pthread_mutex_unlock(&lock);
    if (other && other <= own)
        printed = v;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    if (pthread_create(&t1, NULL, one, NULL) || pthread_create(&t2, NULL, two, NULL))
        return 1;
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", printed);
    return 0;
}
