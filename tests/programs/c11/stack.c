/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack whose nodes are never given back. T1 pushes, T2 pushes on top and changes the head by that, T3 pops both: T1's
 * node is still published, for T2's read-modify-write goes on with T1's release. */
// clean: -DPUSH=release -DLOOK=acquire -DPOP=acquire
// clean: -DPUSH=acq_rel -DLOOK=acquire -DPOP=acq_rel
// racy: 1 -DPUSH=relaxed -DLOOK=acquire -DPOP=acquire
// racy: 1 -DPUSH=release -DLOOK=relaxed -DPOP=relaxed
// racy: 1 -DPUSH=release -DLOOK=relaxed -DPOP=acquire
#include "litmus.h"

typedef struct node {
    struct node *next;
    int value;
} node;

static node nodes[2];
static _Atomic(node *) head;

static void push(node *it, int value) {
    node *old = LOAD(head, relaxed);
    it->value = value;
    do
        it->next = old;
    while (!atomic_compare_exchange_weak_explicit(&head, &old, it, ORDER(PUSH), memory_order_relaxed));
}

static node *pop(void) {
    node *old = LOAD(head, LOOK);
    while (old && !atomic_compare_exchange_weak_explicit(&head, &old, old->next, ORDER(POP), ORDER(LOOK)))
        ;
    return old;
}

static void T1(void) { push(&nodes[0], 1); }

static void T2(void) { push(&nodes[1], 2); }

static void T3(void) {
    node *one = pop(), *two = pop();
    printf("%d %d\n", one ? one->value : 0, two ? two->value : 0);
}
