/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/declarations.h"

#include "program/ir/steps.h"
#include "program/recording/plain_name.h"
#include "trace/model/own_place.h"

#include <stdlib.h>
#include <string.h>

/* Where nodes of debug information have what is asked for here (LLVM's C interface has no names for these). */
enum {
    VARIABLE_NAME = 1,
    VARIABLE_TYPE = 3,
    TYPE_BASE = 3,
    TYPE_ELEMENTS = 4,
    FUNCTION_NAME = 2,
    FUNCTION_TYPE = 4,
    FUNCTION_TYPE_TYPES = 3
};

/* DWARF's numbers of what is looked at. */
enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_BASE_CLASS = 0x1c,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_RVALUE_REFERENCE = 0x42,
    TAG_ATOMIC = 0x47,
};

enum { DEEP = 32 }; /* pointers got from one another, objects within one another: more than code has */

/* A place: so far into an object of that type. */
typedef struct place {
    LLVMMetadataRef type; /* NULL: not known */
    uint64_t offset;
} place;

typedef RCP_VEC(LLVMMetadataRef) node_list;

static void list_operands(rcp_declarations *declared, LLVMMetadataRef node, node_list *to) {
    LLVMValueRef value = LLVMMetadataAsValue(declared->context, node);
    size_t n = LLVMGetMDNodeNumOperands(value);
    LLVMValueRef *at = rcp_alloc_zero(n + 1, sizeof *at);
    LLVMGetMDNodeOperands(value, at);
    for (size_t i = 0; i < n; i++)
        rcp_vec_push(to, at[i] ? LLVMValueAsMetadata(at[i]) : NULL);
    rcp_release(at);
}

static LLVMMetadataRef operand_of(rcp_declarations *declared, LLVMMetadataRef node, size_t which) {
    if (!node)
        return NULL;
    node_list operands = {0};
    list_operands(declared, node, &operands);
    LLVMMetadataRef operand = which < operands.len ? operands.at[which] : NULL;
    rcp_vec_finish(&operands);
    return operand;
}

static bool has_name(LLVMMetadataRef type) {
    size_t len;
    return LLVMDITypeGetName(type, &len) && len;
}

/* Without the names and the qualifiers around it. */
static LLVMMetadataRef bare(rcp_declarations *declared, LLVMMetadataRef type) {
    LLVMMetadataRef alias = NULL;
    while (type) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag == TAG_TYPEDEF)
            alias = type;
        else if (tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_RESTRICT && tag != TAG_ATOMIC)
            break;
        type = operand_of(declared, type, TYPE_BASE);
    }
    if (alias && type && !has_name(type) && rcp_map_get(&declared->aliases, (uintptr_t)type) == RCP_MAP_NONE) {
        rcp_map_set(&declared->aliases, (uintptr_t)type, (uint32_t)declared->declarations.len);
        rcp_vec_push(&declared->declarations, alias);
    }
    return type;
}

static bool is_pointer(LLVMMetadataRef type) {
    unsigned tag = LLVMGetDINodeTag(type);
    return tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE;
}

static bool is_class(LLVMMetadataRef type) {
    unsigned tag = LLVMGetDINodeTag(type);
    return tag == TAG_CLASS || tag == TAG_STRUCT || tag == TAG_UNION;
}

static uint64_t size_of(LLVMMetadataRef type) { return LLVMDITypeGetSizeInBits(type) / 8; }

/* A member or a base that is part of each object. */
static bool is_part(LLVMMetadataRef node) {
    unsigned tag = LLVMGetDINodeTag(node);
    return (tag == TAG_MEMBER || tag == TAG_BASE_CLASS) &&
           (LLVMDITypeGetFlags(node) & LLVMDIFlagStaticMember) != LLVMDIFlagStaticMember;
}

static void list_parts(rcp_declarations *declared, LLVMMetadataRef type, node_list *to) {
    LLVMMetadataRef all = operand_of(declared, type, TYPE_ELEMENTS);
    node_list elements = {0};
    if (all)
        list_operands(declared, all, &elements);
    for (size_t i = 0; i < elements.len; i++)
        if (elements.at[i] && is_part(elements.at[i]))
            rcp_vec_push(to, elements.at[i]);
    rcp_vec_finish(&elements);
}

static uint64_t data_of(rcp_declarations *declared, LLVMMetadataRef type, int deep);

