/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded buffer whose producers and consumers sleep on one condition, and who wakes one sleeper only. It may be one
 * of the wrong kind: he finds nothing to do and sleeps again, and nobody else is woken. Described by D. Lea, Concurrent
 * Programming in Java (notify where notifyAll is needed), and as Extreme Programming Challenge Fourteen (T. Cargill).
 * Reachable: both consumers sleep; a producer fills the one slot and signals the first; before that one has the lock,
 * the other producer finds the slot full and sleeps; the first consumer takes, and its signal chooses the second one,
 * who finds nothing and sleeps again.
 */
/* expect: deadlock buffer.changed buffer.changed */
#include <pthread.h>
#include <stdio.h>

enum { CAPACITY = 1, ITEMS = 1 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int items[CAPACITY];
    int count, first;
} buffer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};

static int sums[2];

static void tell(void) {
#ifdef CLEAN
    pthread_cond_broadcast(&buffer.changed);
#else
    pthread_cond_signal(&buffer.changed);
#endif
}

static void put(int item) {
    pthread_mutex_lock(&buffer.lock);
    while (buffer.count == CAPACITY)
        pthread_cond_wait(&buffer.changed, &buffer.lock);
    buffer.items[(buffer.first + buffer.count) % CAPACITY] = item;
    buffer.count++;
    tell();
    pthread_mutex_unlock(&buffer.lock);
}

static int take(void) {
    pthread_mutex_lock(&buffer.lock);
    while (buffer.count == 0)
        pthread_cond_wait(&buffer.changed, &buffer.lock);
    int item = buffer.items[buffer.first];
    buffer.first = (buffer.first + 1) % CAPACITY;
    buffer.count--;
    tell();
    pthread_mutex_unlock(&buffer.lock);
    return item;
}

static void *produce(void *first) {
    for (int i = 0; i < ITEMS; i++)
        put(*(int *)first + i);
    return NULL;
}

static void *consume(void *sum) {
    for (int i = 0; i < ITEMS; i++)
        *(int *)sum += take();
    return NULL;
}

int main(void) {
    int firsts[] = {10, 20};
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, produce, &firsts[0]);
    pthread_create(&threads[1], NULL, consume, &sums[0]);
    pthread_create(&threads[2], NULL, produce, &firsts[1]);
    pthread_create(&threads[3], NULL, consume, &sums[1]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", sums[0] + sums[1]);
}
