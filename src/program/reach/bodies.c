/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/bodies.h"

#include "base/hash.h"
#include "program/ir/steps.h"

#include <string.h>

void rcp_bodies_init(rcp_bodies *bodies, const rcp_program *program) {
    *bodies = (rcp_bodies){.program = program};
    rcp_map_init(&bodies->index);
    rcp_map_init(&bodies->by_address);
    rcp_map_init(&bodies->by_name);
}

void rcp_bodies_finish(rcp_bodies *bodies) {
    for (size_t i = 0; i < bodies->at.len; i++) {
        rcp_vec_finish(&bodies->at.at[i]->globals);
        rcp_vec_finish(&bodies->at.at[i]->works);
        rcp_vec_finish(&bodies->at.at[i]->locals);
        rcp_release(bodies->at.at[i]);
    }
    rcp_vec_finish(&bodies->at);
    rcp_map_finish(&bodies->index);
    rcp_map_finish(&bodies->by_address);
    rcp_map_finish(&bodies->by_name);
    rcp_vec_finish(&bodies->named);
    rcp_vec_finish(&bodies->functions);
}

static uint64_t key_of(LLVMValueRef value) { return (uint64_t)(uintptr_t)value; }

/* The definition that is not recorded: the unit's own, or another one's that can be named from outside. */
static LLVMValueRef definition(const rcp_program *program, const rcp_unit *unit, const char *name,
                               const rcp_unit **of) {
    LLVMValueRef own = unit->module ? LLVMGetNamedFunction(unit->module, name) : NULL;
    *of = unit;
    if (own && rcp_steps_is_left_out(own))
        return own;
    for (size_t i = 0; i < program->units.len; i++) {
        *of = program->units.at[i];
        LLVMValueRef f = (*of)->module ? LLVMGetNamedFunction((*of)->module, name) : NULL;
        if (f && rcp_steps_is_left_out(f) && LLVMGetLinkage(f) != LLVMInternalLinkage &&
            LLVMGetLinkage(f) != LLVMPrivateLinkage)
            return f;
    }
    return NULL;
}

static void add_global(rcp_body *body, const rcp_unit *unit, LLVMValueRef global) {
    if (LLVMIsThreadLocal(global)) {
        uint32_t index = rcp_map_get(&unit->tls_index, key_of(global));
        if (index == RCP_MAP_NONE || unit->is_late ||
            LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(global)) > 8)
            body->reaches_everything = true; /* nobody says where, or it may hold more pointers than one */
        else
            rcp_vec_push(&body->locals, unit->tls_base + index);
        return;
    }
    uint64_t at = rcp_unit_address(unit, global);
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(unit->layout, type) : 1;
    if (!at)
        body->reaches_everything = true; /* it is there, and nobody says where */
    else
        rcp_vec_push(&body->globals, ((rcp_span){at, at + (size ? size : 1)}));
}

static void add_function(rcp_body *body, LLVMValueRef function) {
    for (size_t i = 0; i < body->works.len; i++)
        if (body->works.at[i] == function)
            return;
    rcp_vec_push(&body->works, function);
}

/* Variables within constant expressions; functions whose address is taken may be called by whoever gets it. */
static void add_operand(rcp_body *body, const rcp_unit *unit, LLVMValueRef operand) {
    if (LLVMIsAGlobalVariable(operand)) {
        add_global(body, unit, operand);
    } else if (LLVMIsAFunction(operand) && rcp_steps_is_left_out(operand)) {
        add_function(body, operand);
    } else if (LLVMIsAGlobalAlias(operand)) {
        add_operand(body, unit, LLVMAliasGetAliasee(operand));
    } else if (LLVMIsAConstantExpr(operand) || LLVMIsAConstantStruct(operand) || LLVMIsAConstantArray(operand) ||
               LLVMIsAConstantVector(operand)) {
        for (int i = 0; i < LLVMGetNumOperands(operand); i++)
            add_operand(body, unit, LLVMGetOperand(operand, (unsigned)i));
    }
}

