/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/store/filter.h"

bool rcp_filter_passes(const rcp_filter *f, rcp_eid eid, const rcp_event *e) {
    if (eid.v < f->from || (f->to && eid.v >= f->to) || (f->by_thread && e->tid.v != f->tid.v))
        return false;
    if (f->by_address) {
        uint64_t extent = rcp_event_extent(e);
        if (!extent || f->lo >= f->hi || e->addr >= f->hi || e->addr + extent <= f->lo)
            return false;
    }
    if (f->by_object) {
        uint32_t uses = rcp_event_traits(e->kind)->uses;
        if (!(uses & RCP_USES_OBJECT && e->object.v == f->object.v) &&
            !(uses & RCP_USES_LOCK && e->lock.v == f->object.v))
            return false;
    }
    return true;
}
