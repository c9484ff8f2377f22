/* SPDX-License-Identifier: Apache-2.0 */
/* A program as the pass would make it, for tests of the runtime alone: by_hand SCENARIO. */
#include "by_hand.h"

#include "runtime/runtime.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile uint64_t x, flag, order;
static int ends[2];

static void *count(void *argument) {
    BY_HAND_ENTRY(count, argument);
    for (int i = 0; i < 1000; i++) {
        bool precise = by_hand_reserve(2);
        uint64_t v = by_hand_load(&x, 2, precise);
        by_hand_store(&x, v + 1, 1, precise);
        by_hand_tick();
    }
    BY_HAND_RETURN(argument);
}

static void *spin(void *argument) {
    BY_HAND_ENTRY(spin, argument);
    while (!by_hand_load(&flag, 1, by_hand_reserve(1)))
        by_hand_tick();
    BY_HAND_RETURN(argument);
}

static pthread_t create(void *(*f)(void *), void *argument) {
    pthread_t t;
    if (BY_HAND_CALL(pthread_create, pthread_create(&t, NULL, f, argument)))
        abort();
    return t;
}

static void join(pthread_t t, void *expected) {
    void *result;
    if (BY_HAND_CALL(pthread_join, pthread_join(t, &result)) || result != expected)
        abort();
}

/* Two threads that race, and one that spins until both are done. */
static void counter(void) {
    pthread_t s = create(spin, NULL), a = create(count, (void *)1), b = create(count, (void *)2);
    join(a, (void *)1);
    join(b, (void *)2);
    by_hand_store(&flag, 1, 1, by_hand_reserve(1));
    join(s, NULL);
    printf("%d\n", x >= 1000 && x <= 2000);
}

static void many(void) {
    static pthread_t threads[1000];
    for (uintptr_t i = 0; i < 1000; i++)
        threads[i] = create(count, (void *)i);
    for (uintptr_t i = 0; i < 1000; i++)
        join(threads[i], (void *)i);
}

/* A call that blocks and that nobody intercepts. */
static long read_unknown(void) {
    char c;
    return syscall(SYS_preadv2, ends[0], &(struct iovec){&c, 1}, 1L, -1L, -1L, 0L); /* where it stands */
}
static long write_unknown(void) { return syscall(SYS_pwritev2, ends[1], &(struct iovec){"x", 1}, 1L, -1L, -1L, 0L); }

static void *reader(void *argument) {
    BY_HAND_ENTRY(reader, argument);
    long n = BY_HAND_CALL(read_unknown, read_unknown());
    BY_HAND_RETURN((void *)n);
}

static void outside(void) {
    if (pipe(ends))
        abort();
    pthread_t t = create(reader, NULL);
    for (int i = 0; i < 100; i++) /* more than a quantum: the reader gets its turn and blocks */
        by_hand_tick();
    if (BY_HAND_CALL(write_unknown, write_unknown()) != 1)
        abort();
    join(t, (void *)1);
    printf("1\n");
}

/* What an interceptor does. */
static int wait_for(uint64_t key) {
    rcp_thread *self = rcp_inside();
    rcp_woken how = self ? rcp_wait_on(self, key, RCP_NO_DEADLINE) : RCP_WOKEN;
    if (self)
        rcp_outside(self);
    return how;
}
static int wake(uint64_t key, unsigned n) {
    rcp_thread *self = rcp_inside();
    unsigned woken = self ? rcp_wake(key, n) : 0;
    if (self)
        rcp_outside(self);
    return (int)woken;
}
static int yield(void) {
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_yield(self);
        rcp_outside(self);
    }
    return 0;
}

static void *waiter(void *argument) {
    BY_HAND_ENTRY(waiter, argument);
    BY_HAND_CALL(wait_for, wait_for(77));
    bool precise = by_hand_reserve(2);
    uint64_t v = by_hand_load(&order, 2, precise);
    by_hand_store(&order, v * 10 + (uintptr_t)argument, 1, precise);
    BY_HAND_RETURN(argument);
}

