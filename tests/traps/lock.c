// SPDX-License-Identifier: Apache-2.0
// The plainest of all: a counter under a lock; the twin leaves the lock out.
// twin: count
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
#ifdef TWIN
    count++;
#else
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count != 2;
}
