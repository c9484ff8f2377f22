/* SPDX-License-Identifier: Apache-2.0 */
/* clean */
/* What a thread is handed and what it returns; a condition that is destroyed while those it woke wait for the mutex. */
#include <pthread.h>
#include <stdlib.h>

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t open;
    int is_open, through;
};

static struct gate *gate;
static int total;

static void *pass(void *me) {
    pthread_mutex_lock(&gate->lock);
    while (!gate->is_open)
        pthread_cond_wait(&gate->open, &gate->lock);
    total += (int)(long)me;
    long mine = total;
    gate->through++;
    pthread_mutex_unlock(&gate->lock);
    return (void *)mine;
}

int main(void) {
    pthread_t t[4];
    gate = malloc(sizeof *gate);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->open, NULL);
    gate->is_open = gate->through = 0;
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, pass, (void *)(i + 1));
    pthread_mutex_lock(&gate->lock);
    gate->is_open = 1;
    pthread_cond_broadcast(&gate->open);
    pthread_cond_destroy(&gate->open);
    pthread_mutex_unlock(&gate->lock);
    long sum = 0;
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(t[i], &result);
        sum += (long)result;
    }
    pthread_mutex_destroy(&gate->lock);
    free(gate);
    return !sum;
}
