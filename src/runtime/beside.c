/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/beside.h"

#include "runtime/meeting.h"

static struct {
    const struct rcp_run_side *sides;
    struct rcp_run_seen *seen; /* NULL: nobody is told */
    uint64_t n, next;
} beside;

void rcp_beside_start(const struct rcp_run_side *sides, uint64_t n) {
    beside.sides = sides;
    beside.n = n;
}

void rcp_beside_tell(struct rcp_run_seen *seen) { beside.seen = seen; }

void rcp_beside_look(uint64_t step) {
    for (; beside.seen && beside.next < beside.n && beside.sides[beside.next].step <= step; beside.next++) {
        struct rcp_run_seen *seen = &beside.seen[beside.next];
        seen->is_seen = rcp_meeting_look(beside.sides[beside.next].access, seen->met);
    }
}

void rcp_beside_forget(void) { beside.seen = NULL; }

/* `at` is where it was stopped last: so the fault may be that of the access before which it stood. */
void rcp_beside_fault(const rcp_thread *t) {
    for (uint64_t i = 0; beside.seen && i < beside.next; i++)
        for (int k = 0; k < 2; k++) {
            const struct rcp_run_access *a = &beside.sides[i].access[k];
            if (a->role == t->role && a->position == t->at)
                beside.seen[i].is_seen = 0;
        }
}
