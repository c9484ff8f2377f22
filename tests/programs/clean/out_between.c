/* SPDX-License-Identifier: Apache-2.0 */
/* What a call leaves in memory another call finds there, and no code of the program looks: T2 goes the other way, and
 * does not make the first one; and what it would have left for the thread that comes after it is not there. */
#define OWN_MAIN
#define _GNU_SOURCE
#include "trap.h"

#include <signal.h>

static int flag, w, u;
static sigset_t shared;

static void T1(void) {
    v = 1;
    w = 1;
    u = 1;
    set(&flag, 1);
}

static void T2(void) {
    sigset_t own;
    memset(&own, 0, sizeof own);
    unsigned seed = 5, same = 5;
    (void)rand_r(&same);
    const int after = rand_r(&same);
    const int is_set = get(&flag);
    if (!is_set)
        printed++;
    if (is_set ONLY_RACY(|| 1)) {
        sigaddset(&own, SIGUSR1);
        (void)rand_r(&seed);
        pthread_mutex_lock(&m);
        sigaddset(&shared, SIGUSR1);
        pthread_mutex_unlock(&m);
    }
    if (sigismember(&own, SIGUSR1))
        v = 2;
    if (rand_r(&seed) == after)
        w = 2;
}

static void *third(void *unused) {
    pthread_mutex_lock(&m);
    const int is_there = sigismember(&shared, SIGUSR1);
    pthread_mutex_unlock(&m);
    if (is_there)
        u = 2;
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    if (pthread_create(&one, NULL, first, NULL) || pthread_create(&two, NULL, second, NULL))
        return 1;
    pthread_join(two, NULL);
    if (pthread_create(&three, NULL, third, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(three, NULL);
    printf("%d\n", printed);
    return 0;
}
