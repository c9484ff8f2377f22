/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/padding.h"

#include "program/ir/declarations.h"
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
static bool ends_padded(const rcp_pass_unit *unit, LLVMTypeRef type, unsigned align) {
    unsigned n = LLVMCountStructElementTypes(type), widest = 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned own = LLVMABIAlignmentOfType(unit->layout, LLVMStructGetTypeAtIndex(type, i));
        if (LLVMOffsetOfElement(unit->layout, type, i) % own)
            return false;
        widest = own > widest ? own : widest;
    }
    return n >= 2 && align >= widest && LLVMABISizeOfType(unit->layout, type) % widest == 0 &&
           is_bytes(unit, LLVMStructGetTypeAtIndex(type, n - 1)) &&
           LLVMOffsetOfElement(unit->layout, type, n - 1) % widest;
}

/* Where the data of a type of the IR's ends. */
static uint64_t data_of_type(const rcp_pass_unit *unit, LLVMTypeRef type, unsigned align) {
    unsigned n = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
    if (!n)
        return LLVMABISizeOfType(unit->layout, type);
    uint64_t last = LLVMOffsetOfElement(unit->layout, type, n - 1);
    if (LLVMIsPackedStruct(type) && ends_padded(unit, type, align))
        return last;
    return last + data_of_type(unit, LLVMStructGetTypeAtIndex(type, n - 1), align);
}

/* What a variable or a result has in the IR: temporary ones have no other type. */
static uint64_t data_of_place(const rcp_pass_unit *unit, LLVMValueRef pointer, uint64_t size) {
    LLVMTypeRef type = NULL;
    unsigned align = 1;
    if (LLVMIsAAllocaInst(pointer)) {
        align = LLVMGetAlignment(pointer);
        type = LLVMGetAllocatedType(pointer);
    } else if (LLVMIsAArgument(pointer)) {
        unsigned at = 0;
        while (LLVMGetParam(LLVMGetParamParent(pointer), at) != pointer)
            at++;
        static const char *const names[] = {"sret", "byval"};
        LLVMAttributeRef said =
            LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(pointer), at + 1, rcp_unit_attribute("align"));
        align = said ? (unsigned)LLVMGetEnumAttributeValue(said) : 1;
        for (size_t i = 0; i < sizeof names / sizeof *names && !type; i++) {
            LLVMAttributeRef has =
                LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(pointer), at + 1, rcp_unit_attribute(names[i]));
            type = has ? LLVMGetTypeAttributeValue(has) : NULL;
        }
    }
    bool is_it = type && LLVMTypeIsSized(type) && LLVMABISizeOfType(unit->layout, type) == size;
    return is_it ? data_of_type(unit, type, align) : 0;
}

/* How many of the copied bytes are the object's; 0: all, as far as is known. What is made of it is an object as a whole
 * (of a base within another object no padding is copied), and says what is copied. What it is made from may be an
 * object of a class derived from that. */
static uint64_t data_of(const rcp_pass_unit *unit, rcp_declarations *declared, LLVMValueRef copy, unsigned fields) {
    LLVMValueRef size = LLVMGetArgOperand(copy, 2), to = LLVMGetArgOperand(copy, 0), from = LLVMGetArgOperand(copy, 1);
    if (!LLVMIsAConstantInt(size))
        return 0;
    uint64_t all = LLVMConstIntGetZExtValue(size);
    LLVMValueRef list = LLVMHasMetadata(copy) ? LLVMGetMetadata(copy, fields) : NULL;
    uint64_t data = list ? end_of_fields(list) : 0;
    data = data ? data : rcp_declarations_data(declared, to, all, true);
    data = data ? data : data_of_place(unit, to, all);
    data = data ? data : rcp_declarations_data(declared, from, all, false);
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
    rcp_declarations declared;
    rcp_declarations_init(&declared);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        rcp_declarations_forget(&declared); /* what is changed here may lie where something else lay */
        rcp_declarations_enter(&declared, f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                bool is_copy = LLVMIsACallInst(i) && rcp_steps_calls_intrinsic(i, "llvm.memcpy");
                uint64_t data = is_copy ? data_of(unit, &declared, i, fields) : 0;
                if (data)
                    divide(unit, builder, i, data);
            }
    }
    rcp_declarations_finish(&declared);
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
