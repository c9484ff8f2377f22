/* SPDX-License-Identifier: Apache-2.0 */
#include "order/shb.h"

static void come_after(rcp_clocks *clocks, rcp_runner *runner, rcp_stamp stamp) {
    rcp_clock_receive(clocks, runner, stamp);
}

const rcp_rules rcp_rules_shb = {.model = RCP_MODEL_SHB, .reads_from = come_after, .uses_freed = come_after};
