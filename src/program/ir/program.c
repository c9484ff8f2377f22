/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/program.h"

#include "base/hash.h"
#include "outside/outside.h"
#include "program/ir/steps.h"
#include "program/recording/modules.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

void rcp_program_init(rcp_program *program, const char *dir) {
    *program = (rcp_program){.context = LLVMContextCreate()};
    program->dir = rcp_alloc(strlen(dir) + 1);
    strcpy(program->dir, dir);
    rcp_map_init(&program->by_address);
    rcp_map_init(&program->by_name);
    rcp_map_init(&program->foreign);
    rcp_linked_init(&program->linked);
    rcp_exports_init(&program->exports);
}

static void unit_destroy(rcp_unit *unit) {
    for (size_t i = 0; i < unit->symbols.defined.len; i++)
        rcp_routine_finish(&unit->routines[i]);
    rcp_release(unit->routines);
    rcp_symbols_finish(&unit->symbols);
    rcp_map_finish(&unit->symbol_index);
    rcp_map_finish(&unit->tls_index);
    rcp_map_finish(&unit->block_index);
    rcp_map_finish(&unit->defined_index);
    rcp_release(unit->addresses);
    rcp_release(unit->block_addresses);
    if (unit->module)
        LLVMDisposeModule(unit->module);
    rcp_release(unit);
}

void rcp_program_finish(rcp_program *program) {
    for (size_t i = 0; i < program->units.len; i++)
        unit_destroy(program->units.at[i]);
    rcp_vec_finish(&program->units);
    rcp_vec_finish(&program->found);
    rcp_vec_finish(&program->declared);
    rcp_vec_finish(&program->constants);
    rcp_vec_finish(&program->gone);
    rcp_map_finish(&program->foreign);
    rcp_vec_finish(&program->named);
    rcp_map_finish(&program->by_address);
    rcp_map_finish(&program->by_name);
    LLVMContextDispose(program->context);
    rcp_release(program->dir);
    rcp_release(program->file);
    rcp_linked_finish(&program->linked);
    rcp_exports_finish(&program->exports);
}

static uint64_t key_of(const void *value) { return (uint64_t)(uintptr_t)value; }

/* LLVM marks names that are not to be mangled. */
static const char *plain(const char *name) { return *name == 1 ? name + 1 : name; }

static void add_name(rcp_program *program, rcp_routine *routine, LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
        return;
    size_t len;
    const char *name = plain(LLVMGetValueName2(global, &len));
    uint32_t *head = rcp_map_at(&program->by_name, rcp_hash_bytes(name, strlen(name)));
    uint32_t next = *head;
    *head = (uint32_t)program->named.len;
    rcp_vec_push(&program->named, ((struct rcp_named){routine, name, linkage != LLVMExternalLinkage, next}));
}

/* Other names that the unit's functions go by, as the two of a C++ constructor. */
static void add_aliases(rcp_program *program, rcp_unit *unit) {
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(unit->module); a; a = LLVMGetNextGlobalAlias(a)) {
        LLVMValueRef target = a;
        while (LLVMIsAGlobalAlias(target))
            target = LLVMAliasGetAliasee(target);
        rcp_routine *routine = LLVMIsAFunction(target) ? rcp_unit_routine(unit, target) : NULL;
        if (routine && routine->address)
            add_name(program, routine, a);
    }
}

static uint64_t *copy_words(const uint64_t *from, size_t n) {
    uint64_t *words = rcp_alloc(n ? n * sizeof *words : 1);
    if (n)
        memcpy(words, from, n * sizeof *words);
    return words;
}

bool rcp_program_is_narrow(const rcp_program *program) {
    for (size_t i = 0; i < program->units.len; i++)
        if (!program->units.at[i]->is_narrow)
            return false;
    return true;
}

