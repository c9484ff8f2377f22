/* SPDX-License-Identifier: Apache-2.0 */
/* Doesn't commute (Roemer, Genç, Bond, PLDI 2018), as seed 002 has it: wcp's rules with program order in place of
 * happens-before: a lock that is handed over is no edge by itself. */
#ifndef RECIPE_ORDER_ENGINE_DC_H
#define RECIPE_ORDER_ENGINE_DC_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_dc;

#endif
