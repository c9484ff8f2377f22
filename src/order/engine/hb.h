/* SPDX-License-Identifier: Apache-2.0 */
/* Happens before: the frame's edges and nothing else (docs/orders.md has the list). Its first race in a trace is real;
 * what it flags after that may be a consequence of it, and stays unproven until the checker has accepted a witness. */
#ifndef RECIPE_ORDER_ENGINE_HB_H
#define RECIPE_ORDER_ENGINE_HB_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_hb;

#endif
