/* SPDX-License-Identifier: Apache-2.0 */
/* From LLVM's instructions to ours (program/ir/code.h), one function at a time.
 *
 * What has no counterpart becomes UNSUPPORTED with its name: it fails when it is executed, not before.
 */
#ifndef RECIPE_PROGRAM_IR_DECODE_H
#define RECIPE_PROGRAM_IR_DECODE_H

#include "program/ir/code.h"

/* Fills routine's code; nothing to do where it has been decoded. */
void rcp_decode(rcp_routine *routine);

#endif