static uint64_t data_of_class(rcp_declarations *declared, LLVMMetadataRef type, int deep) {
    node_list parts = {0};
    list_parts(declared, type, &parts);
    uint64_t end = 0;
    for (size_t i = 0; i < parts.len; i++) {
        uint64_t offset = LLVMDITypeGetOffsetInBits(parts.at[i]), bits = LLVMDITypeGetSizeInBits(parts.at[i]);
        LLVMMetadataRef own = bare(declared, operand_of(declared, parts.at[i], TYPE_BASE));
        bool is_virtual = (LLVMDITypeGetFlags(parts.at[i]) & LLVMDIFlagVirtual) != 0;
        uint64_t last = (offset + bits + 7) / 8; /* of a few bits, too */
        if (is_virtual)                          /* it stands where the whole object says */
            last = size_of(type);
        else if (own && (is_class(own) || LLVMGetDINodeTag(own) == TAG_ARRAY))
            last = offset / 8 + data_of(declared, own, deep - 1);
        end = last > end ? last : end;
    }
    rcp_vec_finish(&parts);
    return end;
}

/* Where the last of its scalars ends. */
static uint64_t data_of(rcp_declarations *declared, LLVMMetadataRef type, int deep) {
    uint64_t size = size_of(type);
    LLVMMetadataRef element;
    if (deep <= 0)
        return size;
    if (is_class(type))
        return data_of_class(declared, type, deep);
    if (LLVMGetDINodeTag(type) != TAG_ARRAY || !(element = bare(declared, operand_of(declared, type, TYPE_BASE))))
        return size;
    uint64_t one = size_of(element);
    return size >= one ? size - one + data_of(declared, element, deep - 1) : size;
}

/* What of the object is at the place: its member or element, with what is left of the offset; `next` goes through
 * several (a union's). */
static bool next_inside(rcp_declarations *declared, place outer, const node_list *parts, size_t *next, place *inner) {
    if (LLVMGetDINodeTag(outer.type) == TAG_ARRAY) {
        LLVMMetadataRef element = bare(declared, operand_of(declared, outer.type, TYPE_BASE));
        if ((*next)++ || !element || !size_of(element))
            return false;
        *inner = (place){element, outer.offset % size_of(element)};
        return true;
    }
    while (*next < parts->len) {
        LLVMMetadataRef part = parts->at[(*next)++], own = bare(declared, operand_of(declared, part, TYPE_BASE));
        uint64_t from = LLVMDITypeGetOffsetInBits(part) / 8;
        if (own && from <= outer.offset && outer.offset - from < size_of(own)) {
            *inner = (place){own, outer.offset - from};
            return true;
        }
    }
    return false;
}

/* What the pointer that is kept at the place leads to. */
static LLVMMetadataRef pointed_to(rcp_declarations *declared, place at, int deep) {
    if (!at.type || deep <= 0)
        return NULL;
    if (is_pointer(at.type))
        return at.offset ? NULL : bare(declared, operand_of(declared, at.type, TYPE_BASE));
    node_list parts = {0};
    LLVMMetadataRef found = NULL;
    place inner;
    if (is_class(at.type))
        list_parts(declared, at.type, &parts);
    for (size_t next = 0; !found && next_inside(declared, at, &parts, &next, &inner);)
        found = pointed_to(declared, inner, deep - 1);
    rcp_vec_finish(&parts);
    return found;
}

static uint64_t constant_offset(rcp_declarations *declared, LLVMValueRef gep) {
    LLVMTargetDataRef layout = declared->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;
    for (int i = 1, n = LLVMGetNumOperands(gep); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        /* Of elements one is like another. */
        uint64_t k = LLVMIsAConstantInt(index) ? (uint64_t)LLVMConstIntGetSExtValue(index) : 0;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += LLVMOffsetOfElement(layout, type, (unsigned)k);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        offset += k * LLVMABISizeOfType(layout, type);
    }
    return offset;
}

static LLVMMetadataRef variable_of_global(LLVMValueRef global) {
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    LLVMMetadataRef variable = NULL;
    for (size_t i = 0; i < n && !variable; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
            variable = LLVMDIGlobalVariableExpressionGetVariable(node);
    }
    LLVMDisposeValueMetadataEntries(all);
    return variable;
}

static LLVMMetadataRef type_of_global(rcp_declarations *declared, LLVMValueRef global) {
    return bare(declared, operand_of(declared, variable_of_global(global), VARIABLE_TYPE));
}