rcp_code rcp_program_add_unit(rcp_program *program, LLVMModuleRef module, const rcp_image_module *image) {
    rcp_unit *unit = rcp_alloc_zero(1, sizeof *unit);
    unit->module = module;
    unit->layout = LLVMGetModuleDataLayout(module);
    unit->object = image->object;
    unit->is_late = program->parts > 0;
    unit->is_careful = program->is_careful;
    unit->logs_branches = LLVMGetModuleFlag(module, RCP_BRANCHES_FLAG, sizeof RCP_BRANCHES_FLAG - 1);
    unit->is_narrow = LLVMGetModuleFlag(module, RCP_SEQUENCES_FLAG, sizeof RCP_SEQUENCES_FLAG - 1);
    rcp_symbols_init(&unit->symbols, module);
    if (unit->symbols.symbols.len != image->n_symbols || unit->symbols.blocks.len != image->n_blocks ||
        unit->symbols.tls.len != image->n_tls) {
        rcp_code code = rcp_fail(RCP_BAD_INPUT,
                                 "a module has %zu symbols, %zu blocks and %zu thread-local variables, "
                                 "but the image gives %llu, %llu and %llu of it",
                                 unit->symbols.symbols.len, unit->symbols.blocks.len, unit->symbols.tls.len,
                                 (unsigned long long)image->n_symbols, (unsigned long long)image->n_blocks,
                                 (unsigned long long)image->n_tls);
        rcp_symbols_finish(&unit->symbols);
        LLVMDisposeModule(module);
        rcp_release(unit);
        return code;
    }
    unit->addresses = copy_words(image->symbols, image->n_symbols);
    unit->block_addresses = copy_words(image->blocks, image->n_blocks);
    unit->tls_base = program->tls;
    if (!unit->is_late)
        program->tls += image->n_tls;
    rcp_map_init(&unit->symbol_index);
    rcp_map_init(&unit->tls_index);
    rcp_map_init(&unit->block_index);
    rcp_map_init(&unit->defined_index);
    for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
        LLVMValueRef symbol = unit->symbols.symbols.at[i];
        rcp_map_set(&unit->symbol_index, key_of(symbol), (uint32_t)i);
        if (LLVMIsAFunction(symbol) && LLVMIsDeclaration(symbol)) {
            size_t len;
            const char *name = LLVMGetValueName2(symbol, &len);
            rcp_map_set(&program->foreign, unit->addresses[i], (uint32_t)program->declared.len);
            rcp_vec_push(&program->declared, ((struct rcp_declared){unit, name, rcp_outside_resolve(name)}));
        }
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (rcp_steps_is_left_out(f))
            rcp_linked_add_own(&program->linked, plain(LLVMGetValueName(f)));
    for (size_t i = 0; i < unit->symbols.tls.len; i++)
        rcp_map_set(&unit->tls_index, key_of(unit->symbols.tls.at[i]), (uint32_t)i);
    for (size_t i = 0; i < unit->symbols.blocks.len; i++)
        rcp_map_set(&unit->block_index, key_of(unit->symbols.blocks.at[i]), (uint32_t)i);
    unit->routines = rcp_alloc_zero(unit->symbols.defined.len ? unit->symbols.defined.len : 1, sizeof *unit->routines);
    for (size_t i = 0; i < unit->symbols.defined.len; i++) {
        size_t len;
        rcp_routine *routine = &unit->routines[i];
        routine->function = unit->symbols.defined.at[i];
        routine->unit = unit;
        routine->name = plain(LLVMGetValueName2(routine->function, &len));
        rcp_map_set(&unit->defined_index, key_of(routine->function), (uint32_t)i);
    }
    rcp_vec_push(&program->units, unit);
    return RCP_OK;
}

static rcp_code add_module(rcp_program *program, const rcp_image_module *image) {
    LLVMModuleRef module;
    RCP_TRY(rcp_module_load(program->dir, image->id, program->context, &module));
    rcp_code code = rcp_program_add_unit(program, module, image);
    if (code != RCP_OK) {
        char name[RCP_MODULE_NAME];
        rcp_module_name(image->id, name);
        return rcp_because(code, "module %s", name);
    }
    return RCP_OK;
}

static rcp_code add_functions(rcp_program *program, const rcp_image_entry *entry) {
    for (size_t i = 0; i < entry->size / sizeof *entry->functions; i++) {
        const rcp_image_function *f = &entry->functions[i];
        rcp_unit *unit = program->units.at[f->module];
        if (f->index >= unit->symbols.defined.len)
            return rcp_fail(RCP_BAD_INPUT, "the image names function %llu of a module that has %zu",
                            (unsigned long long)f->index, unit->symbols.defined.len);
        rcp_routine *routine = &unit->routines[f->index];
        routine->address = f->address;
        rcp_map_set(&program->by_address, f->address, (uint32_t)program->found.len);
        rcp_vec_push(&program->found, routine);
        add_name(program, routine, routine->function);
    }
    return RCP_OK;
}

