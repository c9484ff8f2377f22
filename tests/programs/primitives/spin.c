/* SPDX-License-Identifier: Apache-2.0 */
/* Spin locks, and a spin on a plain atomic that another thread sets. */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static long counter;
static atomic_int turn;

static void *add(void *unused) {
    (void)unused;
    for (int i = 0; i < 300; i++) {
        if (i % 2)
            CHECK(!pthread_spin_lock(&lock));
        else
            while (pthread_spin_trylock(&lock) == EBUSY)
                ;
        counter++;
        CHECK(!pthread_spin_unlock(&lock));
    }
    return NULL;
}

/* 0, 1, 2, 0, …: nobody gives way but by being preempted. */
static void *in_turn(void *me) {
    for (int i = 0; i < 5; i++) {
        while (atomic_load(&turn) % 3 != (int)(long)me)
            ;
        atomic_fetch_add(&turn, 1);
    }
    return NULL;
}

int main(void) {
    pthread_t t[3];
    CHECK(!pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    CHECK(!pthread_spin_destroy(&lock));
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, in_turn, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("spin %ld %d\n", counter, turn);
}
