/* SPDX-License-Identifier: Apache-2.0 */
/* Weak dependently precedes (seed 002, Algorithm 2): of all that dc orders only what every feasible schedule has to
 * keep. The last writer of a read comes before the first branch, address or value that depends on the read, and where
 * both stood in critical sections of one lock, so does the release of the writer's; rule (b); nothing else. What it
 * leaves unordered need not be a race (order/proof/vindicate.h decides), but no predictable race is missed. */
#ifndef RECIPE_ORDER_ENGINE_WDP_H
#define RECIPE_ORDER_ENGINE_WDP_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_wdp;

#endif
