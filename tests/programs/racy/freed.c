/* SPDX-License-Identifier: Apache-2.0 */
/* Used while somebody else frees it. */
#include "threads.h"

#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *block, uses;

static void *user(void *unused) {
    block[3] = 9;
    pthread_mutex_lock(&mutex);
    uses++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *owner(void *unused) {
    pthread_mutex_lock(&mutex);
    uses++;
    pthread_mutex_unlock(&mutex);
    free(block);
    return unused;
}

int main(void) {
    block = calloc(16, sizeof *block);
    run_both(user, owner);
    printf("%d\n", uses);
    return 0;
}
