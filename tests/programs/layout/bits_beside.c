/* SPDX-License-Identifier: Apache-2.0 */
/* What is no bit-field lies beside one, and is a location of its own, though in the same word. The twin's are both fields. */
#include "../clean/trap.h"

static struct {
    unsigned a : 16;
#ifdef RACY
    unsigned b : 16;
#else
    unsigned short b;
#endif
} bits;

static void T1(void) { bits.a = 3; }

static void T2(void) { bits.b = 5; }
