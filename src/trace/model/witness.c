/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/witness.h"

void rcp_witness_init(rcp_witness *witness) { *witness = (rcp_witness){.race = {RCP_NO_EID, RCP_NO_EID}}; }

void rcp_witness_finish(rcp_witness *witness) {
    rcp_vec_finish(&witness->steps);
    rcp_witness_init(witness);
}

void rcp_witness_run(rcp_witness *witness, rcp_tid tid, rcp_position to) {
    if (witness->steps.len) {
        rcp_witness_step *last = &witness->steps.at[witness->steps.len - 1];
        if (last->tid.v == tid.v) {
            if (to > last->to)
                last->to = to;
            return;
        }
    }
    rcp_vec_push(&witness->steps, ((rcp_witness_step){tid, to}));
}
