/* SPDX-License-Identifier: Apache-2.0 */
/* What the litmus tests of c11 have in common. A program has three threads, T1 to T3, or four (FOUR), that run in this order where
 * a thread runs as long as it can. Memory orders are macros. A line '// clean: -D…' says with which of them the
 * standard knows no race in any run, '// racy: N -D…' with which of them the run T1, T2, T3 has N, '// later: N -D…' with which of them
 * another run has N (tests/cli/c11.sh). */
#ifndef LITMUS_H
#define LITMUS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDER_(order)  memory_order_##order
#define ORDER(order)   ORDER_(order) /* relaxed … seq_cst */
#define STORE(x, v, o) atomic_store_explicit(&(x), v, ORDER(o))
#define LOAD(x, o)     atomic_load_explicit(&(x), ORDER(o))
#define FENCE(o)       atomic_thread_fence(ORDER(o))

static void T1(void);
static void T2(void);
static void T3(void);
#ifdef FOUR
static void T4(void);
#else
static void T4(void) {}
#endif

static void *first(void *unused) {
    T1();
    return unused;
}

static void *second(void *unused) {
    T2();
    return unused;
}

static void *third(void *unused) {
    T3();
    return unused;
}

static void *fourth(void *unused) {
    T4();
    return unused;
}

int main(void) {
    void *(*const all[])(void *) = {first, second, third, fourth};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, all[i], NULL))
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

#endif
