/* SPDX-License-Identifier: Apache-2.0 */
/* A class has a member in the padding at the end of its base. Who copies the base does not touch it; the twin writes what is copied. */
#include "../clean/trap.h"

struct base {
    base() : number(0), letter(0) {}
    int number;
    char letter;
};

struct derived : base {
    char own = 0;
};

static derived object;
static base copied;

static void T1(void) { copied = object; }

static void T2(void) {
    ONLY_RACY(object.letter = 2; return;)
    object.own = 1;
}
