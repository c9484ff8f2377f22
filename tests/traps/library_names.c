// SPDX-License-Identifier: Apache-2.0
// getaddrinfo_a: a thread of the C library looks up a name, and then another calls `found`. The twin writes once more
// when it was asked already.
// twin: data
#define _GNU_SOURCE
#include <netdb.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static int data;
static sem_t ready;

static void found(union sigval value) {
    printf("%d %d\n", data, value.sival_int);
    sem_post(&ready);
}

int main(void) {
    static const struct addrinfo like = {.ai_flags = AI_NUMERICHOST};
    static struct gaicb wanted = {.ar_name = "127.0.0.1", .ar_request = &like};
    struct gaicb *list[] = {&wanted};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = found};
    sem_init(&ready, 0, 0);
    data = 1;
    if (getaddrinfo_a(GAI_NOWAIT, list, 1, &event))
        return 1;
#ifdef TWIN
    data = 2;
#endif
    sem_wait(&ready);
    return gai_error(&wanted);
}
