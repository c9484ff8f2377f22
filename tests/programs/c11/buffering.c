/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffering, load buffering, and independent reads of independent writes. What leads to the plain accesses is in
 * no sequentially consistent run, and by the standard in some others, with relaxed atomics: a race that is not covered
 * (docs/semantics.md, 'The order of the language'). With seq_cst there is none. */
// clean: -DSB=relaxed
// clean: -DSB=seq_cst
// clean: -DLB=relaxed
// clean: -DIRIW=relaxed
// clean: -DIRIW=acquire
#ifdef IRIW
#define FOUR
#endif
#include "litmus.h"

static int data;
static atomic_int x, y, seen;

#if defined SB /* both find 0 */
static void T1(void) {
    STORE(x, 1, SB);
    if (!LOAD(y, SB) && atomic_fetch_add(&seen, 1))
        data++;
}

static void T2(void) {
    STORE(y, 1, SB);
    if (!LOAD(x, SB) && atomic_fetch_add(&seen, 1))
        data++;
}

static void T3(void) {
    if (atomic_load(&seen) == 2)
        data++;
}
#elif defined LB /* both find 1 */
static void T1(void) {
    int is = LOAD(x, LB);
    STORE(y, 1, LB);
    if (is)
        data++;
}

static void T2(void) {
    int is = LOAD(y, LB);
    STORE(x, 1, LB);
    if (is)
        data++;
}

static void T3(void) {}
#else /* each sees another one first */
static void T1(void) { STORE(x, 1, relaxed); }

static void T2(void) { STORE(y, 1, relaxed); }

static void T3(void) {
    if (LOAD(x, IRIW) && !LOAD(y, IRIW))
        data++;
}

static void T4(void) {
    if (LOAD(y, IRIW) && !LOAD(x, IRIW))
        data++;
}
#endif
