/* SPDX-License-Identifier: Apache-2.0 */
/* Calls outside touch what they are given: each thread its own half of the text, whose place it is told by a number that
 * changes under a lock. */
// twin: text
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[64] = "0123456789012345678901234567890";
static int next;

static void *fills(void *line) {
    pthread_mutex_lock(&lock);
    int mine = next;
#ifndef TWIN
    next += 32;
#endif
    pthread_mutex_unlock(&lock);
    strcpy(text + mine, line);
    return (void *)strlen(text + mine);
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, fills, argv[argc - 1]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
