/* SPDX-License-Identifier: Apache-2.0 */
/* Weak causally precedes (Kini, Mathur, Viswanathan, PLDI 2017), as seed 002 has it: a critical section comes before a
 * conflicting access in a later one of the same lock, an acquire before a later release of its lock brings its own
 * release before that (rule (b)), and it composes with happens-before on both sides. Without program order: beside it
 * stands happens-before's clock. */
#ifndef RECIPE_ORDER_ENGINE_WCP_H
#define RECIPE_ORDER_ENGINE_WCP_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_wcp;

#endif
