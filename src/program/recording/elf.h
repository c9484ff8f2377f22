/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of an ELF file (64 bits, little-endian), by name.
 *
 * Invariant: nothing outside the file's bytes is touched, whatever they say. The file is mapped and owned; sections are
 * borrowed until it is closed.
 */
#ifndef RECIPE_PROGRAM_RECORDING_ELF_H
#define RECIPE_PROGRAM_RECORDING_ELF_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rcp_elf {
    const uint8_t *bytes;
    size_t size;
    bool mapped;
    uint16_t machine; /* EM_* of elf.h */
} rcp_elf;

/* RCP_BAD_INPUT: the file is no such ELF file, or it is damaged. */
rcp_code rcp_elf_open(const char *path, rcp_elf *elf) RCP_MUST_USE;
/* The same on bytes that are borrowed; `name` stands for the file in messages. */
rcp_code rcp_elf_open_memory(const char *name, const void *bytes, size_t size, rcp_elf *elf) RCP_MUST_USE;
void rcp_elf_close(rcp_elf *elf);

/* What tells it from every other build: the linker's build id; where it has none, a sum of all its bytes. */
void rcp_elf_print_build(const rcp_elf *elf, rcp_text *to);

/* NULL: there is no section of that name that has bytes in the file. */
const uint8_t *rcp_elf_borrow_section(const rcp_elf *elf, const char *name, size_t *size);

#endif
