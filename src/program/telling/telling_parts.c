/* SPDX-License-Identifier: Apache-2.0 */
/* What is known as soon as a part of the program is there, before it runs: its variables, and what code in it that is
 * not recorded may do (program/recording/linked.h). */
#include "program/telling/sink.h"
#include "program/telling/sink_state.h"
#include "program/telling/telling.h"

static bool tells(const rcp_telling *telling) { return rcp_telling_tells(telling); }

static void add_global(rcp_telling *telling, const rcp_unit *unit, LLVMValueRef symbol, uint64_t address) {
    size_t len;
    rcp_outside_variable variable = rcp_outside_variable_of(LLVMGetValueName2(symbol, &len));
    if (variable == RCP_VARIABLE_OBJECT)
        rcp_vec_push(&telling->streams, address);
    if (variable == RCP_VARIABLE_INPUT)
        telling->input = address;
    if (LLVMIsDeclaration(symbol) && variable == RCP_VARIABLE_POINTER)
        rcp_vec_push(&telling->standard, address);
    LLVMTypeRef type = LLVMGlobalGetValueType(symbol);
    if (tells(telling) && variable == RCP_VARIABLE_SHARED && LLVMIsDeclaration(symbol) && LLVMTypeIsSized(type))
        rcp_sink_wanted(telling->sink, address, address + LLVMABISizeOfType(unit->layout, type), true);
    if (!tells(telling) && !LLVMIsGlobalConstant(symbol) && !LLVMIsThreadLocal(symbol) && LLVMTypeIsSized(type))
        rcp_sharing_variable(telling->sharing, address, LLVMABISizeOfType(unit->layout, type));
    if (!tells(telling) && !LLVMIsDeclaration(symbol))
        rcp_sharing_known(telling->sharing, address, LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(symbol)));
}

/* Is there code in the program's file that is not recorded and wants a function of that role of a library? */
static bool is_wanted_unseen(const rcp_program *program, rcp_outside_role role) {
    for (size_t i = 0; i < program->linked.wanted.len; i++) {
        const char *name = program->linked.wanted.at[i];
        bool is_ours = !(rcp_outside_resolve(name).roles & role);
        for (size_t u = 0; u < program->units.len && !is_ours; u++)
            is_ours = LLVMGetNamedFunction(program->units.at[u]->module, name);
        if (!is_ours)
            return true;
    }
    return false;
}

/* Does such code have std::cin, and could hand it on? */
static bool has_unseen_input(const rcp_program *program) {
    for (size_t i = 0; i < program->linked.wanted.len; i++) {
        bool is_ours = rcp_outside_variable_of(program->linked.wanted.at[i]) != RCP_VARIABLE_INPUT;
        for (size_t u = 0; u < program->units.len && !is_ours; u++)
            is_ours = LLVMGetNamedGlobal(program->units.at[u]->module, program->linked.wanted.at[i]);
        if (!is_ours)
            return true;
    }
    return false;
}

void rcp_telling_part(rcp_telling *telling, size_t first) {
    const rcp_program *program = telling->machine->program;
    rcp_reachable_part(&telling->reachable, first);
    for (size_t u = first; u < program->units.len; u++) {
        const rcp_unit *unit = program->units.at[u];
        for (size_t i = 0; i < unit->symbols.symbols.len; i++)
            if (LLVMIsAGlobalVariable(unit->symbols.symbols.at[i]) && unit->addresses[i])
                add_global(telling, unit, unit->symbols.symbols.at[i], unit->addresses[i]);
    }
    if (tells(telling))
        rcp_sink_memory_part(telling->sink, first);
    else if ((telling->streams.len && is_wanted_unseen(program, RCP_ROLE_REBUFFERS)) ||
             is_wanted_unseen(program, RCP_ROLE_ASKS) || rcp_bodies_ask(&telling->reachable.bodies) ||
             rcp_log_borrow_header(telling->machine->log)->world & RCP_WORLD_PRINTS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_STREAMS);
    if (!tells(telling) && (program->linked.has_strange_files || is_wanted_unseen(program, RCP_ROLE_FILES)))
        rcp_sharing_learn(telling->sharing, RCP_RUN_FILES);
    if (!tells(telling) && (program->linked.has_strange_sources || has_unseen_input(program) ||
                            is_wanted_unseen(program, RCP_ROLE_REBUFFERS)))
        rcp_sharing_learn(telling->sharing, RCP_RUN_SOURCES);
    if (!tells(telling) && (program->linked.has_strange_exceptions || is_wanted_unseen(program, RCP_ROLE_PASSES)))
        rcp_sharing_learn(telling->sharing, RCP_RUN_RAISED);
    const uint64_t unseen = rcp_log_borrow_header(telling->machine->log)->unseen;
    for (size_t i = 0; !tells(telling) && i < program->gone.len; i++)
        rcp_sharing_constant_end(telling->sharing, telling->machine->space, &telling->lives, program->gone.at[i]);
    for (size_t i = 0; !tells(telling) && i < program->constants.len; i++)
        rcp_sharing_constant(telling->sharing, telling->machine->space, &telling->lives, program->constants.at[i]);
    if (!tells(telling) && unseen & RCP_UNSEEN_SIGNALS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_SIGNALS);
    if (!tells(telling) && unseen & RCP_UNSEEN_ENDS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_ENDS);
    if (!tells(telling) && unseen & RCP_UNSEEN_DESCRIPTORS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_HANDED);
}
