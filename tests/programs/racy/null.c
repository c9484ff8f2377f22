/* SPDX-License-Identifier: Apache-2.0 */
/* The pointer is published before it is set: one order crashes. */
#include "threads.h"

static int value = 42, *pointer;

static void *setter(void *unused) {
    pointer = &value;
    return unused;
}

static void *user(void *unused) {
    int *p = pointer;
    printf("%d\n", *p);
    return unused;
}

int main(void) {
    run_both(setter, user);
    return 0;
}
