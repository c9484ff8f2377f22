/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/signal.h"

#include "runtime/beside.h"
#include "runtime/follow.h"
#include "runtime/image.h"
#include "runtime/meeting.h"
#include "runtime/streams.h"
#include "runtime/thread.h"
#include "runtime/values.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

RCP_REAL_DEFINE(sigaction)
RCP_REAL_DEFINE(sigaltstack)
RCP_REAL_DEFINE(abort)

#define SIGNALS 65
#define BIT(s)  (UINT64_C(1) << ((s) - 1))
#define FAULTS  (BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP))
#define LIBC    (BIT(32) | BIT(33)) /* libc's own */
#define FATAL   (FAULTS | BIT(SIGABRT) | BIT(SIGSYS))

/* What the program asked for. A handler may read it on any thread while it is changed, so versions are written in turn.
 */
#define VERSIONS 4
static struct {
    struct sigaction version[VERSIONS];
    unsigned current;
    bool known;
} table[SIGNALS];
static rcp_sys_lock table_lock;
static bool wraps; /* every handler: the process was recorded once. Else SIGSEGV's alone */

/* One that has arrived and must wait: see signal.h. */
static __thread struct {
    int signal;
    struct sigaction action;
    uint64_t mask; /* in force when it arrived */
    siginfo_t info;
    ucontext_t context;
} deferred __attribute__((tls_model("initial-exec")));

static __thread bool in_fault __attribute__((tls_model("initial-exec")));

static uint64_t word_of(const void *mask) {
    uint64_t word;
    memcpy(&word, mask, sizeof word); /* the kernel's part of a sigset_t */
    return word;
}

static const struct sigaction *action_of(int signal) {
    return &table[signal].version[__atomic_load_n(&table[signal].current, __ATOMIC_ACQUIRE) % VERSIONS];
}

static bool is_handler(const struct sigaction *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

static void set_action(int signal, const struct sigaction *action) {
    unsigned next = table[signal].current + 1;
    table[signal].version[next % VERSIONS] = *action;
    __atomic_store_n(&table[signal].current, next, __ATOMIC_RELEASE);
    if ((signal == SIGSEGV || signal == SIGBUS) && is_handler(action))
        __recipe_careful = 1; /* for good: it may go on from where it faulted */
}

static void reset_to_default(int signal) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    RCP_REAL(sigaction)(signal, &plain, NULL);
}

static void call(int signal, const struct sigaction *action, siginfo_t *info, void *context) {
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(signal, info, context);
    else
        action->sa_handler(signal);
}

/* Of a thread that is not recorded: its first recorded function makes it one that is. */
static __thread uint32_t unowned __attribute__((tls_model("initial-exec")));
uint32_t rcp_signal_unowned(void) { return unowned; }

/* The program's handler, said to be one: whatever it or what it calls enters of recorded code, the log has the signal
 * with it. */
static void handle(int signal, const struct sigaction *action, siginfo_t *info, void *context) {
    rcp_thread *self = rcp_self;
    if (!self || !self->hot) {
        unowned = (uint32_t)signal;
        call(signal, action, info, context);
        unowned = 0;
        self = rcp_self;
        if (self && self->hot)
            self->callbacks[self->hot->depth].word = 0;
        return;
    }
    rcp_follow_handles(self, signal, self->hot->position);
    uint64_t *level = &self->callbacks[self->hot->depth].word;
    const uint64_t before = RCP_CALLBACK_SIGNAL(*level);
    *level = RCP_CALLBACK_OF_SIGNAL(signal);
    call(signal, action, info, context);
    *level = RCP_CALLBACK_OF_SIGNAL(before);
}

/* The action as it is now; one that is meant for a single signal is used up. */
static struct sigaction take_action(int signal) {
    struct sigaction action = *action_of(signal);
    if (is_handler(&action) && action.sa_flags & (int)SA_RESETHAND) {
        struct sigaction plain = {.sa_handler = SIG_DFL};
        set_action(signal, &plain);
        if (!(FATAL & BIT(signal)))
            reset_to_default(signal);
    }
    return action;
}

/* Nothing of the program's handles it: the trace ends here, and then the signal does what it does. */
static void end_by(int signal, const siginfo_t *info) {
    rcp_thread *self = rcp_self;
    if (!self || !self->inside) /* a fault of our own: the log may be held by ourselves */
        rcp_finish(RCP_ENDED_SIGNAL, signal);
    reset_to_default(signal);
    if (info->si_code <= 0) { /* no instruction will raise it again */
        int pid = (int)rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0), tid = (int)rcp_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
        RCP_SYS3(SYS_tgkill, pid, tid, signal);
    }
}

static uint64_t stack_pointer(const ucontext_t *context) {
#ifdef __aarch64__
    return context->uc_mcontext.sp;
#else
    return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#endif
}

