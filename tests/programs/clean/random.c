/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 3, 4: T2 reads v only if it got rand()'s second number: then T1, which wrote v before, has had the first.
 * No race. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int second_number, v, printed;

static void *one(void *unused) {
    v = 1;
    rand();
    return unused;
}

static void *two(void *unused) {
    if (rand() == second_number)
        printed = v;
    return unused;
}

int main(void) {
    srand(7);
    rand();
    second_number = rand();
    srand(7);
    pthread_t t1, t2;
    if (pthread_create(&t1, NULL, one, NULL) || pthread_create(&t2, NULL, two, NULL))
        return 1;
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", printed);
    return 0;
}
