/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/embed.h"

#include "abi/hooks.h"
#include "base/vec.h"
#include "instrument/frame_hooks.h"
#include "instrument/opaque.h"

#include <llvm-c/Comdat.h>
#include <string.h>

typedef RCP_VEC(LLVMValueRef) values;

static bool is_local(LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static LLVMValueRef add_constant(rcp_pass_unit *unit, const char *name, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetAlignment(global, 8);
    return global;
}

static LLVMValueRef add_array(rcp_pass_unit *unit, const char *name, values *elements, LLVMTypeRef type) {
    if (!elements->len)
        return LLVMConstNull(unit->ptr);
    return add_constant(unit, name, LLVMConstArray2(type, elements->at, elements->len));
}

/* What is in a group of sections that the linker may throw away can't be named from outside by a local symbol. */
static bool can_be_named(LLVMValueRef global) { return !(LLVMGetComdat(global) && is_local(global)); }

static LLVMValueRef add_symbols(rcp_pass_unit *unit, const rcp_symbols *symbols) {
    values addresses = {0};
    for (size_t i = 0; i < symbols->symbols.len; i++) {
        LLVMValueRef global = symbols->symbols.at[i];
        rcp_vec_push(&addresses, can_be_named(global) ? global : LLVMConstNull(unit->ptr));
    }
    LLVMValueRef array = add_array(unit, "recipe_symbols", &addresses, unit->ptr);
    rcp_vec_finish(&addresses);
    return array;
}

static LLVMValueRef add_blocks(rcp_pass_unit *unit, const rcp_symbols *symbols) {
    values addresses = {0};
    for (size_t i = 0; i < symbols->blocks.len; i++) {
        LLVMBasicBlockRef block = symbols->blocks.at[i];
        LLVMValueRef function = LLVMGetBasicBlockParent(block);
        rcp_vec_push(&addresses,
                     LLVMGetComdat(function) ? LLVMConstNull(unit->ptr) : LLVMBlockAddress(function, block));
    }
    LLVMValueRef array = add_array(unit, "recipe_blocks", &addresses, unit->ptr);
    rcp_vec_finish(&addresses);
    return array;
}

static LLVMValueRef add_tls(rcp_pass_unit *unit, const rcp_symbols *symbols) {
    if (!symbols->tls.len)
        return LLVMConstNull(unit->ptr);
    LLVMValueRef function =
        LLVMAddFunction(unit->module, "recipe_tls", LLVMFunctionType(unit->void_type, &unit->ptr, 1, false));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    rcp_opaque_set(unit, function, "recipe's own");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(unit->context, function, ""));
    for (size_t i = 0; i < symbols->tls.len; i++) {
        LLVMValueRef variable = symbols->tls.at[i], index = LLVMConstInt(unit->i64, i, false);
        LLVMTypeRef type = LLVMTypeOf(variable);
        LLVMValueRef address =
            rcp_unit_build_intrinsic(unit, builder, "llvm.threadlocal.address", &type, 1, &variable, 1);
        LLVMBuildStore(builder, address, LLVMBuildGEP2(builder, unit->ptr, LLVMGetParam(function, 0), &index, 1, ""));
    }
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return function;
}

static LLVMValueRef add_module(rcp_pass_unit *unit, const rcp_embedding *embedding) {
    const rcp_symbols *symbols = &embedding->symbols;
    LLVMValueRef fields[] = {
        LLVMConstInt(unit->i64, embedding->id.low, false),
        LLVMConstInt(unit->i64, embedding->id.high, false),
        LLVMConstInt(unit->i32, RCP_ABI_VERSION, false),
        LLVMConstInt(unit->i32, symbols->symbols.len, false),
        LLVMConstInt(unit->i32, symbols->blocks.len, false),
        LLVMConstInt(unit->i32, symbols->tls.len, false),
        add_symbols(unit, symbols),
        add_blocks(unit, symbols),
        add_tls(unit, symbols),
        embedding->late ? embedding->late : LLVMConstNull(unit->ptr),
    };
    LLVMValueRef module = add_constant(
        unit, "recipe_module", LLVMConstStructInContext(unit->context, fields, sizeof fields / sizeof *fields, false));
    RCP_CHECK(LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(module)) == sizeof(struct rcp_module));
    LLVMSetSection(module, "recipe_modules");
    return module;
}

/* Another module's definition may stand behind the name of a weak function; an alias that nobody sees is this one. */
static LLVMValueRef own_address(rcp_pass_unit *unit, LLVMValueRef function) {
    LLVMLinkage linkage = LLVMGetLinkage(function);
    if (is_local(function) || (linkage == LLVMExternalLinkage && !unit->shared))
        return function;
    LLVMValueRef alias = LLVMAddAlias2(unit->module, LLVMGlobalGetValueType(function), 0, function, "recipe_own");
    LLVMSetLinkage(alias, LLVMPrivateLinkage);
    return alias;
}

/* Retained, all of them: a function that --gc-sections would have dropped stays. But those that are only called by name
 * from this module are left out: the optimiser drops them where it has inlined every call, and nobody has their
 * address. */
