/* SPDX-License-Identifier: Apache-2.0 */
/* One thread has a lock once; the other one tries to have it, once: before the first, while that one has it, or
 * afterwards.
 */
/* classes: 3 */
/* outcomes: "0" "1" "-1" */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *set(void *unused) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *look(void *seen) {
    if (pthread_mutex_trylock(&lock)) {
        *(int *)seen = -1;
        return NULL;
    }
    *(int *)seen = x;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int seen;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, look, &seen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", seen);
}
