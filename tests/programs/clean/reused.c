/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 11: the same address later is another location: blocks that are freed and given out again, the stack and
 * the thread-local variables of a thread that has ended. */
#define OWN_MAIN
#include "trap.h"

static __thread int own;

static void use(void) {
    volatile int local[4] = {1, 2, 3, 4};
    own++;
    for (int i = 0; i < 3; i++) {
        int *block = malloc(64);
        if (!block)
            abort();
        block[i] = local[i];
        own += block[i];
        free(block);
    }
}

static void T1(void) {
    pthread_mutex_lock(&m);
    use();
    pthread_mutex_unlock(&m);
    ONLY_RACY(v++;)
}
static void T2(void) { T1(); }

int main(void) {
    pthread_t threads[2];
    for (int round = 0; round < 3; round++) {
        if (pthread_create(&threads[0], NULL, first, NULL) || pthread_create(&threads[1], NULL, second, NULL))
            return 1;
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    printf("%d\n", v);
    return 0;
}
