/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the C++ library by where they are: virtual ones are called by pointers, and by no name.
 *
 * Names are those of the library's file, as far as it exports them, and only where that is the build that was loaded
 * when the program was recorded: it may be another one by now, or on another machine none. What the library does not
 * export (classes of its own) has no name here, but is known to be its code.
 *
 * Ownership: the files stay mapped, and names are borrowed from them, until rcp_exports_finish().
 */
#ifndef RECIPE_PROGRAM_RECORDING_EXPORTS_H
#define RECIPE_PROGRAM_RECORDING_EXPORTS_H

#include "base/map.h"
#include "base/vec.h"
#include "outside/outside.h"
#include "program/recording/elf.h"

typedef struct rcp_exported {
    const char *name;
    rcp_outside_name called;
    bool is_resolved; /* `called` is made when somebody asks for it */
} rcp_exported;

typedef struct rcp_exports {
    rcp_map by_address; /* → index into `functions` */
    RCP_VEC(rcp_exported) functions;
    RCP_VEC(rcp_elf) files;
    RCP_VEC(uint64_t) code; /* of each file: from where to where its code is, two words */
} rcp_exports;

void rcp_exports_init(rcp_exports *exports);
void rcp_exports_finish(rcp_exports *exports);

/* A library that was loaded at `bias`. `text`: its build id, a space, its path (RCP_IMAGE_NAMED of abi/image.h). */
void rcp_exports_read(rcp_exports *exports, const char *text, uint64_t bias);

/* The function that begins at the address; NULL: none does whose name is known. */
const rcp_exported *rcp_exports_at(const rcp_exports *exports, uint64_t address);
/* Is it code of one of these libraries? */
bool rcp_exports_has_code(const rcp_exports *exports, uint64_t address);

#endif
