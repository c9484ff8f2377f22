/* SPDX-License-Identifier: Apache-2.0 */
/* What a partial order makes of a trace, for people: `recipe analyze --dump=order`. Owns nothing. */
#ifndef RECIPE_ORDER_ENGINE_ORDER_DUMP_H
#define RECIPE_ORDER_ENGINE_ORDER_DUMP_H

#include "order/engine/engine.h"
#include "trace/text/text.h"

/* Which earlier event each event learned from, program order and forks left out, and the pairs that the order flags.
 * With `pair`, of which the earlier one comes first: whether the order puts it before the other, and by which steps.
 * `model` is one that rcp_rules_of() knows; the trace is indexed. */
rcp_code rcp_order_dump(rcp_text *to, const rcp_trace *trace, rcp_model model, const rcp_eid *pair,
                        rcp_printer *printer) RCP_MUST_USE;

#endif
