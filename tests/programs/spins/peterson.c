/* Peterson's lock, for two. */
#define THREADS 2
#include "lock.h"
#ifndef COND
static atomic_int want[2], last;
static void lock(int me) {
    want[me] = 1;
    last = me;
    while (want[!me] && last == me)
        ;
}
static void unlock(int me) { want[me] = 0; }
#endif
