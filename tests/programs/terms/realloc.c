/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread read from others stays what it depends on when realloc keeps it, in its place or in another. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned char given = 3;
static int told[4];
static void *work(void *argument) {
    int self = (int)(long)argument;
    for (unsigned i = 0; i < 6; i++) {
        unsigned long *block = calloc(2, sizeof *block);
        block[1] = given;
        block = realloc(block, (i & 1 ? 4000 : 3) * sizeof *block);
        told[self] = (int)block[1];
        if (block[1] > 4)
            told[self + 2]++;
        given++;
        free(block);
    }
    return argument;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("%d %d %d %d\n", told[0], told[1], told[2] > 0, told[3] > 0);
    return 0;
}
