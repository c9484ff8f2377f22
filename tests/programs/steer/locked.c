/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads count under a lock that nobody sees; the twin takes it too late. Around it they call what may reach everything, so
 * that no schedule can be proven. */
#include <pthread.h>
#include <stdio.h>

void apart_lock(void);
void apart_unlock(void);
int apart(void *given);

static long counter;

static void *count(void *arg) {
    for (int i = 0; i < 3; i++) {
        apart(&counter);
#ifdef TWIN
        long was = counter;
        apart_lock();
        counter = was + 1;
#else
        apart_lock();
        counter++;
#endif
        apart_unlock();
        apart(&counter);
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", counter > 0);
    return 0;
}
