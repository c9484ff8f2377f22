/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation objects as memory: who uses one, and who begins or ends its life.
 *
 * Kept apart from the marks of memory: these say which bytes recorded code has seen, and a call that locks a mutex
 * shows it nothing. Where the life of the memory ends, or the run does, both are put together. */
#include "program/telling/sharing_state.h"

static uint32_t joined(uint32_t a, uint32_t b) { return !a || a == b ? b : !b ? a : RCP_TOUCHED_BY_MANY; }

void rcp_sharing_object(rcp_sharing *sharing, uint32_t thread, uint64_t address, bool writes) {
    if (!rcp_space_holds(address, 1))
        return;
    uint32_t index = rcp_ranges_get(&sharing->objects, address);
    if (index == RCP_RANGES_NONE) {
        index = (uint32_t)sharing->object_uses.len;
        rcp_vec_push(&sharing->object_uses, (rcp_object_use){0});
        rcp_ranges_set(&sharing->objects, address, address + 1, index);
    }
    rcp_object_use *use = &sharing->object_uses.at[index];
    uint32_t who = thread + 1 < RCP_TOUCHED_BY_MANY ? thread + 1 : RCP_TOUCHED_BY_MANY;
    use->who = joined(use->who, who);
    use->is_written |= writes;
}

void rcp_sharing_objects_settle(rcp_sharing *sharing, rcp_space *space, uint64_t lo, uint64_t hi) {
    rcp_range object;
    for (uint64_t at = lo; sharing->objects.live && rcp_ranges_next(&sharing->objects, at, &object) && object.lo < hi;
         at = object.hi) {
        const rcp_object_use *use = &sharing->object_uses.at[object.value];
        uint8_t *bytes = rcp_space_at(space, object.lo, 1);
        uint32_t mark = bytes ? *rcp_space_mark(bytes, object.lo) : 0;
        bool is_shared = joined(mark >> RCP_TOUCH_SHIFT, use->who) == RCP_TOUCHED_BY_MANY &&
                         (use->is_written || mark & RCP_TOUCH_WRITTEN);
        if (is_shared || sharing->tells_all)
            *rcp_space_mark(bytes ? bytes : rcp_space_make(space, object.lo), object.lo) |= RCP_TOUCH_SHARED;
    }
    if (sharing->objects.live)
        rcp_ranges_erase(&sharing->objects, lo, hi);
}
