/* SPDX-License-Identifier: Apache-2.0 */
/* A treap in each of a few locked shards: pointer chasing, recursion, malloc and free. treap [OPERATIONS] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, SHARDS = 8, KEYS = 1 << 14 };

typedef struct node {
    struct node *left, *right;
    uint32_t key, priority, count;
} node;

static struct shard {
    pthread_mutex_t lock;
    node *root;
} shards[SHARDS];
static unsigned operations = 200000;

static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

static node *rotate_right(node *n) {
    node *l = n->left;
    n->left = l->right;
    l->right = n;
    return l;
}

static node *rotate_left(node *n) {
    node *r = n->right;
    n->right = r->left;
    r->left = n;
    return r;
}

static node *insert(node *n, uint32_t key) {
    if (!n) {
        n = malloc(sizeof *n);
        if (!n)
            abort();
        *n = (node){.key = key, .priority = mix(key), .count = 1};
        return n;
    }
    if (key == n->key) {
        n->count++;
    } else if (key < n->key) {
        n->left = insert(n->left, key);
        if (n->left->priority > n->priority)
            n = rotate_right(n);
    } else {
        n->right = insert(n->right, key);
        if (n->right->priority > n->priority)
            n = rotate_left(n);
    }
    return n;
}

static node *merge(node *a, node *b) {
    if (!a || !b)
        return a ? a : b;
    if (a->priority > b->priority) {
        a->right = merge(a->right, b);
        return a;
    }
    b->left = merge(a, b->left);
    return b;
}

/* Takes one off the key's count. */
static node *take(node *n, uint32_t key) {
    if (!n)
        return NULL;
    if (key < n->key) {
        n->left = take(n->left, key);
    } else if (key > n->key) {
        n->right = take(n->right, key);
    } else if (--n->count == 0) {
        node *rest = merge(n->left, n->right);
        free(n);
        return rest;
    }
    return n;
}

static void *work(void *argument) {
    uint32_t base = (uint32_t)(uintptr_t)argument * operations;
    for (uint32_t i = 0; i < operations; i++) {
        uint32_t key = mix(base + i) % KEYS;
        struct shard *s = &shards[key % SHARDS];
        pthread_mutex_lock(&s->lock);
        s->root = insert(s->root, key);
        pthread_mutex_unlock(&s->lock);
        if (i < 64 || mix(i) % 3 == 0)
            continue;
        /* One that this thread inserted before: it takes each at most once, so no schedule finds a key missing. */
        key = mix(base + i - 64) % KEYS;
        s = &shards[key % SHARDS];
        pthread_mutex_lock(&s->lock);
        s->root = take(s->root, key);
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static uint64_t sum(const node *n) {
    return n ? sum(n->left) * 3 + sum(n->right) * 5 + (uint64_t)n->key * n->count : 1;
}

int main(int argc, char **argv) {
    if (argc > 1)
        operations = (unsigned)atoi(argv[1]);
    for (unsigned i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].lock, NULL);
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < SHARDS; i++)
        printf("%016llx\n", (unsigned long long)sum(shards[i].root));
    return 0;
}
