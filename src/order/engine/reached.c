/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/reached.h"

#include <string.h>

enum { RECENT = 8 };

void rcp_reached_init(rcp_reached *reached) {
    *reached = (rcp_reached){0};
    rcp_origins_init(&reached->map);
}

void rcp_reached_finish(rcp_reached *reached) {
    rcp_vec_finish(&reached->recent);
    rcp_origins_finish(&reached->map);
}

static uint8_t covered(uint64_t base, uint64_t lo, uint64_t hi) {
    unsigned from = lo > base ? (unsigned)(lo - base) : 0, to = hi - base < 8 ? (unsigned)(hi - base) : 8;
    return (uint8_t)(((1u << to) - 1) & ~((1u << from) - 1));
}

uint8_t rcp_spans_cover(const rcp_span *spans, size_t n, uint64_t base) {
    size_t low = 0, high = n; /* the first span that ends after the granule begins */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (spans[middle].hi > base)
            high = middle;
        else
            low = middle + 1;
    }
    uint8_t mask = 0;
    for (; low < n && spans[low].lo < base + 8; low++)
        mask |= covered(base, spans[low].lo, spans[low].hi);
    return mask;
}

static void take_out(rcp_reached *reached, size_t i) {
    reached->recent.len--;
    memmove(&reached->recent.at[i], &reached->recent.at[i + 1], (reached->recent.len - i) * sizeof *reached->recent.at);
}

/* The oldest of the recent ones goes where older ones are. */
static void write_down(rcp_reached *reached, rcp_clocks *clocks) {
    rcp_reaching oldest = reached->recent.at[0];
    for (size_t i = 0; i < oldest.n; i++) {
        uint32_t origin = rcp_origins_put(&reached->map, clocks, oldest.spans[i].lo, oldest.spans[i].hi, oldest.stamp);
        reached->map.at.at[origin].since = oldest.when;
    }
    rcp_stamp_drop(clocks, &oldest.stamp);
    take_out(reached, 0);
}

void rcp_reached_set(rcp_reached *reached, rcp_clocks *clocks, const rcp_span *spans, size_t n,
                     const rcp_runner *runner, uint64_t when) {
    bool is_all = n == 1 && !spans->lo && spans->hi >= UINT64_C(1) << 48;
    for (size_t i = reached->recent.len; n && i-- > 0;) {
        rcp_reaching *known = &reached->recent.at[i];
        if (!is_all && known->spans != spans)
            continue;
        rcp_stamp_drop(clocks, &known->stamp);
        take_out(reached, i);
    }
    if (is_all)
        rcp_origins_erase(&reached->map, clocks, 0, spans->hi);
    if (!n)
        return;
    if (reached->recent.len == RECENT)
        write_down(reached, clocks);
    rcp_reaching *new = rcp_vec_extend(&reached->recent, 1);
    *new = (rcp_reaching){.spans = spans, .n = n, .when = when};
    rcp_stamp_set(clocks, &new->stamp, runner);
}

void rcp_reached_forget(rcp_reached *reached, rcp_clocks *clocks, uint64_t lo, uint64_t hi) {
    rcp_origins_erase(&reached->map, clocks, lo, hi);
}

const rcp_stamp *rcp_reached_find(rcp_reached *reached, uint64_t base, uint8_t mask, uint64_t since, uint8_t *part) {
    for (size_t i = reached->recent.len; i-- > 0 && reached->recent.at[i].when > since;) {
        const rcp_reaching *r = &reached->recent.at[i];
        *part = mask & rcp_spans_cover(r->spans, r->n, base);
        if (*part)
            return &r->stamp;
    }
    uint64_t until;
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint32_t origin = rcp_origins_find(&reached->map, base + first, &until);
    const rcp_origin *found = &reached->map.at.at[origin];
    *part = mask & covered(base, base + first, until);
    return origin && found->since > since ? &found->stamp : NULL;
}
