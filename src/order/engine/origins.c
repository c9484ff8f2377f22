/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/origins.h"

void rcp_origins_init(rcp_origins *origins) {
    *origins = (rcp_origins){0};
    rcp_ranges_init(&origins->map);
    rcp_vec_push(&origins->at, (rcp_origin){0});
}

void rcp_origins_finish(rcp_origins *origins) {
    rcp_ranges_finish(&origins->map);
    rcp_vec_finish(&origins->at);
}

/* The addresses of [lo, hi) no longer refer to their records. */
static void let_go(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi) {
    rcp_range range;
    for (uint64_t from = lo; from < hi && rcp_ranges_next(&origins->map, from, &range) && range.lo < hi;
         from = range.hi) {
        rcp_origin *origin = &origins->at.at[range.value];
        origin->bytes -= (range.hi < hi ? range.hi : hi) - (range.lo > lo ? range.lo : lo);
        if (origin->bytes)
            continue;
        rcp_stamp_drop(clocks, &origin->stamp);
        origin->next_spare = origins->spare;
        origins->spare = range.value;
    }
}

uint32_t rcp_origins_put(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi, rcp_stamp stamp) {
    if (lo >= hi)
        return 0;
    origins->last.hi = 0;
    let_go(origins, clocks, lo, hi);
    uint32_t i = origins->spare;
    if (i) {
        origins->spare = origins->at.at[i].next_spare;
    } else {
        i = (uint32_t)origins->at.len;
        rcp_vec_push(&origins->at, (rcp_origin){0});
    }
    origins->at.at[i] = (rcp_origin){.stamp = stamp, .bytes = hi - lo};
    rcp_clock_hold(clocks, stamp.clock);
    rcp_ranges_set(&origins->map, lo, hi, i);
    return i;
}

uint32_t rcp_origins_set(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi, const rcp_runner *runner,
                         uint32_t loc, bool frees, uint32_t set) {
    uint32_t i = rcp_origins_put(origins, clocks, lo, hi, (rcp_stamp){runner->clock, runner->tid, runner->count});
    if (i) {
        origins->at.at[i].loc = loc;
        origins->at.at[i].frees = frees;
        origins->at.at[i].set = set;
    }
    return i;
}

void rcp_origins_erase(rcp_origins *origins, rcp_clocks *clocks, uint64_t lo, uint64_t hi) {
    if (!origins->map.live || lo >= hi)
        return;
    origins->last.hi = 0;
    let_go(origins, clocks, lo, hi);
    rcp_ranges_erase(&origins->map, lo, hi);
}

uint32_t rcp_origins_find(rcp_origins *origins, uint64_t address, uint64_t *until) {
    if (!origins->map.live) {
        *until = UINT64_MAX;
        return 0;
    }
    rcp_range *last = &origins->last;
    if (address < last->lo || address >= last->hi) { /* neighbours are asked for one after the other */
        rcp_range range;
        if (!rcp_ranges_next(&origins->map, address, &range))
            *last = (rcp_range){address, UINT64_MAX, 0};
        else if (range.lo > address)
            *last = (rcp_range){address, range.lo, 0};
        else
            *last = range;
    }
    *until = last->hi;
    return last->value;
}