static LLVMMetadataRef type_of_result(rcp_declarations *declared, LLVMValueRef function) {
    LLVMMetadataRef subprogram = function && LLVMIsAFunction(function) ? LLVMGetSubprogram(function) : NULL;
    LLVMMetadataRef type = operand_of(declared, subprogram, FUNCTION_TYPE);
    return bare(declared, operand_of(declared, operand_of(declared, type, FUNCTION_TYPE_TYPES), 0));
}

static LLVMMetadataRef variable_at(const rcp_declarations *declared, LLVMValueRef at) {
    uint32_t which = rcp_map_get(&declared->variables, (uintptr_t)at);
    return which == RCP_MAP_NONE ? NULL : declared->declarations.at[which];
}

static LLVMMetadataRef type_of_variable(rcp_declarations *declared, LLVMValueRef at) {
    return bare(declared, operand_of(declared, variable_at(declared, at), VARIABLE_TYPE));
}

static bool is_result_argument(LLVMValueRef argument) {
    static const char sret[] = "sret";
    LLVMValueRef function = LLVMGetParamParent(argument);
    return argument == LLVMGetParam(function, 0) &&
           LLVMGetEnumAttributeAtIndex(function, 1, LLVMGetEnumAttributeKindForName(sret, sizeof sret - 1));
}

static place place_of(rcp_declarations *declared, LLVMValueRef pointer, int deep);

static LLVMMetadataRef type_of_loaded(rcp_declarations *declared, LLVMValueRef load, int deep) {
    LLVMValueRef from = LLVMGetOperand(load, 0);
    place at = place_of(declared, from, deep - 1);
    /* An argument that is handed over by its address. */
    if (at.type && !is_pointer(at.type) && LLVMIsAAllocaInst(from) &&
        LLVMGetTypeKind(LLVMGetAllocatedType(from)) == LLVMPointerTypeKind)
        return at.type;
    return pointed_to(declared, at, DEEP);
}

static place place_of(rcp_declarations *declared, LLVMValueRef pointer, int deep) {
    if (deep <= 0)
        return (place){0};
    if (LLVMIsAGetElementPtrInst(pointer) ||
        (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr)) {
        place at = place_of(declared, LLVMGetOperand(pointer, 0), deep - 1);
        at.offset += constant_offset(declared, pointer);
        return at;
    }
    const uint32_t known = rcp_map_get(&declared->pointers, (uintptr_t)pointer);
    if (known != RCP_MAP_NONE) {
        LLVMMetadataRef type = operand_of(declared, declared->declarations.at[known], VARIABLE_TYPE);
        return (place){.type = pointed_to(declared, (place){.type = bare(declared, type)}, 1)};
    }
    if (LLVMIsALoadInst(pointer))
        return (place){.type = type_of_loaded(declared, pointer, deep)};
    if (LLVMIsAPHINode(pointer) && LLVMCountIncoming(pointer))
        return place_of(declared, LLVMGetIncomingValue(pointer, 0), deep - 1);
    if (LLVMIsASelectInst(pointer))
        return place_of(declared, LLVMGetOperand(pointer, 1), deep - 1);
    if (LLVMIsAGlobalVariable(pointer))
        return (place){.type = type_of_global(declared, pointer)};
    if (LLVMIsACallInst(pointer) || LLVMIsAInvokeInst(pointer)) {
        LLVMMetadataRef type = type_of_result(declared, LLVMGetCalledValue(pointer));
        return (place){.type = pointed_to(declared, (place){.type = type}, 1)};
    }
    if (LLVMIsAArgument(pointer) && is_result_argument(pointer))
        return (place){.type = type_of_result(declared, LLVMGetParamParent(pointer))};
    return (place){.type = type_of_variable(declared, pointer)};
}

/* The least end of data, or the outermost's, of the objects of that size that begin at the place; 0: none. */
static uint64_t data_at(rcp_declarations *declared, place at, uint64_t size, bool whole, int deep) {
    uint64_t least = !at.offset && size_of(at.type) == size ? data_of(declared, at.type, DEEP) : 0;
    if (deep <= 0 || (least && whole))
        return least;
    node_list parts = {0};
    place inner;
    if (is_class(at.type))
        list_parts(declared, at.type, &parts);
    for (size_t next = 0; next_inside(declared, at, &parts, &next, &inner);) {
        uint64_t data = data_at(declared, inner, size, whole, deep - 1);
        /* Of a union's members, any may be the one. */
        least = data && (!least || data < least) ? data : least;
    }
    rcp_vec_finish(&parts);
    return least;
}

