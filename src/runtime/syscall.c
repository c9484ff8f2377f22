/* SPDX-License-Identifier: Apache-2.0 */
/* syscall(): futexes, by which programs and libstdc++ (atomic wait and notify, semaphores, latches, barriers) block,
 * must not block with the baton in the hand. Other system calls pass; the watchdog covers those that block.
 *
 * A futex has no event: what orders threads are the atomics around it, and a wait may end at any time. So a wait is
 * ours on the word's address, and whatever would move a waiter to another word wakes it instead. A futex that is not
 * private may be another process's too: there waiting is the kernel's, and waking is both.
 */
#include "runtime/deadline.h"
#include "runtime/lifecycle.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
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
        switch (rcp_wait_on(self, (uint64_t)word, deadline)) {
        case RCP_WOKEN: return 0;
        case RCP_WOKEN_LATE: return fails(ETIMEDOUT);
        case RCP_WOKEN_BY_SIGNAL:
            if (self->interrupted || time)
                return fails(EINTR);
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
    case FUTEX_WAIT_BITSET: return is_private ? wait_on_word(self, s, command) : away(self, s);
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
    default: return away(self, s); /* those that inherit priorities, and what comes after this was written */
    }
}

static long clone_raw(rcp_thread *self, const call *s) {
    if (!(s->a & CLONE_VM)) { /* a fork by another name */
        long r = really(s);
        if (!r)
            rcp_restart_in_child();
        else if (r > 0)
            rcp_log_fork((uint32_t)r);
        return r;
    }
    if (s->b)
        rcp_refuse("a thread by a clone system call of the program's own can't be recorded", "use pthread_create");
    rcp_log_note("a clone system call of the program's own: what its child does before it executes a program is not in "
                 "this trace");
    return away(self, s);
}

/* What is mapped by number is mapped as by name. False: it is another call. */
static bool map_by_number(const call *s, long *result) {
    switch (s->number) {
    case SYS_mmap: *result = (long)mmap((void *)s->a, (size_t)s->b, (int)s->c, (int)s->d, (int)s->e, s->f); break;
    case SYS_munmap: *result = munmap((void *)s->a, (size_t)s->b); break;
    case SYS_mremap: *result = (long)mremap((void *)s->a, (size_t)s->b, (size_t)s->c, (int)s->d, (void *)s->e); break;
    case SYS_shmat: *result = (long)shmat((int)s->a, (const void *)s->b, (int)s->c); break;
    case SYS_shmdt: *result = shmdt((const void *)s->a); break;
    default: return false;
    }
    return true;
}

static bool is_ours(long number) {
    return number == SYS_futex || number == SYS_sched_yield || number == SYS_clone || number == SYS_exit_group ||
           number == SYS_exit;
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
    if (map_by_number(&s, &r))
        return r;
    rcp_thread *self = is_ours(number) ? rcp_inside() : NULL;
    if (!self)
        return really(&s);
    switch (number) {
    case SYS_futex: r = futex(self, &s); break;
    case SYS_sched_yield: rcp_yield(self); break;
    case SYS_clone: r = clone_raw(self, &s); break;
    case SYS_exit_group: rcp_finish(RCP_ENDED_EXIT, (int)s.a); return really(&s);
    case SYS_exit: rcp_thread_end(self); return really(&s);
    default: break;
    }
    rcp_outside(self);
    return r;
}
