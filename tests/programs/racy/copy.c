/* SPDX-License-Identifier: Apache-2.0 */
/* A structure is copied whole while somebody changes it. */
#include "threads.h"

#include <string.h>

struct account {
    char name[40];
    long balance, limit;
};
static struct account bank = {"one", 100, 10}, seen;

static void *teller(void *unused) {
    bank.balance = 50;
    bank.limit = 5;
    return unused;
}

static void *auditor(void *unused) {
    memcpy(&seen, &bank, sizeof seen);
    return unused;
}

int main(void) {
    run_both(teller, auditor);
    printf("%ld %ld\n", seen.balance, seen.limit);
    return 0;
}
