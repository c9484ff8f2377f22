/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/pairs.h"

#include "base/hash.h"

void rcp_pairs_init(rcp_pairs *pairs) {
    *pairs = (rcp_pairs){0};
    rcp_map_init(&pairs->by_hash);
    rcp_arena_init(&pairs->memory);
}

void rcp_pairs_finish(rcp_pairs *pairs) {
    rcp_vec_finish(&pairs->at);
    rcp_map_finish(&pairs->by_hash);
    rcp_arena_finish(&pairs->memory);
}

static rcp_pair_side side_of(const rcp_order_access *access, uint64_t address) {
    return (rcp_pair_side){
        .place = access->loc.v ? access->loc.v : address | UINT64_C(1) << 63,
        .kind = access->kind + (access->atomic ? 256u : 0u),
    };
}

static bool same_side(rcp_pair_side a, rcp_pair_side b) { return a.place == b.place && a.kind == b.kind; }

/* Where the hash has the pair, or would have it; its sides in order. */
static uint64_t find(const rcp_pairs *pairs, const rcp_order_race *race, rcp_pair_side sides[2]) {
    rcp_pair_side a = side_of(&race->earlier, race->lo), b = side_of(&race->later, race->lo);
    bool swap = b.place < a.place || (b.place == a.place && b.kind < a.kind);
    sides[0] = swap ? b : a;
    sides[1] = swap ? a : b;
    uint64_t key =
        rcp_hash_join(rcp_hash_join(sides[0].place, sides[1].place), (uint64_t)sides[0].kind << 32 | sides[1].kind);
    for (;; key++) { /* two pairs of one hash: the second takes the next free key */
        uint32_t i = rcp_map_get(&pairs->by_hash, key);
        if (i == RCP_MAP_NONE ||
            (same_side(pairs->at.at[i].side[0], sides[0]) && same_side(pairs->at.at[i].side[1], sides[1])))
            return key;
    }
}

uint32_t rcp_pairs_look_up(const rcp_pairs *pairs, const rcp_order_race *race) {
    rcp_pair_side sides[2];
    return rcp_map_get(&pairs->by_hash, find(pairs, race, sides));
}

static rcp_pair *find_or_make(rcp_pairs *pairs, const rcp_order_race *race) {
    rcp_pair_side sides[2];
    uint32_t *place = rcp_map_at(&pairs->by_hash, find(pairs, race, sides));
    if (*place == RCP_MAP_NONE) {
        *place = (uint32_t)pairs->at.len;
        rcp_vec_push(&pairs->at, ((rcp_pair){.side = {sides[0], sides[1]}}));
    }
    return &pairs->at.at[*place];
}

void rcp_pairs_add(rcp_pairs *pairs, rcp_model model, const rcp_order_race *race) {
    rcp_pair *pair = find_or_make(pairs, race);
    uint64_t most = rcp_limit(RCP_LIMIT_ORDER_INSTANCES), first = rcp_limit(RCP_LIMIT_ORDER_FIRST_INSTANCES);
    first = first < most ? first : most;
    rcp_pair_flags *flags = pair->by[model];
    if (!flags) {
        flags = pair->by[model] = rcp_arena_alloc(&pairs->memory, sizeof *flags + most * sizeof *flags->kept);
        flags->count = 0;
    }
    uint64_t place = flags->count++;
    if (place >= most) /* the n-th takes a picked one's place with a chance of picked in n - first: each is as likely */
        place = first + rcp_hash_u64(place) % (place + 1 - first);
    if (place < most)
        flags->kept[place] = (rcp_pair_instance){race->earlier.tid, race->earlier.position, race->eid};
}
