/* SPDX-License-Identifier: Apache-2.0 */
/* Who finds something in a box that nobody sees into looks at the total. Who writes the total puts something there afterwards, the
 * twin's nothing: what is found there a third thread has put, which knows nothing of a total. */
#include <pthread.h>
#include <stdio.h>

void beside_put(void);
int beside_take(void);
int beside_look(void);

static long total, seen;

static void *put(void *unused) {
    beside_put();
    return unused;
}

static void *write_it(void *is_twin) {
    total = 1;
    if (is_twin)
        beside_look();
    else
        beside_put();
    return NULL;
}

static void *take(void *unused) {
    if (beside_take())
        seen = total;
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *twin = NULL;
#ifdef TWIN
    twin = &total;
#endif
    pthread_create(&threads[1], NULL, write_it, twin);
    if (twin)
        pthread_create(&threads[0], NULL, put, NULL);
    pthread_create(&threads[2], NULL, take, NULL);
    for (int i = !twin; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", seen);
    return 0;
}