/* SIGSEGV is never blocked, so a fault within its handler comes here again; natively that ends the program. A handler
 * that was left by siglongjmp is known by its stack: that was left too. */
static bool is_nested(const ucontext_t *context) {
    stack_t now;
    if (!in_fault || RCP_REAL(sigaltstack)(NULL, &now) || now.ss_flags & SS_DISABLE)
        return false;
    return stack_pointer(context) - (uint64_t)now.ss_sp < now.ss_size;
}

static void on_fault(int signal, siginfo_t *info, ucontext_t *context, bool in_program) {
    rcp_thread *self = rcp_self;
    struct sigaction action = take_action(signal);
    rcp_value_pending value = {0};
    if (in_program) {
        value = self->value; /* of --log-values: the store has not happened, and will if a handler mends it */
        self->value.size = 0;
        self->faulted = true;
        rcp_meeting_fault(self, (uint64_t)info->si_addr);
        rcp_beside_fault(self);
        rcp_log_fault(self, signal, (uint64_t)info->si_addr);
    }
    if (!is_handler(&action) || (self && self->inside) || (is_nested(context) && !(action.sa_flags & SA_NODEFER))) {
        end_by(signal, info);
        return;
    }
    if (in_program)
        self->hot->outside = 1;
    in_fault = true;
    handle(signal, &action, info, context);
    in_fault = false;
    if (in_program) {
        rcp_thread_enter(self);
        rcp_values_flush(self);
        self->value = value;
        self->faulted = false;
        self->hot->outside = 0;
        rcp_thread_leave(self);
    }
}

static __thread bool aborting __attribute__((tls_model("initial-exec")));
RCP_INTERCEPT void abort(void) {
    aborting = true;
    for (;;)
        RCP_REAL(abort)();
}

/* A signal to the process comes to any thread that does not block it: in a replay it is for the one that had it when it
 * was recorded. */
static bool is_passed_on(const rcp_thread *self, int signal, siginfo_t *info) {
    const rcp_thread *other = info->si_code == SI_TKILL ? NULL : rcp_follow_whose(self, signal);
    return other &&
           RCP_SYS4(SYS_rt_tgsigqueueinfo, rcp_sys(SYS_getpid, 0, 0, 0, 0, 0, 0), other->tid, signal, info) == 0;
}

#ifdef __x86_64__
__attribute__((force_align_arg_pointer)) /* qemu's emulation of signals leaves the stack as it is */
#endif
static void
on_signal(int signal, siginfo_t *info, void *data) {
    ucontext_t *context = data;
    bool fault = info->si_code > 0 && FAULTS & BIT(signal);
    if (signal == SIGSEGV && info->si_code == SEGV_MAPERR && rcp_shadow_fault((uint64_t)info->si_addr))
        return;
    rcp_thread *self = rcp_self;
    if (fault) {
        on_fault(signal, info, context, self && self->hot && !self->hot->outside && !self->inside);
        return;
    }
    if (self && is_passed_on(self, signal, info))
        return;
    struct sigaction action = take_action(signal);
    if (!is_handler(&action)) {
        if (action.sa_handler == SIG_DFL)
            end_by(signal, info);
        return;
    }
    rcp_streams_signalled(signal, info->si_code, info->si_pid);
    if (!rcp_signal_defer(signal)) {
        handle(signal, &action, info, context);
        if (signal == SIGABRT && aborting)
            rcp_finish(RCP_ENDED_SIGNAL, signal); /* a handler that returns does not save the program */
        return;
    }
    deferred.signal = signal;
    deferred.action = action;
    deferred.mask = word_of(&context->uc_sigmask);
    deferred.info = *info;
    memcpy(&deferred.context, context, sizeof deferred.context);
    uint64_t all = ~(FAULTS | LIBC);
    memcpy(&context->uc_sigmask, &all, sizeof all);
}

/* What the kernel delivers the moment that the mask changes must not run here and now: it has a place of its own in the
 * log. So it is deferred as if we were inside. */
static void set_mask_inside(rcp_thread *self, uint64_t mask) {
    self->inside = true;
    rcp_sys_order();
    if (deferred.signal)
        deferred.mask = mask; /* in force once that has run */
    else
        RCP_SYS4(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, 8);
    rcp_sys_order();
    self->inside = false;
}

