/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of empty classes that are handed over by value: tags of the C++ library (std::forward_iterator_tag), what an
 * order is compared with (<=> and 0), allocators.
 *
 * Such an object has one byte, which nobody ever writes. Where a calling convention hands it over (aarch64's), the
 * compiler loads that byte, and what was there before flows into the call: who runs the code along another order would
 * have to know what that is. So the byte begins with 0. An object of one char that nobody has set does, too, which no
 * program can rely on.
 */
#ifndef RECIPE_INSTRUMENT_EMPTY_H
#define RECIPE_INSTRUMENT_EMPTY_H

#include "instrument/unit.h"

void rcp_empty_begin(rcp_pass_unit *unit, LLVMValueRef function);

#endif
