/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/dc.h"

#include "order/engine/frame.h"

static void meets(rcp_order_frame *frame, rcp_runner *runner, const rcp_meeting *meeting) {
    rcp_clock_take(&frame->clocks, runner, meeting->release);
}

const rcp_rules rcp_rules_dc = {.model = RCP_MODEL_DC, .loose = true, .sections = true, .meets = meets};
