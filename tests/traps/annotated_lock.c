// SPDX-License-Identifier: Apache-2.0
// A lock of the program's own whose orders are too weak, and that is said to be one: by functions that do nothing, which the
// program has itself, as dynamic_annotations.c has them. The twin's second thread says nothing.
// twin: count
#include <pthread.h>
#include <stdatomic.h>

__attribute__((noinline)) void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long is_write) {
    (void)file, (void)line, (void)lock, (void)is_write;
}
__attribute__((noinline)) void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long is_write) {
    (void)file, (void)line, (void)lock, (void)is_write;
}

static atomic_int lock;
static int count;

static void *counts(void *quiet) {
    for (int i = 0; i < 3; i++) {
        while (atomic_exchange_explicit(&lock, 1, memory_order_relaxed))
            ;
        if (!quiet)
            AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
        count++;
        if (!quiet)
            AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
        atomic_store_explicit(&lock, 0, memory_order_relaxed);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    void *quiet = NULL;
#ifdef TWIN
    quiet = &second;
#endif
    if (pthread_create(&first, NULL, counts, NULL) || pthread_create(&second, NULL, counts, quiet))
        return 1;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return count != 6;
}
