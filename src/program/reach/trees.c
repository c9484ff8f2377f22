/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/trees.h"

void rcp_trees_init(rcp_trees *trees) {
    *trees = (rcp_trees){0};
    rcp_map_init(&trees->index);
    rcp_map_init(&trees->missed_index);
}

void rcp_trees_finish(rcp_trees *trees) {
    for (size_t i = 0; i < trees->at.len; i++) {
        rcp_release(trees->at.at[i].bytes);
        rcp_vec_finish(&trees->at.at[i].leading);
    }
    rcp_vec_finish(&trees->at);
    rcp_map_finish(&trees->index);
    rcp_map_finish(&trees->missed_index);
    rcp_vec_finish(&trees->missed);
}

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static void grow(rcp_tree *tree, rcp_space *space, rcp_tree_follow *follow, void *context) {
    uint64_t size = tree->hi - tree->lo;
    tree->bytes = rcp_alloc(size ? size : 1);
    rcp_space_read(space, tree->lo, tree->bytes, size);
    for (uint64_t at = 0; at < size; at += 8)
        if (word_at(tree->bytes + at) && follow(context, word_at(tree->bytes + at)))
            rcp_vec_push(&tree->leading, at);
}

static bool is_missed(const rcp_trees *trees, uint64_t address, uint64_t word) {
    uint32_t index = rcp_map_get(&trees->missed_index, address);
    return index != RCP_MAP_NONE && trees->missed.at[index] == word;
}

/* What recorded writes have changed since. */
static void update(rcp_trees *trees, rcp_tree *tree, rcp_space *space, rcp_tree_follow *follow, void *context) {
    uint64_t size = tree->hi - tree->lo;
    uint8_t *now = rcp_alloc(size ? size : 1);
    rcp_space_read(space, tree->lo, now, size);
    bool is_same = !memcmp(now, tree->bytes, size);
    for (uint64_t at = 0; !is_same && at < size; at += 8) {
        uint64_t word = word_at(now + at);
        if (word == word_at(tree->bytes + at) || is_missed(trees, tree->lo + at, word))
            continue;
        memcpy(tree->bytes + at, &word, sizeof word);
        bool leads = false;
        for (size_t i = 0; i < tree->leading.len; i++)
            leads |= tree->leading.at[i] == at;
        if (!leads)
            rcp_vec_push(&tree->leading, at);
    }
    for (size_t i = 0; i < tree->leading.len; i++) {
        uint64_t word = word_at(tree->bytes + tree->leading.at[i]);
        if (word)
            (void)follow(context, word);
    }
    rcp_release(now);
}

void rcp_trees_walk(rcp_trees *trees, rcp_space *space, uint64_t key, uint64_t lo, uint64_t hi, rcp_tree_follow *follow,
                    void *context) {
    uint64_t from = (lo + 7) & ~UINT64_C(7), to = hi & ~UINT64_C(7);
    if (from >= to)
        return;
    uint32_t *index = rcp_map_at(&trees->index, key);
    if (*index != RCP_MAP_NONE) {
        update(trees, &trees->at.at[*index], space, follow, context);
        return;
    }
    *index = (uint32_t)trees->at.len;
    rcp_vec_push(&trees->at, ((rcp_tree){.lo = from, .hi = to}));
    grow(&trees->at.at[trees->at.len - 1], space, follow, context);
}

void rcp_trees_miss(rcp_trees *trees, rcp_space *space, uint64_t address, const uint8_t bytes[64]) {
    uint8_t now[64];
    rcp_space_read(space, address, now, sizeof now);
    for (unsigned g = 0; g < sizeof now; g += 8) {
        if (!memcmp(now + g, bytes + g, 8))
            continue;
        uint32_t *index = rcp_map_at(&trees->missed_index, address + g);
        if (*index == RCP_MAP_NONE) {
            *index = (uint32_t)trees->missed.len;
            rcp_vec_push(&trees->missed, 0);
        }
        trees->missed.at[*index] = word_at(bytes + g);
    }
}
