/* Not recorded: a thread of the system's alone, which sets the word after a while. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
static _Alignas(16) char stack[65536];
static int set(void *word) {
    struct timespec while_ = {0, 200000000};
    nanosleep(&while_, NULL);
    atomic_store((atomic_int *)word, 1);
    return 0;
}
void set_later(atomic_int *word) {
    if (clone(set, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES, word) < 0)
        abort();
}
