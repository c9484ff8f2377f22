/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of loops by which a thread waits, and of instructions that say so (abi/hooks.h). While a schedule is
 * followed they do nothing: it says who runs. */
#include "runtime/baton.h"
#include "runtime/follow.h"
#include "runtime/policy.h"
#include "runtime/rounds.h"
#include "runtime/values.h"

static bool is_seen(const rcp_thread *self) { return self && rcp_policy_sees_waits() && !rcp_follow_is_on(); }

static void give_way(rcp_thread *self, uint32_t left) {
    rcp_values_flush(self);
    self->event = (rcp_next_event){.kind = RCP_WHAT_TICK};
    self->gives = RCP_GIVES_WAITING;
    rcp_thread_stop(self, left);
}

void __recipe_round(uint64_t function, uint32_t loop, uint32_t what) {
    rcp_thread *self = rcp_self;
    if (!is_seen(self))
        return;
    const uint64_t name = (function << 16 | loop >> 1) + 1;
    const bool counts = !(loop & RCP_ROUND_ENDLESS);
    if (counts ? rcp_rounds_count(self, name) : rcp_rounds_end(self, name))
        give_way(self, RCP_WHAT_LEFT(what));
    if (counts)
        return;
    rcp_rounds_begin(self, name);
    rcp_thread_set_limit(self);
}

void __recipe_busy(void) {
    if (rcp_self)
        rcp_rounds_forget(rcp_self);
}

void __recipe_pause(void) {
    rcp_thread *self = rcp_self;
    if (!is_seen(self) || self->rounds.loop) /* a round that is watched ends soon */
        return;
    self->gives = RCP_GIVES_WAY;
    __atomic_store_n(&self->hot->limit, 0, __ATOMIC_RELAXED);
}
