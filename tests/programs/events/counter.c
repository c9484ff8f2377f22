/* SPDX-License-Identifier: Apache-2.0 */
/* race: counter */
#include <pthread.h>
#include <stdio.h>

static int counter, safe;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    for (int i = 0; i < 10; i++) {
        counter++;
        pthread_mutex_lock(&lock);
        safe++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", safe);
    return 0;
}