/* Does the program's file want a function of that role? */
static bool wants(rcp_bodies *bodies, rcp_outside_role role) {
    const rcp_outside *row;
    for (size_t i = 0; (row = rcp_outside_having(role, &i)); i++)
        if (rcp_linked_is_foreign(&bodies->program->linked, row->name))
            return true;
    return false;
}

/* What a call of a function that has no body here amounts to. */
static void add_outside(rcp_bodies *bodies, rcp_body *body, const rcp_unit *unit, const char *name) {
    const rcp_outside_name called = rcp_outside_resolve(name);
    const rcp_outside *outside = rcp_outside_of(bodies->program, name, called.row);
    body->changes_settings |= (called.roles & RCP_ROLE_SETTINGS) != 0;
    body->asks |= (called.roles & RCP_ROLE_ASKS) != 0;
    body->reaches_specific |= (called.roles & RCP_ROLE_SPECIFIC) != 0;
    if (!outside) {
        if (!rcp_program_named(bodies->program, unit, name)) {
            body->keeps = body->reaches_libraries = body->reaches_system = body->sees_ends = true;
            body->reaches_everything |= !rcp_bodies_is_foreign(bodies, name);
        }
        return;
    }
    switch ((rcp_outside_kind)outside->kind) {
    case RCP_OUTSIDE_HARMLESS:
    case RCP_OUTSIDE_SYNC: break;
    case RCP_OUTSIDE_SETTING: body->reaches_system |= wants(bodies, RCP_ROLE_SETTINGS); break;
    case RCP_OUTSIDE_PRINTS: /* of a run that can't know of it, too */
    case RCP_OUTSIDE_THROWN:
    case RCP_OUTSIDE_PAIR: body->reaches_system = true; break;
    default: body->reaches_libraries = body->reaches_system = true; break;
    }
    body->keeps |= outside->touches && strpbrk(outside->touches, "wM");
    body->sees_ends |= rcp_outside_beside(outside, 'n') >= 0 || rcp_outside_beside(outside, 't') >= 0 ||
                       called.roles & RCP_ROLE_BY_NUMBER || outside->kind == RCP_OUTSIDE_UNKNOWN;
}

static bool has_pointers(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return true;
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
    case LLVMArrayTypeKind: return has_pointers(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0, n = LLVMCountStructElementTypes(type); i < n; i++)
            if (has_pointers(LLVMStructGetTypeAtIndex(type, i)))
                return true;
        return false;
    default: return false;
    }
}

static bool is_from_number(LLVMValueRef base) {
    return LLVMIsNull(base) || LLVMIsUndef(base) ||
           (LLVMIsAConstantExpr(base) && LLVMGetConstOpcode(base) == LLVMIntToPtr);
}

/* Of the pointers that its code has, those that it was not given, and does not make of them, come from memory, from
 * numbers or from others. (What a load of a number leads to is inttoptr's.) */
static bool may_follow(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMVAArg:
    case LLVMLandingPad: return true;
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return has_pointers(LLVMTypeOf(i));
    case LLVMGetElementPtr: return is_from_number(LLVMGetOperand(i, 0));
    default: return false;
    }
}

/* A call that works on numbers alone leads nowhere; nor do intrinsics that return what they are given. */
static bool may_follow_by_call(LLVMValueRef call, const char *intrinsic) {
    static const char *const same[] = {"llvm.memcpy", "llvm.memmove", "llvm.memset", "llvm.lifetime",
                                       "llvm.dbg",    "llvm.ptrmask", "llvm.assume", "llvm.stacksave"};
    for (size_t i = 0; intrinsic && i < sizeof same / sizeof *same; i++)
        if (!strncmp(intrinsic, same[i], strlen(same[i])))
            return false;
    bool any = has_pointers(LLVMTypeOf(call));
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        any |= has_pointers(LLVMTypeOf(LLVMGetArgOperand(call, i)));
    return any;
}

