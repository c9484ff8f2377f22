/* A lock with a queue (MCS): each waits at a word of its own. */
#include "lock.h"
#ifndef COND
typedef struct node {
    struct node *_Atomic next;
    atomic_int waits;
} node;
static node nodes[THREADS];
static node *_Atomic tail;
static void lock(int me) {
    node *mine = &nodes[me];
    mine->next = NULL;
    mine->waits = 1;
    node *before = atomic_exchange(&tail, mine);
    if (!before)
        return;
    before->next = mine;
    while (mine->waits)
        ;
}
static void unlock(int me) {
    node *mine = &nodes[me], *expected = mine;
    if (!mine->next) {
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!mine->next)
            ;
    }
    mine->next->waits = 0;
}
#endif
