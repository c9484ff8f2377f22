/* SPDX-License-Identifier: Apache-2.0 */
/* What opaque events reached, beside the naive model: one event per address. */
#include "order/engine/reached.h"

#include "suite.h"

enum { SIZE = 128, REACHES = 13, MOST = 3 };

static uint32_t state = 7;
static uint32_t below(uint32_t n) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % n;
}

/* Sorted and apart from each other. */
static size_t make_spans(rcp_span *spans) {
    size_t n = 0;
    for (uint64_t at = below(30); at < SIZE && n < MOST; at = spans[n - 1].hi + 1 + below(40))
        spans[n++] = (rcp_span){at, at + 1 + below(20) < SIZE ? at + 1 + below(20) : SIZE};
    for (size_t i = 1; i < n; i++)
        if (spans[i].lo < spans[i - 1].hi)
            return 1;
    return n;
}

typedef struct model {
    uint32_t event[SIZE]; /* 0: none in this life */
    uint64_t since[SIZE]; /* its life's beginning */
} model;

/* Every granule: each part has one event, the model's, and the parts are all of it. */
static unsigned compare(rcp_reached *reached, const model *m) {
    unsigned wrong = 0;
    for (uint64_t base = 0; base < SIZE; base += 8)
        for (unsigned lane = 0; lane < 8; lane++) {
            uint8_t part = 0, mask = (uint8_t)(1u << lane);
            const rcp_stamp *stamp = rcp_reached_find(reached, base, mask, m->since[base + lane], &part);
            wrong += part != mask || (stamp ? stamp->count : 0) != m->event[base + lane];
        }
    return wrong;
}

/* The bytes of a granule that have one life, asked for at once. */
static unsigned compare_together(rcp_reached *reached, const model *m) {
    unsigned wrong = 0;
    for (uint64_t base = 0; base < SIZE; base += 8) {
        uint8_t mask = 0, part;
        for (unsigned lane = 0; lane < 8; lane++)
            mask |= m->since[base + lane] == m->since[base] ? (uint8_t)(1u << lane) : 0;
        for (; mask; mask &= (uint8_t)~part) {
            const rcp_stamp *stamp = rcp_reached_find(reached, base, mask, m->since[base], &part);
            wrong += !part || part & ~mask;
            for (unsigned lane = 0; lane < 8; lane++)
                if (part >> lane & 1)
                    wrong += (stamp ? stamp->count : 0) != m->event[base + lane];
            if (!part)
                break;
        }
    }
    return wrong;
}

START_TEST(the_same_as_an_array) {
    rcp_clocks clocks;
    rcp_reached reached;
    rcp_clocks_init(&clocks);
    rcp_reached_init(&reached);
    static rcp_span spans[REACHES + 1][MOST];
    size_t n[REACHES + 1];
    for (size_t r = 0; r < REACHES; r++)
        n[r] = make_spans(spans[r]);
    spans[REACHES][0] = (rcp_span){0, UINT64_C(1) << 48};
    n[REACHES] = 1;
    static model m;
    rcp_runner runner = {.tid = 3};
    for (uint64_t now = 1; now < 4000; now++) {
        runner.count++;
        if (!below(6)) {
            uint64_t lo = below(SIZE), hi = lo + 1 + below((uint32_t)(SIZE - lo));
            rcp_reached_forget(&reached, &clocks, lo, hi);
            for (uint64_t at = lo; at < hi; at++) {
                m.event[at] = 0;
                m.since[at] = now;
            }
        } else {
            uint32_t r = below(10) ? below(REACHES) : REACHES;
            rcp_reached_set(&reached, &clocks, spans[r], n[r], &runner, now);
            for (size_t i = 0; i < n[r]; i++)
                for (uint64_t at = spans[r][i].lo; at < spans[r][i].hi && at < SIZE; at++)
                    m.event[at] = runner.count;
        }
        ck_assert_uint_eq(compare(&reached, &m), 0);
        ck_assert_uint_eq(compare_together(&reached, &m), 0);
    }
    rcp_reached_finish(&reached);
    rcp_clocks_finish(&clocks);
}
END_TEST

int main(void) { return rcp_suite_run("reached", the_same_as_an_array, NULL); }
