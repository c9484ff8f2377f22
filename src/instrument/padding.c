/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/padding.h"

#include "program/ir/steps.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* --- how much of an object is its own; 0: all of it, or not known --- */

/* The compiler's list of fields: offset, size, type, and so on. */
static uint64_t end_of_fields(LLVMValueRef list) {
    uint64_t end = 0;
    int n = LLVMGetMDNodeNumOperands(list);
    LLVMValueRef *at = rcp_alloc_zero((size_t)n + 1, sizeof *at);
    LLVMGetMDNodeOperands(list, at);
    for (int i = 0; i + 1 < n; i += 3) {
        if (!at[i] || !at[i + 1] || !LLVMIsAConstantInt(at[i]) || !LLVMIsAConstantInt(at[i + 1])) {
            end = 0;
            break;
        }
        uint64_t field = LLVMConstIntGetZExtValue(at[i]) + LLVMConstIntGetZExtValue(at[i + 1]);
        end = field > end ? field : end;
    }
    rcp_release(at);
    return end;
}

static bool is_bytes(const rcp_pass_unit *unit, LLVMTypeRef type) {
    return type == unit->i8 || (LLVMGetTypeKind(type) == LLVMArrayTypeKind && LLVMGetElementType(type) == unit->i8);
}

/* Clang packs a type whose members are all in line, and whose size is, only if it has data that ends out of line: then
 * what stands last is padding. (What the user has packed is out of line in one of these ways, or aligned to one byte:
 * the caller knows the alignment.) */
static uint64_t data_of_type(const rcp_pass_unit *unit, LLVMTypeRef type, uint64_t size, unsigned align) {
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMIsOpaqueStruct(type) || !LLVMIsPackedStruct(type) ||
        LLVMABISizeOfType(unit->layout, type) != size)
        return 0;
    unsigned n = LLVMCountStructElementTypes(type), widest = 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned own = LLVMABIAlignmentOfType(unit->layout, LLVMStructGetTypeAtIndex(type, i));
        if (LLVMOffsetOfElement(unit->layout, type, i) % own)
            return 0;
        widest = own > widest ? own : widest;
    }
    if (n < 2 || align < widest || size % widest || !is_bytes(unit, LLVMStructGetTypeAtIndex(type, n - 1)))
        return 0;
    uint64_t data = LLVMOffsetOfElement(unit->layout, type, n - 1);
    return data % widest ? data : 0;
}

/* A reference to a class says how large its data is. */
static uint64_t data_of_reference(LLVMValueRef pointer, uint64_t size) {
    LLVMAttributeRef all, align;
    unsigned bytes = rcp_unit_attribute("dereferenceable"), alignment = rcp_unit_attribute("align");
    if (LLVMIsAArgument(pointer)) {
        LLVMValueRef function = LLVMGetParamParent(pointer);
        unsigned i = 0;
        while (LLVMGetParam(function, i) != pointer)
            i++;
        all = LLVMGetEnumAttributeAtIndex(function, i + 1, bytes);
        align = LLVMGetEnumAttributeAtIndex(function, i + 1, alignment);
    } else if (LLVMIsACallInst(pointer) || LLVMIsAInvokeInst(pointer)) {
        all = LLVMGetCallSiteEnumAttribute(pointer, LLVMAttributeReturnIndex, bytes);
        align = LLVMGetCallSiteEnumAttribute(pointer, LLVMAttributeReturnIndex, alignment);
    } else
        return 0;
    if (!all || !align)
        return 0;
    uint64_t data = LLVMGetEnumAttributeValue(all), to = LLVMGetEnumAttributeValue(align);
    return to && data < size && size == (data + to - 1) / to * to ? data : 0;
}

/* What is kept in a variable that is written once: of unoptimised code, an argument. */
static LLVMValueRef look_through(LLVMValueRef pointer) {
    if (!LLVMIsALoadInst(pointer) || !LLVMIsAAllocaInst(LLVMGetOperand(pointer, 0)))
        return pointer;
    LLVMValueRef variable = LLVMGetOperand(pointer, 0), kept = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) || (LLVMIsACallInst(user) && LLVMIsAIntrinsicInst(user)))
            continue;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable || kept)
            return pointer;
        kept = LLVMGetOperand(user, 0);
    }
    return kept ? kept : pointer;
}

/* The type of the object that the pointer leads to, and its alignment, where the pointer itself says so. */
static LLVMTypeRef type_at(LLVMValueRef pointer, unsigned *align) {
    if (LLVMIsAAllocaInst(pointer)) {
        *align = LLVMGetAlignment(pointer);
        return LLVMGetAllocatedType(pointer);
    }
    if (LLVMIsAArgument(pointer)) {
        LLVMValueRef function = LLVMGetParamParent(pointer);
        LLVMAttributeRef result = LLVMGetEnumAttributeAtIndex(function, 1, rcp_unit_attribute("sret"));
        return result && pointer == LLVMGetParam(function, 0) ? LLVMGetTypeAttributeValue(result) : NULL;
    }
    if (!LLVMIsAGetElementPtrInst(pointer))
        return NULL;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    for (int i = 2, n = LLVMGetNumOperands(pointer); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
            type = LLVMGetElementType(type);
        else if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsAConstantInt(index))
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
        else
            return NULL;
    }
    return type;
}

