/* SPDX-License-Identifier: Apache-2.0 */
/* What the program calls about signals: handlers, masks, stacks for handlers (signal.h has the rules).
 *
 * raise, kill and their kin are made outside, where a handler runs at once; a thread that may get the signal itself is
 * known as its sender meanwhile (ids.c has those that name a process). */
#include "runtime/signal.h"

#include "runtime/block.h"
#include "runtime/thread.h"
#include "runtime/world.h"

#include <string.h>
#include <sys/signalfd.h>

RCP_REAL_DEFINE(sigprocmask)
RCP_REAL_DEFINE(pthread_sigmask)
RCP_REAL_DEFINE(signalfd)
RCP_REAL_DEFINE(sigpending)
RCP_REAL_DEFINE(raise)
RCP_REAL_DEFINE(pthread_kill)
RCP_REAL_DEFINE(pthread_sigqueue)
RCP_REAL_DECLARE(sigaltstack)

#define STACK_SIZE 65536

/* Of the calling thread, as the program sees it. */
static __thread bool blocks_segv __attribute__((tls_model("initial-exec")));
static __thread stack_t programs_stack __attribute__((tls_model("initial-exec")));
static __thread struct own_stack {
    struct own_stack *next;
} *own_stack __attribute__((tls_model("initial-exec")));

/* Stacks of threads that have ended. */
static struct own_stack *unused;
static rcp_sys_lock unused_lock;

const sigset_t *rcp_signal_allowed(const sigset_t *mask, sigset_t *room) {
    if (!mask)
        return NULL;
    *room = *mask;
    sigdelset(room, SIGSEGV);
    return room;
}

static void install_own_stack(void) {
    stack_t s = {.ss_sp = own_stack, .ss_size = STACK_SIZE};
    RCP_REAL(sigaltstack)(&s, NULL);
}

void rcp_signal_thread_begin(void) {
    if (RCP_REAL(sigaltstack)(NULL, &programs_stack) || !(programs_stack.ss_flags & SS_DISABLE))
        return; /* it was here before us, with a stack of its own */
    rcp_sys_acquire(&unused_lock);
    own_stack = unused;
    if (own_stack)
        unused = own_stack->next;
    rcp_sys_release(&unused_lock);
    if (!own_stack)
        own_stack = rcp_sys_map(0, STACK_SIZE);
    if (own_stack)
        install_own_stack();
}

void rcp_signal_thread_end(void) {
    struct own_stack *mine = own_stack;
    stack_t none = {.ss_flags = SS_DISABLE};
    if (!mine || RCP_REAL(sigaltstack)(&none, NULL)) /* refused: the thread ends on it */
        return;
    own_stack = NULL;
    rcp_sys_acquire(&unused_lock);
    mine->next = unused;
    unused = mine;
    rcp_sys_release(&unused_lock);
}

RCP_INTERCEPT int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return RCP_REAL(sigaltstack)(stack, old);
    stack_t real, before = programs_stack;
    int result = RCP_REAL(sigaltstack)(stack, &real);
    if (!result) {
        if (!(before.ss_flags & SS_DISABLE))
            before.ss_flags = real.ss_flags;
        if (stack) {
            programs_stack = *stack;
            if (stack->ss_flags & SS_DISABLE && own_stack)
                install_own_stack();
        }
        if (old) {
            *old = before;
            rcp_effect(old, sizeof *old);
        }
    }
    rcp_outside(self);
    return result;
}

/* While the thread is inside a signal may be deferred, and the kernel's mask is not the program's: so the real call is
 * made outside, where whatever was due has run. */
static int change_mask(int how, const sigset_t *set, sigset_t *old, bool posix_threads) {
    rcp_thread *self = rcp_inside();
    if (self)
        rcp_block_leave(self, false);
    sigset_t room, before;
    const sigset_t *allowed = rcp_signal_allowed(set, &room);
    int result =
        posix_threads ? RCP_REAL(pthread_sigmask)(how, allowed, &before) : RCP_REAL(sigprocmask)(how, allowed, &before);
    if (!result) {
        if (blocks_segv)
            sigaddset(&before, SIGSEGV);
        if (set && sigismember(set, SIGSEGV))
            blocks_segv = how != SIG_UNBLOCK;
        else if (set && how == SIG_SETMASK)
            blocks_segv = false;
        if (old)
            *old = before;
    }
    if (self) {
        rcp_block_return(self);
        if (!result && old)
            rcp_effect(old, sizeof *old);
        rcp_outside(self);
    }
    return result;
}

