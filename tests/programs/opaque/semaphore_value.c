/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks for a semaphore's value sees that it was posted.
 * expect: none */
#include "threads.h"
#include <semaphore.h>

int X;
static sem_t posted;
static void *first(void *unused) {
    X = 1;
    sem_post(&posted);
    return unused;
}
static void *second(void *unused) {
    int value = 0;
    sem_getvalue(&posted, &value);
    return value ? (char *)unused + 0 * X : unused;
}

int main(void) {
    sem_init(&posted, 0, 0);
    run((void *(*const[])(void *)){first, second}, 2);
    return 0;
}
