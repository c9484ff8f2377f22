/* SPDX-License-Identifier: Apache-2.0 */
/* syscall(): futexes, by which programs and libstdc++ (atomic wait and notify, semaphores, latches, barriers) block,
 * must not block with the baton in the hand. Other system calls pass; the watchdog covers those that block.
 *
 * A futex has no event: what orders threads are the atomics around it, and a wait may end at any time. So a wait is
 * ours on the word's address, and whatever would move a waiter to another word wakes it instead. A futex that is not
 * private may be another process's too: there waiting is the kernel's, and waking is both.
 */
#include "runtime/deadline.h"
#include "runtime/io.h"
#include "runtime/lifecycle.h"
#include "runtime/linger.h"
#include "runtime/streams.h"
#include "runtime/tracer.h"
#include "runtime/world.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <unistd.h>

RCP_REAL_DEFINE(syscall)

typedef struct call {
    long number, a, b, c, d, e, f;
} call;

static long really(const call *s) { return RCP_REAL(syscall)(s->number, s->a, s->b, s->c, s->d, s->e, s->f); }

static long away(rcp_thread *self, const call *s) {
    rcp_give(self);
    long r = really(s);
    rcp_take(self);
    return r;
}

/* A futex that waits in the kernel: a time that is no length is one of the program's clock. */
static long away_until(rcp_thread *self, const call *s, int command) {
    const struct timespec *time = (const struct timespec *)s->d;
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI ||
                 command == FUTEX_WAIT_REQUEUE_PI;
    if (!waits || !time || !rcp_deadline_is_time(time) || !rcp_clock_is_fed())
        return away(self, s);
    clockid_t clock = command == FUTEX_LOCK_PI || s->b & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    uint64_t deadline = command == FUTEX_WAIT ? rcp_deadline_in(time) : rcp_deadline_of(clock, time);
    struct timespec at = rcp_clock_time(rcp_clock_real(deadline, clock));
    call real = *s;
    if (command != FUTEX_WAIT)
        real.d = (long)&at;
    long r = away(self, &real);
    if (r < 0 && errno == ETIMEDOUT)
        rcp_clock_reach(deadline);
    return r;
}

static long fails(int e) {
    errno = e;
    return -1;
}

static long wait_on_word(rcp_thread *self, const call *s, int command) {
    const uint32_t *word = (const uint32_t *)s->a;
    const struct timespec *time = (const struct timespec *)s->d;
    if (s->a & 3 || (time && !rcp_deadline_is_time(time)))
        return fails(EINVAL);
    uint64_t deadline = RCP_NO_DEADLINE;
    if (time && command == FUTEX_WAIT)
        deadline = rcp_deadline_in(time);
    else if (time)
        deadline = rcp_deadline_of(s->b & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
    for (;;) {
        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)s->c)
            return fails(EAGAIN);
        self->interrupted = false;
        switch (rcp_wait_for(self, (rcp_wanted){RCP_LOG_WAIT_WORD, (uint64_t)word}, (uint64_t)word, deadline)) {
        case RCP_WOKEN: return 0;
        case RCP_WOKEN_LATE: return fails(ETIMEDOUT);
        case RCP_WOKEN_BY_SIGNAL:
            if (self->interrupted || time) {
                rcp_log_sign(RCP_SIGN_SIGNALLED, self);
                return fails(EINTR);
            }
        }
    }
}

static unsigned limit_of(long n) { return n < 0 ? 0 : n > INT32_MAX ? INT32_MAX : (unsigned)n; }

static long futex(rcp_thread *self, const call *s) {
    int command = (int)s->b & FUTEX_CMD_MASK;
    bool is_private = s->b & FUTEX_PRIVATE_FLAG;
    long r;
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: return is_private ? wait_on_word(self, s, command) : away_until(self, s, command);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: /* who waits with other bits is woken spuriously */
        r = really(s);
        if (r >= 0 && r < s->c)
            r += rcp_wake((uint64_t)s->a, limit_of(s->c - r));
        return r;
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: r = really(s); return r < 0 ? r : r + rcp_wake((uint64_t)s->a, limit_of(s->c + s->d));
    case FUTEX_WAKE_OP:
        r = really(s);
        return r < 0 ? r : r + rcp_wake((uint64_t)s->a, limit_of(s->c)) + rcp_wake((uint64_t)s->e, limit_of(s->d));
    default:             /* those that inherit priorities, and what comes after this was written */
        rcp_world_ids(); /* their words hold ids */
        rcp_log_unseen(RCP_UNSEEN_ENDS);
        return away_until(self, s, command);
    }
}

