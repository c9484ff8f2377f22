/* SPDX-License-Identifier: Apache-2.0 */
#include "program/recording/linked.h"

#include "base/hash.h"
#include "outside/outside.h"
#include "program/recording/elf.h"

#include <elf.h>
#include <string.h>

void rcp_linked_init(rcp_linked *linked) {
    *linked = (rcp_linked){.is_bare = false};
    rcp_map_init(&linked->foreign);
    rcp_map_init(&linked->own);
    rcp_map_init(&linked->runtimes);
    rcp_map_init(&linked->shared);
}

void rcp_linked_finish(rcp_linked *linked) {
    rcp_map_finish(&linked->foreign);
    rcp_map_finish(&linked->own);
    rcp_map_finish(&linked->runtimes);
    rcp_map_finish(&linked->shared);
    for (size_t i = 0; i < linked->functions.len; i++)
        rcp_release(linked->functions.at[i]);
    for (size_t i = 0; i < linked->wanted.len; i++)
        rcp_release(linked->wanted.at[i]);
    for (size_t i = 0; i < linked->tables.len; i++)
        rcp_release(linked->tables.at[i]);
    rcp_vec_finish(&linked->functions);
    rcp_vec_finish(&linked->wanted);
    rcp_vec_finish(&linked->tables);
}

static uint64_t key_of(const char *name) { return rcp_hash_bytes(name, strlen(name)); }

static bool has(const rcp_map *names, const char *name) { return rcp_map_get(names, key_of(name)) != RCP_MAP_NONE; }

void rcp_linked_add_own(rcp_linked *linked, const char *name) { rcp_map_set(&linked->own, key_of(name), 1); }

/* The part of the C library that is in every file. */
static bool is_librarys_part(const char *name) {
    const rcp_outside *row = rcp_outside_find(name);
    return row && row->roles & RCP_ROLE_STATIC;
}

static bool makes_printers(const char *name) {
    const rcp_outside *row = rcp_outside_find(name);
    return row && row->makes_printers;
}

/* What recipe puts into a program is weak, and so are C++'s inline functions. What is hidden has become local. */
static void add_defined(rcp_linked *linked, const Elf64_Sym *symbol, const char *name) {
    bool can_be_called = ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL ||
                         (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL &&
                          ELF64_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN && !is_librarys_part(name));
    if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && can_be_called && !rcp_outside_is_reserved(name))
        rcp_linked_add_own(linked, name);
}

/* The runtime keeps the function that it stands in front of in a variable, which has its name (RCP_REAL_DEFINE of
 * runtime/runtime.h). */
static void add_runtimes(rcp_linked *linked, const Elf64_Sym *symbol, const char *name) {
    static const char real[] = "rcp_real_";
    if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && !strncmp(name, real, sizeof real - 1))
        rcp_map_set(&linked->runtimes, key_of(name + sizeof real - 1), 1);
}

static char *take_copy(const char *name) {
    char *kept = rcp_alloc(strlen(name) + 1);
    return strcpy(kept, name);
}

static void add_shared(rcp_linked *linked, const Elf64_Sym *symbol, const char *name) {
    rcp_map_set(&linked->shared, key_of(name), 1);
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL || *name == '_')
        return;
    rcp_vec_push(&linked->functions, take_copy(name));
}

static bool begins(const char *name, const char *with) { return !strncmp(name, with, strlen(with)); }

static bool is_cxx(const char *name, rcp_outside_role role) {
    return begins(name, "_Z") && rcp_outside_resolve(name).roles & role;
}

/* The table of a class's virtual functions, of none of C++'s own classes. */
static bool is_table(const char *name) {
    return begins(name, "_ZTV") && !begins(name, "_ZTVSt") && !begins(name, "_ZTVNSt") &&
           !begins(name, "_ZTVN9__gnu_cxx") && !begins(name, "_ZTVN10__cxxabiv1");
}

/* Of a file with recorded code. What is loaded later may make buffers, and nobody looks at it then. */
static void add_classes(rcp_linked *linked, const char *name, bool is_dynamic, bool is_defined) {
    linked->has_buffers |= is_cxx(name, RCP_ROLE_BUFFERS);
    linked->has_strange_buffers |= is_dynamic && !is_defined && rcp_outside_loads(name);
    linked->may_set_locale |= !is_defined && rcp_outside_sets_locale(name);
    if (!is_dynamic && is_defined && is_table(name))
        rcp_vec_push(&linked->tables, take_copy(name));
}

