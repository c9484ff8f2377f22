/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded program: its modules at the addresses where they were, and their functions.
 *
 * A unit is a module in one place: a module that two libraries contain is two units. Functions are found by address, as
 * function pointers and the log have them, and by name, as the linker bound the calls that leave a module: a definition
 * in the caller's own object first, then in the program, then in the libraries in their order; strong before weak.
 *
 * Invariant: units and routines stay where they are until rcp_program_destroy(), which owns them, LLVM's modules
 * included.
 */
#ifndef RECIPE_PROGRAM_IR_PROGRAM_H
#define RECIPE_PROGRAM_IR_PROGRAM_H

#include "base/map.h"
#include "base/status.h"
#include "base/vec.h"
#include "program/ir/code.h"
#include "program/ir/symbols.h"
#include "program/recording/exports.h"
#include "program/recording/image_reader.h"
#include "program/recording/linked.h"
#include "trace/model/defs.h"

#include <llvm-c/Target.h>

typedef struct rcp_unit {
    LLVMModuleRef module; /* NULL: it was given back (program/ir/decodable.c) */
    LLVMTargetDataRef layout;
    rcp_symbols symbols;
    uint64_t *addresses, *block_addresses; /* of symbols.symbols, symbols.blocks */
    rcp_map symbol_index;                  /* LLVMValueRef → index into symbols.symbols */
    rcp_map tls_index;                     /* LLVMValueRef → index into symbols.tls */
    rcp_map block_index;                   /* LLVMBasicBlockRef → index into symbols.blocks */
    rcp_map defined_index;                 /* LLVMValueRef → index into routines */
    rcp_routine *routines;                 /* one per symbols.defined */
    uint64_t object;
    uint64_t tls_base;  /* its first thread-local variable among those of all units */
    bool logs_branches; /* RCP_BRANCHES_FLAG */
    bool is_narrow;     /* RCP_SEQUENCES_FLAG */
    bool is_careful;    /* rcp_program's */
    bool is_late;       /* loaded after the start: its thread-local addresses are in the log */
} rcp_unit;

typedef struct rcp_program {
    char *dir;
    char *file; /* where the program itself was; NULL: the image does not say */
    rcp_linked linked;
    rcp_exports exports;
    LLVMContextRef context;
    RCP_VEC(rcp_unit *) units;
    rcp_map by_address; /* → index into `found` */
    RCP_VEC(rcp_routine *) found;
    rcp_map foreign; /* address that a unit has for a function it declares → index into `declared` */
    RCP_VEC(struct rcp_declared) declared;
    rcp_map by_name; /* hash of the name → index into `named` */
    RCP_VEC(struct rcp_named) named;
    RCP_VEC(rcp_span) constants; /* memory of files that can't be written */
    RCP_VEC(rcp_span) gone;      /* that the last part says is none any more */
    uint32_t parts;              /* of the image, so far */
    bool has_strange_buffers;    /* streams may write by classes that are not recorded (docs/outside.md) */
    bool is_careful; /* its routines ask, too, what the language does not define (FITS), for runs that were not recorded
                      */
    uint64_t tls;    /* thread-local variables of all units that are not late */
} rcp_program;

/* In a program that is not position-independent the address of a library's function is that of the program's own way to
 * it. */
struct rcp_declared {
    const rcp_unit *unit;
    const char *name; /* borrowed from LLVM */
    rcp_outside_name called;
};

struct rcp_named {
    rcp_routine *routine;
    const char *name; /* of the function or of an alias; borrowed from LLVM */
    bool is_weak;
    uint32_t next; /* of the same hash; RCP_MAP_NONE: none */
};

/* `dir`: the recorded directory, for its modules. */
void rcp_program_init(rcp_program *program, const char *dir);
void rcp_program_finish(rcp_program *program);

/* Is it memory of a library that can't be written? */
bool rcp_program_is_constant(const rcp_program *program, uint64_t address);

/* Takes over a part of the image: its modules and functions. `put` is given the bytes that memory had there; NULL:
 * nobody wants them. */
typedef rcp_code rcp_program_bytes(void *context, uint64_t address, const uint8_t *bytes, uint64_t size);
rcp_code rcp_program_add_part(rcp_program *program, rcp_image_file *image, uint64_t number, rcp_program_bytes *put,
                              void *context) RCP_MUST_USE;
/* Do all units have release sequences as C++20 has them? */
bool rcp_program_is_narrow(const rcp_program *program);
/* A unit from a module that the caller made (tests). Takes the module. Addresses are copied. */
rcp_code rcp_program_add_unit(rcp_program *program, LLVMModuleRef module, const rcp_image_module *image) RCP_MUST_USE;

/* A function that is not recorded, by where it is: as a unit that declares it calls it, or the C++ library that has it.
 * False: it has no name that is known. */
bool rcp_program_outside_at(const rcp_program *program, uint64_t address, const char **name,
                            const rcp_outside_name **called);

/* NULL: no instrumented function is there, or has that name. */
rcp_routine *rcp_program_at(const rcp_program *program, uint64_t address);
rcp_routine *rcp_program_named(const rcp_program *program, const rcp_unit *unit, const char *name);
/* The unit's own definition; NULL: it has none that is instrumented. */
rcp_routine *rcp_unit_routine(const rcp_unit *unit, LLVMValueRef function);
/* Where the unit has the global; 0: it does not say. */
uint64_t rcp_unit_address(const rcp_unit *unit, LLVMValueRef global);

/* "file:line" of an instruction of LLVM's, or "?"; `to` has room for RCP_PLACE bytes. */
enum { RCP_PLACE = 256 };
void rcp_program_place(LLVMValueRef instruction, char to[RCP_PLACE]);

#endif
