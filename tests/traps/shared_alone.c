// SPDX-License-Identifier: Apache-2.0
// Memory that processes could share, with a mutex and a condition that they could share, and no other process that has
// them: a segment that is marked for removal as soon as it is attached. One thread tells the other by them that the data
// is there. The twin's second thread looks at it between two uses of the mutex, without having been told.
// twin: shared_alone.c
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/shm.h>

typedef struct box {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    int ready, used, data;
} box;

static box *b;

static void use(void) {
    pthread_mutex_lock(&b->mutex);
    b->used++;
    pthread_mutex_unlock(&b->mutex);
}

static void *worker(void *unused) {
    use();
    b->data = 1;
    pthread_mutex_lock(&b->mutex);
    b->ready = 1;
    pthread_cond_signal(&b->cond);
    pthread_mutex_unlock(&b->mutex);
    return unused;
}

static void *looker(void *unused) {
    use();
#ifdef TWIN
    int early = b->data;
    use();
    if (early)
        puts("early");
#endif
    pthread_mutex_lock(&b->mutex);
    while (!b->ready)
        pthread_cond_wait(&b->cond, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
    printf("%d\n", b->data);
    return unused;
}

int main(void) {
    int segment = shmget(IPC_PRIVATE, sizeof *b, IPC_CREAT | 0600);
    b = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);
    if (b == (void *)-1 || shmctl(segment, IPC_RMID, NULL))
        return 1;
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_cond;
    pthread_mutexattr_init(&of_mutex);
    pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&b->mutex, &of_mutex);
    pthread_condattr_init(&of_cond);
    pthread_condattr_setpshared(&of_cond, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&b->cond, &of_cond);
    pthread_t one, two;
    if (pthread_create(&one, NULL, worker, NULL) || pthread_create(&two, NULL, looker, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return shmdt(b);
}
