/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/shb.h"

#include "order/engine/frame.h"

static void reads_from(rcp_order_frame *frame, rcp_runner *runner, const rcp_source *source) {
    rcp_clock_receive(&frame->clocks, runner, source->writer);
}

static void uses_freed(rcp_order_frame *frame, rcp_runner *runner, rcp_stamp freed) {
    rcp_clock_receive(&frame->clocks, runner, freed);
}

const rcp_rules rcp_rules_shb = {.model = RCP_MODEL_SHB, .reads_from = reads_from, .uses_freed = uses_freed};
