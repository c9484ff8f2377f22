/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic structs that no machine reads or writes in one step: whoever comes first, the sums are the same, and all members
 * are of one value. Functions that begin with m_ can be left out of the recording. flags: -latomic */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct three {
    long a, b, c;
} three;
typedef struct odd {
    char text[19];
} odd;

static _Atomic three all;
static _Atomic odd letters;
static _Atomic three last;
static _Atomic int torn;

static void look(three t) {
    if (t.b != 2 * t.a || t.c != 3 * t.a)
        torn = 1;
}

static void add(long n) {
    three old = atomic_load_explicit(&all, memory_order_relaxed), new;
    do {
        look(old);
        new = (three){old.a + n, old.b + 2 * n, old.c + 3 * n};
    } while (!atomic_compare_exchange_weak_explicit(&all, &old, new, memory_order_acq_rel, memory_order_relaxed));
}

void m_add(long n);
__attribute__((noinline)) void m_add(long n) {
    three old = all, new;
    do
        new = (three){old.a + n, old.b + 2 * n, old.c + 3 * n};
    while (!atomic_compare_exchange_strong(&all, &old, new));
    look(old);
}

static void *work(void *argument) {
    long k = (long)argument;
    for (int i = 0; i < 40; i++) {
        add(i + k);
        m_add(1);
        odd now = letters, next = now;
        for (int at = 0; at < 19; at++)
            if (now.text[at] != now.text[0])
                torn = 1;
            else
                next.text[at]++;
        while (!atomic_compare_exchange_strong(&letters, &now, next))
            for (int at = 0; at < 19; at++)
                next.text[at] = (char)(now.text[at] + 1);
        three before = atomic_exchange(&last, ((three){i, 2 * i, 3 * i}));
        look(before);
        atomic_store_explicit(&last, before, memory_order_release);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long k = 0; k < 3; k++)
        pthread_create(&threads[k], NULL, work, (void *)k);
    for (int k = 0; k < 3; k++)
        pthread_join(threads[k], NULL);
    three sum = all;
    odd o = letters;
    printf("%ld %ld %ld %d %d\n", sum.a, sum.b, sum.c, o.text[0] == o.text[18] ? o.text[0] : -1, torn);
    return 0;
}
