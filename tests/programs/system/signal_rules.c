/* SPDX-License-Identifier: Apache-2.0 */
/* What sigaction promises: masks during a handler, SA_NODEFER, SA_RESETHAND, SA_SIGINFO, what the old action was. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char order[64];
static volatile unsigned n_order;
static void note(char c) { order[n_order++] = c; }
static void forget(void) {
    memset(order, 0, sizeof order);
    n_order = 0;
}

static void inner(int signal) {
    (void)signal;
    note('i');
}
static void outer(int signal) {
    (void)signal;
    note('(');
    raise(SIGUSR2);
    note(')');
}

static volatile int depth, deepest, calls;
static void again(int signal) {
    if (++depth > deepest)
        deepest = depth;
    if (++calls < 3)
        raise(signal);
    depth--;
}

static siginfo_t seen;
static void with_info(int signal, siginfo_t *info, void *context) {
    CHECK(context && signal == info->si_signo);
    seen = *info;
    errno = ENOTTY;
}

static void set(int signal, void (*handler)(int), int flags, int masked) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (masked)
        sigaddset(&action.sa_mask, masked);
    CHECK(!sigaction(signal, &action, NULL));
}

int main(void) {
    set(SIGUSR2, inner, 0, 0);
    set(SIGUSR1, outer, 0, 0);
    raise(SIGUSR1);
    CHECK(!strcmp(order, "(i)"));
    set(SIGUSR1, outer, 0, SIGUSR2);
    forget();
    raise(SIGUSR1);
    CHECK(!strcmp(order, "()i"));

    set(SIGUSR1, again, SA_NODEFER, 0);
    raise(SIGUSR1);
    CHECK(deepest == 3);
    deepest = calls = 0;
    set(SIGUSR1, again, 0, 0); /* blocked in its own handler: one after the other */
    raise(SIGUSR1);
    CHECK(deepest == 1 && calls == 3);

    forget();
    set(SIGUSR1, inner, (int)SA_RESETHAND, 0);
    raise(SIGUSR1);
    struct sigaction now;
    CHECK(!sigaction(SIGUSR1, NULL, &now) && now.sa_handler == SIG_DFL && !strcmp(order, "i"));

    struct sigaction action = {.sa_sigaction = with_info, .sa_flags = SA_SIGINFO};
    CHECK(!sigaction(SIGRTMIN, &action, NULL) && !sigaction(SIGRTMIN, NULL, &now));
    CHECK(now.sa_sigaction == with_info && now.sa_flags & SA_SIGINFO);
    errno = EDOM;
    CHECK(!sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 77}));
    CHECK(seen.si_value.sival_int == 77 && seen.si_pid == getpid() && errno == ENOTTY);

    sigset_t all, old;
    sigfillset(&all);
    CHECK(!sigprocmask(SIG_SETMASK, &all, &old) && !sigismember(&old, SIGSEGV));
    static char fresh[1 << 20]; /* memory that is touched while everything is blocked */
    for (int i = 0; i < 1 << 20; i += 512)
        fresh[i] = 1;
    forget();
    raise(SIGUSR2);
    CHECK(!order[0]);
    sigset_t pending;
    CHECK(!sigpending(&pending) && sigismember(&pending, SIGUSR2));
    CHECK(!sigprocmask(SIG_SETMASK, &old, &all) && sigismember(&all, SIGSEGV) && !strcmp(order, "i"));

    CHECK(signal(SIGUSR1, SIG_IGN) == SIG_DFL && !raise(SIGUSR1) && signal(SIGUSR1, inner) == SIG_IGN);
    CHECK(signal(SIGKILL, inner) == SIG_ERR && errno == EINVAL && sigaction(999, NULL, &now) == -1);
    CHECK(signal(SIGSEGV, inner) == SIG_DFL && !raise(SIGSEGV) && !strcmp(order, "ii"));
    puts("signal_rules: fine");
}
