// SPDX-License-Identifier: Apache-2.0
// A barrier of the machine's own, an intrinsic: it orders what relaxed atomics are around, as a fence does. The twin has none
// behind the load.
// twin: data
// exact: the language's rules are asked of the recorded run
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifdef __aarch64__
#include <arm_acle.h>
#define BARRIER() __dmb(0xb) /* ish */
#else
#include <emmintrin.h>
#define BARRIER() _mm_mfence()
#endif

static atomic_int ready;
static int data;

static void *publishes(void *unused) {
    data = 1;
    BARRIER();
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *looks(void *unused) {
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
#ifndef TWIN
    BARRIER();
#endif
    printf("%d\n", data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, NULL, publishes, NULL) || pthread_create(&two, NULL, looks, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
