/* SPDX-License-Identifier: Apache-2.0 */
/* What comes after the barrier is not ordered by it. */
#include "threads.h"

static pthread_barrier_t together;
static int before[2], after;

static void *half(void *which) {
    int i = *(int *)which;
    before[i] = i + 1;
    pthread_barrier_wait(&together);
    after += before[!i];
    return NULL;
}

int main(void) {
    static int first = 0, second = 1;
    pthread_barrier_init(&together, NULL, 2);
    pthread_t a = begin(half, &first), b = begin(half, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", after);
    return 0;
}
