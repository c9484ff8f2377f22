/* SPDX-License-Identifier: Apache-2.0 */
/* race: free */
/* refused: in some recorded runs it reads what was freed, on which nobody can rely */
/* One thread uses a block that another one frees, without a word between them. */
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *reader(void *unused) {
    int *mine = __atomic_load_n(&block, __ATOMIC_RELAXED);
    if (mine)
        mine[3]++;
    return unused;
}

int main(void) {
    pthread_t a;
    int *mine = malloc(64);
    mine[3] = 5;
    __atomic_store_n(&block, mine, __ATOMIC_RELEASE);
    pthread_create(&a, NULL, reader, NULL);
    free(mine);
    pthread_join(a, NULL);
    return 0;
}
