/* SPDX-License-Identifier: Apache-2.0 */
/* Fences of which one thread has all the cost, as in user-space RCU: the publisher has a barrier for the compiler alone, and who
 * takes calls membarrier(), after which the publisher's two writes are both to be seen, or the second was not seen. Without that call
 * atomic_signal_fence() is no fence between threads, and neither is assembly that is empty. */
// clean: -DALL -DSIGNAL
// clean: -DALL
// racy: 1 -DSIGNAL
// racy: 1
#include "litmus.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SIGNAL
#define COMPILER_BARRIER() atomic_signal_fence(memory_order_seq_cst)
#else
#define COMPILER_BARRIER() __asm__ volatile("" ::: "memory")
#endif

static int data;
static atomic_int ready;

static void T1(void) {
    data = 42;
    COMPILER_BARRIER();
    STORE(ready, 1, relaxed);
}

static void T2(void) {
    if (!LOAD(ready, relaxed))
        return;
#ifdef ALL
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
#endif
    COMPILER_BARRIER();
    printf("%d\n", data);
}

static void T3(void) {}
