/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads count under a lock that nobody sees; the twin takes it too late. Around it they call what may reach everything, so
 * that no schedule can be proven. */
#include "apart.h"

#include <stdio.h>

static long counter;

static void *count(void *arg) {
    for (int i = 0; i < 3; i++) {
        apart(&counter);
#ifdef TWIN
        long was = counter;
        apart_lock();
        counter = was + 1;
#else
        apart_lock();
        counter++;
#endif
        apart_unlock();
        apart(&counter);
    }
    return arg;
}

int main(void) {
    run_two(count);
    printf("%d\n", counter > 0);
    return 0;
}
