/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/read_store.h"

#include <string.h>

enum { BLOCK = 64, VALUED = 0x80, SIZE = 0x7f, LONG = 0x7f };

void rcp_read_store_init(rcp_read_store *store) {
    *store = (rcp_read_store){0};
    rcp_map_init(&store->long_reads);
}

void rcp_read_store_finish(rcp_read_store *store) {
    rcp_vec_finish(&store->codes);
    rcp_vec_finish(&store->starts);
    rcp_vec_finish(&store->bytes);
    rcp_map_finish(&store->long_reads);
}

void rcp_read_store_add(rcp_read_store *store, const rcp_event *e) {
    uint64_t eid = store->codes.len;
    if (eid % BLOCK == 0)
        rcp_vec_push(&store->starts, store->bytes.len);
    if (!rcp_event_reads(e)) {
        rcp_vec_push(&store->codes, 0);
        return;
    }
    uint32_t size = e->size == RCP_MAP_NONE ? e->size - 1 : e->size; /* no term reaches the last byte of such a read */
    bool is_long = size >= LONG;
    if (is_long)
        rcp_map_set(&store->long_reads, eid, size);
    rcp_vec_push(&store->codes, (uint8_t)((is_long ? LONG : size) | (e->valued ? VALUED : 0)));
    if (e->valued)
        memcpy(rcp_vec_extend(&store->bytes, size), rcp_event_bytes(e), size);
}

uint32_t rcp_read_store_size(const rcp_read_store *store, rcp_eid eid) {
    if (eid.v >= store->codes.len)
        return 0;
    uint8_t size = store->codes.at[eid.v] & SIZE;
    return size == LONG ? rcp_map_get(&store->long_reads, eid.v) : size;
}

rcp_eval rcp_read_store_get(const rcp_read_store *store, rcp_eid eid, uint32_t offset, unsigned n, uint64_t *value) {
    *value = 0;
    uint32_t size = rcp_read_store_size(store, eid);
    if (offset > size || n > size - offset || !(store->codes.at[eid.v] & VALUED))
        return RCP_EVAL_UNKNOWN;
    uint64_t at = store->starts.at[eid.v / BLOCK];
    for (uint64_t i = eid.v / BLOCK * BLOCK; i < eid.v; i++)
        if (store->codes.at[i] & VALUED)
            at += rcp_read_store_size(store, (rcp_eid){i});
    memcpy(value, store->bytes.at + at + offset, n);
    return RCP_EVAL_OK;
}
