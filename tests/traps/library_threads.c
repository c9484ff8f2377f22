// SPDX-License-Identifier: Apache-2.0
// A library's threads, which no recorded call has made, carry an order on: from a flag to a semaphore. The twin's reader looks
// before it has waited.
// twin: data
// library: pool_thread.c
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct job {
    atomic_int *until;
    sem_t *then;
};
void library_submit(struct job *one, struct job *two);

static atomic_int flags[2];
static sem_t done[2];
static int data[2];

static void *writer(void *unused) {
    for (int i = 0; i < 2; i++) {
        data[i] = 1;
        atomic_store(&flags[i], 1);
    }
    return unused;
}

static void *reader(void *unused) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
#ifdef TWIN
        if (data[i] > 1)
            return unused;
#endif
        while (sem_wait(&done[i]))
            ;
        sum += data[i];
    }
    return sum == 2 ? unused : &data;
}

int main(void) {
    pthread_t threads[2];
    struct job jobs[2];
    for (int i = 0; i < 2; i++) {
        sem_init(&done[i], 0, 0);
        jobs[i] = (struct job){&flags[i], &done[i]};
    }
    library_submit(&jobs[0], &jobs[1]);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
