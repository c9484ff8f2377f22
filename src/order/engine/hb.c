/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/hb.h"

const rcp_rules rcp_rules_hb = {.model = RCP_MODEL_HB};