static long clone_raw(rcp_thread *self, const call *s) {
    rcp_world_meets(RCP_WORLD_PROCESSES, "the program makes a process");
    if (!(s->a & CLONE_VM)) { /* a fork by another name */
        rcp_shared_divide();
        long r = really(s);
        if (!r)
            rcp_restart_in_child();
        else if (r > 0)
            rcp_log_fork((uint32_t)r);
        return r;
    }
    if (s->b)
        rcp_refuse("a thread by a clone system call of the program's own can't be recorded", "use pthread_create");
    rcp_wakes_unseen();
    rcp_shared_divide_all();
    rcp_log_note("a clone system call of the program's own: what its child does before it executes a program is not in "
                 "this trace");
    return away(self, s);
}

/* Calls that have an interceptor of their own, by their numbers. */
static bool is_named(const call *s, long *r) {
    int e;
    switch (s->number) {
    case SYS_clock_gettime: *r = clock_gettime((clockid_t)s->a, (struct timespec *)s->b); return true;
    case SYS_gettimeofday: *r = gettimeofday((struct timeval *)s->a, (void *)s->b); return true;
    case SYS_times: *r = times((struct tms *)s->a); return true;
    case SYS_getrusage: *r = getrusage((__rusage_who_t)s->a, (struct rusage *)s->b); return true;
    case SYS_nanosleep: *r = nanosleep((const struct timespec *)s->a, (struct timespec *)s->b); return true;
    case SYS_clock_nanosleep:
        e = clock_nanosleep((clockid_t)s->a, (int)s->b, (const struct timespec *)s->c, (struct timespec *)s->d);
        *r = e ? fails(e) : 0;
        return true;
    case SYS_getrandom: *r = getrandom((void *)s->a, (size_t)s->b, (unsigned)s->c); return true;
    case SYS_timerfd_settime:
        *r = timerfd_settime((int)s->a, (int)s->b, (const struct itimerspec *)s->c, (struct itimerspec *)s->d);
        return true;
    case SYS_read: *r = rcp_io_read((int)s->a, (void *)s->b, (size_t)s->c); return true;
    case SYS_readv: *r = rcp_io_readv((int)s->a, (const struct iovec *)s->b, (int)s->c); return true;
    case SYS_pread64: *r = rcp_io_pread((int)s->a, (void *)s->b, (size_t)s->c, s->d); return true;
    case SYS_write: *r = rcp_io_write((int)s->a, (const void *)s->b, (size_t)s->c); return true;
    case SYS_writev: *r = rcp_io_writev((int)s->a, (const struct iovec *)s->b, (int)s->c); return true;
    case SYS_close: *r = rcp_io_close((int)s->a); return true;
    case SYS_mmap: *r = (long)mmap((void *)s->a, (size_t)s->b, (int)s->c, (int)s->d, (int)s->e, s->f); return true;
    case SYS_munmap: *r = munmap((void *)s->a, (size_t)s->b); return true;
    case SYS_mremap: *r = (long)mremap((void *)s->a, (size_t)s->b, (size_t)s->c, (int)s->d, (void *)s->e); return true;
    case SYS_shmat: *r = (long)shmat((int)s->a, (const void *)s->b, (int)s->c); return true;
    case SYS_shmdt: *r = shmdt((const void *)s->a); return true;
    case SYS_vmsplice: *r = vmsplice((int)s->a, (const struct iovec *)s->b, (size_t)s->c, (unsigned)s->d); return true;
    case SYS_socket: *r = socket((int)s->a, (int)s->b, (int)s->c); return true;
    case SYS_kill: *r = kill((pid_t)s->a, (int)s->b); return true;
    case SYS_tgkill: *r = tgkill((pid_t)s->a, (pid_t)s->b, (int)s->c); return true;
#ifdef SYS_time
    case SYS_time: *r = time((time_t *)s->a); return true;
#endif
    default: return false;
    }
}

/* A process is made that has shared memory, and perhaps all of it. */
static void divide(void) {
    rcp_thread *self = rcp_inside();
    if (!self)
        return;
    rcp_shared_divide();
    rcp_shared_divide_all();
    rcp_outside(self);
}

/* What is noticed of a thread's end: a word that the system changes then, descriptors that it closes, a process that
 * asked to be told (PR_SET_PDEATHSIG). */
