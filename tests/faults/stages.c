/* SPDX-License-Identifier: Apache-2.0 */
/* Its races hang on what is not recorded, on values, and on the order of locks: so all stages have something to do
 * (cli/kills.sh, cli/faults.sh). */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x[8], y;
static void *one(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        x[i] = i;
        pthread_mutex_lock(&m);
        y += i;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
static void *two(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&m);
        int seen = y;
        pthread_mutex_unlock(&m);
        x[i] = seen > i ? x[i] + 1 : 7;
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", x[1]);
    return 0;
}
