/* SPDX-License-Identifier: Apache-2.0 */
/* Seed 000, Figure 3: whether z->f is o2's depends on what 6 reads. */
#include "two.h"
static struct object {
    int f;
} o1, o2, *y = &o1;
static void T1(void) {
    y = &o1;
    y = &o2;
    o2.f = 5;
}
static void T2(void) {
    struct object *z = y;
    printed = z->f;
}