/* Of the version that a symbol wants, by its number: is it the C library's, the compiler's or C++'s? */
static bool is_systems(const rcp_elf *elf, uint16_t version, const char *names, size_t names_size) {
    static const char *const systems[] = {"GLIBC", "GCC_", "CXXABI"};
    size_t size;
    const uint8_t *needs = rcp_elf_borrow_section(elf, ".gnu.version_r", &size);
    Elf64_Verneed need;
    for (size_t at = 0; needs && at + sizeof need <= size; at += need.vn_next) {
        memcpy(&need, needs + at, sizeof need);
        Elf64_Vernaux wanted;
        for (size_t k = at + need.vn_aux; k + sizeof wanted <= size; k += wanted.vna_next) {
            memcpy(&wanted, needs + k, sizeof wanted);
            for (size_t i = 0; wanted.vna_other == version && i < sizeof systems / sizeof *systems; i++)
                if (wanted.vna_name + strlen(systems[i]) < names_size &&
                    !strncmp(names + wanted.vna_name, systems[i], strlen(systems[i])))
                    return true;
            if (!wanted.vna_next)
                break;
        }
        if (!need.vn_next)
            break;
    }
    return false;
}

/* Is libc++ the C++ library? It has no versions. What C++ wants without one (operator new) is its own, then, unless
 * another library has it that the loader asks before the C library: rcp_linked_read_library says so. */
static bool needs_libcxx(const rcp_elf *elf, const char *names, size_t names_size) {
    size_t size;
    const uint8_t *dynamic = rcp_elf_borrow_section(elf, ".dynamic", &size);
    for (size_t i = 0; dynamic && (i + 1) * sizeof(Elf64_Dyn) <= size; i++) {
        Elf64_Dyn entry;
        memcpy(&entry, dynamic + i * sizeof entry, sizeof entry);
        if (entry.d_tag == DT_NEEDED && entry.d_un.d_val + sizeof "libc++.so" <= names_size &&
            !strncmp(names + entry.d_un.d_val, "libc++.so", strlen("libc++.so")))
            return true;
    }
    return false;
}

/* Symbol `i` of .dynsym is wanted of a library: of another one than those whose functions are known? */
static bool is_strangers(const rcp_elf *elf, size_t i, const char *name, const char *names, size_t names_size) {
    size_t size;
    const uint8_t *versions = rcp_elf_borrow_section(elf, ".gnu.version", &size);
    if (!versions || (i + 1) * sizeof(uint16_t) > size)
        return false;
    uint16_t version;
    memcpy(&version, versions + i * sizeof version, sizeof version);
    version &= 0x7fff;
    if (version <= VER_NDX_GLOBAL)
        return strncmp(name, "_Z", 2) || !needs_libcxx(elf, names, names_size);
    return !is_systems(elf, version, names, names_size);
}

static bool read_table(rcp_linked *linked, const rcp_elf *elf, bool is_dynamic, bool is_program) {
    size_t size, names_size;
    const uint8_t *table = rcp_elf_borrow_section(elf, is_dynamic ? ".dynsym" : ".symtab", &size);
    const char *names = (const char *)rcp_elf_borrow_section(elf, is_dynamic ? ".dynstr" : ".strtab", &names_size);
    for (size_t i = 0; table && names && (i + 1) * sizeof(Elf64_Sym) <= size; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, table + i * sizeof symbol, sizeof symbol);
        if (symbol.st_name >= names_size || !memchr(names + symbol.st_name, 0, names_size - symbol.st_name))
            continue;
        const char *name = names + symbol.st_name;
        bool is_defined = symbol.st_shndx != SHN_UNDEF;
        linked->has_printers |= is_dynamic && !is_defined && makes_printers(name);
        if (is_dynamic && is_defined)
            add_shared(linked, &symbol, name);
        if (is_dynamic && is_program && !is_defined)
            rcp_map_set(&linked->foreign, key_of(name), 1);
        if (is_dynamic && !is_defined)
            rcp_vec_push(&linked->wanted, take_copy(name));
        add_classes(linked, name, is_dynamic, is_defined);
        if (is_program && is_defined)
            add_runtimes(linked, &symbol, name);
        if (is_defined)
            add_defined(linked, &symbol, name);
        else if (is_dynamic && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && !rcp_outside_is_reserved(name) &&
                 is_strangers(elf, i, name, names, names_size))
            rcp_linked_add_own(linked, name);
    }
    return table && names;
}

