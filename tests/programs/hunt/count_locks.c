/* SPDX-License-Identifier: Apache-2.0 */
/* Three threads with one critical section each: a run is told from another by the order of the sections, so there are
 * 3! of them. The first value is 1; five orders make 8, 6, 4, 4 and 6 of it; the last one (subtract, multiply, add) 2.
 */
/* classes: 6 */
/* outcomes: "8" "6" "4" and the failed assertion */
/* expect: assertion main */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x = 1;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    x += 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *multiply(void *unused) {
    pthread_mutex_lock(&lock);
    x *= 3;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *subtract(void *unused) {
    pthread_mutex_lock(&lock);
    x -= 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    void *(*parts[])(void *) = {add, multiply, subtract};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, parts[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(x != 2);
    printf("%d\n", x);
}
