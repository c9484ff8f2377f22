/* SPDX-License-Identifier: Apache-2.0 */
/* A thread makes a thread, and that one races with the first one's sibling. */
#include "threads.h"

static int shared_count;

static void *grandchild(void *unused) {
    shared_count += 10;
    return unused;
}

static void *parent(void *unused) {
    pthread_t t = begin(grandchild, NULL);
    pthread_join(t, NULL);
    return unused;
}

static void *sibling(void *unused) {
    shared_count += 1;
    return unused;
}

int main(void) {
    run_both(parent, sibling);
    printf("%d\n", shared_count);
    return 0;
}
