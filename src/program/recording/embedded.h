/* SPDX-License-Identifier: Apache-2.0 */
/* The bitcode that a program or library built by recipe carries (abi/module.h), and its way into a recorded directory.
 *
 * Invariant: a file MODULES/ID.bc is there whole or not at all: it is made under another name and renamed. Several
 * processes may save into one directory at a time.
 */
#ifndef RECIPE_PROGRAM_RECORDING_EMBEDDED_H
#define RECIPE_PROGRAM_RECORDING_EMBEDDED_H

#include "abi/module.h"
#include "program/recording/elf.h"

/* Was it built by recipe: does it have instrumented modules? */
bool rcp_embedded_is_recorded(const rcp_elf *elf);

/* The blob at *at, which moves behind it. `whole` takes its bytes, header included. *at == end: there is none left. */
rcp_code rcp_embedded_next(const uint8_t *begin, const uint8_t **at, const uint8_t *end, struct rcp_bitcode *head,
                           const uint8_t **whole, size_t *size) RCP_MUST_USE;

/* Every blob of the ELF file at `path` into the directory `modules`, where it is not there yet; `saved` takes how many
 * the file has. */
rcp_code rcp_embedded_save(const char *path, const char *modules, size_t *saved) RCP_MUST_USE;

/* Calls `each` with every note that the compiler left in the ELF file at `path`. */
typedef void rcp_embedded_noter(void *context, const char *note);
rcp_code rcp_embedded_notes(const char *path, rcp_embedded_noter *each, void *context) RCP_MUST_USE;

/* The name of a module's file in DIR/modules. */
enum { RCP_EMBEDDED_NAME = 36 };
void rcp_embedded_name(struct rcp_module_id id, char name[RCP_EMBEDDED_NAME]);

#endif
