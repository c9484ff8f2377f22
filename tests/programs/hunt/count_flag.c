/* SPDX-License-Identifier: Apache-2.0 */
/* One thread writes 1, 2 and 3 to a flag, and `v` between 2 and 3; the other one reads the flag once, and `v` if it is
 * 2. So the flag is 0, 1, 2 or 3; where it is 2, `v` is 0 or 7, and that is a race.
 */
/* classes: 5 */
/* outcomes: "0 -1" "1 -1" "2 0" "2 7" "3 -1" */
/* expect: race v publish/look */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;
static int v;

static void *publish(void *unused) {
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
#ifndef CLEAN
    v = 7;
#endif
    atomic_store(&flag, 3);
    return unused;
}

static void *look(void *seen) {
    int *its = seen;
    its[0] = atomic_load(&flag);
    its[1] = its[0] == 2 ? v : -1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int seen[2];
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, seen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", seen[0], seen[1]);
}
