/* SPDX-License-Identifier: Apache-2.0 */
/* A unit in C, whose release sequences are wider: with ATOMIC it writes atomically, so that it may be in one. */
#include <stdatomic.h>

#ifdef ATOMIC
static atomic_int over;
#endif

int part(void) {
#ifdef ATOMIC
    atomic_store_explicit(&over, 1, memory_order_relaxed);
#endif
    return 0;
}
