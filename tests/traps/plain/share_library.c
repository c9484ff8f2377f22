// SPDX-License-Identifier: Apache-2.0
// Code that is not recorded, and asks for a timer and a handler, or waits for a signal.
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

int runs_timer(void) {
    struct itimerval now = {0};
    return !getitimer(ITIMER_PROF, &now) && now.it_value.tv_sec;
}

int has_handler(int number) {
    struct sigaction now = {0};
    return !sigaction(number, NULL, &now) && now.sa_handler != SIG_DFL;
}

void waits_for(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigwait(&set, &number);
}
