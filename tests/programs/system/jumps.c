/* SPDX-License-Identifier: Apache-2.0 */
/* setjmp and longjmp: over frames with locals and variable arrays, out of callbacks, again and again, in threads. */
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>

struct place {
    jmp_buf buffer;
    int depth;
};

static void dive(struct place *p, int depth) {
    char frame[100 + depth];
    memset(frame, depth, sizeof frame);
    if (depth == p->depth)
        longjmp(p->buffer, depth + 1);
    dive(p, depth + 1);
    CHECK(frame[0] == depth);
}

static _Thread_local jmp_buf *in_compare;
static int compare(const void *a, const void *b) {
    if (*(const int *)a == 7 || *(const int *)b == 7)
        longjmp(*in_compare, 1);
    return *(const int *)a - *(const int *)b;
}

static void *work(void *arg) {
    struct place p;
    volatile int sum = 0;
    for (volatile int i = 0; i < 30; i++) {
        volatile int before = i * i;
        p.depth = i;
        int value = setjmp(p.buffer);
        if (!value)
            dive(&p, 0);
        CHECK(value == i + 1 && before == i * i);
        sum += value;
    }
    int n[] = {3, 9, 7, 1, 5};
    jmp_buf here;
    in_compare = &here;
    volatile int left = 0;
    if (!setjmp(here))
        qsort(n, 5, sizeof *n, compare);
    else
        left = 1;
    CHECK(left == 1);
    *(int *)arg = sum;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int sums[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("jumps: %d %d\n", sums[0], sums[1]);
}
