/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of messages between threads, System V's and POSIX's; System V semaphores that guard a counter. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

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

static void *post_all(void *arg) {
    mqd_t q = *(mqd_t *)arg;
    for (int i = 0; i < 50; i++)
        CHECK(!mq_send(q, (char *)&i, sizeof i, (unsigned)i % 3));
    return NULL;
}

/* POSIX's, where the system has them. */
static void posix_queue(void) {
    struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = sizeof(int)};
    char name[64];
    snprintf(name, sizeof name, "/recipe-test-%d", (int)getpid());
    mqd_t q = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
    if (q == (mqd_t)-1)
        return;
    CHECK(!mq_unlink(name));
    pthread_t t;
    pthread_create(&t, NULL, post_all, &q);
    unsigned seen = 0, priority;
    for (int i = 0, n; i < 50; i++) {
        CHECK(mq_receive(q, (char *)&n, sizeof n, &priority) == sizeof n && priority == (unsigned)n % 3);
        seen += (unsigned)n;
    }
    CHECK(seen == 49 * 50 / 2);
    pthread_join(t, NULL);
    struct timespec past = {0, 0};
    int n;
    CHECK(mq_timedreceive(q, (char *)&n, sizeof n, NULL, &past) == -1 && errno == ETIMEDOUT);
    CHECK(!mq_close(q));
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

    posix_queue();
    struct sembuf take = {0, -1, 0};
    struct timespec soon = {0, 1000000};
    CHECK(semtimedop(set, &take, 1, &soon) == -1 && errno == EAGAIN);
    change(1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    CHECK(!semctl(set, 0, IPC_RMID));
    printf("queues: %d\n", counter);
}
