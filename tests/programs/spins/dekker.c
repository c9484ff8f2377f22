/* Dekker's lock, for two. */
#define THREADS 2
#include "lock.h"
#ifndef COND
static atomic_int want[2], turn;
static void lock(int me) {
    want[me] = 1;
    while (want[!me])
        if (turn != me) {
            want[me] = 0;
            while (turn != me)
                ;
            want[me] = 1;
        }
}
static void unlock(int me) {
    turn = !me;
    want[me] = 0;
}
#endif
