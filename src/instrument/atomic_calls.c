/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/atomic_calls.h"

#include "abi/hooks.h"
#include "instrument/opaque.h"
#include "outside/outside.h"
#include "program/ir/steps.h"

#include <stdio.h>

enum { MOST_ORDERS = 5, MOST_ARGUMENTS = 6 };

typedef enum operation { LOAD, STORE, EXCHANGE, COMPARE } operation;

/* As libatomic has them: the size, the object, pointers to values, one memory order or two. */
static const struct function {
    const char *name;
    unsigned pointers, orders;
} functions[] = {[LOAD] = {"__atomic_load", 2, 1},
                 [STORE] = {"__atomic_store", 2, 1},
                 [EXCHANGE] = {"__atomic_exchange", 3, 1},
                 [COMPARE] = {"__atomic_compare_exchange", 3, 2}};

/* Which orders there are, by the compiler's numbers (__ATOMIC_RELAXED is 0). What is none of them counts as seq_cst,
 * which comes last: that is never too weak. */
typedef struct order {
    LLVMAtomicOrdering ordering;
    unsigned n, number[2];
} order;
typedef struct orders {
    unsigned n;
    order at[MOST_ORDERS];
} orders;
static const order relaxed = {LLVMAtomicOrderingMonotonic, 1, {0}},
                   acquire = {LLVMAtomicOrderingAcquire, 2, {1, 2}}, /* consume is one */
    release = {LLVMAtomicOrderingRelease, 1, {3}}, both = {LLVMAtomicOrderingAcquireRelease, 1, {4}},
                   strongest = {.ordering = LLVMAtomicOrderingSequentiallyConsistent};

static orders orders_of(operation op) {
    switch (op) {
    case LOAD: return (orders){3, {relaxed, acquire, strongest}};
    case STORE: return (orders){3, {relaxed, release, strongest}};
    case EXCHANGE:
    case COMPARE: break;
    }
    return (orders){5, {relaxed, acquire, release, both, strongest}};
}

static LLVMTypeRef type_of(rcp_pass_unit *unit, operation op, bool has_size) {
    LLVMTypeRef all[MOST_ARGUMENTS];
    unsigned n = 0;
    if (has_size)
        all[n++] = unit->i64;
    for (unsigned i = 0; i < functions[op].pointers; i++)
        all[n++] = unit->ptr;
    for (unsigned i = 0; i < functions[op].orders; i++)
        all[n++] = unit->i32;
    return LLVMFunctionType(op == COMPARE ? unit->i1 : unit->void_type, all, n, false);
}

/* A function of ours that is being built: what it does, of how many bytes. */
typedef struct building {
    rcp_pass_unit *unit;
    LLVMBuilderRef b;
    LLVMValueRef function;
    LLVMTypeRef type;
    operation op;
} building;

static LLVMValueRef parameter(const building *to, unsigned i) { return LLVMGetParam(to->function, i); }

static LLVMValueRef read_value(const building *to, unsigned pointer) {
    LLVMValueRef value = LLVMBuildLoad2(to->b, to->type, parameter(to, pointer), "");
    LLVMSetAlignment(value, 1);
    return value;
}

static void write_value(const building *to, LLVMValueRef value, unsigned pointer) {
    LLVMSetAlignment(LLVMBuildStore(to->b, value, parameter(to, pointer)), 1);
}

static LLVMBasicBlockRef add_block(const building *to) {
    return LLVMAppendBasicBlockInContext(to->unit->context, to->function, "");
}

/* A block for each order that parameter `i` may be; the builder's block goes to them. */
static void branch(const building *to, const orders *all, unsigned i, LLVMBasicBlockRef *block) {
    for (unsigned k = 0; k < all->n; k++)
        block[k] = add_block(to);
    LLVMValueRef choice = LLVMBuildSwitch(to->b, parameter(to, i), block[all->n - 1], 2 * MOST_ORDERS);
    for (unsigned k = 0; k < all->n; k++)
        for (unsigned m = 0; m < all->at[k].n; m++)
            LLVMAddCase(choice, LLVMConstInt(to->unit->i32, all->at[k].number[m], false), block[k]);
}

static void build_exchange_if_same(const building *to, LLVMAtomicOrdering succeeds, LLVMAtomicOrdering fails) {
    LLVMValueRef expected = read_value(to, 1), desired = read_value(to, 2);
    LLVMValueRef i = LLVMBuildAtomicCmpXchg(to->b, parameter(to, 0), expected, desired, succeeds, fails, false);
    LLVMSetAlignment(i, 1);
    LLVMValueRef is_done = LLVMBuildExtractValue(to->b, i, 1, "");
    LLVMBasicBlockRef differs = add_block(to), end = add_block(to);
    LLVMBuildCondBr(to->b, is_done, end, differs);
    LLVMPositionBuilderAtEnd(to->b, differs);
    write_value(to, LLVMBuildExtractValue(to->b, i, 0, ""), 1);
    LLVMBuildBr(to->b, end);
    LLVMPositionBuilderAtEnd(to->b, end);
    LLVMBuildRet(to->b, is_done);
}

