/* SPDX-License-Identifier: Apache-2.0 */
/* A race at the beginning of a run, and much shared work after it: what comes after the moment at which both threads stand is
 * not told of the run that shows it. */
#include "apart.h"

#include <stdio.h>

static _Alignas(64) long raced;
static _Alignas(64) long tail[4];

static void *work(void *arg) {
    apart(&raced);
    raced++;
    apart(&raced);
    for (int i = 0; i < 300; i++) {
        pthread_mutex_lock(&lock);
        for (int k = 0; k < 500; k++)
            tail[k % 4] += k;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    run_two(work);
    printf("%d\n", tail[1] > 0);
    return 0;
}
