/* SPDX-License-Identifier: Apache-2.0 */
/* A driver that counts requests under way, so that it is not stopped while one is: but a request looks whether the
 * driver is to stop, and is counted after that. In between the driver may stop. The Bluetooth driver of Windows, in the
 * form of Qadeer and Wu, KISS: keep it simple and sequential, PLDI 2004.
 * Reachable: a request sees that nobody stops and is held up before it is counted; the other request is through; the
 * driver wants to stop, takes its own count away, none is left, and it stops; the request is counted, goes on, and
 * finds the driver stopped.
 */
/* expect: race driver.stopped add/stop */
/* expect: assertion add */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static struct {
    atomic_int pending; /* requests under way, and one for the driver until it is to stop */
    atomic_int is_stopping;
    sem_t none_left;
    int stopped;
    atomic_int sent;
} driver;

static void leave(void) {
    if (atomic_fetch_sub(&driver.pending, 1) == 1)
        sem_post(&driver.none_left);
}

static int enter(void) {
#ifdef CLEAN
    int pending = atomic_load(&driver.pending);
    do {
        if (!pending)
            return 0;
    } while (!atomic_compare_exchange_weak(&driver.pending, &pending, pending + 1));
    if (!atomic_load(&driver.is_stopping))
        return 1;
    leave();
    return 0;
#else
    if (atomic_load(&driver.is_stopping))
        return 0;
    atomic_fetch_add(&driver.pending, 1);
    return 1;
#endif
}

static void *add(void *unused) {
    if (enter()) {
        assert(!driver.stopped);
        atomic_fetch_add(&driver.sent, 1);
        leave();
    }
    return unused;
}

static void stop(void) {
    atomic_store(&driver.is_stopping, 1);
    leave();
    while (sem_wait(&driver.none_left))
        ;
    driver.stopped = 1;
}

int main(void) {
    pthread_t requests[2];
    atomic_store(&driver.pending, 1);
    sem_init(&driver.none_left, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&requests[i], NULL, add, NULL);
    stop();
    for (int i = 0; i < 2; i++)
        pthread_join(requests[i], NULL);
    printf("%d\n", atomic_load(&driver.sent) <= 2);
}
