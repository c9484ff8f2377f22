// SPDX-License-Identifier: Apache-2.0
// TSan's annotations: a relaxed flag publishes nothing by the language's rules, and the program says that it does, by what it
// knows of its machine. The twin says only the half of it.
// twin: data
#include <pthread.h>
#include <stdatomic.h>

void __tsan_acquire(void *at);
void __tsan_release(void *at);

static atomic_int ready;
static int data;

static void *publishes(void *unused) {
    data = 42;
    __tsan_release(&ready);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, publishes, NULL))
        return 1;
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
#ifndef TWIN
    __tsan_acquire(&ready);
#endif
    const int seen = data;
    pthread_join(thread, NULL);
    return seen != 42;
}
