/* SPDX-License-Identifier: Apache-2.0 */
/* The semaphore lets two in. */
#include "threads.h"

#include <semaphore.h>

static sem_t room;
static int guests;

static void *guest(void *unused) {
    sem_wait(&room);
    guests++;
    sem_post(&room);
    return unused;
}

int main(void) {
    sem_init(&room, 0, 2);
    run_both(guest, guest);
    printf("%d\n", guests);
    return 0;
}
