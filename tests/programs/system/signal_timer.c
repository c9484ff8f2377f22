/* SPDX-License-Identifier: Apache-2.0 */
/* A timer interrupts computing threads again and again; the handler changes data of theirs, with and without a
 * lock-free counter between. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static int atomic_ticks;
static unsigned long mixed;
static void tick(int signal) {
    (void)signal;
    ticks++;
    __atomic_fetch_add(&atomic_ticks, 1, __ATOMIC_SEQ_CST);
    unsigned local[32];
    for (unsigned i = 0; i < 32; i++)
        local[i] = i * i;
    for (unsigned i = 0; i < 32; i++)
        mixed += local[i] - i * i;
}

static void *work(void *arg) {
    unsigned table[64] = {0};
    while (__atomic_load_n(&atomic_ticks, __ATOMIC_SEQ_CST) < 30)
        for (unsigned i = 0; i < 64; i++)
            table[i] += i;
    for (unsigned i = 1; i < 64; i++)
        CHECK(table[i] == i * table[1]);
    return arg;
}

int main(void) {
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    CHECK(!sigaction(SIGALRM, &action, NULL));
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    pthread_t t[2];
    CHECK(!setitimer(ITIMER_REAL, &often, NULL));
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    CHECK(!setitimer(ITIMER_REAL, &never, NULL));
    CHECK(atomic_ticks >= 30 && mixed == 0);
    puts("signal_timer: fine");
}
