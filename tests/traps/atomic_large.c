// SPDX-License-Identifier: Apache-2.0
// A struct that is too large for the machine's atomics is read as a whole all the same, and whoever finds the writer's second value
// comes after what that did before it. A compare-and-swap that fails only reads: a plain read beside it is none of its business.
// The twin writes once more.
// twin: one
// flags: -latomic -w
#include <pthread.h>
#include <stdatomic.h>

typedef struct three {
    long a, b, c;
} three;

static _Atomic three all, never;
static int one, other;

static void *writer(void *unused) {
    three seven = {1, 0, 0};
    atomic_store(&all, ((three){1, 0, 1}));
    one = 1;
    other = 1;
    if (atomic_compare_exchange_strong(&never, &seven, ((three){0, 0, 0})))
        other = 5;
    three before = atomic_exchange(&all, ((three){2, 0, 2}));
#ifdef TWIN
    one = (int)before.a;
#else
    (void)before;
#endif
    return unused;
}

static void *reader(void *unused) {
    three now = atomic_load(&all);
    if (now.a == 2 && now.c == 1) /* half of one value and half of another are no value */
        other = 3;
    if (now.a == 2)
        one = 2;
    if (((volatile three *)&never)->b != 7)
        other = 4;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    atomic_init(&never, ((three){7, 7, 7}));
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
