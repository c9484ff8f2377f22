/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads take two locks in opposite orders: one has both before the other has one, or each has its first one, and
 * they wait for ever. (Clean: both take them in the same order; then two classes are left.)
 */
/* classes: 3 */
/* outcomes: "12" "21" and the deadlock */
/* expect: deadlock a b */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *there(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x = x * 10 + 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *back(void *unused) {
#ifdef CLEAN
    pthread_mutex_t *first = &a, *second = &b;
#else
    pthread_mutex_t *first = &b, *second = &a;
#endif
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    x = x * 10 + 2;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, there, NULL);
    pthread_create(&threads[1], NULL, back, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", x);
}
