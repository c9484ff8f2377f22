/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of the machine's own (__dmb of arm_acle.h, _mm_mfence of emmintrin.h) are intrinsics, which nobody records.
 * Whoever calls one orders memory by it, as by a fence of the language: so a fence stands in front of each
 * (docs/semantics.md, W5). */
#ifndef RECIPE_INSTRUMENT_MACHINE_FENCES_H
#define RECIPE_INSTRUMENT_MACHINE_FENCES_H

#include "instrument/unit.h"

void rcp_machine_fences_add(rcp_pass_unit *unit);

#endif
