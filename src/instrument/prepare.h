/* SPDX-License-Identifier: Apache-2.0 */
/* Before anything else: makes the module one that means the same to LLVM's optimiser and to re-execution.
 *
 * The optimiser may assume that undefined behaviour does not happen; re-execution sees what the operations say. So what
 * the two could see differently is taken out (strict.h, attributes.h), memory intrinsics that hooks can't describe are
 * made loads and stores, and functions that every module has its own copy of (inline ones of C++) become this module's
 * own, so that a direct call of one can't leave. Functions that can't be instrumented get RCP_OPAQUE_ATTRIBUTE
 * (opaque.h). What comes out is what abi/module.h embeds.
 */
#ifndef RECIPE_INSTRUMENT_PREPARE_H
#define RECIPE_INSTRUMENT_PREPARE_H

#include "instrument/unit.h"

rcp_code rcp_prepare(rcp_pass_unit *unit) RCP_MUST_USE;

#endif