uint64_t rcp_declarations_data(rcp_declarations *declared, LLVMValueRef pointer, uint64_t size, bool whole) {
    place at = place_of(declared, pointer, DEEP);
    return at.type ? data_at(declared, at, size, whole, DEEP) : 0;
}

/* --- names --- */

static void put_string(LLVMMetadataRef node, rcp_declarations *declared, rcp_text *to) {
    unsigned len = 0;
    const char *text = node ? LLVMGetMDString(LLVMMetadataAsValue(declared->context, node), &len) : NULL;
    if (text)
        rcp_text_add(to, text, len);
}

static void put_type(rcp_declarations *declared, LLVMMetadataRef type, rcp_text *to) {
    uint32_t alias = has_name(type) ? RCP_MAP_NONE : rcp_map_get(&declared->aliases, (uintptr_t)type);
    size_t len;
    const char *name = LLVMDITypeGetName(alias == RCP_MAP_NONE ? type : declared->declarations.at[alias], &len);
    rcp_text_add(to, name ? name : "", name ? len : 0);
}

/* The one member that has the place; bits share their bytes with others. */
static LLVMMetadataRef part_at(rcp_declarations *declared, place *at) {
    node_list parts = {0};
    LLVMMetadataRef found = NULL;
    place inner = {0};
    list_parts(declared, at->type, &parts);
    for (size_t next = 0; next_inside(declared, *at, &parts, &next, &inner);) {
        if (found) { /* a union's */
            found = NULL;
            break;
        }
        found = parts.at[next - 1];
        if (LLVMDITypeGetFlags(found) & LLVMDIFlagBitField) {
            found = NULL;
            break;
        }
    }
    if (found)
        *at = (place){bare(declared, operand_of(declared, found, TYPE_BASE)),
                      at->offset - LLVMDITypeGetOffsetInBits(found) / 8};
    rcp_vec_finish(&parts);
    return found;
}

/* ".stats.count", "[].next": down to the last one that has room for the access. False: the types do not tell. */
static bool put_path(rcp_declarations *declared, place at, uint64_t size, rcp_text *to) {
    for (int deep = 0; deep < DEEP && (is_class(at.type) || LLVMGetDINodeTag(at.type) == TAG_ARRAY); deep++) {
        if (LLVMGetDINodeTag(at.type) == TAG_ARRAY) {
            LLVMMetadataRef element = bare(declared, operand_of(declared, at.type, TYPE_BASE));
            if (!element || !size_of(element))
                return false;
            if (size_of(element) < size)
                break;
            rcp_text_puts(to, "[]");
            at = (place){element, at.offset % size_of(element)};
            continue;
        }
        place outer = at;
        LLVMMetadataRef part = part_at(declared, &at);
        size_t len = 0;
        const char *name = part ? LLVMDITypeGetName(part, &len) : NULL;
        if (!part || !at.type)
            return size == size_of(outer.type); /* all of it */
        if (size_of(at.type) < size)
            break;
        if (LLVMGetDINodeTag(part) != TAG_BASE_CLASS && len) {
            rcp_text_puts(to, ".");
            rcp_text_add(to, name, len);
        }
    }
    return true;
}

static LLVMValueRef root_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) ||
           (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static void put_global(LLVMValueRef global, rcp_text *to) {
    size_t len;
    char *name = rcp_take_plain_name(LLVMGetValueName2(global, &len));
    rcp_text_puts(to, name);
    free(name);
}

/* "*sum of count", "block[]": what the variable leads to that is the pointer. */
static void put_pointer(rcp_declarations *declared, LLVMValueRef pointer, bool is_inside, rcp_text *to) {
    const uint32_t known = rcp_map_get(&declared->pointers, (uintptr_t)pointer);
    LLVMValueRef from = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    LLVMMetadataRef variable = known != RCP_MAP_NONE             ? declared->declarations.at[known]
                               : from && LLVMIsAAllocaInst(from) ? variable_at(declared, from)
                                                                 : NULL;
    if (!variable && !(from && LLVMIsAGlobalVariable(from)))
        return;
    rcp_text_puts(to, is_inside ? "" : "*");
    if (variable)
        put_string(operand_of(declared, variable, VARIABLE_NAME), declared, to);
    else
        put_global(from, to);
    rcp_text_puts(to, is_inside ? "[]" : "");
    if (variable) {
        rcp_text_puts(to, " of ");
        put_global(declared->function, to);
    }
}

/* What a function of the library's headers is given first, `this` mostly; NULL: it is none. */
static LLVMValueRef library_object(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMMetadataRef subprogram = callee && LLVMIsAFunction(callee) ? LLVMGetSubprogram(callee) : NULL;
    LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    unsigned len;
    const char *name = file ? LLVMDIFileGetFilename(file, &len) : NULL;
    if (!name || !rcp_own_place_is_library(name)) /* MDStrings end with a NUL */
        return NULL;
    const unsigned at = LLVMCountParams(callee) && is_result_argument(LLVMGetParam(callee, 0));
    LLVMValueRef object = at < LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, at) : NULL;
    return object && LLVMGetTypeKind(LLVMTypeOf(object)) == LLVMPointerTypeKind ? object : NULL;
}

