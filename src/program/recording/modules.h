/* SPDX-License-Identifier: Apache-2.0 */
/* The bitcode of a recorded run: DIR/modules/ID.bc, unpacked, checked against its id and parsed.
 *
 * The file is struct rcp_bitcode and a zstd frame, as in the program. What does not hash to the name it goes by is
 * refused.
 */
#ifndef RECIPE_PROGRAM_RECORDING_MODULES_H
#define RECIPE_PROGRAM_RECORDING_MODULES_H

#include "abi/module.h"
#include "base/status.h"

#include <llvm-c/Core.h>

/* 32 hexadecimal digits, high word first. */
enum { RCP_MODULE_NAME = 33 };
void rcp_module_name(struct rcp_module_id id, char name[RCP_MODULE_NAME]);

/* Parses the module `id` of the recorded directory `dir`. The caller owns the module, which lives in `context`. */
rcp_code rcp_module_load(const char *dir, struct rcp_module_id id, LLVMContextRef context,
                         LLVMModuleRef *module) RCP_MUST_USE;

#endif