void rcp_linked_read(rcp_linked *linked, const char *path, bool is_program) {
    rcp_elf elf;
    if (rcp_elf_open(path, &elf) != RCP_OK) {
        rcp_clear_causes();
        linked->may_set_locale = true;
        return;
    }
    read_table(linked, &elf, true, is_program);
    bool is_bare = !read_table(linked, &elf, false, is_program);
    if (is_program) {
        linked->is_read = true;
        linked->is_bare = is_bare;
    }
    rcp_elf_close(&elf);
}

/* The heap is the runtime's own (runtime/memory.c), whatever else is loaded. */
static bool is_runtimes(const char *name) {
    const rcp_outside *row = rcp_outside_find(name);
    return row && row->model >= RCP_MODEL_ALLOCATE && row->model <= RCP_MODEL_FREE && *name != '_';
}

/* What a library without recorded code does with streams is not seen. One of C that loads others hands on no streams.
 */
static void look_for_streams(rcp_linked *linked, const char *name, bool is_defined, bool *has_cxx, bool *has_loads) {
    linked->may_set_locale |= !is_defined && (rcp_outside_sets_locale(name) || rcp_outside_looks_up(name));
    linked->has_strange_buffers |= is_cxx(name, RCP_ROLE_BUFFERS);
    linked->has_strange_files |= is_cxx(name, RCP_ROLE_FILES);
    linked->has_strange_sources |=
        is_cxx(name, RCP_ROLE_REBUFFERS) || rcp_outside_variable_of(name) == RCP_VARIABLE_INPUT;
    linked->has_strange_exceptions |= is_cxx(name, RCP_ROLE_PASSES);
    *has_cxx |= !is_defined && rcp_outside_is_of_cxx(name);
    *has_loads |= !is_defined && rcp_outside_loads(name);
}

void rcp_linked_read_library(rcp_linked *linked, const char *path, bool is_first) {
    rcp_elf elf;
    if (rcp_elf_open(path, &elf) != RCP_OK) {
        rcp_clear_causes();
        linked->may_set_locale = true;
        return;
    }
    size_t size, names_size, ignored;
    const uint8_t *table = rcp_elf_borrow_section(&elf, ".dynsym", &size);
    const char *names = (const char *)rcp_elf_borrow_section(&elf, ".dynstr", &names_size);
    bool has_versions = rcp_elf_borrow_section(&elf, ".gnu.version_d", &ignored), has_cxx = false, has_loads = false;
    bool is_recorded = rcp_elf_borrow_section(&elf, "recipe_modules", &ignored); /* then rcp_linked_read() looks */
    for (size_t i = 0; table && names && (i + 1) * sizeof(Elf64_Sym) <= size; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, table + i * sizeof symbol, sizeof symbol);
        if (symbol.st_name >= names_size || !memchr(names + symbol.st_name, 0, names_size - symbol.st_name))
            continue;
        const char *name = names + symbol.st_name;
        bool is_defined = symbol.st_shndx != SHN_UNDEF;
        if (!is_recorded)
            look_for_streams(linked, name, is_defined, &has_cxx, &has_loads);
        bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC || ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC;
        if (is_first && !has_versions && is_defined && is_function && rcp_outside_find(name) && !is_runtimes(name))
            rcp_linked_add_own(linked, name);
    }
    linked->has_strange_buffers |= has_cxx && has_loads;
    rcp_elf_close(&elf);
}

bool rcp_linked_is_foreign(const rcp_linked *linked, const char *name) { return has(&linked->foreign, name); }

bool rcp_linked_is_librarys(const rcp_linked *linked, const char *name) {
    return has(&linked->foreign, name) || (has(&linked->runtimes, name) && !has(&linked->own, name));
}

bool rcp_linked_is_shared(const rcp_linked *linked, const char *name) {
    return !linked->is_read || has(&linked->shared, name);
}

bool rcp_linked_is_own(const rcp_linked *linked, const char *name) {
    return has(&linked->own, name) || (linked->is_bare && !has(&linked->foreign, name) && !has(&linked->shared, name) &&
                                       !rcp_outside_is_reserved(name) && !is_librarys_part(name));
}