static bool is_due_at_end(long number) {
    return number == SYS_set_tid_address || number == SYS_set_robust_list || number == SYS_unshare ||
           number == SYS_pidfd_open || number == SYS_clone || number == SYS_clone3 || number == SYS_prctl;
}

/* What else a number may tie a run to. */
static void meet(long number) {
    if (is_due_at_end(number))
        rcp_log_unseen(RCP_UNSEEN_ENDS);
    switch (number) {
    case SYS_getpid:
    case SYS_getppid:
    case SYS_gettid:
    case SYS_tkill:
    case SYS_rt_tgsigqueueinfo:
    case SYS_rt_sigqueueinfo:
    case SYS_pidfd_open:
    case SYS_set_tid_address: rcp_world_ids(); break;
    case SYS_mprotect:
    case SYS_pkey_mprotect: rcp_log_unseen(RCP_UNSEEN_CONSTANTS); break; /* whichever memory that is */
    case SYS_ptrace:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev: rcp_tracer_begins(); break;
    case SYS_timer_settime:
    case SYS_setitimer:
    case SYS_adjtimex:
    case SYS_clock_adjtime:
    case SYS_clock_settime:
    case SYS_settimeofday:
    case SYS_mq_timedsend:
    case SYS_mq_timedreceive: rcp_world_meets(RCP_WORLD_TIME, "time reaches the system by a call's number"); break;
#ifdef SYS_fork
    case SYS_fork:
    case SYS_vfork:
#endif
    case SYS_clone3:
        rcp_world_meets(RCP_WORLD_PROCESSES, "the program makes a process");
        rcp_wakes_unseen(); /* it may share this memory */
        divide();
        break;
    case SYS_io_uring_setup: rcp_wakes_unseen(); break; /* the kernel may be asked to */
    default: break;
    }
}

/* By all others something may be learnt that others have done (streams.h). */
static bool asks_nothing(long number) {
    switch (number) {
    case SYS_futex:
    case SYS_sched_yield:
    case SYS_getpid:
    case SYS_gettid:
    case SYS_getcpu:
    case SYS_membarrier:
    case SYS_madvise:
    case SYS_mprotect:
    case SYS_rt_sigprocmask:
    case SYS_sched_setaffinity:
    case SYS_sched_getaffinity:
    case SYS_exit:
    case SYS_exit_group: return true;
    default: return false;
    }
}

static bool is_ours(long number) {
    return number == SYS_futex || number == SYS_sched_yield || number == SYS_clone || number == SYS_exit_group ||
           number == SYS_exit || number == SYS_userfaultfd;
}

/* Whoever touches such memory would wait, baton in hand, for a thread that needs it. As on a system that does not
 * permit it, which programs must bear. */
static long refuse_faults(void) {
    rcp_log_note("userfaultfd: threads that resolve each other's faults can't be recorded; the call failed with EPERM");
    errno = EPERM;
    return -1;
}

RCP_INTERCEPT long syscall(long number, ...) {
    va_list more;
    va_start(more, number);
    call s = {.number = number};
    s.a = va_arg(more, long);
    s.b = va_arg(more, long);
    s.c = va_arg(more, long);
    s.d = va_arg(more, long);
    s.e = va_arg(more, long);
    s.f = va_arg(more, long);
    va_end(more);
    long r = 0;
    if (is_named(&s, &r))
        return r;
    if (rcp_is_recording())
        meet(number);
    if (!asks_nothing(number)) {
        rcp_streams_tied();
        rcp_log_unseen(RCP_UNSEEN_SIGNALS | RCP_UNSEEN_DESCRIPTORS);
    }
    rcp_thread *self = is_ours(number) ? rcp_inside() : NULL;
    if (!self && number == SYS_futex)
        rcp_wakes_unseen();
    if (!self)
        return really(&s);
    switch (number) {
    case SYS_userfaultfd: r = refuse_faults(); break;
    case SYS_futex: r = futex(self, &s); break;
    case SYS_sched_yield: rcp_yield(self); break;
    case SYS_clone: r = clone_raw(self, &s); break;
    case SYS_exit_group:
        rcp_linger_inside(self);
        rcp_finish(RCP_ENDED_EXIT, (int)s.a);
        return really(&s);
    case SYS_exit: rcp_thread_end(self); return really(&s);
    default: break;
    }
    rcp_outside(self);
    return r;
}
