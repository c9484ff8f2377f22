/* SPDX-License-Identifier: Apache-2.0 */
/* One blocks in read until the main thread writes; then both go on. */
#include "threads.h"

#include <unistd.h>

static int ends[2], total;

static void *consumer(void *unused) {
    char c = 0;
    if (read(ends[0], &c, 1) == 1)
        total += c;
    return unused;
}


int main(void) {
    if (pipe(ends))
        return 1;
    pthread_t t = begin(consumer, NULL);
    char c = 5;
    if (write(ends[1], &c, 1) == 1)
        total += 1;
    pthread_join(t, NULL);
    printf("%d\n", total);
    return 0;
}
