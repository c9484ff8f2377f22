/* SPDX-License-Identifier: Apache-2.0 */
/* Bit-fields that lie beside each other are one memory location; behind a field of no bits another one begins. */
#include "../clean/trap.h"

static struct {
    unsigned a : 4;
#ifndef RACY
    unsigned : 0;
#endif
    unsigned b : 4;
} bits;

static void T1(void) { bits.a = 3; }

static void T2(void) { bits.b = 5; }
