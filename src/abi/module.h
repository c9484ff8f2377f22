/* SPDX-License-Identifier: Apache-2.0 */
/* What an instrumented module says of itself, in sections of the program that it is linked into.
 *
 * recipe_modules    one struct rcp_module per module
 * recipe_functions  one struct rcp_function per instrumented function that the linker kept (in its comdat, if it has
 * one) and whose address somebody may have: not those that only their own module calls, by name recipe_bitcode    per
 * module: struct rcp_bitcode, then its bytes: the module as it was before hooks were put in. It is loaded with the
 * program so that `strip` leaves it; nobody touches its pages. recipe_notes      strings that end with NUL, each once:
 * "file:line: what can't be recorded there, and why" The linker makes __start_ and __stop_ symbols of these names;
 * every program and shared library has its own set. Each entry is aligned so that the sections have no holes.
 *
 * A module is known by its id: the XXH3-128 of its bitcode (uncompressed). src/program/ir/symbols.h gives the order of
 * `symbols`, `blocks` and `tls`.
 */
#ifndef RECIPE_ABI_MODULE_H
#define RECIPE_ABI_MODULE_H

#include <stdint.h>

struct rcp_module_id {
    uint64_t low, high;
};

struct rcp_module {
    struct rcp_module_id id;
    uint32_t abi; /* RCP_ABI_VERSION */
    uint32_t n_symbols;
    uint32_t n_blocks;
    uint32_t n_tls;
    const void *const *symbols; /* addresses of globals and of functions whose address is used */
    const void *const *blocks;  /* addresses of the blocks that indirect branches go to */
    void (*tls)(
        void **addresses); /* not instrumented: stores where the calling thread has its thread-local variables */
    uint8_t *late;         /* set by the runtime where the module was loaded after the start: see __recipe_value */
};

struct rcp_function {
    const void *address;
    const struct rcp_module *module;
    uint64_t index; /* among the functions that the module's bitcode defines, in its order */
};

#define RCP_BITCODE_MAGIC UINT64_C(0x3143425052434552) /* "RECRPBC1" */
struct rcp_bitcode {                                   /* 16-aligned */
    uint64_t magic;
    struct rcp_module_id id;
    uint64_t size;       /* of the bitcode */
    uint64_t compressed; /* bytes that follow, a zstd frame; then padding to 16 */
};

/* Called by a constructor of every shared library that has instrumented modules, before its other constructors. The
 * program itself need not: the runtime is linked into it. */
struct rcp_object_tables {
    const struct rcp_module *modules, *modules_end;
    const struct rcp_function *functions, *functions_end;
    const void *bitcode, *bitcode_end;
};
void __recipe_register(const struct rcp_object_tables *tables);

#endif
