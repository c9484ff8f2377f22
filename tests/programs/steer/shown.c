/* SPDX-License-Identifier: Apache-2.0 */
/* One race that the first steered run shows, and a counter under a lock that nobody sees, at which nobody ever meets: no
 * later run is made for the race alone. */
#include <pthread.h>
#include <stdio.h>

void apart_lock(void);
void apart_unlock(void);
int apart(void *given);

static _Alignas(64) long raced;
static _Alignas(64) long counter;

static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        apart(&raced);
        raced = i;
        apart(&counter);
        apart_lock();
        counter++;
        apart_unlock();
        apart(&counter);
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", counter > 0);
    return 0;
}
