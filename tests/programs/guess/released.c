/* SPDX-License-Identifier: Apache-2.0 */
/* A library counts who uses a block, and whoever is the last to release it frees it; the twin writes to it once more. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void beside_release(int *references, void *block);

static int references = 2;
static int *block;

static void *use(void *unused) {
    block[1] = 9;
#ifdef TWIN
    beside_release(&references, block);
    block[3] = 9;
#else
    block[3] = 9;
    beside_release(&references, block);
#endif
    return unused;
}

static void *release(void *unused) {
    beside_release(&references, block);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    block = calloc(16, sizeof *block);
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, release, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", references);
    return 0;
}
