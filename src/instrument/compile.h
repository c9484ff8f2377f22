/* SPDX-License-Identifier: Apache-2.0 */
/* One `clang -cc1` that makes code becomes two with the recording pass between them.
 *
 * The front end is the user's own command but for its action: it writes bitcode and runs no pass, at the user's own
 * level of optimisation, so that what the preprocessor sees (__OPTIMIZE__, _FORTIFY_SOURCE) and what is warned of are
 * the same. It always describes lines, columns, types and variables (debug information), since reports need them. The
 * back end is the user's command on the instrumented bitcode, without what belongs to the source: dependencies,
 * warnings, headers.
 *
 * Words are borrowed from the job and from the arena.
 */
#ifndef RECIPE_INSTRUMENT_COMPILE_H
#define RECIPE_INSTRUMENT_COMPILE_H

#include "instrument/words.h"

typedef struct rcp_compile {
    rcp_words front, back;
    const char *bitcode;      /* from the front end to the pass */
    const char *instrumented; /* from the pass to the back end */
    const char *source;       /* as the user named it */
    const char *output;
    const char *assembly; /* the output is text (-S): where the back end puts it; else NULL */
    bool spares;          /* the user asked for -fsanitize=thread: what is kept from that is not to be reported */
    bool is_cxx20;        /* the source is C++20 or later */
    bool drop_debug;      /* the user asked for no debug information in the object */
} rcp_compile;

/* Is the job a `clang -cc1`? One whose result is code of the machine? */
bool rcp_compile_is_cc1(const rcp_words *job);
bool rcp_compile_makes_code(const rcp_words *job);
/* The file that a job of clang's writes, or NULL. */
const char *rcp_compile_output(const rcp_words *job);

/* What the user asked for that can't be recorded: BAD_INPUT, with the option and what to do instead. For every cc1. */
rcp_code rcp_compile_refuse(const rcp_words *job) RCP_MUST_USE;

/* A cc1 that compiles C++, in whatever way, finds headers of ours in front of the standard library's. */
void rcp_compile_add_headers(rcp_words *job, const char *directory);

/* `stem`: the files between the steps are its name and .bc, .recipe.bc. Both clear their lists first. */
void rcp_compile_init(rcp_compile *compile, const rcp_words *job, const char *stem, rcp_arena *arena);
void rcp_compile_finish(rcp_compile *compile);

/* The pass has the assembler include a file from the scratch directory. Assembly outlives that directory: its `output`
 * ('-': standard output) gets the file's bytes instead. */
rcp_code rcp_compile_write_assembly(const rcp_compile *compile, const char *scratch) RCP_MUST_USE;

#endif
