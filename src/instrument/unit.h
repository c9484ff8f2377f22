/* SPDX-License-Identifier: Apache-2.0 */
/* The module that is being instrumented, with what every stage needs to know of it.
 *
 * Invariant: `module` is valid IR between two stages. The unit owns the context, the module and the layout; the report
 * is borrowed.
 */
#ifndef RECIPE_INSTRUMENT_UNIT_H
#define RECIPE_INSTRUMENT_UNIT_H

#include "base/status.h"
#include "base/text.h"
#include "instrument/report.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

typedef enum rcp_arch { RCP_ARCH_AARCH64, RCP_ARCH_X86_64 } rcp_arch;

typedef struct rcp_pass_unit {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout; /* the module's own */
    rcp_arch arch;
    bool no_regions; /* as in the request */
    bool spares;     /* likewise */
    bool shared;     /* position-independent and not only for programs: may end in a shared library */
    LLVMTypeRef void_type, i1, i8, i32, i64, ptr;
    rcp_text errors; /* what LLVM complained of */
    rcp_instrument_report *report;
    const char *log_values, *exclude; /* borrowed from the request; may be NULL */
} rcp_pass_unit;

/* Reads the bitcode of `path`. Finish it in any case. */
rcp_code rcp_unit_init(rcp_pass_unit *unit, const char *path, rcp_instrument_report *report) RCP_MUST_USE;
void rcp_unit_finish(rcp_pass_unit *unit);

/* Parses bitcode into the unit's context; the caller takes it. */
rcp_code rcp_unit_parse(rcp_pass_unit *unit, const char *path, LLVMModuleRef *module) RCP_MUST_USE;
rcp_code rcp_unit_verify(rcp_pass_unit *unit, const char *after) RCP_MUST_USE;
/* A pipeline in the words of `opt -passes=`. */
rcp_code rcp_unit_run(rcp_pass_unit *unit, const char *passes) RCP_MUST_USE;

/* A line of the report, with the place of an instruction or a function. */
void rcp_unit_note(rcp_pass_unit *unit, LLVMValueRef at, const char *format, ...) RCP_PRINTF(3, 4);

/* An enum attribute's number, known to LLVM for as long as the process lives. */
unsigned rcp_unit_attribute(const char *name);
bool rcp_unit_has_attribute(LLVMValueRef function, const char *name);

/* A direct call of an intrinsic, declared where it is not yet; the types are those that it is overloaded on. */
LLVMValueRef rcp_unit_build_intrinsic(rcp_pass_unit *unit, LLVMBuilderRef builder, const char *name, LLVMTypeRef *types,
                                      size_t n_types, LLVMValueRef *arguments, unsigned n_arguments);

#endif
