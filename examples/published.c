/* SPDX-License-Identifier: Apache-2.0 */
/* A race that this program's usual run does not show: `ready` is written under a lock before and after `v`, and the
 * reader comes last, so that its lock orders everything. But the first value of `ready` decides the branch the same way.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned ready, v;

static void set(unsigned value) {
    pthread_mutex_lock(&m);
    ready = value;
    pthread_mutex_unlock(&m);
}

static void *publish(void *p) {
    set(0x11);
    v = 42;
    set(0x31);
    return p;
}

static void *look(void *p) {
    pthread_mutex_lock(&m);
    unsigned seen = ready;
    pthread_mutex_unlock(&m);
    if ((seen & 0x1f) == 0x11)
        printf("%u\n", v);
    return p;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
