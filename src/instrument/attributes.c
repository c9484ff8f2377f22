/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/attributes.h"

#include "instrument/opaque.h"
#include "program/ir/steps.h"

#include <stdlib.h>
#include <string.h>

/* A list to keep rather than one to drop: what a later LLVM adds must be looked at first. */
static const char *const kept[] = {
    /* functions */
    "alwaysinline", "builtin", "cold", "convergent", "disable_sanitizer_instrumentation", "fn_ret_thunk_extern", "hot",
    "inlinehint", "minsize", "naked", "nobuiltin", "nocf_check", "noduplicate", "noimplicitfloat", "noinline",
    "nomerge", "nonlazybind", "noredzone", "noreturn", "nounwind", "null_pointer_is_valid", "optnone", "optsize",
    "presplitcoroutine", "returns_twice", "shadowcallstack", "ssp", "sspreq", "sspstrong", "alignstack", "strictfp",
    "uwtable", "skipprofile",
    /* parameters and results */
    "byref", "byval", "elementtype", "immarg", "inalloca", "inreg", "nest", "preallocated", "signext", "sret",
    "zeroext", "stackalign"};

/* String attributes that allow other floating-point results than the instructions say. */
static const char *const dropped_strings[] = {"approx-func-fp-math",     "no-infs-fp-math", "no-nans-fp-math",
                                              "no-signed-zeros-fp-math", "unsafe-fp-math",  "less-precise-fpmad"};

static const char no_builtins[] = "no-builtins";

typedef struct keeping {
    bool kinds[512]; /* by the number of an enum attribute */
    unsigned align, byval, sret;
    unsigned dbg, prof, srcloc, padding; /* metadata: places, and what is harmless */
} keeping;

static void keeping_init(keeping *k) {
    *k = (keeping){0};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        unsigned kind = rcp_unit_attribute(kept[i]);
        if (kind && kind < 512)
            k->kinds[kind] = true;
    }
    k->align = rcp_unit_attribute("align");
    k->byval = rcp_unit_attribute("byval");
    k->sret = rcp_unit_attribute("sret");
}

/* A function and a call have the same kinds of attributes behind two sets of names. */
typedef struct holder {
    LLVMValueRef value;
    unsigned (*count)(LLVMValueRef, LLVMAttributeIndex);
    void (*list)(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *);
    LLVMAttributeRef (*find)(LLVMValueRef, LLVMAttributeIndex, unsigned);
    void (*remove)(LLVMValueRef, LLVMAttributeIndex, unsigned);
} holder;

static holder of_function(LLVMValueRef f) {
    return (holder){f, LLVMGetAttributeCountAtIndex, LLVMGetAttributesAtIndex, LLVMGetEnumAttributeAtIndex,
                    LLVMRemoveEnumAttributeAtIndex};
}

static holder of_call(LLVMValueRef call) {
    return (holder){call, LLVMGetCallSiteAttributeCount, LLVMGetCallSiteAttributes, LLVMGetCallSiteEnumAttribute,
                    LLVMRemoveCallSiteEnumAttribute};
}

static void drop_at(const keeping *k, holder h, LLVMAttributeIndex index) {
    unsigned n = h.count(h.value, index);
    if (!n)
        return;
    LLVMAttributeRef small[32], *all = n <= 32 ? small : malloc(n * sizeof *all);
    RCP_CHECK(all);
    h.list(h.value, index, all);
    /* How an argument in memory is aligned is part of how it is passed. */
    bool in_memory = h.find(h.value, index, k->byval) || h.find(h.value, index, k->sret);
    for (unsigned i = 0; i < n; i++) {
        if (LLVMIsStringAttribute(all[i]))
            continue;
        unsigned kind = LLVMGetEnumAttributeKind(all[i]);
        if (!(kind < 512 && k->kinds[kind]) && !(kind == k->align && in_memory))
            h.remove(h.value, index, kind);
    }
    if (all != small)
        free(all);
}

static void drop_all(const keeping *k, holder h, unsigned parameters) {
    drop_at(k, h, LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= parameters; i++) /* 0: the result */
        drop_at(k, h, i);
}

static void drop_metadata(const keeping *k, LLVMValueRef instruction) {
    if (!LLVMHasMetadata(instruction))
        return;
    size_t n;
    LLVMValueMetadataEntry *all = LLVMInstructionGetAllMetadataOtherThanDebugLoc(instruction, &n);
    for (size_t i = 0; i < n; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(all, (unsigned)i);
        if (kind != k->dbg && kind != k->prof && kind != k->srcloc &&
            kind != k->padding) /* in spite of its name, the list has dbg */
            LLVMSetMetadata(instruction, kind, NULL);
    }
    LLVMDisposeValueMetadataEntries(all);
}

static void drop_in_body(const keeping *k, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            drop_metadata(k, i);
            if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
                continue;
            LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
            if (!callee || !LLVMGetIntrinsicID(callee))
                drop_all(k, of_call(i), LLVMGetNumArgOperands(i));
        }
}

static void add(rcp_pass_unit *unit, LLVMValueRef function, const char *name) {
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(unit->context, rcp_unit_attribute(name), 0));
}

void rcp_attributes_drop(rcp_pass_unit *unit) {
    keeping k;
    keeping_init(&k);
    k.dbg = LLVMGetMDKindIDInContext(unit->context, "dbg", 3);
    k.prof = LLVMGetMDKindIDInContext(unit->context, "prof", 4);
    k.srcloc = LLVMGetMDKindIDInContext(unit->context, "srcloc", 6);
    k.padding = LLVMGetMDKindIDInContext(unit->context, RCP_STEPS_PADDING, sizeof RCP_STEPS_PADDING - 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f))
            continue;
        drop_all(&k, of_function(f), LLVMCountParams(f));
        for (size_t i = 0; i < sizeof dropped_strings / sizeof *dropped_strings; i++)
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, dropped_strings[i],
                                             (unsigned)strlen(dropped_strings[i]));
        if (LLVMIsDeclaration(f))
            continue;
        if (rcp_opaque_is(f)) {
            /* Recorded code that is called from here has a frame of its own, by which the runtime tells who has been
             * left behind (runtime/callback.c): code that differs in this attribute, and that alone is what it is for,
             * is not inlined into each other, however late the optimiser finds out who is called. */
            add(unit, f, "sanitize_memory");
            continue;
        }
        drop_in_body(&k, f);
        /* A null pointer faults where it is followed; the optimiser may not conclude more from it. */
        add(unit, f, "null_pointer_is_valid");
        /* Nor from the name of what is called: it may be the program's own function by a name of the C library's. */
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(unit->context, no_builtins, sizeof no_builtins - 1, "", 0));
    }
}
