/* SPDX-License-Identifier: Apache-2.0 */
/* Each of two threads writes one variable and reads the other one. Either read may take the first value or the other
 * thread's, but not both the first value: whose write comes last, his read comes after the other write.
 */
/* classes: 3 */
/* outcomes: "0 1" "1 0" "1 1" */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;

static void *left(void *seen) {
    atomic_store(&x, 1);
    *(int *)seen = atomic_load(&y);
    return NULL;
}

static void *right(void *seen) {
    atomic_store(&y, 1);
    *(int *)seen = atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int of_y, of_x;
    pthread_create(&a, NULL, left, &of_y);
    pthread_create(&b, NULL, right, &of_x);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", of_y, of_x);
}
