/* SPDX-License-Identifier: Apache-2.0 */
/* What one thread writes the other one reads once it has been told, by a pipe or by waiting; the twin reads at once. */
#include "apart.h"

#include <stdio.h>
#include <unistd.h>

static int ends[2];
static int given;

static void *give(void *arg) {
    apart(&ends);
    given = 17;
    return write(ends[1], "!", 1) == 1 ? arg : NULL;
}

int main(void) {
    pthread_t thread;
    char told;
    if (pipe(ends) || pthread_create(&thread, NULL, give, NULL))
        return 1;
    apart(&ends);
#ifdef TWIN
    int taken = given;
    if (read(ends[0], &told, 1) != 1)
        return 1;
#else
    if (read(ends[0], &told, 1) != 1)
        return 1;
    int taken = given;
#endif
    pthread_join(thread, NULL);
    printf("%d\n", taken >= 0);
    return 0;
}
