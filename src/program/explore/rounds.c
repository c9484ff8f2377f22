/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait by going round, as the runtime sees to them (runtime/rounds.h): here the whole state of the thread
 * is at hand. Who comes to the same branch again with the same registers, and nobody has done anything meanwhile, will
 * do so for ever; it gives way until somebody has. */
#include "base/hash.h"
#include "program/explore/state.h"
#include "program/machine/interpret.h"

static bool goes_round(const rcp_ins *ins) { return ins->op >= RCP_INS_TICK && ins->op <= RCP_INS_J_SLE; }

/* The bytes of memory at `address`, and those of a register. */
static bool holds(rcp_exploring *x, uint64_t address, uint64_t value, uint64_t size) {
    uint64_t now = 0;
    if (size > sizeof now || !rcp_space_at(x->run->m.space, address, size))
        return false;
    rcp_space_read(x->run->m.space, address, &now, size);
    return now == value;
}

void rcp_explore_acts(rcp_exploring *x, const rcp_ins *ins, const uint64_t *R) {
    switch (ins->op) {
    case RCP_INS_STORE_8:
    case RCP_INS_STORE_16:
    case RCP_INS_STORE_32:
    case RCP_INS_STORE_64:
    case RCP_INS_STORE_WIDE:
    case RCP_INS_COPY:
    case RCP_INS_FILL:
    case RCP_INS_LEAVE: x->acts++; break;
    case RCP_INS_RMW: /* to swap a lock's word that is taken changes nothing */
        x->acts += !(ins->k == RCP_BIN_XCHG && holds(x, R[ins->a], R[ins->b], RCP_SCALAR_BITS((rcp_scalar)ins->e) / 8));
        break;
    case RCP_INS_EXCHANGE:
        x->acts +=
            ins->k > 8 || holds(x, R[ins->a], R[ins->b], ins->k) || !rcp_space_at(x->run->m.space, R[ins->a], ins->k);
        break;
    default: break;
    }
}

bool rcp_explore_waits(rcp_exploring *x, rcp_explore_lane *lane, const rcp_strand *t, const rcp_ins *ins,
                       const uint64_t *R, uint64_t position) {
    if (!x->gives_way || !goes_round(ins) || lane->waited == position + 1)
        return false;
    const rcp_routine *routine = t->frames.at[t->frames.len - 1].routine;
    uint64_t state = rcp_hash_join(rcp_hash_bytes(R, routine->n_slots * sizeof *R), t->frames.len);
    bool same = lane->round == ins && lane->round_state == state && lane->round_acts == x->acts;
    lane->round = ins;
    lane->round_state = state;
    lane->round_acts = x->acts;
    if (!same)
        return false;
    lane->is_waiting = true;
    lane->waited = position + 1;
    return true;
}

bool rcp_explore_still_waits(const rcp_exploring *x, rcp_explore_lane *lane) {
    lane->is_waiting &= lane->round_acts == x->acts;
    return lane->is_waiting;
}
