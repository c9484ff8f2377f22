/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/emit.h"

#include "abi/shadow.h"
#include "instrument/privates.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>

static const char *const inline_names[] = {
#define X(name) "recipe_inline_" #name,
    RCP_INLINE_HOOKS(X)
#undef X
};
enum { INLINE_HOOKS = sizeof inline_names / sizeof *inline_names };

static const struct {
    const char *name, *parameters;
} outline[] = {
#define X(name, parameters) {"__recipe_" #name, parameters},
    RCP_OUTLINE_HOOKS(X)
#undef X
};

static LLVMValueRef declare(rcp_pass_unit *unit, const char *name, const char *parameters) {
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (function)
        return function;
    LLVMTypeRef types[8];
    unsigned n = 0;
    for (; parameters[n]; n++)
        types[n] = parameters[n] == 'q' ? unit->i64 : parameters[n] == 'w' ? unit->i32 : unit->ptr;
    function = LLVMAddFunction(unit->module, name, LLVMFunctionType(unit->void_type, types, n, false));
    /* No hook throws; so hooks can stand where a call could not unwind. */
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, rcp_unit_attribute("nounwind"), 0));
    return function;
}

/* What the back end is told of its callers must hold for an inlined body too, so it says nothing itself. */
static void make_inline(rcp_pass_unit *unit, LLVMValueRef function) {
    unsigned n = LLVMGetAttributeCountAtIndex(function, LLVMAttributeFunctionIndex);
    LLVMAttributeRef all[64];
    RCP_CHECK(n <= 64);
    LLVMGetAttributesAtIndex(function, LLVMAttributeFunctionIndex, all);
    for (unsigned i = 0; i < n; i++) {
        unsigned len;
        if (LLVMIsStringAttribute(all[i]))
            LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                             LLVMGetStringAttributeKind(all[i], &len),
                                             (unsigned)strlen(LLVMGetStringAttributeKind(all[i], &len)));
        else
            LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKind(all[i]));
    }
    static const char *const given[] = {"alwaysinline", "nounwind", "null_pointer_is_valid"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(unit->context, rcp_unit_attribute(given[i]), 0));
    LLVMSetLinkage(function, LLVMInternalLinkage);
}

rcp_code rcp_emitter_init(rcp_emitter *emitter, rcp_pass_unit *unit, const char *inline_hooks) {
    *emitter = (rcp_emitter){.unit = unit, .builder = LLVMCreateBuilderInContext(unit->context)};
    LLVMModuleRef hooks;
    RCP_TRY(rcp_unit_parse(unit, inline_hooks, &hooks));
    LLVMSetTarget(hooks, LLVMGetTarget(unit->module));
    LLVMSetDataLayout(hooks, LLVMGetDataLayoutStr(unit->module));
    LLVMSetIsNewDbgInfoFormat(hooks, false);
    if (LLVMLinkModules2(unit->module, hooks))
        return rcp_fail(RCP_INTERNAL, "%s can't be linked into the module: %s", inline_hooks,
                        unit->errors.len ? unit->errors.at : "LLVM does not say why");
    for (unsigned i = 0; i < INLINE_HOOKS; i++) {
        emitter->hooks[i] = LLVMGetNamedFunction(unit->module, inline_names[i]);
        if (!emitter->hooks[i])
            return rcp_fail(RCP_INTERNAL, "%s lacks %s: it is of another version of recipe; install both anew",
                            inline_hooks, inline_names[i]);
        make_inline(unit, emitter->hooks[i]);
    }
    for (unsigned i = INLINE_HOOKS; i < RCP_HOOKS; i++)
        emitter->hooks[i] = declare(unit, outline[i - INLINE_HOOKS].name, outline[i - INLINE_HOOKS].parameters);
    return RCP_OK;
}

void rcp_emitter_finish(rcp_emitter *emitter) {
    for (unsigned i = 0; i < RCP_HOOKS; i++)
        if (emitter->hooks[i] && !LLVMGetFirstUse(emitter->hooks[i]))
            LLVMDeleteFunction(emitter->hooks[i]);
    if (emitter->builder)
        LLVMDisposeBuilder(emitter->builder);
    rcp_vec_finish(&emitter->temporaries);
    rcp_map_finish(&emitter->privates);
    *emitter = (rcp_emitter){0};
}

void rcp_emitter_begin(rcp_emitter *emitter, LLVMValueRef function) {
    emitter->function = function;
    emitter->temporaries.len = 0;
    rcp_map_finish(&emitter->privates);
    rcp_map_init(&emitter->privates);
    rcp_privates_find(function, &emitter->privates);
}

bool rcp_emit_is_private(const rcp_emitter *emitter, LLVMValueRef load) {
    return rcp_map_get(&emitter->privates, (uintptr_t)load) != RCP_MAP_NONE;
}

void rcp_emit_before(rcp_emitter *e, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(e->builder, instruction);
    LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(instruction));
}

void rcp_emit_after(rcp_emitter *e, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(e->builder, LLVMGetNextInstruction(instruction));
    LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(instruction));
}

void rcp_emit_at_head(rcp_emitter *e, LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
        i = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(e->builder, i);
}

LLVMValueRef rcp_emit_hook(rcp_emitter *e, rcp_hook hook, LLVMValueRef *arguments, unsigned n) {
    LLVMValueRef function = e->hooks[hook];
    return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(function), function, arguments, n, "");
}

LLVMValueRef rcp_emit_u32(rcp_emitter *e, uint32_t value) { return LLVMConstInt(e->unit->i32, value, false); }
LLVMValueRef rcp_emit_u64(rcp_emitter *e, uint64_t value) { return LLVMConstInt(e->unit->i64, value, false); }

