/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/hunt_seen.h"

#include "base/hash.h"

void rcp_hunt_seen_init(rcp_hunt_seen *seen) {
    rcp_map_init(&seen->classes);
    rcp_map_init(&seen->gone);
    rcp_map_init(&seen->ways_of);
    rcp_map_init(&seen->twofold);
    rcp_map_init(&seen->orders);
}

void rcp_hunt_seen_finish(rcp_hunt_seen *seen) {
    rcp_map_finish(&seen->classes);
    rcp_map_finish(&seen->gone);
    rcp_map_finish(&seen->ways_of);
    rcp_map_finish(&seen->twofold);
    rcp_map_finish(&seen->orders);
}

bool rcp_hunt_seen_has(const rcp_hunt_seen *seen, const rcp_decisions *decisions) {
    return rcp_map_get(&seen->classes, decisions->number) != RCP_MAP_NONE;
}

static uint64_t side_of(uint64_t place, uint64_t way) { return rcp_hash_join(place, way); }

static bool has_gone(const rcp_hunt_seen *seen, uint64_t place, uint64_t side) {
    return rcp_map_get(&seen->gone, side_of(place, side)) != RCP_MAP_NONE;
}

static void note_side(rcp_hunt_seen *seen, const rcp_decision *d) {
    uint32_t *gone = rcp_map_at(&seen->gone, side_of(d->place, d->side));
    const bool is_new = *gone == RCP_MAP_NONE;
    *gone = 1;
    uint32_t *n = rcp_map_at(&seen->ways_of, d->place);
    *n = (*n == RCP_MAP_NONE ? 0 : *n) + is_new;
}

void rcp_hunt_seen_note(rcp_hunt_seen *seen, const rcp_hunt_run *run) {
    rcp_map_set(&seen->classes, run->decisions.number, 1);
    for (size_t t = 0; t < run->decisions.threads.len; t++)
        for (size_t i = 0; i < run->decisions.threads.at[t].at.len; i++)
            note_side(seen, &run->decisions.threads.at[t].at.at[i]);
}

void rcp_hunt_seen_note_turns(rcp_hunt_seen *seen, const rcp_hunt_run *run) {
    for (size_t i = 0; i < run->turns.len; i++)
        if (run->turns.at[i].is_twofold)
            rcp_map_set(&seen->twofold, run->turns.at[i].place, 1);
    for (size_t i = 0; i < run->overtakings.len; i++)
        rcp_map_set(&seen->orders, run->overtakings.at[i].as, 1);
}

bool rcp_hunt_seen_is_fresh(const rcp_hunt_seen *seen, const rcp_hunt_turn *turn, uint64_t side) {
    return turn->is_twofold ? !has_gone(seen, turn->place, side ? 0 : 1)
                            : rcp_map_get(&seen->ways_of, turn->place) <= 1;
}

bool rcp_hunt_seen_is_new_order(const rcp_hunt_seen *seen, const rcp_hunt_overtaking *overtaking) {
    return rcp_map_get(&seen->orders, overtaking->else_as) == RCP_MAP_NONE;
}

uint64_t rcp_hunt_seen_sides(const rcp_hunt_seen *seen, uint64_t *all) {
    uint64_t n = 0;
    *all = 2 * seen->twofold.len;
    RCP_MAP_EACH(&seen->twofold, slot)
        for (uint64_t side = 0; side < 2; side++)
            n += has_gone(seen, slot->key, side);
    return n;
}
