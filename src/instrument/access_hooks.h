/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks around what touches memory: loads, stores, atomics, memcpy and its kin. Each takes its step and `precise`, what
 * reserve() of its segment gave. */
#ifndef RECIPE_INSTRUMENT_ACCESS_HOOKS_H
#define RECIPE_INSTRUMENT_ACCESS_HOOKS_H

#include "instrument/emit.h"
#include "program/ir/steps.h"

void rcp_access_hooks_load(rcp_emitter *emitter, const rcp_step *step, LLVMValueRef precise);
void rcp_access_hooks_store(rcp_emitter *emitter, const rcp_step *step, LLVMValueRef precise);
/* Read-modify-write and compare-and-exchange. */
void rcp_access_hooks_atomic(rcp_emitter *emitter, const rcp_step *step, LLVMValueRef precise);
void rcp_access_hooks_copy(rcp_emitter *emitter, LLVMValueRef call);
void rcp_access_hooks_fill(rcp_emitter *emitter, LLVMValueRef call);

#endif
