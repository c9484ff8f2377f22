/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics of 128 bits, and small ones that are out of line: where the machine has no instruction for them the compiler
 * calls libatomic. Whoever comes first, the sums are the same. flags: -latomic */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct pair {
    long a, b;
} pair;

static struct __attribute__((packed)) beside {
    char c;
    _Atomic short s;
    _Atomic int i;
    _Atomic long l;
    _Atomic __int128 x;
} beside;
static _Atomic __int128 wide = (__int128)7 << 60;
static _Atomic pair both, last[2];

static void add(long a, long b, memory_order success, memory_order failure) {
    pair old = atomic_load_explicit(&both, memory_order_relaxed), new;
    do
        new = (pair){old.a + a, old.b - b};
    while (!atomic_compare_exchange_weak_explicit(&both, &old, new, success, failure));
}

static void *work(void *argument) {
    long k = (long)argument;
    /* The compiler does not know these. */
    volatile memory_order orders[] = {memory_order_relaxed, memory_order_acquire, memory_order_release,
                                      memory_order_acq_rel, memory_order_seq_cst};
    for (int i = 0; i < 25; i++) {
        wide += ((__int128)i << 62) + k;
        wide ^= (__int128)1 << (k + 100);
        add(i, k + 1, orders[i % 5], orders[i % 2]);
        beside.s += 3;
        beside.i -= 5;
        beside.l += i;
        beside.x += (__int128)i << 61;
        if (!(i % 4))
            last[k] = both;
        pair before = atomic_exchange_explicit(&last[k], (pair){i, k}, orders[i % 5]);
        add(before.a < 0, 0, memory_order_acq_rel, memory_order_relaxed);
    }
    __int128 none = 0, expected = wide;
    if (atomic_compare_exchange_strong(&beside.x, &none, 1) || none == 0)
        return argument; /* it is more than that: the sum would be another */
    while (!atomic_compare_exchange_strong(&wide, &expected, expected + 11))
        ;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    void *result[2];
    for (long k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, (void *)k);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], &result[k]);
    __int128 sum = wide, x = beside.x;
    pair p = both, q[2] = {last[0], last[1]};
    printf("%lx %lx %lx %lx\n", (long)(sum >> 64), (long)sum, (long)(x >> 64), (long)x);
    printf("%ld %ld %ld %ld %ld %ld\n", p.a, p.b, q[0].a, q[0].b, q[1].a, q[1].b);
    printf("%d %d %ld %d\n", beside.s, beside.i, (long)beside.l, result[0] || result[1]);
    return 0;
}
