/* SPDX-License-Identifier: Apache-2.0 */
/* races: 0 1 1
 * A compare-and-swap that fails where it did not. */
#include "frame.h"

#include <stdatomic.h>

static atomic_int owner = 1;

static void T1(void) {
    v = 1;
    atomic_store(&owner, 0);
}

static void T2(void) {
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&owner, &nobody, 2))
        printed = v;
}
