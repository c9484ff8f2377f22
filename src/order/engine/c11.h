/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the language (ISO C11 5.1.2.4, C++ [intro.races]) over the recorded run: happens before, in which atomic
 * accesses and fences order as their memory orders say, and no more. docs/semantics.md, 'The order of the language', is
 * its definition.
 *
 * The naive model looks, at a read, for every release sequence that the write it takes is in. Kept instead, per place:
 * of each thread the last head of a release sequence that the place's last write is in (rcp_extra.heads). A
 * read-modify-write goes on with all of them, a store of a thread with its own, any other write with none. A head by a
 * fence stands for the fence. Of one thread the last is enough: it knows what the thread's earlier ones knew.
 *
 * A plain read of a write, or an atomic one of a plain write, comes after it from then on, as in shb. */
#ifndef RECIPE_ORDER_ENGINE_C11_H
#define RECIPE_ORDER_ENGINE_C11_H

#include "order/engine/rules.h"

extern const rcp_rules rcp_rules_c11;

#endif