static char *take_path(const rcp_image_entry *entry) {
    char *path = rcp_alloc_zero(entry->size + 1, 1);
    memcpy(path, entry->bytes, entry->size);
    return path;
}

static void add_library(rcp_program *program, const rcp_image_entry *entry) {
    char *path = take_path(entry);
    rcp_linked_read_library(&program->linked, path, !entry->a);
    rcp_release(path);
}

static void add_named(rcp_program *program, const rcp_image_entry *entry) {
    char *text = take_path(entry);
    rcp_exports_read(&program->exports, text, entry->a);
    rcp_release(text);
}

static void add_object(rcp_program *program, const rcp_image_entry *entry) {
    char *path = take_path(entry);
    bool is_program = !entry->b && !program->file;
    rcp_linked_read(&program->linked, path, is_program);
    if (is_program)
        program->file = path;
    else
        rcp_release(path);
}

bool rcp_program_is_constant(const rcp_program *program, uint64_t address) {
    for (size_t i = 0; i < program->constants.len; i++)
        if (address >= program->constants.at[i].lo && address < program->constants.at[i].hi)
            return true;
    return false;
}

static void lose_constant(rcp_program *program, rcp_span gone) {
    size_t kept = 0;
    for (size_t i = 0; i < program->constants.len; i++)
        if (program->constants.at[i].lo != gone.lo || program->constants.at[i].hi != gone.hi)
            program->constants.at[kept++] = program->constants.at[i];
    program->constants.len = kept;
    rcp_vec_push(&program->gone, gone);
}

/* --- Streams of C++ write by classes that anybody can make: buffers, facets. What a row says of a stream holds of
 * those of the C++ library, and of recorded ones, which are called back. Whether the process has others is told by
 * names alone, because their objects are not seen being made. --- */

static bool is_named(const rcp_unit *unit, const char *name) {
    return LLVMGetNamedGlobal(unit->module, name) || LLVMGetNamedFunction(unit->module, name);
}

/* Is a name of that kind wanted that no recorded code has? */
static bool is_wanted_elsewhere(const rcp_program *program) {
    for (size_t i = 0; i < program->linked.wanted.len; i++) {
        const char *name = program->linked.wanted.at[i];
        bool is_ours = strncmp(name, "_Z", 2) || !(rcp_outside_resolve(name).roles & RCP_ROLE_BUFFERS);
        for (size_t u = 0; u < program->units.len && !is_ours; u++)
            is_ours = is_named(program->units.at[u], name);
        if (!is_ours)
            return true;
    }
    return false;
}

static bool defines(const rcp_unit *unit, const char *name) {
    LLVMValueRef table = LLVMGetNamedGlobal(unit->module, name);
    return table && !LLVMIsDeclaration(table) && LLVMGetLinkage(table) != LLVMAvailableExternallyLinkage;
}

/* Has the program more classes with virtual functions than recorded code has? Two may have one name, where that is
 * known in its file alone. */
static bool has_strange_class(const rcp_program *program) {
    bool is_strange = false;
    rcp_map seen; /* hash of the name → how often it has come */
    rcp_map_init(&seen);
    for (size_t i = 0; i < program->linked.tables.len && !is_strange; i++) {
        const char *name = program->linked.tables.at[i];
        uint32_t *n = rcp_map_at(&seen, rcp_hash_bytes(name, strlen(name))), defined = 0;
        *n = *n == RCP_MAP_NONE ? 1 : *n + 1;
        for (size_t u = 0; u < program->units.len && defined < *n; u++)
            defined += defines(program->units.at[u], name);
        is_strange = defined < *n;
    }
    rcp_map_finish(&seen);
    return is_strange;
}

static bool may_have_strange_buffers(const rcp_program *program) {
    const rcp_linked *linked = &program->linked;
    return linked->has_strange_buffers || is_wanted_elsewhere(program) ||
           (linked->has_buffers && (linked->is_bare || has_strange_class(program)));
}

