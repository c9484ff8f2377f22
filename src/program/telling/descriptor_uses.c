/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/descriptor_uses.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void rcp_descriptors_init(rcp_descriptors *descriptors) { rcp_map_init(&descriptors->set_index); }

void rcp_descriptors_finish(rcp_descriptors *descriptors) {
    rcp_vec_finish(&descriptors->objects);
    rcp_vec_finish(&descriptors->used);
    rcp_vec_finish(&descriptors->sets);
    rcp_vec_finish(&descriptors->members);
    rcp_vec_finish(&descriptors->watched);
    rcp_map_finish(&descriptors->set_index);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint32_t rcp_descriptors_set(rcp_descriptors *d, uint32_t *objects, size_t given, uint32_t flags) {
    size_t n = 0;
    if (given)
        qsort(objects, given, sizeof *objects, by_number);
    for (size_t i = 0; i < given; i++)
        if (!n || objects[n - 1] != objects[i])
            objects[n++] = objects[i];
    uint64_t hash = (n ? rcp_hash_bytes(objects, n * sizeof *objects) : 0) * 31 + flags;
    uint32_t *index = rcp_map_at(&d->set_index, hash);
    if (*index != RCP_MAP_NONE) {
        const rcp_used_set *set = &d->sets.at[*index];
        if (set->flags == flags && set->n == n &&
            (!n || !memcmp(d->members.at + set->first, objects, n * sizeof *objects)))
            return *index;
    }
    *index = (uint32_t)d->sets.len;
    rcp_used_set set = {(uint32_t)d->members.len, (uint32_t)n, flags};
    for (size_t i = 0; i < n; i++)
        rcp_vec_push(&d->members, objects[i]);
    rcp_vec_push(&d->sets, set);
    return *index;
}

rcp_used *rcp_descriptors_find(const rcp_descriptors *d, uint64_t visit) {
    size_t lo = 0, hi = d->used.len;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->used.at[mid].visit < visit)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < d->used.len && d->used.at[lo].visit == visit ? &d->used.at[lo] : NULL;
}
