/* SPDX-License-Identifier: Apache-2.0 */
/* Schedulable happens before (Mathur, Kini, Viswanathan: What happens after the first race, OOPSLA 2018): happens
 * before, and every read comes after the last writer of its bytes, plain accesses included. So whatever is before two
 * accesses can be run in the recorded order and every read in it sees what it saw: each pair that it flags is a race,
 * not only the first. The edge is taken after the read's own race check, since a read that is merely *next* needs no
 * value.
 *
 * Likewise a use of freed memory comes after the FREE. */
#ifndef RECIPE_ORDER_ENGINE_SHB_H
#define RECIPE_ORDER_ENGINE_SHB_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_shb;

#endif
