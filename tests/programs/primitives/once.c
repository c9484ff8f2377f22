/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_once: one runs it, the others wait until it is done; one that is cancelled in it leaves it to the next. */
#include "check.h"

#include <pthread.h>
#include <semaphore.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, cut_short = PTHREAD_ONCE_INIT;
static int runs, value, tries;
static sem_t never, begun;

static void initialise(void) {
    runs++;
    for (int i = 0; i < 1000; i++)
        value++;
    sched_yield();
    value++;
}

static void *use(void *unused) {
    (void)unused;
    CHECK(!pthread_once(&once, initialise));
    CHECK(value == 1001 && runs == 1);
    return NULL;
}

static void get_stuck(void) {
    if (!tries++) {
        sem_post(&begun);
        sem_wait(&never);
    }
}

static void *run_cut_short(void *unused) {
    (void)unused;
    pthread_once(&cut_short, get_stuck);
    return NULL;
}

int main(void) {
    pthread_t t[6];
    void *result;
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], NULL, use, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    use(NULL);
    sem_init(&never, 0, 0);
    sem_init(&begun, 0, 0);
    pthread_create(&t[0], NULL, run_cut_short, NULL);
    CHECK(!sem_wait(&begun));
    CHECK(!pthread_cancel(t[0]));
    CHECK(!pthread_join(t[0], &result) && result == PTHREAD_CANCELED);
    run_cut_short(NULL);
    run_cut_short(NULL);
    CHECK(tries == 2);
    printf("once %d %d\n", runs, tries);
}
