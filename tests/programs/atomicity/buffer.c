/* SPDX-License-Identifier: Apache-2.0 */
/* Clean: a bounded buffer, whose threads wait for each other by conditions. */
#include <pthread.h>
#include <stdio.h>

enum { ITEMS = 6, ROOM = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static int items[ROOM], held, in, out, sum, is_over;

static void *put(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (held == ROOM)
            pthread_cond_wait(&less, &lock);
        items[in] = i;
        in = (in + 1) % ROOM;
        held++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    is_over = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    return unused;
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (!held && !is_over)
        pthread_cond_wait(&more, &lock);
    int is_there = held > 0;
    if (is_there) {
        sum += items[out];
        out = (out + 1) % ROOM;
        held--;
        pthread_cond_signal(&less);
    }
    pthread_mutex_unlock(&lock);
    return is_there;
}

static void *take_all(void *unused) {
    while (take())
        ;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, put, NULL);
    for (int i = 1; i < 3; i++)
        pthread_create(&threads[i], NULL, take_all, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", sum);
    return sum != ITEMS * (ITEMS + 1) / 2;
}
