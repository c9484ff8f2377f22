/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads what a pointer leads to has found the pointer, and that was stored last: no order of calls outside changes
 * that. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void beside_lock(void);
void beside_unlock(void);

static int *_Atomic published;

static void call(void) {
    beside_lock();
    beside_unlock();
}

static void *publish(void *unused) {
    int *it = malloc(sizeof *it);
    call();
    *it = 17;
    call();
    published = it;
    return unused;
}

int main(void) {
    pthread_t thread;
    int *found, seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    for (int i = 0; i < 100 && !seen; i++) {
        call();
        if ((found = published))
            seen = *found;
    }
    pthread_join(thread, NULL);
    printf("%d\n", seen >= 0);
    free(published);
    return 0;
}
