/* SPDX-License-Identifier: Apache-2.0 */
/* realloc moves a block with all that the allocator had set aside for it. What lies behind the block's own bytes T1 has
 * freed, as part of another: T2 does not read that. */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *first;

static void *T1(void *unused) {
    free(first);
    return unused;
}

static void *T2(void *unused) {
    char *mine = malloc(554), *behind = malloc(100); /* so that it can't grow where it is */
    if (!mine || !behind)
        return NULL;
    memset(mine, 2, 554);
    mine = realloc(mine, 3000);
    free(mine);
    free(behind);
    return unused;
}

int main(void) {
    pthread_t one, two;
    mallopt(M_ARENA_MAX, 1); /* one heap for all threads */
    first = malloc(2000);
    if (!first)
        return 1;
    memset(first, 1, 2000);
    if (pthread_create(&one, NULL, T1, NULL) || pthread_create(&two, NULL, T2, NULL))
        return 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("done\n");
    return 0;
}