static uint64_t data_of_end(const rcp_pass_unit *unit, LLVMValueRef copy, unsigned end, uint64_t size) {
    LLVMValueRef pointer = look_through(LLVMGetArgOperand(copy, end));
    LLVMAttributeRef said = LLVMGetCallSiteEnumAttribute(copy, end + 1, rcp_unit_attribute("align"));
    unsigned align = said ? (unsigned)LLVMGetEnumAttributeValue(said) : 1;
    uint64_t data = data_of_reference(pointer, size);
    LLVMTypeRef type = data ? NULL : type_at(pointer, &align);
    return type ? data_of_type(unit, type, size, align) : data;
}

/* How many of the copied bytes are the object's; 0: all, as far as is known. */
static uint64_t data_of(const rcp_pass_unit *unit, LLVMValueRef copy, unsigned fields) {
    LLVMValueRef size = LLVMGetArgOperand(copy, 2);
    if (!LLVMIsAConstantInt(size))
        return 0;
    uint64_t all = LLVMConstIntGetZExtValue(size);
    LLVMValueRef list = LLVMHasMetadata(copy) ? LLVMGetMetadata(copy, fields) : NULL;
    uint64_t data = list ? end_of_fields(list) : 0;
    for (unsigned end = 0; !data && end < 2; end++)
        data = data_of_end(unit, copy, end, all);
    return data < all ? data : 0;
}

/* --- dividing and marking --- */

/* A type that nothing has, in the words of alias analysis: the one note that `sroa` hands on. */
static LLVMValueRef tag_of(const rcp_pass_unit *unit) {
    LLVMContextRef context = unit->context;
    LLVMMetadataRef name = LLVMMDStringInContext2(context, RCP_STEPS_PADDING, strlen(RCP_STEPS_PADDING));
    LLVMMetadataRef zero = LLVMValueAsMetadata(LLVMConstInt(unit->i64, 0, false));
    LLVMMetadataRef root = LLVMMDNodeInContext2(context, &name, 1);
    LLVMMetadataRef type = LLVMMDNodeInContext2(context, (LLVMMetadataRef[]){name, root, zero}, 3);
    return LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, (LLVMMetadataRef[]){type, type, zero}, 3));
}

static unsigned kind_of(const rcp_pass_unit *unit, const char *name) {
    return LLVMGetMDKindIDInContext(unit->context, name, (unsigned)strlen(name));
}

static void divide(rcp_pass_unit *unit, LLVMBuilderRef builder, LLVMValueRef copy, uint64_t data) {
    uint64_t size = LLVMConstIntGetZExtValue(LLVMGetArgOperand(copy, 2));
    LLVMValueRef offset = LLVMConstInt(unit->i64, data, false), ends[2];
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(copy));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
    for (unsigned end = 0; end < 2; end++)
        ends[end] = LLVMBuildInBoundsGEP2(builder, unit->i8, LLVMGetArgOperand(copy, end), &offset, 1, "");
    LLVMValueRef rest = LLVMBuildMemCpy(builder, ends[0], 1, ends[1], 1, LLVMConstInt(unit->i64, size - data, false));
    LLVMSetMetadata(rest, kind_of(unit, "tbaa"), tag_of(unit));
    LLVMSetOperand(copy, 2, LLVMConstInt(LLVMTypeOf(LLVMGetArgOperand(copy, 2)), data, false));
}

static bool is_cxx(LLVMModuleRef module) {
    size_t len;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!strncmp(LLVMGetValueName2(f, &len), "_Z", 2))
            return true;
    return false;
}

void rcp_padding_divide(rcp_pass_unit *unit) {
    if (!is_cxx(unit->module)) /* in C, padding is nobody's */
        return;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
    unsigned fields = kind_of(unit, "tbaa.struct");
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                bool is_copy = LLVMIsACallInst(i) && rcp_steps_calls_intrinsic(i, "llvm.memcpy");
                uint64_t data = is_copy ? data_of(unit, i, fields) : 0;
                if (data)
                    divide(unit, builder, i, data);
            }
    LLVMDisposeBuilder(builder);
}

void rcp_padding_mark(rcp_pass_unit *unit) {
    LLVMValueRef tag = tag_of(unit),
                 mark = LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, NULL, 0));
    unsigned tbaa = kind_of(unit, "tbaa"), padding = kind_of(unit, RCP_STEPS_PADDING);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMHasMetadata(i) && LLVMGetMetadata(i, tbaa) == tag && !LLVMIsAStoreInst(i))
                    LLVMSetMetadata(i, padding, mark);
}
