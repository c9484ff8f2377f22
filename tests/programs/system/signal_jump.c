/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers that are left by siglongjmp: out of a loop that would never end, and out of a fault. */
#define _GNU_SOURCE
#include "check.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static sigjmp_buf out;
static void leave(int signal) { siglongjmp(out, signal); }

static volatile unsigned long spun;
static void spin_until_alarm(void) {
    struct itimerval soon = {{0, 0}, {0, 1000}};
    if (!sigsetjmp(out, 1)) {
        setitimer(ITIMER_REAL, &soon, NULL);
        for (;;)
            spun++;
    }
}

static volatile char *bad;
static int faults;
static char touch(void) {
    volatile int local = 7;
    switch (sigsetjmp(out, 1)) {
    case 0: return *bad;
    case SIGSEGV: faults++; break;
    default: CHECK(0);
    }
    CHECK(local == 7);
    return 'c';
}

int main(void) {
    signal(SIGALRM, leave);
    for (int i = 0; i < 20; i++)
        spin_until_alarm();
    sigset_t now;
    CHECK(!sigprocmask(SIG_BLOCK, NULL, &now) && !sigismember(&now, SIGALRM));

    signal(SIGSEGV, leave);
    for (int i = 0; i < 20; i++)
        CHECK(touch() == 'c');
    bad = (volatile char *)(0x10 + 4096 * 3);
    CHECK(touch() == 'c');
    printf("signal_jump: %d faults\n", faults);
}