static void build_one(const building *to, LLVMAtomicOrdering ordering) {
    LLVMValueRef i;
    switch (to->op) {
    case LOAD:
        i = read_value(to, 0);
        LLVMSetOrdering(i, ordering);
        write_value(to, i, 1);
        break;
    case STORE:
        i = LLVMBuildStore(to->b, read_value(to, 1), parameter(to, 0));
        LLVMSetOrdering(i, ordering);
        LLVMSetAlignment(i, 1);
        break;
    case EXCHANGE:
        i = LLVMBuildAtomicRMW(to->b, LLVMAtomicRMWBinOpXchg, parameter(to, 0), read_value(to, 1), ordering, false);
        LLVMSetAlignment(i, 1);
        write_value(to, i, 2);
        break;
    case COMPARE: break;
    }
    LLVMBuildRetVoid(to->b);
}

static void build(const building *to) {
    LLVMBasicBlockRef block[MOST_ORDERS], inner[MOST_ORDERS];
    unsigned pointers = functions[to->op].pointers;
    orders all = orders_of(to->op), failing = orders_of(LOAD);
    branch(to, &all, pointers, block);
    for (unsigned k = 0; k < all.n; k++) {
        LLVMPositionBuilderAtEnd(to->b, block[k]);
        if (to->op != COMPARE) {
            build_one(to, all.at[k].ordering);
            continue;
        }
        branch(to, &failing, pointers + 1, inner);
        for (unsigned m = 0; m < failing.n; m++) {
            LLVMPositionBuilderAtEnd(to->b, inner[m]);
            build_exchange_if_same(to, all.at[k].ordering, failing.at[m].ordering);
        }
    }
}

/* The machine does as many in one step. */
static bool is_one_step(uint64_t bytes) { return bytes <= 16 && !(bytes & (bytes - 1)); }

/* The first function that does nothing else to a mutex, and the first that compares. */
static const char *locking(rcp_outside_does does) {
    for (size_t i = 0;; i++) {
        const rcp_outside *row = rcp_outside_row(i);
        if (row->model == RCP_MODEL_SYNC && row->sync.does == does && row->sync.object == RCP_ON_MUTEX &&
            row->sync.patience == RCP_PATIENCE_WAITS)
            return row->name;
    }
}

static const char *comparing(void) {
    size_t i = 0;
    while (rcp_outside_row(i)->compiled != RCP_COMPILED_COMPARE)
        i++;
    return rcp_outside_row(i)->name;
}

