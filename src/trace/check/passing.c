/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/passing.h"

#include "trace/check/barriers.h"

#include <inttypes.h>

void rcp_passing_init(rcp_passing *p) {
    *p = (rcp_passing){0};
    rcp_map_init(&p->late);
}

void rcp_passing_finish(rcp_passing *p) { rcp_map_finish(&p->late); }

void rcp_passing_copy(rcp_passing *p, const rcp_passing *from) {
    *p = *from;
    rcp_map_copy(&p->late, &from->late);
}

bool rcp_passing_step(rcp_passing *p, const rcp_observed *o, rcp_eid eid, char why[RCP_REASON_ROOM]) {
    const rcp_point *point = rcp_observed_point(o, eid);
    if (!point)
        return true;
    if (point->timing & RCP_TIMING_NOT_AFTER && p->latest > eid.v)
        return rcp_refuse(why,
                          "event %" PRIu64 " tells the time, and event %" PRIu32
                          ", which can't have come before its own, was recorded after it",
                          eid.v, p->latest - 1);
    if (point->timing & RCP_TIMING_NOT_AFTER && p->stretched)
        return rcp_refuse(why,
                          "event %" PRIu64 " tells the time, and the wait that began with event %" PRIu32
                          " was not over by then: it began later than when recorded",
                          eid.v, p->stretched - 1);
    if (point->timing & RCP_TIMING_BEGINS && p->latest > eid.v)
        rcp_map_set(&p->late, eid.v, 1);
    if (point->begin != RCP_NO_BEGIN && rcp_map_get(&p->late, point->begin) != RCP_MAP_NONE)
        p->stretched = point->begin + 1;
    if (point->timing & RCP_TIMING_NOT_BEFORE && p->latest < eid.v + 1)
        p->latest = (uint32_t)eid.v + 1;
    return true;
}
