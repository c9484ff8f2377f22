/* SPDX-License-Identifier: Apache-2.0 */
/* Puts into the module what abi/module.h says: the prepared bitcode itself, and the tables through which the runtime
 * and re-execution find functions, variables and blocks.
 *
 * In two steps, because the bitcode must be taken before the first hook, and the tables use every function's address,
 * which the pass must not see. The embedding borrows the unit's values.
 */
#ifndef RECIPE_INSTRUMENT_EMBED_H
#define RECIPE_INSTRUMENT_EMBED_H

#include "abi/module.h"
#include "instrument/unit.h"
#include "program/ir/symbols.h"

typedef struct rcp_embedding {
    rcp_symbols symbols;
    struct rcp_module_id id;
    LLVMValueRef late; /* the byte that tells the module that it was loaded late; NULL: it can't be */
} rcp_embedding;

/* Writes the bitcode to a file in `scratch` and has the module name it. Finish the embedding in any case. */
rcp_code rcp_embed_bitcode(rcp_pass_unit *unit, const char *scratch, rcp_embedding *embedding) RCP_MUST_USE;
/* Writes the tables. */
void rcp_embed_tables(rcp_pass_unit *unit, const rcp_embedding *embedding);
/* What the report notes so far goes into the program, for `recipe record` to say. */
void rcp_embed_notes(rcp_pass_unit *unit);
void rcp_embedding_finish(rcp_embedding *embedding);

#endif
