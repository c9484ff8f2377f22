// SPDX-License-Identifier: Apache-2.0
// membarrier: one of two threads needs no fence of its own because the other makes everybody have one. The twin looks at
// the data without asking whether it is still there.
// twin: data
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int reading, retired;
static int data = 1;

static void *reader(void *unused) {
    atomic_store_explicit(&reading, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
#ifdef TWIN
    printf("%d\n", data);
#else
    if (!atomic_load_explicit(&retired, memory_order_relaxed))
        printf("%d\n", data);
#endif
    atomic_store_explicit(&reading, 0, memory_order_release);
    return unused;
}

static void *retires(void *unused) {
    atomic_store_explicit(&retired, 1, memory_order_relaxed);
#ifndef TWIN
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
        return NULL;
    while (atomic_load_explicit(&reading, memory_order_acquire))
        ;
#endif
    data = 2;
    return unused;
}

int main(void) {
    pthread_t one, two;
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) ||
        pthread_create(&one, NULL, reader, NULL) || pthread_create(&two, NULL, retires, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
