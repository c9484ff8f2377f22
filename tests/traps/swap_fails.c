/* SPDX-License-Identifier: Apache-2.0 */
/* A compare-and-swap that fails only reads: it succeeds once the other thread has stored what it waits for, after the plain
 * read. */
// twin: word
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int word;
static int seen;

static void *swaps(void *unused) {
    for (int expected = 1; !atomic_compare_exchange_strong(&word, &expected, 2); expected = 1)
        ;
    return unused;
}

static void *looks(void *unused) {
#ifdef TWIN
    atomic_store(&word, 1);
    seen = *(volatile int *)&word;
#else
    seen = *(volatile int *)&word;
    atomic_store(&word, 1);
#endif
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, swaps, NULL);
    pthread_create(&threads[1], NULL, looks, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return seen == 3;
}
