/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64's loads and stores of several vectors at once (vld2 to vld4, vst2 to vst4, vld1_x2 and their kin), as one
 * load or store and shuffles, or element by element where they are about one lane: intrinsics that touch memory behind
 * the hooks' back would make their functions opaque, and what is hottest in a program uses them. Those that only
 * compute: instrument/neon_compute.h. */
#ifndef RECIPE_INSTRUMENT_NEON_H
#define RECIPE_INSTRUMENT_NEON_H

#include "instrument/unit.h"

void rcp_neon_replace(rcp_pass_unit *unit);

#endif