static void add_call(rcp_bodies *bodies, rcp_body *body, const rcp_unit *unit, LLVMValueRef call) {
    LLVMValueRef called = LLVMGetCalledValue(call), callee = rcp_steps_callee(call);
    if (LLVMIsAInlineAsm(called)) {
        size_t len;
        LLVMGetInlineAsmAsmString(called, &len);
        body->reaches_everything |= len != 0;
        body->follows |= has_pointers(LLVMTypeOf(call)); /* it may have been a number */
        return;
    }
    if (!callee) { /* by a pointer: what is recorded is called back, a library's function is its library's */
        body->keeps = body->reaches_libraries = body->reaches_system = body->follows = body->calls_pointers = true;
        return;
    }
    size_t len;
    const char *intrinsic = rcp_steps_intrinsic(callee, &len);
    if (intrinsic) {
        body->follows |= may_follow_by_call(call, intrinsic);
        body->keeps |= !strncmp(intrinsic, "llvm.memcpy", 11) || !strncmp(intrinsic, "llvm.memmove", 12);
        return;
    }
    if (rcp_steps_is_left_out(callee)) {
        add_function(body, callee);
        return;
    }
    if (!LLVMIsDeclaration(callee)) { /* recorded: it goes its own ways, but may return a pointer */
        body->follows |= has_pointers(LLVMTypeOf(call));
        return;
    }
    const rcp_unit *of;
    const char *name = LLVMGetValueName2(callee, &len);
    LLVMValueRef elsewhere = definition(bodies->program, unit, name, &of);
    if (elsewhere)
        add_function(body, elsewhere);
    else {
        body->follows |= may_follow_by_call(call, NULL);
        add_outside(bodies, body, unit, name);
    }
}

/* May a pointer go into memory by it? */
static bool may_keep(const rcp_unit *unit, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op != LLVMStore && op != LLVMAtomicRMW && op != LLVMAtomicCmpXchg)
        return false;
    LLVMValueRef value = LLVMGetOperand(i, op == LLVMStore ? 0 : op == LLVMAtomicRMW ? 1 : 2);
    bool is_number = LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value) || LLVMIsNull(value) || LLVMIsUndef(value);
    bool is_copied = LLVMIsALoadInst(value) || LLVMIsAPHINode(value) || LLVMIsASelectInst(value); /* byte by byte */
    return !is_number && (is_copied || LLVMStoreSizeOfType(unit->layout, LLVMTypeOf(value)) >= 8);
}

static const rcp_unit *unit_of(const rcp_program *program, LLVMValueRef function) {
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    for (size_t i = 0; i < program->units.len; i++)
        if (program->units.at[i]->module == module)
            return program->units.at[i];
    return NULL;
}

static void add_body(rcp_bodies *bodies, rcp_body *body, LLVMValueRef function) {
    const rcp_unit *unit = unit_of(bodies->program, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                add_operand(body, unit, LLVMGetOperand(i, (unsigned)k));
            body->keeps |= may_keep(unit, i);
            body->follows |= may_follow(i);
            body->reaches_everything |= LLVMGetInstructionOpcode(i) == LLVMCallBr; /* asm goto */
            if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
                add_call(bodies, body, unit, i);
        }
}

static const rcp_body *body_of(rcp_bodies *bodies, LLVMValueRef function) {
    uint32_t index = rcp_map_get(&bodies->index, key_of(function));
    if (index != RCP_MAP_NONE)
        return bodies->at.at[index];
    rcp_body *body = rcp_alloc_zero(1, sizeof *body);
    rcp_map_set(&bodies->index, key_of(function), (uint32_t)bodies->at.len);
    rcp_vec_push(&bodies->at, body);
    add_function(body, function);
    for (size_t i = 0; i < body->works.len; i++)
        add_body(bodies, body, body->works.at[i]);
    return body;
}

