/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/decodable.h"

#include "program/ir/decode.h"
#include "program/ir/program.h"

/* The first instruction that is refused; NULL: there is none. */
static const rcp_ins *refused(const rcp_routine *routine) {
    for (size_t i = 0; i < routine->code.len; i++)
        if (routine->code.at[i].op == RCP_INS_UNSUPPORTED)
            return &routine->code.at[i];
    return NULL;
}

/* The addresses are not known yet, and do not matter: any will do. */
static rcp_code add_unit(rcp_program *program, LLVMModuleRef module, uint64_t **addresses) {
    rcp_symbols symbols;
    rcp_symbols_init(&symbols, module);
    size_t n = symbols.symbols.len + symbols.blocks.len;
    *addresses = rcp_alloc_zero(n ? n : 1, sizeof **addresses);
    const rcp_image_module image = {.n_symbols = symbols.symbols.len,
                                    .n_blocks = symbols.blocks.len,
                                    .n_tls = symbols.tls.len,
                                    .symbols = *addresses,
                                    .blocks = *addresses};
    rcp_symbols_finish(&symbols);
    return rcp_program_add_unit(program, module, &image);
}

rcp_code rcp_decodable_check(LLVMModuleRef module, rcp_decodable_refused *each, void *context) {
    rcp_program program;
    uint64_t *addresses;
    rcp_program_init(&program, "");
    rcp_code code = add_unit(&program, module, &addresses);
    rcp_unit *unit = program.units.len ? program.units.at[0] : NULL;
    for (size_t i = 0; unit && i < unit->symbols.defined.len; i++) {
        rcp_routine *routine = &unit->routines[i];
        rcp_decode(routine);
        const rcp_ins *ins = refused(routine);
        if (ins)
            each(context, routine->function, routine->origin.at[ins - routine->code.at], routine->texts.at[ins->c]);
    }
    if (unit)
        unit->module = NULL; /* the caller's */
    rcp_program_finish(&program);
    rcp_release(addresses);
    return code;
}
