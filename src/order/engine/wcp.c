/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/wcp.h"

#include "order/engine/frame.h"

static void meets(rcp_order_frame *frame, rcp_runner *runner, const rcp_meeting *meeting) {
    rcp_clock_take(&frame->clocks, runner->weak, meeting->release);
}

const rcp_rules rcp_rules_wcp = {.model = RCP_MODEL_WCP, .composes = true, .sections = true, .meets = meets};
