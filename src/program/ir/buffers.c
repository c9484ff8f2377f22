/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/buffers.h"

#include "base/hash.h"
#include "outside/outside.h"

#include <string.h>

static bool is_named(const rcp_unit *unit, const char *name) {
    return LLVMGetNamedGlobal(unit->module, name) || LLVMGetNamedFunction(unit->module, name);
}

/* Is a name of that kind wanted that no recorded code has? */
static bool is_wanted_elsewhere(const rcp_program *program) {
    for (size_t i = 0; i < program->linked.wanted.len; i++) {
        const char *name = program->linked.wanted.at[i];
        bool is_ours = strncmp(name, "_Z", 2) || !(rcp_outside_resolve(name).roles & RCP_ROLE_BUFFERS);
        for (size_t u = 0; u < program->units.len && !is_ours; u++)
            is_ours = is_named(program->units.at[u], name);
        if (!is_ours)
            return true;
    }
    return false;
}

static bool defines(const rcp_unit *unit, const char *name) {
    LLVMValueRef table = LLVMGetNamedGlobal(unit->module, name);
    return table && !LLVMIsDeclaration(table) && LLVMGetLinkage(table) != LLVMAvailableExternallyLinkage;
}

/* Has the program more classes with virtual functions than recorded code has? Two may have one name, where that is
 * known in its file alone. */
static bool has_strange_class(const rcp_program *program) {
    bool is_strange = false;
    rcp_map seen; /* hash of the name → how often it has come */
    rcp_map_init(&seen);
    for (size_t i = 0; i < program->linked.tables.len && !is_strange; i++) {
        const char *name = program->linked.tables.at[i];
        uint32_t *n = rcp_map_at(&seen, rcp_hash_bytes(name, strlen(name))), defined = 0;
        *n = *n == RCP_MAP_NONE ? 1 : *n + 1;
        for (size_t u = 0; u < program->units.len && defined < *n; u++)
            defined += defines(program->units.at[u], name);
        is_strange = defined < *n;
    }
    rcp_map_finish(&seen);
    return is_strange;
}

bool rcp_program_may_have_strange_buffers(const rcp_program *program) {
    const rcp_linked *linked = &program->linked;
    return linked->has_strange_buffers || is_wanted_elsewhere(program) ||
           (linked->has_buffers && (linked->is_bare || has_strange_class(program)));
}
