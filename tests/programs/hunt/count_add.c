/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads add 1 twice each, and each addition reads what the one before it left: a run is told from another by
 * which two of the four places are the first thread's, 4! / (2! 2!).
 */
/* classes: 6 */
/* outcomes: "0 1" "0 2" "0 3" "1 2" "1 3" "2 3" */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *add(void *seen) {
    int *its = seen;
    for (int i = 0; i < 2; i++)
        its[i] = atomic_fetch_add(&x, 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int first[2], second[2];
    pthread_create(&a, NULL, add, first);
    pthread_create(&b, NULL, add, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", first[0], first[1]);
}
