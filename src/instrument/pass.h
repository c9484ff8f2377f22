/* SPDX-License-Identifier: Apache-2.0 */
/* The recording pass: puts the hooks of abi/hooks.h around every step (program/ir/steps.h) of every function that is
 * not opaque. The module is as prepare.h left it, and already embedded. */
#ifndef RECIPE_INSTRUMENT_PASS_H
#define RECIPE_INSTRUMENT_PASS_H

#include "instrument/emit.h"

/* `late`: the module's byte of that name (abi/module.h); NULL where the module can't be loaded late. */
rcp_code rcp_pass(rcp_pass_unit *unit, const char *inline_hooks, LLVMValueRef late) RCP_MUST_USE;

#endif