/* First come, first woken. */
static void wakes(void) {
    pthread_t t[3];
    for (uintptr_t i = 0; i < 3; i++)
        t[i] = create(waiter, (void *)(i + 1));
    int woken = 0;
    for (int i = 0; i < 10; i++)
        BY_HAND_CALL(yield, yield());
    woken += BY_HAND_CALL(wake, wake(77, 2));
    for (int i = 0; i < 10; i++)
        BY_HAND_CALL(yield, yield());
    woken += BY_HAND_CALL(wake, wake(77, RCP_WAKE_ALL));
    for (uintptr_t i = 0; i < 3; i++)
        join(t[i], (void *)(i + 1));
    printf("%d %d\n", woken, (int)order);
}

static void deadlock(void) {
    pthread_t t = create(waiter, NULL);
    join(t, NULL);
}

static int compare(const void *a, const void *b) {
    BY_HAND_ENTRY(compare, a);
    bool precise = by_hand_reserve(2);
    uint64_t va = by_hand_load((volatile uint64_t *)(uintptr_t)a, 2, precise);
    uint64_t vb = by_hand_load((volatile uint64_t *)(uintptr_t)b, 1, precise);
    BY_HAND_RETURN((va > vb) - (va < vb));
}

static int sort(uint64_t *values, size_t n) {
    qsort(values, n, sizeof *values, compare);
    return 0;
}

static void callbacks(void) {
    static uint64_t values[100];
    for (uint64_t i = 0; i < 100; i++)
        by_hand_store(&values[i], i * 37 % 100, 1, by_hand_reserve(1));
    BY_HAND_CALL(sort, sort(values, 100));
    uint64_t right = 0;
    for (uint64_t i = 0; i < 100; i++)
        right += by_hand_load(&values[i], 1, by_hand_reserve(1)) == i;
    printf("%d\n", (int)right);
}

static int poke_outside(void) {
    x = 4242; /* behind the shadow's back */
    return 0;
}

static void misses(void) {
    by_hand_store(&x, 1, 1, by_hand_reserve(1));
    BY_HAND_CALL(poke_outside, poke_outside());
    uint64_t a = by_hand_load(&x, 1, by_hand_reserve(1)), b = by_hand_load(&x, 1, by_hand_reserve(1));
    printf("%d\n", a == 4242 && b == 4242);
}

/* A thread that our pthread_create did not see. */
static int strange_thread(void) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
    pthread_t t;
    void *result;
    if (!real || real(&t, NULL, count, (void *)5))
        abort();
    return pthread_join(t, &result) || result != (void *)5;
}

static void strange(void) { printf("%d\n", BY_HAND_CALL(strange_thread, strange_thread())); }

static void forks(void) {
    pthread_t t = create(spin, NULL);
    by_hand_store(&x, 7, 1, by_hand_reserve(1));
    if (!BY_HAND_CALL(fork, fork())) {
        by_hand_store(&flag, by_hand_load(&x, 1, by_hand_reserve(1)), 1, by_hand_reserve(1));
        pthread_t c = create(count, NULL);
        join(c, NULL);
        return;
    }
    by_hand_store(&flag, 1, 1, by_hand_reserve(1));
    join(t, NULL);
}

int main(int argc, char **argv) {
    BY_HAND_ENTRY(main, argc);
    static const struct {
        const char *name;
        void (*run)(void);
    } scenarios[] = {{"counter", counter}, {"many", many},         {"outside", outside},
                     {"wakes", wakes},     {"deadlock", deadlock}, {"callbacks", callbacks},
                     {"misses", misses},   {"strange", strange},   {"forks", forks}};
    for (size_t i = 0; argc > 1 && i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(argv[1], scenarios[i].name)) {
            scenarios[i].run();
            BY_HAND_RETURN(0);
        }
    BY_HAND_RETURN(2);
}
