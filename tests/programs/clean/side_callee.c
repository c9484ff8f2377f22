/* SPDX-License-Identifier: Apache-2.0 */
/* record: rr
 * A side that was not taken: past a call through a pointer that points to no function nothing is defined. */
#include "trap.h"

static int mode;

static void nothing(void) {}
static void (*callee)(void) ONLY_RACY(= nothing);

static void T1(void) {
    v = 1;
    set(&mode, 1);
}

static void T2(void) {
    void (*volatile call)(void) = callee ? callee : ONLY_RACY(1 ? nothing :) NULL;
    if (get(&mode))
        return;
    call();
    printed = v;
}