static LLVMValueRef call(const building *to, const char *name, LLVMTypeRef result, LLVMValueRef *argument, unsigned n) {
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(argument[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    LLVMValueRef function = LLVMGetNamedFunction(to->unit->module, name);
    if (!function)
        function = LLVMAddFunction(to->unit->module, name, type);
    return LLVMBuildCall2(to->b, type, function, argument, n, "");
}

/* The lock of the object: by its address (abi/hooks.h). */
static LLVMValueRef lock_of(const building *to) {
    rcp_pass_unit *unit = to->unit;
    LLVMValueRef all = LLVMGetNamedGlobal(unit->module, RCP_ATOMIC_LOCKS);
    if (!all)
        all = LLVMAddGlobal(unit->module, unit->i8, RCP_ATOMIC_LOCKS);
    LLVMValueRef at = LLVMBuildPtrToInt(to->b, parameter(to, 0), unit->i64, "");
    at = LLVMBuildLShr(to->b, at, LLVMConstInt(unit->i64, RCP_ATOMIC_LOCKS_APART, false), "");
    at = LLVMBuildAnd(to->b, at, LLVMConstInt(unit->i64, RCP_ATOMIC_LOCKS_N - 1, false), "");
    at = LLVMBuildMul(to->b, at, LLVMConstInt(unit->i64, RCP_ATOMIC_LOCKS_BYTES, false), "");
    return LLVMBuildGEP2(to->b, unit->i8, all, &at, 1, "");
}

static void copy(const building *to, unsigned to_pointer, unsigned from_pointer, LLVMValueRef size) {
    LLVMBuildMemCpy(to->b, parameter(to, to_pointer), 1, parameter(to, from_pointer), 1, size);
}

static void build_locked(const building *to, uint64_t bytes) {
    rcp_pass_unit *unit = to->unit;
    LLVMValueRef size = LLVMConstInt(unit->i64, bytes, false), lock = lock_of(to), is_same = NULL;
    LLVMBasicBlockRef block[3];
    call(to, locking(RCP_DOES_ACQUIRE), unit->i32, &lock, 1);
    switch (to->op) {
    case LOAD: copy(to, 1, 0, size); break;
    case STORE: copy(to, 0, 1, size); break;
    case EXCHANGE: /* the new value may lie where the old one goes */
    {
        LLVMValueRef held = LLVMBuildAlloca(to->b, LLVMArrayType2(unit->i8, bytes), "");
        LLVMBuildMemCpy(to->b, held, 1, parameter(to, 1), 1, size);
        copy(to, 2, 0, size);
        LLVMBuildMemCpy(to->b, parameter(to, 0), 1, held, 1, size);
        break;
    }
    case COMPARE:
        is_same = call(to, comparing(), unit->i32, (LLVMValueRef[]){parameter(to, 0), parameter(to, 1), size}, 3);
        is_same = LLVMBuildICmp(to->b, LLVMIntEQ, is_same, LLVMConstInt(unit->i32, 0, false), "");
        for (int i = 0; i < 3; i++)
            block[i] = add_block(to);
        LLVMBuildCondBr(to->b, is_same, block[0], block[1]);
        for (unsigned i = 0; i < 2; i++) {
            LLVMPositionBuilderAtEnd(to->b, block[i]);
            i ? copy(to, 1, 0, size) : copy(to, 0, 2, size);
            LLVMBuildBr(to->b, block[2]);
        }
        LLVMPositionBuilderAtEnd(to->b, block[2]);
        break;
    }
    call(to, locking(RCP_DOES_RELEASE), unit->i32, &lock, 1);
    is_same ? LLVMBuildRet(to->b, is_same) : LLVMBuildRetVoid(to->b);
}

static void add_attribute(rcp_pass_unit *unit, LLVMValueRef function, const char *name) {
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, rcp_unit_attribute(name), 0));
}

/* It has no debug information, and so its instructions get the place of the call as it is inlined; a memory order that
 * the program computes becomes branches, as the compiler makes them for smaller atomics. */
static LLVMValueRef ours(rcp_pass_unit *unit, operation op, uint64_t bytes) {
    char name[64];
    snprintf(name, sizeof name, RCP_STEPS_STAND_IN "%s_%llu", functions[op].name + 2, (unsigned long long)bytes);
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (function)
        return function;
    building to = {unit, LLVMCreateBuilderInContext(unit->context),
                   LLVMAddFunction(unit->module, name, type_of(unit, op, false)),
                   is_one_step(bytes) ? LLVMIntTypeInContext(unit->context, (unsigned)bytes * 8) : NULL, op};
    LLVMSetLinkage(to.function, LLVMInternalLinkage);
    add_attribute(unit, to.function, "alwaysinline");
    add_attribute(unit, to.function, "nounwind");
    LLVMPositionBuilderAtEnd(to.b, add_block(&to));
    to.type ? build(&to) : build_locked(&to, bytes);
    LLVMDisposeBuilder(to.b);
    return to.function;
}

/* Of a function that will not be recorded a call that is one step stays: the back end would make the same one of it. A
 * lock must be the same for all. */
static void replace_call(rcp_pass_unit *unit, operation op, LLVMValueRef call, bool is_recorded) {
    LLVMValueRef size = LLVMGetArgOperand(call, 0), argument[MOST_ARGUMENTS];
    uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
    if (!bytes || (is_one_step(bytes) && !is_recorded))
        return;
    unsigned n = LLVMGetNumArgOperands(call) - 1;
    for (unsigned i = 0; i < n; i++)
        argument[i] = LLVMGetArgOperand(call, i + 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call); /* with its place in the source */
    LLVMValueRef by = LLVMBuildCall2(b, type_of(unit, op, false), ours(unit, op, bytes), argument, n, "");
    LLVMReplaceAllUsesWith(call, by);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

static void replace(rcp_pass_unit *unit, operation op, LLVMValueRef function) {
    LLVMTypeRef type = type_of(unit, op, true);
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && LLVMGetCalledFunctionType(user) == type)
            replace_call(unit, op, user,
                         !rcp_opaque_will_be(unit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))));
    }
}

void rcp_atomic_calls_replace(rcp_pass_unit *unit) {
    for (unsigned op = 0; op < sizeof functions / sizeof *functions; op++) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, functions[op].name);
        if (function && LLVMIsDeclaration(function))
            replace(unit, (operation)op, function);
    }
}