LLVMValueRef rcp_emit_address(rcp_emitter *e, LLVMValueRef pointer) {
    return LLVMBuildPtrToInt(e->builder, pointer, e->unit->i64, "");
}

/* A base and a constant offset? Its indices, else 0. */
static unsigned constant_indices(LLVMValueRef pointer, LLVMValueRef *indices, unsigned room) {
    if (!LLVMIsAGetElementPtrInst(pointer) &&
        !(LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        return 0;
    unsigned n = (unsigned)LLVMGetNumOperands(pointer) - 1;
    if (n > room || LLVMIsNull(LLVMGetOperand(pointer, 0)))
        return 0;
    for (unsigned i = 0; i < n; i++) {
        indices[i] = LLVMGetOperand(pointer, i + 1);
        if (!LLVMIsAConstantInt(indices[i]))
            return 0;
    }
    return n;
}

LLVMValueRef rcp_emit_shadow(rcp_emitter *e, LLVMValueRef pointer) {
    LLVMValueRef indices[16];
    unsigned n = constant_indices(pointer, indices, 16);
    if (n)
        return LLVMBuildGEP2(e->builder, LLVMGetGEPSourceElementType(pointer),
                             rcp_emit_shadow(e, LLVMGetOperand(pointer, 0)), indices, n, "");
    LLVMValueRef flipped = LLVMBuildXor(e->builder, rcp_emit_address(e, pointer), rcp_emit_u64(e, RCP_SHADOW_KEY), "");
    return LLVMBuildIntToPtr(e->builder, flipped, e->unit->ptr, "");
}

uint64_t rcp_emit_size(rcp_emitter *e, LLVMTypeRef type) { return LLVMStoreSizeOfType(e->unit->layout, type); }

/* The width of what can be cast to an integer without a trip through memory; 0: can't. */
static unsigned cast_width(rcp_emitter *e, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMVectorTypeKind:
        if (LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind)
            return 0;
        return (unsigned)LLVMSizeOfTypeInBits(e->unit->layout, type);
    default: return 0;
    }
}

LLVMValueRef rcp_emit_bits(rcp_emitter *e, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return rcp_emit_address(e, value);
    unsigned width = cast_width(e, type);
    if (!width || width > 64)
        return NULL;
    LLVMValueRef bits = LLVMBuildBitCast(e->builder, value, LLVMIntTypeInContext(e->unit->context, width), "");
    return width < 64 ? LLVMBuildZExt(e->builder, bits, e->unit->i64, "") : bits;
}

LLVMValueRef rcp_emit_temporary(rcp_emitter *e, uint64_t size) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(e->unit->context);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(e->function)));
    LLVMValueRef alloca = LLVMBuildAlloca(builder, LLVMArrayType2(e->unit->i8, size), "");
    LLVMSetAlignment(alloca, 16);
    LLVMDisposeBuilder(builder);
    return alloca;
}

LLVMValueRef rcp_emit_spill(rcp_emitter *e, LLVMValueRef value) {
    uint64_t size = rcp_emit_size(e, LLVMTypeOf(value));
    LLVMValueRef alloca = NULL;
    for (size_t i = 0; i < e->temporaries.len && !alloca; i++)
        if (e->temporaries.at[i].size == size)
            alloca = e->temporaries.at[i].alloca;
    if (!alloca) {
        alloca = rcp_emit_temporary(e, size);
        rcp_vec_push(&e->temporaries, ((rcp_temporary){size, alloca}));
    }
    LLVMSetAlignment(LLVMBuildStore(e->builder, value, alloca), 16);
    return alloca;
}

rcp_access rcp_emit_access(rcp_emitter *e, LLVMTypeRef type, unsigned *log2_size) {
    *log2_size = 3;
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return LLVMGetPointerAddressSpace(type) ? RCP_ACCESS_WIDE : RCP_ACCESS_PTR;
    case LLVMDoubleTypeKind: return RCP_ACCESS_F64;
    case LLVMFloatTypeKind: *log2_size = 2; return RCP_ACCESS_F32;
    default: break;
    }
    switch (cast_width(e, type)) {
    case 1: /* a byte that is 0 or 1 */
    case 8: *log2_size = 0; return RCP_ACCESS_INT;
    case 16: *log2_size = 1; return RCP_ACCESS_INT;
    case 32: *log2_size = 2; return RCP_ACCESS_INT;
    case 64: *log2_size = 3; return RCP_ACCESS_INT;
    default: *log2_size = 15; return RCP_ACCESS_WIDE;
    }
}

LLVMValueRef rcp_emit_to_int(rcp_emitter *e, LLVMValueRef value, unsigned log2_size) {
    LLVMTypeRef type = LLVMTypeOf(value), to = LLVMIntTypeInContext(e->unit->context, 8u << log2_size);
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return LLVMBuildPtrToInt(e->builder, value, to, "");
    case LLVMIntegerTypeKind: return LLVMBuildZExt(e->builder, value, to, "");
    default:
        value = LLVMBuildBitCast(e->builder, value, LLVMIntTypeInContext(e->unit->context, cast_width(e, type)), "");
        return LLVMBuildZExt(e->builder, value, to, "");
    }
}

LLVMValueRef rcp_emit_from_int(rcp_emitter *e, LLVMValueRef bits, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return LLVMBuildIntToPtr(e->builder, bits, type, "");
    case LLVMIntegerTypeKind: return LLVMBuildTrunc(e->builder, bits, type, "");
    default:
        bits = LLVMBuildTrunc(e->builder, bits, LLVMIntTypeInContext(e->unit->context, cast_width(e, type)), "");
        return LLVMBuildBitCast(e->builder, bits, type, "");
    }
}
