/* SPDX-License-Identifier: Apache-2.0 */
/* Objects are followed: the flag lies behind two pointers, on the heap, from a stack object of main's. Two other threads work on
 * another such tree, and nothing orders the pairs: v.
 * expect: v
 * simple: none */
#include <pthread.h>
#include <stdlib.h>

struct leaf {
    volatile int flag;
};
struct tree {
    struct tree *left;
    struct leaf *leaf;
};

int x, v, seen;

__attribute__((noinline)) void m_set(struct tree *t) { t->left->leaf->flag = 1; }
__attribute__((noinline)) void m_wait(struct tree *t) {
    while (!t->left->leaf->flag)
        ;
}

static void *set(void *tree) {
    x = 1;
    m_set(tree);
    return tree;
}

static void *wait(void *tree) {
    m_wait(tree);
    seen = x;
    v = 1;
    return tree;
}

static void *set_other(void *tree) {
    m_set(tree);
    v = 2;
    return tree;
}

static void plant(struct tree *t) {
    t->left = calloc(1, sizeof *t->left);
    t->left->leaf = calloc(1, sizeof *t->left->leaf);
}

int main(void) {
    struct tree one = {0}, two = {0};
    pthread_t threads[3];
    plant(&one);
    plant(&two);
    pthread_create(&threads[0], 0, set, &one);
    pthread_create(&threads[1], 0, wait, &one);
    pthread_create(&threads[2], 0, set_other, &two);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
