// SPDX-License-Identifier: Apache-2.0
// mq_notify: the C library makes a thread when a message comes. The twin writes once more when it has sent one.
// twin: data
// needs: test -d /dev/mqueue
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int data;
static mqd_t queue;
static sem_t ready;

static void came(union sigval value) {
    printf("%d %d\n", data, value.sival_int);
    sem_post(&ready);
}

static void *writer(void *unused) {
    data = 1;
    if (mq_send(queue, "x", 1, 0))
        return NULL;
#ifdef TWIN
    data = 2;
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    char name[64];
    struct mq_attr like = {.mq_maxmsg = 1, .mq_msgsize = 1};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = came};
    sem_init(&ready, 0, 0);
    snprintf(name, sizeof name, "/recipe-trap-%d", (int)getpid());
    queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &like);
    if (queue == (mqd_t)-1)
        return 1;
    mq_unlink(name);
    if (mq_notify(queue, &event) || pthread_create(&thread, NULL, writer, NULL))
        return 1;
    sem_wait(&ready);
    pthread_join(thread, NULL);
    return 0;
}
