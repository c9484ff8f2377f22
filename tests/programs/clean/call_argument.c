/* SPDX-License-Identifier: Apache-2.0 */
/* Soundness 1: what a call outside gives depends on its arguments. */
#include "trap.h"

#include <ctype.h>

static int letter = ONLY_RACY('a' +) 0;

static void T1(void) {
    v = 1;
    set(&letter, 'a');
}

static void T2(void) {
    int c = get(&letter);
    if (tolower(toupper(c)) == 'a')
        printed = v;
}
