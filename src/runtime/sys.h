/* SPDX-License-Identifier: Apache-2.0 */
/* System calls without errno, a lock, and memory: what the runtime uses instead of libc.
 *
 * Invariant: nothing here touches errno or thread-local storage, so all of it works in signal handlers, in the watchdog
 * (which shares the main thread's storage) and before libc is ready. Results are -errno on failure.
 */
#ifndef RECIPE_RUNTIME_SYS_H
#define RECIPE_RUNTIME_SYS_H

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

static inline long rcp_sys(long n, long a, long b, long c, long d, long e, long f) {
#if defined(__aarch64__)
    register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                     x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
    return x0;
#elif defined(__x86_64__)
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "+a"(n)
                     : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory", "cc");
    return n;
#else
#error "Recipe records on aarch64 and x86_64"
#endif
}
#define RCP_SYS1(n, a)          rcp_sys(n, (long)(a), 0, 0, 0, 0, 0)
#define RCP_SYS2(n, a, b)       rcp_sys(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define RCP_SYS3(n, a, b, c)    rcp_sys(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RCP_SYS4(n, a, b, c, d) rcp_sys(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* NULL where the kernel refuses. `at` 0: anywhere; else exactly there, if nothing is. */
static inline void *rcp_sys_map(uint64_t at, uint64_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0);
    long r = rcp_sys(SYS_mmap, (long)at, (long)size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (r < 0 && r > -4096)
        return NULL;
    if (at && (uint64_t)r != at) { /* a kernel or an emulator that takes the flag for a hint */
        RCP_SYS2(SYS_munmap, r, size);
        return NULL;
    }
    return (void *)r;
}

/* Sleeps while *word == value, until woken, the deadline (CLOCK_MONOTONIC, ns; UINT64_MAX: none) or a signal. */
static inline long rcp_sys_wait(uint32_t *word, uint32_t value, uint64_t deadline) {
    struct timespec at = {(time_t)(deadline / 1000000000), (long)(deadline % 1000000000)};
    return rcp_sys(SYS_futex, (long)word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
                   deadline == UINT64_MAX ? 0 : (long)&at, 0, (long)FUTEX_BITSET_MATCH_ANY);
}
static inline void rcp_sys_wake(uint32_t *word, int n) {
    rcp_sys(SYS_futex, (long)word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, 0, 0, 0);
}

/* Held for a few instructions, or a few system calls by the watchdog: 0 free, 1 held, 2 held and waited for. */
typedef struct rcp_sys_lock {
    uint32_t word;
} rcp_sys_lock;

static inline void rcp_sys_acquire(rcp_sys_lock *lock) {
    uint32_t expected = 0;
    if (__atomic_compare_exchange_n(&lock->word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(&lock->word, 2, __ATOMIC_ACQUIRE))
        rcp_sys_wait(&lock->word, 2, UINT64_MAX);
}
static inline void rcp_sys_release(rcp_sys_lock *lock) {
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2)
        rcp_sys_wake(&lock->word, 1);
}

/* Between two accesses of one thread that a signal handler on it, or the watchdog by way of membarrier, may see. */
static inline void rcp_sys_order(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/* Every signal, the two that libc keeps for itself included, but the one by which the shadow is mapped. `old` may be
 * NULL. */
static inline void rcp_sys_block_signals(uint64_t *old) {
    uint64_t all = ~(UINT64_C(1) << (11 /* SIGSEGV */ - 1));
    RCP_SYS4(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &all, old, 8);
}
static inline void rcp_sys_restore_signals(const uint64_t *old) { RCP_SYS4(SYS_rt_sigprocmask, 2, old, 0, 8); }

#endif
