/* SPDX-License-Identifier: Apache-2.0 */
/* docs/semantics.md as clauses: points of time (P3).
 *
 * What is executed before the slice was recorded before all of it, and keeps its order: it breaks nothing. */
#include "predict/solve/encode.h"

#include "predict/facts/mutant.h"
#include "trace/check/barriers.h"

#define NONE UINT32_MAX

/* How far the order at hand has come. */
typedef struct passing {
    uint32_t latest; /* of those that are not before their time the last one, as recorded; NONE: nobody yet */
    /* A stretch of time that began after `reason`, which was recorded after it, and is over by `end`; NONE: none. */
    uint32_t reason, begin, end;
} passing;

static bool is_later(const passing *p, uint32_t event) { return p->latest != NONE && p->latest > event; }

/* The event knows the time: not if this came before, or it does not come. */
static bool look_at_one(rcp_encoding *x, const passing *p, uint32_t event) {
    if (is_later(p, event)) {
        rcp_encoding_want(x, event, p->latest);
    } else if (p->end != NONE && !RCP_MUTANT(NO_STRETCH)) {
        rcp_encoding_want(x, p->begin, p->reason);
        rcp_encoding_want(x, event, p->end);
    } else {
        return true;
    }
    rcp_encoding_drop(x, event);
    rcp_encoding_add(x);
    return false;
}

bool rcp_encoding_look_at_time(rcp_encoding *x) {
    const rcp_observed *o = &x->facts->observed;
    passing p = {NONE, NONE, NONE, NONE};
    rcp_map late; /* beginnings → what they came after */
    bool ok = true;
    if (!o->points.len || RCP_MUTANT(NO_TIME) || rcp_query_is_loose(x->q, RCP_LOOSE_OPAQUE))
        return true;
    rcp_map_init(&late);
    for (uint32_t i = 0; x->at[i] != x->q->race; i++) {
        uint32_t event = x->q->event[x->at[i]];
        const rcp_point *point = rcp_observed_point(o, (rcp_eid){event});
        if (!point)
            continue;
        if (point->timing & RCP_TIMING_NOT_AFTER)
            ok &= look_at_one(x, &p, event);
        if (point->timing & RCP_TIMING_BEGINS && is_later(&p, event))
            rcp_map_set(&late, event, p.latest);
        uint32_t reason = point->begin == RCP_NO_BEGIN ? RCP_MAP_NONE : rcp_map_get(&late, point->begin);
        if (reason != RCP_MAP_NONE && p.end == NONE)
            p.reason = reason, p.begin = point->begin, p.end = event;
        if (point->timing & RCP_TIMING_NOT_BEFORE && (p.latest == NONE || p.latest < event))
            p.latest = event;
    }
    rcp_map_finish(&late);
    return ok;
}