/* "counts[]": what a container of the library gives out by `counts[word]`. */
static void put_element(rcp_declarations *declared, LLVMValueRef pointer, rcp_text *to) {
    const bool is_call = LLVMIsACallInst(pointer) || LLVMIsAInvokeInst(pointer);
    LLVMValueRef callee = is_call && library_object(pointer) ? LLVMGetCalledValue(pointer) : NULL;
    rcp_text name = {0}, of = {0};
    if (callee)
        put_string(operand_of(declared, LLVMGetSubprogram(callee), FUNCTION_NAME), declared, &name);
    if (name.len && !strcmp(name.at, "operator[]"))
        rcp_declarations_name_called(declared, pointer, &of);
    if (of.len) {
        const char *where = strstr(of.at, " of ");
        rcp_text_add(to, of.at, where ? (size_t)(where - of.at) : of.len);
        rcp_text_printf(to, "[]%s", where ? where : "");
    }
    rcp_text_finish(&name);
    rcp_text_finish(&of);
}

void rcp_declarations_name(rcp_declarations *declared, LLVMValueRef pointer, uint64_t size, rcp_text *to) {
    const place at = place_of(declared, pointer, DEEP);
    const size_t before = to->len;
    rcp_text path = {0};
    if (!at.type || !put_path(declared, at, size, &path)) {
        rcp_text_finish(&path);
        put_element(declared, pointer, to);
        return;
    }
    LLVMValueRef root = root_of(pointer);
    LLVMMetadataRef variable = LLVMIsAAllocaInst(root) ? variable_at(declared, root) : NULL;
    const bool is_member = path.len && strchr(path.at, '.');
    if (variable) {
        put_string(operand_of(declared, variable, VARIABLE_NAME), declared, to);
    } else if (is_member && LLVMIsAGlobalVariable(root)) {
        put_global(root, to);
    } else if (is_member && *path.at == '.') {
        put_type(declared, at.type, to);
    } else if (!is_class(at.type)) {
        put_pointer(declared, root, root != pointer, to);
    }
    if (to->len > before && (variable || is_member)) {
        rcp_text_add(to, path.at ? path.at : "", path.len);
        if (variable) {
            rcp_text_puts(to, " of ");
            put_global(declared->function, to);
        }
    }
    if (to->len == before && !path.len)
        put_element(declared, pointer, to);
    rcp_text_finish(&path);
}

void rcp_declarations_name_called(rcp_declarations *declared, LLVMValueRef call, rcp_text *to) {
    LLVMValueRef object = library_object(call), root = object ? root_of(object) : NULL;
    place at = object ? place_of(declared, object, DEEP) : (place){0};
    LLVMMetadataRef variable = root && LLVMIsAAllocaInst(root) ? variable_at(declared, root) : NULL;
    rcp_text path = {0};
    const LLVMMetadataRef whole = at.type;
    for (int deep = 0; deep < DEEP && at.type && at.offset && is_class(at.type); deep++) {
        LLVMMetadataRef part = part_at(declared, &at);
        size_t len = 0;
        const char *name = part ? LLVMDITypeGetName(part, &len) : NULL;
        if (!part)
            break;
        if (LLVMGetDINodeTag(part) != TAG_BASE_CLASS && len) {
            rcp_text_puts(&path, ".");
            rcp_text_add(&path, name, len);
        }
    }
    const bool is_found = root && !at.offset;
    if (is_found && variable)
        put_string(operand_of(declared, variable, VARIABLE_NAME), declared, to);
    else if (is_found && LLVMIsAGlobalVariable(root))
        put_global(root, to);
    else if (is_found && path.len)
        put_type(declared, whole, to);
    if (to->len)
        rcp_text_add(to, path.at ? path.at : "", path.len);
    if (to->len && variable) {
        rcp_text_puts(to, " of ");
        put_global(declared->function, to);
    }
    rcp_text_finish(&path);
}