const rcp_body *rcp_bodies_find(rcp_bodies *bodies, const rcp_unit *unit, const char *name) {
    const rcp_unit *of;
    LLVMValueRef function = definition(bodies->program, unit, name, &of);
    return function ? body_of(bodies, function) : NULL;
}

const rcp_body *rcp_bodies_at(rcp_bodies *bodies, uint64_t address) {
    uint32_t index = rcp_map_get(&bodies->by_address, address);
    return index == RCP_MAP_NONE ? NULL : body_of(bodies, bodies->functions.at[index]);
}

const char *rcp_bodies_name_at(const rcp_bodies *bodies, uint64_t address) {
    size_t len;
    uint32_t index = rcp_map_get(&bodies->by_address, address);
    return index == RCP_MAP_NONE ? NULL : LLVMGetValueName2(bodies->functions.at[index], &len);
}

const rcp_body *rcp_bodies_of(rcp_bodies *bodies, size_t i) { return body_of(bodies, bodies->functions.at[i]); }

bool rcp_bodies_change_settings(rcp_bodies *bodies) {
    for (size_t i = 0; i < bodies->functions.len; i++)
        if (body_of(bodies, bodies->functions.at[i])->changes_settings)
            return true;
    return false;
}

bool rcp_bodies_ask(rcp_bodies *bodies) {
    for (size_t i = 0; i < bodies->functions.len; i++)
        if (body_of(bodies, bodies->functions.at[i])->asks)
            return true;
    return false;
}

static uint64_t hash_of(LLVMValueRef function) {
    size_t len;
    const char *name = LLVMGetValueName2(function, &len);
    return rcp_hash_bytes(name, len);
}

/* A module takes the address of what another one has. Each part may bring the one or the other. */
static void take_addresses(rcp_bodies *bodies) {
    for (size_t u = 0; u < bodies->program->units.len; u++) {
        const rcp_unit *unit = bodies->program->units.at[u];
        for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
            LLVMValueRef function = LLVMIsAFunction(unit->symbols.symbols.at[i]);
            if (!function || !unit->addresses[i] || !LLVMIsDeclaration(function) ||
                rcp_map_get(&bodies->by_address, unit->addresses[i]) != RCP_MAP_NONE)
                continue;
            uint32_t index = rcp_map_get(&bodies->by_name, hash_of(function));
            if (index == RCP_MAP_NONE)
                continue;
            rcp_map_set(&bodies->by_address, unit->addresses[i], (uint32_t)bodies->functions.len);
            rcp_vec_push(&bodies->functions, bodies->named.at[index]);
        }
    }
}

void rcp_bodies_part(rcp_bodies *bodies, size_t first) {
    for (size_t u = first; u < bodies->program->units.len; u++) {
        const rcp_unit *unit = bodies->program->units.at[u];
        for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
            LLVMValueRef function = LLVMIsAFunction(unit->symbols.symbols.at[i]);
            if (!function || !unit->addresses[i] || !rcp_steps_is_left_out(function))
                continue;
            rcp_map_set(&bodies->by_address, unit->addresses[i], (uint32_t)bodies->functions.len);
            rcp_vec_push(&bodies->functions, function);
        }
        for (LLVMValueRef f = unit->module ? LLVMGetFirstFunction(unit->module) : NULL; f; f = LLVMGetNextFunction(f)) {
            if (!rcp_steps_is_left_out(f) || LLVMGetLinkage(f) == LLVMInternalLinkage)
                continue;
            rcp_map_set(&bodies->by_name, hash_of(f), (uint32_t)bodies->named.len);
            rcp_vec_push(&bodies->named, f);
            if (rcp_linked_is_shared(&bodies->program->linked, LLVMGetValueName(f)))
                rcp_vec_push(&bodies->functions, f); /* libraries can call it by name */
        }
    }
    take_addresses(bodies);
}

bool rcp_bodies_is_foreign(const rcp_bodies *bodies, const char *name) {
    return rcp_linked_is_librarys(&bodies->program->linked, name);
}
