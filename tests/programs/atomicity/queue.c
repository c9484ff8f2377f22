/* SPDX-License-Identifier: Apache-2.0 */
/* size() and pop() of a queue are atomic, each by itself: whoever pops because there was something may find nothing.
 * CLEAN: pop() says whether there was something. */
#include <pthread.h>

enum { ROOM = 8 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int size, items[ROOM];
} queue = {1, {42}};

static int size(void) {
    pthread_mutex_lock(&lock);
    int is = queue.size;
    pthread_mutex_unlock(&lock);
    return is;
}

static int pop(int *item) {
    pthread_mutex_lock(&lock);
#ifdef CLEAN
    int is_there = queue.size > 0;
#else
    int is_there = 1;
#endif
    if (is_there) {
        queue.size--;
        *item = queue.items[queue.size & (ROOM - 1)];
    }
    pthread_mutex_unlock(&lock);
    return is_there;
}

static void *work(void *unused) {
    int item;
    if (size() > 0)
        pop(&item);
    return unused;
}

static void *clear(void *unused) {
    pthread_mutex_lock(&lock);
    queue.size = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, clear, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
