/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/exports.h"

#include <elf.h>
#include <string.h>

void rcp_exports_init(rcp_exports *exports) {
    *exports = (rcp_exports){0};
    rcp_map_init(&exports->by_address);
}

void rcp_exports_finish(rcp_exports *exports) {
    for (size_t i = 0; i < exports->files.len; i++)
        rcp_elf_close(&exports->files.at[i]);
    rcp_map_finish(&exports->by_address);
    rcp_vec_finish(&exports->functions);
    rcp_vec_finish(&exports->files);
    rcp_vec_finish(&exports->code);
}

static bool is_build(const rcp_elf *elf, const char *build, size_t n) {
    rcp_text text = {0};
    rcp_elf_print_build(elf, &text);
    bool is_same = text.at && strlen(text.at) == n && !memcmp(text.at, build, n);
    rcp_text_finish(&text);
    return is_same;
}

/* Of several names for one function one that a row has: they all say what it does. */
static void add(rcp_exports *exports, uint64_t address, const char *name) {
    uint32_t *index = rcp_map_at(&exports->by_address, address);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)exports->functions.len;
        rcp_vec_push(&exports->functions, ((rcp_exported){.name = name}));
    } else if (!rcp_outside_find(exports->functions.at[*index].name) && rcp_outside_find(name))
        exports->functions.at[*index].name = name;
}

void rcp_exports_read(rcp_exports *exports, const char *text, uint64_t bias) {
    const char *space = strchr(text, ' ');
    rcp_elf elf;
    if (!space)
        return;
    if (rcp_elf_open(space + 1, &elf) != RCP_OK) {
        rcp_clear_causes();
        return;
    }
    if (!is_build(&elf, text, (size_t)(space - text))) {
        rcp_elf_close(&elf);
        return;
    }
    size_t size, names_size;
    const uint8_t *table = rcp_elf_borrow_section(&elf, ".dynsym", &size);
    const char *names = (const char *)rcp_elf_borrow_section(&elf, ".dynstr", &names_size);
    uint64_t lo = UINT64_MAX, hi = 0;
    for (size_t i = 0; table && names && (i + 1) * sizeof(Elf64_Sym) <= size; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, table + i * sizeof symbol, sizeof symbol);
        if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_name >= names_size ||
            !memchr(names + symbol.st_name, 0, names_size - symbol.st_name))
            continue;
        const uint64_t address = bias + symbol.st_value;
        lo = address < lo ? address : lo;
        hi = address + symbol.st_size > hi ? address + symbol.st_size : hi;
        add(exports, address, names + symbol.st_name);
    }
    rcp_vec_push(&exports->files, elf);
    rcp_vec_push(&exports->code, lo);
    rcp_vec_push(&exports->code, hi);
}

const rcp_exported *rcp_exports_at(const rcp_exports *exports, uint64_t address) {
    uint32_t index = rcp_map_get(&exports->by_address, address);
    if (index == RCP_MAP_NONE)
        return NULL;
    rcp_exported *exported = &exports->functions.at[index];
    if (!exported->is_resolved)
        exported->called = rcp_outside_resolve(exported->name);
    exported->is_resolved = true;
    return exported;
}

bool rcp_exports_has_code(const rcp_exports *exports, uint64_t address) {
    for (size_t i = 0; i + 1 < exports->code.len; i += 2)
        if (address >= exports->code.at[i] && address < exports->code.at[i + 1])
            return true;
    return false;
}
