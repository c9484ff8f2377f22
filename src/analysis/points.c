/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/points.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

static uint64_t hash_string(const char *string) { return rcp_hash_bytes(string, strlen(string)); }

uint64_t rcp_point_of_location(const rcp_defs *defs, rcp_loc loc) {
    const rcp_location *at = &defs->locations.at[loc.v];
    uint64_t h = rcp_hash_join(hash_string(rcp_defs_borrow_string(defs, at->file)), at->line);
    return rcp_hash_join(rcp_hash_join(h, at->column), hash_string(rcp_defs_borrow_string(defs, at->function)));
}

uint64_t rcp_point_of(const rcp_defs *defs, const rcp_event *e) {
    uint64_t h = rcp_hash_join(e->kind, rcp_point_of_location(defs, e->loc));
    return e->loc.v ? h : rcp_hash_join(h, e->addr);
}

uint64_t rcp_point_pair_of(const rcp_defs *a_defs, const rcp_event *a, const rcp_defs *b_defs, const rcp_event *b) {
    uint64_t one = rcp_point_of(a_defs, a), two = rcp_point_of(b_defs, b);
    return rcp_hash_join(one < two ? one : two, one < two ? two : one);
}

uint64_t rcp_point_pair(const rcp_defs *defs, const rcp_event *a, const rcp_event *b) {
    return rcp_point_pair_of(defs, a, defs, b);
}

rcp_code rcp_point_ways(rcp_reader *reader, uint64_t *ways) {
    const rcp_defs *defs = rcp_reader_borrow_defs(reader);
    RCP_VEC(uint64_t) locations = {0}, threads = {0};
    for (uint32_t i = 0; i < defs->locations.len; i++)
        rcp_vec_push(&locations, rcp_point_of_location(defs, (rcp_loc){i}));
    for (uint32_t i = 0; i < defs->threads.len; i++)
        rcp_vec_push(&threads, hash_string(rcp_defs_borrow_string(defs, defs->threads.at[i].name)));
    rcp_batch batch = {0};
    rcp_code code = rcp_reader_seek(reader, (rcp_eid){0});
    do {
        if (code == RCP_OK)
            code = rcp_reader_next(reader, &batch);
        for (size_t i = 0; code == RCP_OK && i < batch.n; i++) {
            const rcp_event *e = &batch.at[i];
            uint64_t *h = &threads.at[e->tid.v];
            *h = rcp_hash_join(*h, locations.at[e->loc.v] + e->kind + ((uint64_t)e->outcome << 8));
            *h = rcp_hash_join(*h, e->kind == RCP_BRANCH ? e->value : e->addr + ((uint64_t)e->size << 48));
        }
    } while (code == RCP_OK && batch.n);
    *ways = 0;
    for (size_t i = 0; i < threads.len; i++)
        *ways += rcp_hash_u64(threads.at[i]); /* their numbers may differ, and their order */
    rcp_vec_finish(&locations);
    rcp_vec_finish(&threads);
    return code;
}
