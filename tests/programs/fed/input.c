/* SPDX-License-Identifier: Apache-2.0 */
/* One thread writes x and prints, the other reads standard input and writes x. Where the input answers what was printed,
 * that is no race; where it does not, it is. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile int x;
static char word[64];

static void *print(void *argument) {
    x = 1;
    puts("ready");
    fflush(stdout);
    return argument;
}

static void *listen_to(void *argument) {
    if (read(0, word, sizeof word) > 0)
        x = 2;
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, print, NULL);
    pthread_create(&threads[1], NULL, listen_to, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