RCP_INTERCEPT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return change_mask(how, set, old, false);
}
RCP_INTERCEPT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
    return change_mask(how, set, old, true);
}

void rcp_signal_sends(int signal) {
    if (rcp_self)
        rcp_self->sending = signal;
}

static int to_self(pthread_t thread, int signal) { return pthread_equal(thread, pthread_self()) ? signal : 0; }

RCP_INTERCEPT int raise(int signal) { RCP_SIGNAL_SENDS(signal, RCP_REAL(raise)(signal)); }
RCP_INTERCEPT int pthread_kill(pthread_t thread, int signal) {
    RCP_SIGNAL_SENDS(to_self(thread, signal), RCP_REAL(pthread_kill)(thread, signal));
}
RCP_INTERCEPT int pthread_sigqueue(pthread_t thread, int signal, const union sigval value) {
    RCP_SIGNAL_SENDS(to_self(thread, signal), RCP_REAL(pthread_sigqueue)(thread, signal, value));
}

RCP_INTERCEPT int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict old) {
    rcp_thread *self = rcp_inside();
    if (self && action && action->sa_flags & SA_SIGINFO)
        rcp_world_ids(); /* it will be told whose signal it is */
    int result = rcp_signal_act(signal, action, old);
    if (!self) {
        rcp_signal_used();
        return result;
    }
    rcp_log_sign(RCP_SIGN_SIGNALS, self);
    if (!result && old)
        rcp_effect(old, sizeof *old);
    rcp_outside(self);
    return result;
}

RCP_INTERCEPT int sigpending(sigset_t *set) {
    rcp_signal_used();
    return RCP_REAL(sigpending)(set);
}

/* Whoever reads it takes signals by a descriptor. */
RCP_INTERCEPT int signalfd(int fd, const sigset_t *mask, int flags) {
    rcp_log_unseen(RCP_UNSEEN_SIGNALS);
    return RCP_REAL(signalfd)(fd, mask, flags);
}

static sighandler_t set_handler(int signal, sighandler_t handler, int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if (!(flags & SA_NODEFER))
        sigaddset(&action.sa_mask, signal);
    rcp_signal_used();
    return rcp_signal_act(signal, &action, &old) ? SIG_ERR : old.sa_handler;
}

static uint64_t interrupting; /* signals whose handlers end system calls: siginterrupt */

RCP_INTERCEPT sighandler_t signal(int number, sighandler_t handler) {
    bool restart = number < 1 || number > 64 || !(interrupting >> (number - 1) & 1);
    return set_handler(number, handler, restart ? SA_RESTART : 0);
}
sighandler_t bsd_signal(int number, sighandler_t handler);
RCP_INTERCEPT sighandler_t bsd_signal(int number, sighandler_t handler) { return signal(number, handler); }
RCP_INTERCEPT sighandler_t ssignal(int number, sighandler_t handler) { return signal(number, handler); }

sighandler_t __sysv_signal(int number, sighandler_t handler);
RCP_INTERCEPT sighandler_t __sysv_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER | SA_INTERRUPT);
}
RCP_INTERCEPT sighandler_t sysv_signal(int number, sighandler_t handler) { return __sysv_signal(number, handler); }

RCP_INTERCEPT int siginterrupt(int number, int interrupt) {
    struct sigaction action;
    rcp_signal_used();
    if (rcp_signal_act(number, NULL, &action))
        return -1;
    action.sa_flags = interrupt ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    uint64_t bit = UINT64_C(1) << (number - 1);
    interrupting = interrupt ? interrupting | bit : interrupting & ~bit;
    return rcp_signal_act(number, &action, NULL);
}

/* XSI's old ones, in terms of the above. */
RCP_INTERCEPT sighandler_t sigset(int number, sighandler_t handler) {
    sigset_t one, before;
    sigemptyset(&one);
    if (sigaddset(&one, number))
        return SIG_ERR;
    struct sigaction action = {.sa_handler = handler}, old;
    bool hold = handler == SIG_HOLD;
    rcp_signal_used();
    if (rcp_signal_act(number, hold ? NULL : &action, &old) ||
        change_mask(hold ? SIG_BLOCK : SIG_UNBLOCK, &one, &before, false))
        return SIG_ERR;
    return sigismember(&before, number) ? SIG_HOLD : old.sa_handler;
}
RCP_INTERCEPT int sigignore(int number) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    rcp_signal_used();
    return rcp_signal_act(number, &action, NULL);
}
