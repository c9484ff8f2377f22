/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that insert into one treap under a lock, and read it without. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    struct node *child[2];
    unsigned key, priority, count;
} node;

static node *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint done;
static _Thread_local unsigned state;

static unsigned next(void) { return state = state * 1664525u + 1013904223u; }

static node *rotate(node *n, int side) {
    node *up = n->child[side];
    n->child[side] = up->child[!side];
    up->child[!side] = n;
    return up;
}

static node *insert(node *n, unsigned key) {
    if (!n) {
        n = calloc(1, sizeof *n);
        n->key = key;
        n->priority = next();
    }
    if (n->key == key) {
        n->count++;
        return n;
    }
    int side = key > n->key;
    n->child[side] = insert(n->child[side], key);
    return n->child[side]->priority > n->priority ? rotate(n, side) : n;
}

static unsigned depth(const node *n) {
    if (!n)
        return 0;
    unsigned a = depth(n->child[0]), b = depth(n->child[1]);
    return 1 + (a > b ? a : b);
}

static void *work(void *argument) {
    state = 7 * (unsigned)(size_t)argument + 1;
    for (int i = 0; i < 400; i++) {
        pthread_mutex_lock(&lock);
        root = insert(root, next() % 500);
        pthread_mutex_unlock(&lock);
        if (i % 64 == 0)
            atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
    }
    return NULL;
}

static unsigned count(const node *n) { return n ? n->count + count(n->child[0]) + count(n->child[1]) : 0; }

int main(void) {
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    while (atomic_load(&done) < 4 * 7)
        ;
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    printf("%u %d\n", count(root), depth(root) < 100);
    return 0;
}
