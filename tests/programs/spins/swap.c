/* A lock by swapping a word until it was free; and, with -DCAS, by comparing it first. */
#include "lock.h"
#ifndef COND
static atomic_int taken;
static void lock(int me) {
    (void)me;
#ifdef CAS
    int expected = 0;
    while (!atomic_compare_exchange_weak(&taken, &expected, 1))
        expected = 0;
#else
    while (atomic_exchange(&taken, 1))
        ;
#endif
}
static void unlock(int me) {
    (void)me;
    taken = 0;
}
#endif
