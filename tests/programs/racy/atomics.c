/* SPDX-License-Identifier: Apache-2.0 */
/* The flag is atomic; the message is written once more after it. */
#include "threads.h"

#include <stdatomic.h>

static atomic_int sent;
static int message;

static void *sender(void *unused) {
    message = 1;
    atomic_store_explicit(&sent, 1, memory_order_release);
    message = 2;
    return unused;
}

static void *receiver(void *unused) {
    if (atomic_load_explicit(&sent, memory_order_acquire))
        printf("%d\n", message);
    else
        puts("nothing yet");
    return unused;
}

int main(void) {
    run_both(sender, receiver);
    return 0;
}
