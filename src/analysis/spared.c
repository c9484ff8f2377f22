/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/spared.h"

#include "analysis/points.h"

#include <stdlib.h>

/* "r12 w12 w40": reads and writes, by the numbers of their locations (program/telling/sink_annotations.c). */
bool rcp_spared_is(const rcp_defs *said, const rcp_defs *defs, const rcp_event *event) {
    const char *at = rcp_defs_borrow_fact(said, RCP_SPARED_FACT);
    if (!at || !rcp_event_is_access(event) || rcp_event_is_atomic(event) || !event->loc.v)
        return false;
    const char own = rcp_event_writes(event) ? 'w' : 'r';
    const uint64_t point = rcp_point_of_location(defs, event->loc);
    for (char *end; *at; at = *end ? end + 1 : end) {
        const char what = *at;
        const unsigned long loc = strtoul(at + 1, &end, 10);
        if (end == at + 1 || loc >= said->locations.len)
            return false;
        if (what == own && rcp_point_of_location(said, (rcp_loc){(uint32_t)loc}) == point)
            return true;
    }
    return false;
}
