/* SPDX-License-Identifier: Apache-2.0 */
/* Two readers share the lock, and both write. */
#include "threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits, table = 3;

static void *look(void *unused) {
    pthread_rwlock_rdlock(&lock);
    if (table == 3)
        hits++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    run_both(look, look);
    pthread_rwlock_wrlock(&lock);
    table = 4;
    pthread_rwlock_unlock(&lock);
    printf("%d\n", hits);
    return 0;
}
