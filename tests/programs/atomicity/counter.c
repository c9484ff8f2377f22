/* SPDX-License-Identifier: Apache-2.0 */
/* A counter is read in one section and written in the next: what others have counted in between is lost. CLEAN: in one.
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *amount) {
#ifdef CLEAN
    pthread_mutex_lock(&lock);
    count += *(int *)amount;
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    int is = count;
    pthread_mutex_unlock(&lock);
    is += *(int *)amount;
    pthread_mutex_lock(&lock);
    count = is;
    pthread_mutex_unlock(&lock);
#endif
    return amount;
}

int main(void) {
    int amounts[] = {1, 10};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
