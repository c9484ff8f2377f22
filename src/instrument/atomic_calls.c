/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/atomic_calls.h"

#include "instrument/opaque.h"

#include <stdio.h>

enum { LARGEST = 16, MOST_ORDERS = 5, MOST_ARGUMENTS = 6 };

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

static void add_attribute(rcp_pass_unit *unit, LLVMValueRef function, const char *name) {
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, rcp_unit_attribute(name), 0));
}

/* It has no debug information, and so its instructions get the place of the call as it is inlined; a memory order that
 * the program computes becomes branches, as the compiler makes them for smaller atomics. */
static LLVMValueRef ours(rcp_pass_unit *unit, operation op, unsigned bytes) {
    char name[64];
    snprintf(name, sizeof name, "recipe%s_%u", functions[op].name + 1, bytes);
    LLVMValueRef function = LLVMGetNamedFunction(unit->module, name);
    if (function)
        return function;
    building to = {unit, LLVMCreateBuilderInContext(unit->context),
                   LLVMAddFunction(unit->module, name, type_of(unit, op, false)),
                   LLVMIntTypeInContext(unit->context, bytes * 8), op};
    LLVMSetLinkage(to.function, LLVMInternalLinkage);
    add_attribute(unit, to.function, "alwaysinline");
    add_attribute(unit, to.function, "nounwind");
    LLVMPositionBuilderAtEnd(to.b, add_block(&to));
    build(&to);
    LLVMDisposeBuilder(to.b);
    return to.function;
}

static void replace_call(rcp_pass_unit *unit, operation op, LLVMValueRef call) {
    LLVMValueRef size = LLVMGetArgOperand(call, 0), argument[MOST_ARGUMENTS];
    uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
    if (!bytes || bytes > LARGEST || (bytes & (bytes - 1)))
        return;
    unsigned n = LLVMGetNumArgOperands(call) - 1;
    for (unsigned i = 0; i < n; i++)
        argument[i] = LLVMGetArgOperand(call, i + 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(unit->context);
    LLVMPositionBuilderBefore(b, call); /* with its place in the source */
    LLVMValueRef by = LLVMBuildCall2(b, type_of(unit, op, false), ours(unit, op, (unsigned)bytes), argument, n, "");
    LLVMReplaceAllUsesWith(call, by);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

static void replace(rcp_pass_unit *unit, operation op, LLVMValueRef function) {
    LLVMTypeRef type = type_of(unit, op, true);
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && LLVMGetCalledFunctionType(user) == type &&
            !rcp_opaque_will_be(unit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
            replace_call(unit, op, user);
    }
}

void rcp_atomic_calls_replace(rcp_pass_unit *unit) {
    for (unsigned op = 0; op < sizeof functions / sizeof *functions; op++) {
        LLVMValueRef function = LLVMGetNamedFunction(unit->module, functions[op].name);
        if (function && LLVMIsDeclaration(function))
            replace(unit, (operation)op, function);
    }
}
