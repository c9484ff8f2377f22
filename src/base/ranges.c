/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ranges.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/vec.h"

typedef struct rcp_ranges_node {
    uint64_t lo, hi;
    uint32_t value, priority;
    uint32_t left, right; /* 0: none */
} node;

void rcp_ranges_init(rcp_ranges *map) { *map = (rcp_ranges){.seed = 1}; }

void rcp_ranges_finish(rcp_ranges *map) {
    rcp_release(map->nodes);
    *map = (rcp_ranges){0};
}

void rcp_ranges_copy(rcp_ranges *map, const rcp_ranges *from) {
    *map = *from;
    map->nodes = rcp_copy(from->nodes, from->len * sizeof(node));
    map->cap = from->len;
}

static uint32_t make(rcp_ranges *map, uint64_t lo, uint64_t hi, uint32_t value) {
    if (!map->len) {
        map->nodes = rcp_grow(map->nodes, &map->cap, 2, sizeof(node));
        map->nodes[map->len++] = (node){0};
    }
    uint32_t at = map->spare;
    if (at) {
        map->spare = map->nodes[at].left;
    } else {
        RCP_CHECK(map->len < RCP_RANGES_NONE);
        map->nodes = map->len < map->cap ? map->nodes : rcp_grow(map->nodes, &map->cap, map->len + 1, sizeof(node));
        at = (uint32_t)map->len++;
    }
    map->seed = rcp_hash_u64(map->seed + 1);
    map->nodes[at] = (node){.lo = lo, .hi = hi, .value = value, .priority = (uint32_t)map->seed};
    map->live++;
    return at;
}

/* Nodes that begin below `key` go to *left, the others to *right. */
static void split(node *nodes, uint32_t tree, uint64_t key, uint32_t *left, uint32_t *right) {
    while (tree) {
        if (nodes[tree].lo < key) {
            *left = tree;
            left = &nodes[tree].right;
            tree = *left;
        } else {
            *right = tree;
            right = &nodes[tree].left;
            tree = *right;
        }
    }
    *left = *right = 0;
}

static uint32_t merge(node *nodes, uint32_t a, uint32_t b) {
    uint32_t root = 0, *at = &root;
    while (a && b) {
        if (nodes[a].priority > nodes[b].priority) {
            *at = a;
            at = &nodes[a].right;
            a = *at;
        } else {
            *at = b;
            at = &nodes[b].left;
            b = *at;
        }
    }
    *at = a ? a : b;
    return root;
}

static void drop(rcp_ranges *map, uint32_t tree) {
    while (tree) { /* rotate left children up: no recursion, however the tree leans */
        node *n = &map->nodes[tree];
        if (n->left) {
            uint32_t up = n->left;
            n->left = map->nodes[up].right;
            map->nodes[up].right = tree;
            tree = up;
        } else {
            uint32_t next = n->right;
            n->left = map->spare;
            map->spare = tree;
            map->live--;
            tree = next;
        }
    }
}

/* Makes `key` a border: a range across it is cut in two. */
static void cut(rcp_ranges *map, uint64_t key) {
    uint32_t at = map->root, best = 0;
    while (at) {
        if (map->nodes[at].lo < key) {
            best = at;
            at = map->nodes[at].right;
        } else {
            at = map->nodes[at].left;
        }
    }
    if (!best || map->nodes[best].hi <= key)
        return;
    uint32_t upper = make(map, key, map->nodes[best].hi, map->nodes[best].value);
    map->nodes[best].hi = key;
    uint32_t left, right;
    split(map->nodes, map->root, key, &left, &right);
    map->root = merge(map->nodes, merge(map->nodes, left, upper), right);
}

static void replace(rcp_ranges *map, uint64_t lo, uint64_t hi, int put, uint32_t value) {
    if (lo >= hi)
        return;
    if (map->root) {
        cut(map, lo);
        cut(map, hi);
    }
    uint32_t fresh = put ? make(map, lo, hi, value) : 0;
    if (!map->root) {
        map->root = fresh;
        return;
    }
    uint32_t left, middle, right, rest;
    split(map->nodes, map->root, lo, &left, &rest);
    split(map->nodes, rest, hi, &middle, &right);
    drop(map, middle);
    map->root = merge(map->nodes, merge(map->nodes, left, fresh), right);
}

/* The range that begins at `lo`; 0: none does. */
static uint32_t beginning_at(const rcp_ranges *map, uint64_t lo) {
    uint32_t at = map->root;
    while (at && map->nodes[at].lo != lo)
        at = lo < map->nodes[at].lo ? map->nodes[at].left : map->nodes[at].right;
    return at;
}

void rcp_ranges_set(rcp_ranges *map, uint64_t lo, uint64_t hi, uint32_t value) {
    /* The same call at the same place sets the same stretches again and again (a program that looks at the clock): one
     * way down the tree then, instead of cutting and joining it. */
    uint32_t same = lo < hi ? beginning_at(map, lo) : 0;
    if (same && map->nodes[same].hi == hi)
        map->nodes[same].value = value;
    else
        replace(map, lo, hi, 1, value);
}

void rcp_ranges_erase(rcp_ranges *map, uint64_t lo, uint64_t hi) { replace(map, lo, hi, 0, 0); }

int rcp_ranges_next(const rcp_ranges *map, uint64_t address, rcp_range *found) {
    uint32_t at = map->root, best = 0;
    while (at) {
        if (map->nodes[at].hi > address) {
            best = at;
            at = map->nodes[at].left;
        } else {
            at = map->nodes[at].right;
        }
    }
    if (!best)
        return 0;
    *found = (rcp_range){.lo = map->nodes[best].lo, .hi = map->nodes[best].hi, .value = map->nodes[best].value};
    return 1;
}

uint32_t rcp_ranges_get(const rcp_ranges *map, uint64_t address) {
    rcp_range found;
    return rcp_ranges_next(map, address, &found) && found.lo <= address ? found.value : RCP_RANGES_NONE;
}

uint32_t rcp_ranges_stretch(const rcp_ranges *map, uint64_t addr, uint64_t hi, uint64_t *upto) {
    rcp_range found;
    *upto = hi;
    if (!map->live || !rcp_ranges_next(map, addr, &found) || found.lo >= hi)
        return RCP_RANGES_NONE;
    if (found.lo > addr) {
        *upto = found.lo;
        return RCP_RANGES_NONE;
    }
    if (found.hi < hi)
        *upto = found.hi;
    return found.value;
}
