/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as one thread sees it: what all see, under what is its own. The naive model: a copy of memory per thread. */
#include "program/concrete/state.h"

#include <string.h>

enum { GRANULE = RCP_SPACE_GRANULE };

void rcp_view_init(rcp_view *view, rcp_space *space) {
    *view = (rcp_view){.space = space};
    rcp_map_init(&view->index);
}

static unsigned piece_of(uint64_t address, uint64_t size) {
    uint64_t room = GRANULE - address % GRANULE;
    return (unsigned)(size < room ? size : room);
}

void rcp_view_read(const rcp_view *view, uint64_t address, void *to, uint64_t size) {
    rcp_space_read(view->space, address, to, size);
    if (!view->own.len)
        return;
    uint8_t *bytes = to;
    for (unsigned n; size; address += n, bytes += n, size -= n) {
        n = piece_of(address, size);
        uint32_t index = rcp_map_get(&view->index, address / GRANULE);
        for (unsigned i = 0, at = address % GRANULE; index != RCP_MAP_NONE && i < n; i++, at++)
            if (view->own.at[index].mask >> at & 1)
                bytes[i] = view->own.at[index].bytes[at];
    }
}

void rcp_view_write(rcp_view *view, uint64_t address, const void *from, uint64_t size) {
    const uint8_t *bytes = from;
    for (unsigned n; size; address += n, bytes += n, size -= n) {
        n = piece_of(address, size);
        uint32_t *index = rcp_map_at(&view->index, address / GRANULE);
        if (*index == RCP_MAP_NONE) {
            *index = (uint32_t)view->own.len;
            rcp_vec_push(&view->own, (rcp_own_bytes){0});
        }
        rcp_own_bytes *own = &view->own.at[*index];
        memcpy(own->bytes + address % GRANULE, bytes, n);
        own->mask |= (uint8_t)(((1u << n) - 1) << address % GRANULE);
    }
}

static void drop_piece(rcp_view *view, uint32_t index, uint64_t lo, uint64_t hi, uint64_t granule) {
    for (unsigned i = 0; i < GRANULE; i++)
        if (granule * GRANULE + i >= lo && granule * GRANULE + i < hi)
            view->own.at[index].mask &= (uint8_t)~(1u << i);
}

/* Of much memory there is seldom much that is one's own. */
void rcp_view_drop(rcp_view *view, uint64_t address, uint64_t size) {
    uint64_t end = address + size;
    if (!view->own.len)
        return;
    if (size / GRANULE > view->own.len) {
        RCP_MAP_EACH(&view->index, slot)
            drop_piece(view, slot->value, address, end, slot->key);
        return;
    }
    for (uint64_t g = address / GRANULE; g * GRANULE < end; g++) {
        uint32_t index = rcp_map_get(&view->index, g);
        if (index != RCP_MAP_NONE)
            drop_piece(view, index, address, end, g);
    }
}
