/* SPDX-License-Identifier: Apache-2.0 */
/* System V: a queue of messages between threads, semaphores that guard a counter. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

static int queue, set, counter;
struct message {
    long type;
    int number;
};

static void *send_all(void *arg) {
    for (int i = 0; i < 100; i++) {
        struct message m = {1, i};
        CHECK(!msgsnd(queue, &m, sizeof m.number, 0));
    }
    return arg;
}

static void change(short by) {
    struct sembuf operation = {0, by, 0};
    CHECK(!semop(set, &operation, 1));
}

static void *count(void *arg) {
    for (int i = 0; i < 100; i++) {
        change(-1);
        int c = __atomic_load_n(&counter, __ATOMIC_RELAXED);
        __atomic_store_n(&counter, c + 1, __ATOMIC_RELAXED);
        change(1);
    }
    return arg;
}

int main(void) {
    queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
    set = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
    CHECK(queue >= 0 && set >= 0);
    pthread_t t[2];
    pthread_create(&t[0], NULL, send_all, NULL);
    for (int i = 0; i < 100; i++) {
        struct message m = {0, -1};
        CHECK(msgrcv(queue, &m, sizeof m.number, 0, 0) == sizeof m.number && m.type == 1 && m.number == i);
    }
    pthread_join(t[0], NULL);
    struct message none;
    CHECK(msgrcv(queue, &none, sizeof none.number, 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
    CHECK(!msgctl(queue, IPC_RMID, NULL));

    struct sembuf take = {0, -1, 0};
    struct timespec soon = {0, 1000000};
    CHECK(semtimedop(set, &take, 1, &soon) == -1 && errno == EAGAIN);
    change(1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    CHECK(!semctl(set, 0, IPC_RMID));
    printf("sysv: %d\n", counter);
}
