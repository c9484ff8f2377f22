/* SPDX-License-Identifier: Apache-2.0 */
/* A state machine: whoever sees it idle starts it, in another section, and asserts that nobody else has. CLEAN: what it
 * was is not gone by; the state is looked at where it is changed. */
#include <assert.h>
#include <pthread.h>

enum { IDLE, RUNNING, STOPPED };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state, looks;

static void *start(void *unused) {
    pthread_mutex_lock(&lock);
    int is = state;
    pthread_mutex_unlock(&lock);
#ifdef CLEAN
    looks = is;
    pthread_mutex_lock(&lock);
    if (state == IDLE)
        state = RUNNING;
    pthread_mutex_unlock(&lock);
#else
    if (is == IDLE) {
        pthread_mutex_lock(&lock);
        assert(state == IDLE);
        state = RUNNING;
        pthread_mutex_unlock(&lock);
    }
#endif
    return unused;
}

static void *stop(void *unused) {
    pthread_mutex_lock(&lock);
    state = STOPPED;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, start, NULL);
    pthread_create(&threads[1], NULL, stop, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return looks > STOPPED;
}