rcp_code rcp_program_add_part(rcp_program *program, rcp_image_file *image, uint64_t number, rcp_program_bytes *put,
                              void *context) {
    size_t first = program->units.len;
    program->gone.len = 0;
    RCP_TRY(rcp_image_seek(image, number));
    for (;;) {
        rcp_image_entry entry;
        RCP_TRY(rcp_image_next(image, &entry));
        switch (entry.tag) {
        case RCP_IMAGE_OBJECT: add_object(program, &entry); break;
        case RCP_IMAGE_LIBRARY: add_library(program, &entry); break;
        case RCP_IMAGE_NAMED: add_named(program, &entry); break;
        case RCP_IMAGE_CONSTANT: rcp_vec_push(&program->constants, ((rcp_span){entry.a, entry.b})); break;
        case RCP_IMAGE_GONE: lose_constant(program, (rcp_span){entry.a, entry.b}); break;
        case RCP_IMAGE_MODULE: RCP_TRY(add_module(program, &entry.module)); break;
        case RCP_IMAGE_FUNCTIONS: RCP_TRY(add_functions(program, &entry)); break;
        case RCP_IMAGE_BYTES:
            if (put)
                RCP_TRY(put(context, entry.a, entry.bytes, entry.size));
            break;
        case RCP_IMAGE_END:
            for (size_t i = first; i < program->units.len; i++)
                add_aliases(program, program->units.at[i]);
            program->parts++;
            program->has_strange_buffers = may_have_strange_buffers(program);
            return RCP_OK;
        default: break;
        }
    }
}

rcp_routine *rcp_unit_routine(const rcp_unit *unit, LLVMValueRef function) {
    uint32_t index = rcp_map_get(&unit->defined_index, key_of(function));
    return index == RCP_MAP_NONE ? NULL : &unit->routines[index];
}

uint64_t rcp_unit_address(const rcp_unit *unit, LLVMValueRef global) {
    uint32_t index = rcp_map_get(&unit->symbol_index, key_of(global));
    return index == RCP_MAP_NONE ? 0 : unit->addresses[index];
}

rcp_routine *rcp_program_at(const rcp_program *program, uint64_t address) {
    uint32_t index = rcp_map_get(&program->by_address, address);
    if (index != RCP_MAP_NONE)
        return program->found.at[index];
    index = rcp_map_get(&program->foreign, address);
    if (index == RCP_MAP_NONE)
        return NULL;
    return rcp_program_named(program, program->declared.at[index].unit, program->declared.at[index].name);
}

bool rcp_program_outside_at(const rcp_program *program, uint64_t address, const char **name,
                            const rcp_outside_name **called) {
    uint32_t index = rcp_map_get(&program->foreign, address);
    const struct rcp_declared *declared = index == RCP_MAP_NONE ? NULL : &program->declared.at[index];
    const rcp_exported *exported = declared ? NULL : rcp_exports_at(&program->exports, address);
    if (!declared && !exported)
        return false;
    *name = declared ? declared->name : exported->name;
    *called = declared ? &declared->called : &exported->called;
    return true;
}

/* Lower is better: own object, then the objects in their order; strong, then weak. */
static uint64_t rank(const struct rcp_named *named, const rcp_unit *unit) {
    uint64_t object = named->routine->unit->object == unit->object ? 0 : 1 + named->routine->unit->object;
    return object << 1 | named->is_weak;
}

rcp_routine *rcp_program_named(const rcp_program *program, const rcp_unit *unit, const char *name) {
    name = plain(name);
    const struct rcp_named *best = NULL;
    for (uint32_t i = rcp_map_get(&program->by_name, rcp_hash_bytes(name, strlen(name))); i != RCP_MAP_NONE;
         i = program->named.at[i].next) {
        const struct rcp_named *named = &program->named.at[i];
        /* The chain has the latest first, and of equals the linker takes the first. */
        if (!strcmp(named->name, name) && (!best || rank(named, unit) <= rank(best, unit)))
            best = named;
    }
    return best ? best->routine : NULL;
}

void rcp_program_place(LLVMValueRef instruction, char to[RCP_PLACE]) {
    unsigned len = 0;
    const char *file = instruction ? LLVMGetDebugLocFilename(instruction, &len) : NULL;
    if (file && len)
        snprintf(to, RCP_PLACE, "%.*s:%u", (int)len, file, LLVMGetDebugLocLine(instruction));
    else
        strcpy(to, "?");
}
