/* SPDX-License-Identifier: Apache-2.0 */
/* One race that the first steered run shows, and a counter under a lock that nobody sees, at which nobody ever meets: no
 * later run is made for the race alone. */
#include "apart.h"

#include <stdio.h>

static _Alignas(64) long raced;
static _Alignas(64) long counter;

static void *work(void *arg) {
    for (int i = 0; i < 3; i++) {
        apart(&raced);
        raced = i;
        apart(&counter);
        apart_lock();
        counter++;
        apart_unlock();
        apart(&counter);
    }
    return arg;
}

int main(void) {
    run_two(work);
    printf("%d\n", counter > 0);
    return 0;
}
