/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of free nodes without a lock: who pops reads the top and its next one, and puts that in the top's place if
 * the top is what it was. It may have been popped and pushed again in between, and the next one be somebody's. ABA: IBM
 * System/370 Principles of Operation (appendix on compare and swap); Treiber, RJ 5118 (1986); Michael and Scott, PODC
 * 1996.
 * Reachable: one worker has read top (node 0) and its next (node 1); the other pops 0 and 1, pushes 0 and writes to 1;
 * the first one's compare-and-swap succeeds, so 1 is the top: it pops that, too, and writes to it.
 */
/* expect: race nodes.value fill/fill */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { NODES = 3, NONE = 0xff };

static struct {
    atomic_int next;
    int value;
} nodes[NODES];

/* The top node's number; in a clean build with a count of changes above it. */
static _Atomic uint32_t top;

static uint32_t changed(uint32_t old, int node) {
#ifdef CLEAN
    return ((old >> 8) + 1) << 8 | (uint32_t)node;
#else
    (void)old;
    return (uint32_t)node;
#endif
}

static void push(int node) {
    uint32_t old = atomic_load(&top);
    do
        atomic_store(&nodes[node].next, (int)(old & NONE));
    while (!atomic_compare_exchange_strong(&top, &old, changed(old, node)));
}

static int pop(void) {
    uint32_t old = atomic_load(&top);
    while ((old & NONE) != NONE) {
        int next = atomic_load(&nodes[old & NONE].next);
        if (atomic_compare_exchange_strong(&top, &old, changed(old, next)))
            return (int)(old & NONE);
    }
    return NONE;
}

static void fill(int node, int value) { nodes[node].value = value; }

static void *worker(void *value) {
    int first = pop(), second = pop();
    if (first != NONE) {
        fill(first, *(int *)value);
        push(first);
    }
    if (second != NONE) {
        fill(second, *(int *)value + 1);
        push(second);
    }
    return NULL;
}

int main(void) {
    int values[] = {10, 20};
    pthread_t workers[2];
    atomic_store(&top, NONE);
    for (int i = NODES - 1; i >= 0; i--)
        push(i);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker, &values[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    int free = 0;
    while (free < NODES && pop() != NONE)
        free++;
    printf("%d\n", free);
}
