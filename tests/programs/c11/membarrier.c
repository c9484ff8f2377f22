/* SPDX-License-Identifier: Apache-2.0 */
/* membarrier() is a fence in every thread: T1, that publishes, and T2, that takes, have none of their own. T3 calls it,
 * when both are between their two steps (they wait for it). */
// clean: -DALL
// racy: 1
#include "litmus.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static int data;
static atomic_int ready, stage1, stage2;

static void T1(void) {
    data = 42;
    STORE(stage1, 1, relaxed);
    while (LOAD(stage2, relaxed) < 1)
        ;
    STORE(ready, 1, relaxed);
}

static void T2(void) {
    while (!LOAD(ready, relaxed))
        ;
    STORE(stage1, 2, relaxed);
    while (LOAD(stage2, relaxed) < 2)
        ;
    printf("%d\n", data);
}

static void T3(void) {
    for (int i = 1; i <= 2; i++) {
        while (LOAD(stage1, relaxed) < i)
            ;
#ifdef ALL
        syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
#endif
        STORE(stage2, i, relaxed);
    }
}