static void add_functions(rcp_pass_unit *unit, const rcp_symbols *symbols, LLVMValueRef module, values *used) {
    values plain = {0};
    LLVMTypeRef type = NULL;
    for (size_t i = 0; i < symbols->defined.len; i++) {
        LLVMValueRef function = symbols->defined.at[i];
        if (!rcp_frame_hooks_is_reachable(function))
            continue;
        LLVMValueRef fields[] = {own_address(unit, function), module, LLVMConstInt(unit->i64, i, false)};
        LLVMValueRef entry = LLVMConstStructInContext(unit->context, fields, 3, false);
        type = LLVMTypeOf(entry);
        LLVMComdatRef comdat = LLVMGetComdat(function);
        if (!comdat) {
            rcp_vec_push(&plain, entry);
            continue;
        }
        LLVMValueRef global = add_constant(unit, "recipe_function", entry);
        LLVMSetComdat(global, comdat);
        LLVMSetSection(global, "recipe_functions");
        rcp_vec_push(used, global);
    }
    if (plain.len) {
        LLVMValueRef global = add_constant(unit, "recipe_function_table", LLVMConstArray2(type, plain.at, plain.len));
        LLVMSetSection(global, "recipe_functions");
        rcp_vec_push(used, global);
    }
    rcp_vec_finish(&plain);
}

/* Adds elements to one of LLVM's own arrays (llvm.used, llvm.global_ctors), which can only be replaced. */
static void append(rcp_pass_unit *unit, const char *name, const char *section, LLVMTypeRef type, const values *more) {
    values all = {0};
    LLVMValueRef old = LLVMGetNamedGlobal(unit->module, name);
    if (old) {
        LLVMValueRef value = LLVMGetInitializer(old);
        for (unsigned i = 0, n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(value)); i < n; i++)
            rcp_vec_push(&all, LLVMGetAggregateElement(value, i));
        LLVMDeleteGlobal(old);
    }
    for (size_t i = 0; i < more->len; i++)
        rcp_vec_push(&all, more->at[i]);
    LLVMValueRef array = LLVMConstArray2(type, all.at, all.len);
    LLVMValueRef global = LLVMAddGlobal(unit->module, LLVMTypeOf(array), name);
    LLVMSetLinkage(global, LLVMAppendingLinkage);
    LLVMSetInitializer(global, array);
    if (section)
        LLVMSetSection(global, section);
    rcp_vec_finish(&all);
}

static LLVMValueRef boundary(rcp_pass_unit *unit, const char *name) {
    LLVMValueRef symbol = LLVMAddGlobal(unit->module, unit->i8, name);
    LLVMSetVisibility(symbol, LLVMHiddenVisibility); /* each program and library has its own */
    return symbol;
}

/* One per shared library, however many modules it has: tells the runtime of the library's tables. */
static void add_constructor(rcp_pass_unit *unit) {
    static const char name[] = "__recipe_object_init";
    LLVMComdatRef comdat = LLVMGetOrInsertComdat(unit->module, name);
    LLVMValueRef fields[] = {
        boundary(unit, "__start_recipe_modules"),   boundary(unit, "__stop_recipe_modules"),
        boundary(unit, "__start_recipe_functions"), boundary(unit, "__stop_recipe_functions"),
        boundary(unit, "__start_recipe_bitcode"),   boundary(unit, "__stop_recipe_bitcode"),
    };
    LLVMValueRef tables =
        add_constant(unit, "recipe_tables", LLVMConstStructInContext(unit->context, fields, 6, false));
    LLVMSetComdat(tables, comdat);
    LLVMTypeRef register_type = LLVMFunctionType(unit->void_type, &unit->ptr, 1, false);
    LLVMValueRef init = LLVMAddFunction(unit->module, name, LLVMFunctionType(unit->void_type, NULL, 0, false));
    LLVMSetLinkage(init, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(init, LLVMHiddenVisibility);
    LLVMSetComdat(init, comdat);
    rcp_opaque_set(unit, init, "recipe's own");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(unit->context, init, ""));
    LLVMBuildCall2(builder, register_type, LLVMAddFunction(unit->module, "__recipe_register", register_type), &tables,
                   1, "");
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    LLVMValueRef entry_fields[] = {LLVMConstInt(unit->i32, 0, false), init, init}; /* 0: before all others */
    LLVMValueRef entry = LLVMConstStructInContext(unit->context, entry_fields, 3, false);
    values entries = {0};
    rcp_vec_push(&entries, entry);
    append(unit, "llvm.global_ctors", NULL, LLVMTypeOf(entry), &entries);
    rcp_vec_finish(&entries);
}

void rcp_embed_tables(rcp_pass_unit *unit, const rcp_embedding *embedding) {
    values used = {0};
    LLVMValueRef module = add_module(unit, embedding);
    rcp_vec_push(&used, module);
    add_functions(unit, &embedding->symbols, module, &used);
    append(unit, "llvm.used", "llvm.metadata", unit->ptr, &used);
    rcp_vec_finish(&used);
    if (unit->shared)
        add_constructor(unit);
}
