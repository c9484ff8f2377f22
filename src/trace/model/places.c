/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/places.h"

#include "base/hash.h"

#include <stdlib.h>

void rcp_places_init(rcp_places *places) {
    *places = (rcp_places){0};
    rcp_map_init(&places->exact);
    rcp_ranges_init(&places->covered);
}

void rcp_places_finish(rcp_places *places) {
    rcp_map_finish(&places->exact);
    rcp_ranges_finish(&places->covered);
}

static bool usable(const rcp_variable *v) { return v->size && v->addr <= UINT64_MAX - v->size; }

static uint64_t key_of(uint64_t addr, uint64_t size) { return rcp_hash_join(addr, size); }

typedef struct by_size {
    uint64_t size;
    uint32_t i;
} by_size;

/* Large ones first, so that smaller ones paint over them; of equals the first one is painted last. */
static int large_first(const void *left, const void *right) {
    const by_size *x = left, *y = right;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return x->i < y->i ? 1 : x->i > y->i ? -1 : 0;
}

void rcp_places_refresh(rcp_places *places, const rcp_defs *defs) {
    size_t n = defs->variables.len;
    if (places->seen == n)
        return;
    rcp_ranges_finish(&places->covered);
    rcp_ranges_init(&places->covered);
    by_size *order = rcp_alloc(n * sizeof *order);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const rcp_variable *v = &defs->variables.at[i];
        if (!usable(v))
            continue;
        order[used++] = (by_size){.size = v->size, .i = (uint32_t)i};
        if (i < places->seen)
            continue;
        for (uint64_t key = key_of(v->addr, v->size);; key++) {
            uint32_t *known = rcp_map_at(&places->exact, key);
            if (*known == RCP_MAP_NONE) {
                *known = (uint32_t)i;
                break;
            }
            const rcp_variable *other = &defs->variables.at[*known];
            if (other->addr == v->addr && other->size == v->size)
                break;
        }
    }
    qsort(order, used, sizeof *order, large_first);
    for (size_t i = 0; i < used; i++) {
        const rcp_variable *v = &defs->variables.at[order[i].i];
        rcp_ranges_set(&places->covered, v->addr, v->addr + v->size, order[i].i);
    }
    rcp_release(order);
    places->seen = n;
}

uint32_t rcp_places_find(const rcp_places *places, const rcp_defs *defs, uint64_t addr, uint64_t size) {
    for (uint64_t key = key_of(addr, size);; key++) {
        uint32_t known = rcp_map_get(&places->exact, key);
        if (known == RCP_MAP_NONE)
            break;
        const rcp_variable *v = &defs->variables.at[known];
        if (v->addr == addr && v->size == size)
            return known;
    }
    uint32_t holder = rcp_ranges_get(&places->covered, addr);
    if (holder == RCP_RANGES_NONE)
        return RCP_NO_VARIABLE;
    const rcp_variable *v = &defs->variables.at[holder];
    uint64_t offset = addr - v->addr;
    return size <= v->size - offset ? holder : RCP_NO_VARIABLE;
}
