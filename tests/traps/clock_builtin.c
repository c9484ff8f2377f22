// SPDX-License-Identifier: Apache-2.0
// A counter of the machine's, read by a builtin function of the compiler, not by assembly (clock_assembly.c): under a lock one
// thread writes as long as its time has not come, and the other has found there that it has, so nobody writes any more. The
// twin does not wait for that.
// twin: owned
// exact: the race is between two recorded accesses
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long deadline;
static int owned;

static unsigned long ticks(void) { return __builtin_readcyclecounter(); }

static unsigned long ticks_by_name(void) {
#ifdef __aarch64__
    return __builtin_arm_rsr64("cntvct_el0");
#else
    unsigned processor;
    return __builtin_ia32_rdtscp(&processor);
#endif
}

static void *writes(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        if (ticks() < deadline)
            owned++;
        pthread_mutex_unlock(&lock);
        usleep(2000); // orders nothing: so that both answers are in the run
    }
    return unused;
}

static void *waits(void *unused) {
    for (int has_come = 0; !has_come;) {
        pthread_mutex_lock(&lock);
        has_come = ticks_by_name() >= deadline;
        pthread_mutex_unlock(&lock);
#ifdef TWIN
        break;
#endif
        usleep(1000);
    }
    owned = -1;
    return unused;
}

int main(void) {
    pthread_t first, second;
    const unsigned long began = ticks();
    usleep(5000);
    deadline = 2 * ticks() - began;
#ifdef TWIN
    deadline = ~0ul;
#endif
    if (pthread_create(&first, NULL, writes, NULL) || pthread_create(&second, NULL, waits, NULL))
        return 1;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
