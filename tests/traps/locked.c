// SPDX-License-Identifier: Apache-2.0
// Locked instructions that somebody has written as inline assembly are atomic accesses: a lock is made of them, a flag is handed over,
// and a count is what decides who comes last. The twin writes once more, after it has let go.
// twin: shared
#include <pthread.h>

static int lock, ready, users = 2, shared, handed, last;

#ifdef __x86_64__
static int compare_and_swap(int *at, int expected, int desired) {
    int was;
    __asm__ __volatile__("lock; cmpxchg %2, %1;" : "=a"(was), "+m"(*(volatile int *)at) : "r"(desired), "0"(expected) : "memory");
    return was;
}
static int exchange(int *at, int value) {
    __asm__ __volatile__("xchgl %0, %1" : "=r"(value), "=m"(*at) : "0"(value), "m"(*at) : "memory");
    return value;
}
static int add(int *at, int value) {
    __asm__ __volatile__("lock\n\txaddl %0,%1" : "+r"(value), "+m"(*at) : : "memory", "cc");
    return value;
}
static int decrement_is_last(int *at) {
    unsigned char is;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*at), "=qm"(is) : : "memory");
    return is;
}
static int or_was_none(int *at) {
    int is;
    __asm__ __volatile__("lock orl %2, %0" : "+m"(*at), "=@ccnz"(is) : "ir"(1) : "memory");
    return is;
}
#else
static int compare_and_swap(int *at, int expected, int desired) { return __sync_val_compare_and_swap(at, expected, desired); }
static int exchange(int *at, int value) { return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST); }
static int add(int *at, int value) { return __sync_fetch_and_add(at, value); }
static int decrement_is_last(int *at) { return !__sync_sub_and_fetch(at, 1); }
static int or_was_none(int *at) { return __sync_or_and_fetch(at, 1) != 0; }
#endif

static void enter(void) {
    while (compare_and_swap(&lock, 0, 1))
        ;
}

static void leave(void) { exchange(&lock, 0); }

static void *work(void *number) {
    enter();
    shared++;
    leave();
    if (number) {
        handed = 1;
        or_was_none(&ready);
    } else if (add(&ready, 0))
        handed++;
    if (decrement_is_last(&users))
        last++;
#ifdef TWIN
    shared++;
#endif
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, i ? &shared : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return last != 1;
}
