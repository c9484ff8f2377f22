// SPDX-License-Identifier: Apache-2.0
// Who has read says so by a relaxed store, and who sees that closes the descriptor: the call is over by then, whatever
// the memory order, and a descriptor is no memory of the language's.
// twin: descriptor
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int is_read;

static void *reader(void *unused) {
    char c;
    if (read(ends[0], &c, 1) == 1)
        atomic_store_explicit(&is_read, 1, memory_order_relaxed);
    return unused;
}

static void *closer(void *unused) {
#ifndef TWIN
    if (!atomic_load_explicit(&is_read, memory_order_relaxed))
        return unused;
#endif
    close(ends[0]);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    if (pipe(ends) || write(ends[1], "x", 1) != 1)
        return 1;
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, closer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
