/* SPDX-License-Identifier: Apache-2.0 */
/* clean */
/* Memory that one thread after the other has for itself: blocks, stacks, thread-local variables, errno. Nothing orders
 * the threads, which are detached, but the semaphore by which each says that it is done with its own. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local int own[4];
static sem_t done;

static void fill(int *at, int n, int with) {
    for (int i = 0; i < n; i++)
        at[i] = with + i;
}

static void *work(void *me) {
    int local[32], *block = malloc(64);
    fill(local, 32, (int)(long)me);
    fill(block, 16, local[3]);
    fill(own, 4, block[5]);
    errno = own[2];
    close(-1);
    if (errno != EBADF)
        abort();
    free(block);
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sem_init(&done, 0, 0);
    for (long i = 0; i < 8; i++) {
        pthread_t t;
        pthread_create(&t, &detached, work, (void *)i);
        if (i % 2)
            sem_wait(&done), sem_wait(&done);
    }
    return 0;
}