void rcp_signal_run(rcp_thread *self) {
    int signal = deferred.signal;
    if (!signal)
        return;
    struct sigaction action = deferred.action;
    siginfo_t info = deferred.info;
    ucontext_t context = deferred.context;
    uint64_t mask = deferred.mask;
#ifdef __x86_64__
    context.uc_mcontext.fpregs = NULL; /* it was on the stack of that moment */
#endif
    deferred.signal = 0;
    if (!(action.sa_flags & SA_RESTART))
        self->interrupted = true;
    uint64_t during = mask | word_of(&action.sa_mask) | (action.sa_flags & SA_NODEFER ? 0 : BIT(signal));
    set_mask_inside(self, during & ~BIT(SIGSEGV));
    handle(signal, &action, &info, &context);
    set_mask_inside(self, mask);
}

uint64_t rcp_signal_mask(uint64_t kernel) { return deferred.signal ? deferred.mask : kernel; }

/* What the kernel gets for what the program asked for. */
static struct sigaction ours(int signal, const struct sigaction *action) {
    struct sigaction a = *action;
    bool wrapped = is_handler(action) && (wraps || signal == SIGSEGV);
    if (!wrapped && !(signal == SIGSEGV || (wraps && FATAL & BIT(signal) && action->sa_handler == SIG_DFL)))
        return a;
    a.sa_sigaction = on_signal;
    a.sa_flags = (wrapped ? a.sa_flags & ~(int)SA_RESETHAND : SA_RESTART) | SA_SIGINFO;
    if (FAULTS & BIT(signal))
        a.sa_flags |= SA_ONSTACK;
    if (signal == SIGSEGV)
        a.sa_flags |= SA_NODEFER;
    sigset_t room;
    a.sa_mask = *rcp_signal_allowed(&a.sa_mask, &room);
    return a;
}

static void learn(int signal) {
    struct sigaction now;
    if (!table[signal].known && !RCP_REAL(sigaction)(signal, NULL, &now))
        set_action(signal, &now);
    table[signal].known = true;
}

void rcp_signal_used(void) {
    rcp_thread *self = rcp_inside();
    if (self) {
        rcp_log_sign(RCP_SIGN_SIGNALS, self);
        rcp_outside(self);
    } else if (!rcp_self || !rcp_self->inside) {
        rcp_log_unseen(RCP_UNSEEN_SIGNALS); /* a thread that nobody records */
    }
}

/* A handler that is not recorded acts unseen: nobody can say what comes after the signal. (What only faults raise is
 * seen where it faults.) */
static void look_at_handler(int signal, const struct sigaction *action) {
    if (is_handler(action) && !(FATAL & BIT(signal)) && !rcp_image_is_recorded((const void *)action->sa_handler))
        rcp_log_unseen(RCP_UNSEEN_SIGNALS);
}

int rcp_signal_act(int signal, const struct sigaction *action, struct sigaction *old) {
    if (!wraps && signal != SIGSEGV)
        return RCP_REAL(sigaction)(signal, action, old);
    if (signal < 1 || signal >= SIGNALS || LIBC & BIT(signal) || signal == SIGKILL || signal == SIGSTOP)
        return RCP_REAL(sigaction)(signal, action, old);
    struct sigaction new, before;
    if (action)
        new = *action; /* a bad pointer faults here, where nothing is held */
    uint64_t mask;
    rcp_sys_block_signals(&mask);
    rcp_sys_acquire(&table_lock);
    learn(signal);
    before = *action_of(signal);
    int result = 0;
    if (action) {
        struct sigaction real = ours(signal, &new);
        set_action(signal, &new);
        result = RCP_REAL(sigaction)(signal, &real, NULL);
    }
    rcp_sys_release(&table_lock);
    rcp_sys_restore_signals(&mask);
    if (action)
        look_at_handler(signal, &new);
    if (old)
        *old = before;
    return result;
}

/* The kernel is asked: a handler may have been there before us. */
bool rcp_signal_is_handled(void) {
    for (int signal = 1; signal < SIGNALS; signal++) {
        uint64_t now[8] = {0}; /* its sigaction: the handler comes first */
        if (LIBC & BIT(signal) || RCP_SYS4(SYS_rt_sigaction, signal, 0, now, 8) < 0)
            continue;
        bool is_ours = now[0] == (uint64_t)on_signal;
        if (is_ours ? is_handler(action_of(signal)) : now[0] > (uint64_t)SIG_IGN)
            return true;
    }
    return false;
}

void rcp_signal_start(void) {
    wraps = rcp_is_recording();
    for (int signal = 1; signal < 32; signal++) {
        if (!(FATAL & BIT(signal)))
            continue;
        learn(signal);
        struct sigaction real = ours(signal, action_of(signal));
        RCP_REAL(sigaction)(signal, &real, NULL);
    }
    struct sigaction now; /* constructors of libraries came before us */
    for (int signal = 1; wraps && signal < SIGNALS; signal++)
        if (!(LIBC & BIT(signal)) && !RCP_REAL(sigaction)(signal, NULL, &now) && now.sa_sigaction != on_signal)
            look_at_handler(signal, &now);
}