rcp_own_variable rcp_declarations_own(rcp_declarations *declared, LLVMValueRef pointer) {
    LLVMValueRef root = root_of(pointer);
    if (LLVMIsAAllocaInst(root))
        return (rcp_own_variable){.variable = variable_at(declared, root)};
    if (LLVMIsACallInst(root) && rcp_steps_calls_intrinsic(root, "llvm.threadlocal.address"))
        root = LLVMGetOperand(root, 0);
    if (!LLVMIsAGlobalVariable(root) || !LLVMIsThreadLocal(root))
        return (rcp_own_variable){0};
    return (rcp_own_variable){variable_of_global(root), true};
}

void rcp_declarations_put_variable(rcp_declarations *declared, LLVMMetadataRef variable, rcp_text *to) {
    put_string(operand_of(declared, variable, VARIABLE_NAME), declared, to);
}

/* --- functions --- */

static void note_variable(rcp_declarations *declared, LLVMValueRef declare) {
    LLVMValueRef at[1] = {NULL}, wrapped = LLVMGetOperand(declare, 0);
    if (LLVMGetMDNodeNumOperands(wrapped) != 1)
        return;
    LLVMGetMDNodeOperands(wrapped, at);
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
    if (!at[0] || !operand_of(declared, variable, VARIABLE_TYPE))
        return;
    rcp_map_set(&declared->variables, (uintptr_t)at[0], (uint32_t)declared->declarations.len);
    rcp_vec_push(&declared->declarations, variable);
}

/* Of several variables that are the same pointer, one of which more is known: `struct pool *p = arg`. */
static void note_pointer(rcp_declarations *declared, LLVMValueRef declare) {
    LLVMValueRef is[1] = {NULL}, wrapped = LLVMGetOperand(declare, 0);
    if (LLVMGetMDNodeNumOperands(wrapped) != 1)
        return;
    LLVMGetMDNodeOperands(wrapped, is);
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(declare, 1));
    LLVMMetadataRef type = bare(declared, operand_of(declared, variable, VARIABLE_TYPE));
    if (!is[0] || !type || !is_pointer(type) || !pointed_to(declared, (place){.type = type}, 1) ||
        rcp_map_get(&declared->pointers, (uintptr_t)is[0]) != RCP_MAP_NONE)
        return;
    rcp_map_set(&declared->pointers, (uintptr_t)is[0], (uint32_t)declared->declarations.len);
    rcp_vec_push(&declared->declarations, variable);
}

/* (LLVM's C interface has no declarations of variables but those that stand among the instructions, as calls.) */
static void note_function(rcp_declarations *declared, LLVMValueRef function) {
    rcp_map_set(&declared->functions, (uintptr_t)function, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && rcp_steps_calls_intrinsic(i, "llvm.dbg.declare"))
                note_variable(declared, i);
            else if (LLVMIsACallInst(i) && rcp_steps_calls_intrinsic(i, "llvm.dbg.value"))
                note_pointer(declared, i);
}

void rcp_declarations_enter(rcp_declarations *declared, LLVMValueRef function) {
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    declared->function = function;
    declared->context = LLVMGetModuleContext(module);
    declared->layout = LLVMGetModuleDataLayout(module);
    if (rcp_map_get(&declared->functions, (uintptr_t)function) != RCP_MAP_NONE)
        return;
    if (!LLVMIsNewDbgInfoFormat(module)) {
        note_function(declared, function);
        return;
    }
    LLVMSetIsNewDbgInfoFormat(module, false);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        note_function(declared, f);
    LLVMSetIsNewDbgInfoFormat(module, true);
}

void rcp_declarations_init(rcp_declarations *declared) {
    *declared = (rcp_declarations){0};
    rcp_map_init(&declared->functions);
    rcp_map_init(&declared->variables);
    rcp_map_init(&declared->pointers);
    rcp_map_init(&declared->aliases);
}

void rcp_declarations_finish(rcp_declarations *declared) {
    rcp_map_finish(&declared->functions);
    rcp_map_finish(&declared->variables);
    rcp_map_finish(&declared->pointers);
    rcp_map_finish(&declared->aliases);
    rcp_vec_finish(&declared->declarations);
}

void rcp_declarations_forget(rcp_declarations *declared) {
    rcp_declarations_finish(declared);
    rcp_declarations_init(declared);
}
