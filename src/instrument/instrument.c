/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/instrument.h"

#include "instrument/embed.h"
#include "instrument/pass.h"
#include "instrument/prepare.h"
#include "instrument/sequences.h"
#include "instrument/unit.h"
#include "program/ir/steps.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static rcp_code run(rcp_pass_unit *unit, const rcp_instrument_request *request, rcp_embedding *embedding) {
    RCP_TRY(rcp_unit_init(unit, request->input, unit->report));
    unit->log_values = request->log_values;
    unit->exclude = request->exclude;
    unit->no_regions = request->no_regions;
    unit->spares = request->spares;
    RCP_TRY(rcp_prepare(unit));
    if (request->log_branches)
        LLVMAddModuleFlag(unit->module, LLVMModuleFlagBehaviorOverride, RCP_BRANCHES_FLAG, strlen(RCP_BRANCHES_FLAG),
                          LLVMValueAsMetadata(LLVMConstInt(unit->i32, 1, false)));
    rcp_sequences_mark(unit, request->is_cxx20);
    RCP_TRY(rcp_embed_bitcode(unit, request->scratch, embedding));
    RCP_TRY(rcp_pass(unit, request->inline_hooks, embedding->late));
    rcp_embed_tables(unit, embedding);
    rcp_embed_notes(unit);
    if (request->drop_debug)
        LLVMStripModuleDebugInfo(unit->module);
    RCP_TRY(rcp_unit_verify(unit, "embedding"));
    if (LLVMWriteBitcodeToFile(unit->module, request->output))
        return rcp_fail(RCP_SYSTEM, "%s: the instrumented bitcode can't be written", request->output);
    return RCP_OK;
}

rcp_code rcp_instrument(const rcp_instrument_request *request, rcp_instrument_report *report) {
    *report = (rcp_instrument_report){0};
    rcp_pass_unit unit = {.report = report};
    rcp_embedding embedding = {0};
    rcp_code code = run(&unit, request, &embedding);
    rcp_embedding_finish(&embedding);
    rcp_unit_finish(&unit);
    return code == RCP_OK ? code : rcp_because(code, "while instrumenting %s", request->input);
}
