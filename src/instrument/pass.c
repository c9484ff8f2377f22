/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/pass.h"

#include "abi/hooks.h"
#include "base/map.h"
#include "instrument/access_hooks.h"
#include "instrument/float_fences.h"
#include "instrument/frame_hooks.h"
#include "instrument/opaque.h"
#include "instrument/regions.h"
#include "program/ir/spins.h"
#include "program/ir/steps.h"
#include "program/telling/assembly.h"

#include <llvm-c/DebugInfo.h>

typedef struct writer {
    rcp_emitter emitter;
    rcp_frame_hooks frame;
    LLVMValueRef late;
    LLVMValueRef precise; /* of the current segment */
    uint32_t pads;        /* landing pads of the function so far */
    rcp_spins spins;      /* of the function: loops by which it waits */
    bool log_branches;
} writer;

static LLVMValueRef self(rcp_emitter *e) { return LLVMConstPtrToInt(e->function, e->unit->i64); }

static void stop(writer *w, const rcp_step *step, unsigned kind, LLVMValueRef address) {
    rcp_emitter *e = &w->emitter;
    RCP_EMIT(e, stop_if, w->precise, address, rcp_emit_u32(e, RCP_WHAT(kind, 0, step->left)));
}

/* Is this branch all that leads to the block? */
static bool leads_alone(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

/* On each side of the branch, not before it: there the condition is a constant, so that nothing needs to be kept beyond
 * the compare-and-branch, and LLVM threads the test into that of the event before. */
static void write_branch(writer *w, const rcp_step *step) {
    rcp_emitter *e = &w->emitter;
    LLVMValueRef i = step->instruction;
    if (!leads_alone(LLVMGetSuccessor(i, 0)) || !leads_alone(LLVMGetSuccessor(i, 1))) {
        rcp_emit_before(e, i);
        stop(w, step, RCP_WHAT_BRANCH, LLVMBuildZExt(e->builder, LLVMGetCondition(i), e->unit->i64, ""));
        return;
    }
    for (unsigned side = 0; side < 2; side++) {
        rcp_emit_at_head(e, LLVMGetSuccessor(i, side));
        LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(i));
        stop(w, step, RCP_WHAT_BRANCH, rcp_emit_u64(e, !side));
    }
}

/* Where the branch is one by which a loop goes round that waits. */
static void write_round(writer *w, const rcp_step *step) {
    rcp_emitter *e = &w->emitter;
    LLVMValueRef i = step->instruction;
    for (size_t n = 0; n < w->spins.len; n++) {
        const rcp_spin *spin = &w->spins.at[n];
        if (spin->latch != i)
            continue;
        rcp_emit_before(e, i);
        LLVMValueRef goes = rcp_emit_u64(e, 1);
        if (LLVMIsConditional(i)) {
            LLVMValueRef condition = LLVMGetCondition(i);
            goes = LLVMBuildZExt(e->builder, spin->side ? LLVMBuildNot(e->builder, condition, "") : condition,
                                 e->unit->i64, "");
        }
        RCP_EMIT(e, round_if, goes, self(e),
                 rcp_emit_u32(e, (uint32_t)n << 1 | (spin->endless ? RCP_ROUND_ENDLESS : 0)),
                 rcp_emit_u32(e, RCP_WHAT(RCP_WHAT_TICK, 0, step->left)));
    }
}

static void write_terminator(writer *w, const rcp_step *step) {
    rcp_emitter *e = &w->emitter;
    LLVMValueRef i = step->instruction;
    if (step->kind == RCP_STEP_BRANCH || step->kind == RCP_STEP_TICK)
        write_round(w, step);
    if (step->kind == RCP_STEP_BRANCH) {
        write_branch(w, step);
        return;
    }
    rcp_emit_before(e, i);
    switch (step->kind) {
    case RCP_STEP_SWITCH:
        stop(w, step, RCP_WHAT_BRANCH, LLVMBuildIntCast2(e->builder, LLVMGetOperand(i, 0), e->unit->i64, false, ""));
        break;
    case RCP_STEP_INDIRECT: stop(w, step, RCP_WHAT_BRANCH, rcp_emit_address(e, LLVMGetOperand(i, 0))); break;
    case RCP_STEP_FENCE: stop(w, step, RCP_WHAT_FENCE, rcp_emit_u64(e, 0)); break;
    default: stop(w, step, RCP_WHAT_TICK, rcp_emit_u64(e, 0)); break;
    }
}

/* Does control come back from the call? Where it does not, nothing stands after it but a trap or `unreachable`. */
static bool comes_back(LLVMValueRef call) {
    LLVMValueRef next =
        LLVMIsAInvokeInst(call) ? LLVMGetFirstInstruction(LLVMGetNormalDest(call)) : LLVMGetNextInstruction(call);
    return !LLVMIsAUnreachableInst(next);
}

static void note_assembly(writer *w, LLVMValueRef call) {
    size_t len;
    const char *text = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &len);
    bool memory = false;
    if (rcp_assembly_row(LLVMGetCalledValue(call), w->emitter.unit->arch == RCP_ARCH_AARCH64))
        return; /* a pause, a barrier */
    for (size_t i = 0; i + 8 <= len; i++)
        memory |= text[i] == '{' && !__builtin_memcmp(text + i, "{memory}", 8);
    for (size_t i = 0; i < len; i++)
        memory |= text[i] == '*';
    if (memory)
        rcp_unit_note(w->emitter.unit, call,
                      "this assembly may touch memory: what it reads and writes is not recorded as events");
}

/* What the assembly answered passes through memory, where a replay lays the recorded answer over it. The program goes
 * on with what is there then. */
static LLVMValueRef write_clock(rcp_emitter *e, LLVMValueRef call) {
    RCP_VEC(LLVMValueRef) users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        rcp_vec_push(&users, LLVMGetUser(use));
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef bits = rcp_emit_bits(e, call);
    LLVMValueRef at = rcp_emit_spill(e, bits ? bits : call);
    uint64_t size = bits ? 8 : rcp_emit_size(e, type);
    RCP_EMIT(e, clock, at, rcp_emit_u64(e, size | (rcp_steps_asks_chance(call) ? RCP_CLOCK_RANDOM : 0)));
    LLVMValueRef answer = LLVMBuildLoad2(e->builder, bits ? e->unit->i64 : type, at, "");
    LLVMSetAlignment(answer, 16);
    if (bits)
        answer = rcp_emit_from_int(e, answer, type);
    for (size_t i = 0; i < users.len; i++)
        for (int k = 0, n = LLVMGetNumOperands(users.at[i]); k < n; k++)
            if (LLVMGetOperand(users.at[i], (unsigned)k) == call)
                LLVMSetOperand(users.at[i], (unsigned)k, answer);
    rcp_vec_finish(&users);
    return answer;
}

static void write_return(writer *w, LLVMValueRef call) {
    rcp_emitter *e = &w->emitter;
    if (LLVMIsAInvokeInst(call)) {
        rcp_emit_at_head(e, LLVMGetNormalDest(call));
        LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(call));
    } else {
        rcp_emit_after(e, call);
    }
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    LLVMValueRef answer = rcp_steps_asks_machine(call) ? write_clock(e, call) : call;
    LLVMValueRef value = is_void ? rcp_emit_u64(e, 0) : rcp_emit_bits(e, answer);
    if (rcp_steps_returns_twice(call)) {
        LLVMValueRef buffer = rcp_emit_u64(e, 0);
        if (LLVMGetNumArgOperands(call))
            buffer = rcp_emit_bits(e, LLVMGetArgOperand(call, 0));
        RCP_EMIT(e, setjmp_returned, buffer, value, rcp_emit_address(e, rcp_frame_hooks_top(e, &w->frame)),
                 w->frame.depth);
    } else if (value) {
        RCP_EMIT(e, back, value);
    } else {
        RCP_EMIT(e, back_wide, rcp_emit_spill(e, answer), rcp_emit_u64(e, rcp_emit_size(e, LLVMTypeOf(call))));
    }
}

static void write_leave(writer *w, LLVMValueRef call) {
    rcp_emitter *e = &w->emitter;
    LLVMValueRef called = LLVMGetCalledValue(call);
    rcp_emit_before(e, call);
    if (LLVMIsAInlineAsm(called)) {
        note_assembly(w, call);
        if (rcp_steps_calls_system(call))
            RCP_EMIT(e, clock, LLVMConstNull(e->unit->ptr), rcp_emit_u64(e, RCP_CLOCK_SYSTEM));
        RCP_EMIT(e, leave, rcp_emit_u64(e, RCP_OUTSIDE_ASM));
    } else {
        RCP_EMIT(e, leave, rcp_emit_address(e, called));
    }
    if (LLVMIsACallInst(call))
        LLVMSetTailCallKind(call, LLVMTailCallKindNone);
    if (comes_back(call))
        write_return(w, call);
}

static void write_landing(writer *w, LLVMValueRef pad) {
    rcp_emitter *e = &w->emitter;
    rcp_emit_after(e, pad);
    LLVMValueRef exception = rcp_emit_address(e, LLVMBuildExtractValue(e->builder, pad, 0, ""));
    LLVMValueRef selector = LLVMBuildZExt(e->builder, LLVMBuildExtractValue(e->builder, pad, 1, ""), e->unit->i64, "");
    RCP_EMIT(e, landed, self(e), rcp_emit_u32(e, w->pads++), exception, selector,
             rcp_emit_address(e, rcp_frame_hooks_top(e, &w->frame)), w->frame.depth);
}

/* A value of any size, in words. */
static void write_value(writer *w, LLVMValueRef i) {
    rcp_emitter *e = &w->emitter;
    rcp_emit_after(e, i);
    LLVMValueRef bits = rcp_emit_bits(e, i);
    if (bits) {
        RCP_EMIT(e, value, bits);
        return;
    }
    uint64_t words = (rcp_emit_size(e, LLVMTypeOf(i)) + 7) / 8;
    LLVMValueRef at = rcp_emit_temporary(e, words * 8);
    LLVMBuildStore(e->builder, LLVMConstNull(LLVMArrayType2(e->unit->i64, words)), at);
    LLVMSetAlignment(LLVMBuildStore(e->builder, i, at), 16);
    for (uint64_t word = 0; word < words; word++) {
        LLVMValueRef index = rcp_emit_u64(e, word);
        LLVMValueRef place = LLVMBuildGEP2(e->builder, e->unit->i64, at, &index, 1, "");
        RCP_EMIT(e, value, LLVMBuildLoad2(e->builder, e->unit->i64, place, ""));
    }
}

static void write_step(writer *w, const rcp_step *step) {
    rcp_emitter *e = &w->emitter;
    LLVMValueRef i = step->instruction;
    if (step->reserve) {
        rcp_emit_before(e, i);
        w->precise = RCP_EMIT(e, reserve, rcp_emit_u64(e, step->reserve));
    }
    switch (step->kind) {
    case RCP_STEP_NONE:
    case RCP_STEP_CALL: return;
    case RCP_STEP_LOAD: rcp_access_hooks_load(e, step, w->precise); break;
    case RCP_STEP_STORE: rcp_access_hooks_store(e, step, w->precise); break;
    case RCP_STEP_RMW:
    case RCP_STEP_CMPXCHG: rcp_access_hooks_atomic(e, step, w->precise); break;
    case RCP_STEP_FENCE:
    case RCP_STEP_BRANCH:
    case RCP_STEP_SWITCH:
    case RCP_STEP_INDIRECT:
    case RCP_STEP_TICK: write_terminator(w, step); break;
    case RCP_STEP_COPY: rcp_access_hooks_copy(e, i); break;
    case RCP_STEP_FILL: rcp_access_hooks_fill(e, i); break;
    case RCP_STEP_LEAVE: write_leave(w, i); break;
    case RCP_STEP_RESUME:
        rcp_emit_before(e, i);
        rcp_emit_hook(e, RCP_HOOK_resume, NULL, 0);
        return;
    case RCP_STEP_VALUE: write_value(w, i); return;
    case RCP_STEP_TLS:
        if (w->late) {
            rcp_emit_after(e, i);
            RCP_EMIT(e, late, rcp_emit_address(e, i), w->late);
        }
        return;
    case RCP_STEP_LANDING: write_landing(w, i); return;
    case RCP_STEP_SAVE:
        rcp_emit_before(e, i);
        LLVMReplaceAllUsesWith(i, rcp_emit_hook(e, RCP_HOOK_stack, NULL, 0));
        LLVMInstructionEraseFromParent(i);
        return;
    case RCP_STEP_RESTORE:
        rcp_emit_before(e, i);
        rcp_frame_hooks_set_top(e, &w->frame, LLVMGetArgOperand(i, 0));
        LLVMInstructionEraseFromParent(i);
        return;
    }
    e->unit->report->events++;
}

/* Divisions that fault on x86_64: they do so here, and the division itself is one that can't. */
static void write_division(writer *w, LLVMValueRef i) {
    rcp_emitter *e = &w->emitter;
    LLVMBuilderRef b = e->builder;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef minus = LLVMConstAllOnes(type), zero = LLVMConstNull(type);
    if (LLVMIsAConstantInt(y) && y != zero && y != minus)
        return;
    rcp_emit_before(e, i);
    LLVMValueRef faults = LLVMBuildICmp(b, LLVMIntEQ, y, zero, "");
    if (op == LLVMSDiv || op == LLVMSRem) {
        /* -x = x of x other than 0: the one number without a positive. */
        LLVMValueRef lowest = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildNeg(b, x, ""), x, ""),
                                           LLVMBuildICmp(b, LLVMIntNE, x, zero, ""), "");
        faults = LLVMBuildOr(b, faults, LLVMBuildAnd(b, lowest, LLVMBuildICmp(b, LLVMIntEQ, y, minus, ""), ""), "");
    }
    LLVMValueRef any = faults;
    LLVMTypeRef fault_type = LLVMTypeOf(faults);
    if (LLVMGetTypeKind(fault_type) == LLVMVectorTypeKind) {
        LLVMTypeRef mask = LLVMIntTypeInContext(e->unit->context, LLVMGetVectorSize(fault_type));
        any = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildBitCast(b, faults, mask, ""), LLVMConstNull(mask), "");
    }
    RCP_EMIT(e, divide, any);
    /* After the fault, if anything: a divisor that can not. */
    LLVMValueRef one = LLVMBuildZExt(b, faults, type, "");
    LLVMValueRef safe = LLVMBuildSelect(b, faults, one, y, "");
    LLVMSetOperand(i, 1, safe);
}

static void write_divisions(writer *w) {
    RCP_VEC(LLVMValueRef) divisions = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->emitter.function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            switch (LLVMGetInstructionOpcode(i)) {
            case LLVMSDiv:
            case LLVMUDiv:
            case LLVMSRem:
            case LLVMURem: rcp_vec_push(&divisions, i); break;
            default: break;
            }
    for (size_t i = 0; i < divisions.len; i++)
        write_division(w, divisions.at[i]);
    rcp_vec_finish(&divisions);
}

/* Who fetches memory ahead will compare it with its shadow. */
static void write_prefetches(writer *w) {
    rcp_emitter *e = &w->emitter;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!LLVMIsACallInst(i) || !rcp_steps_calls_intrinsic(i, "llvm.prefetch"))
                continue;
            rcp_emit_before(e, i);
            LLVMValueRef arguments[] = {rcp_emit_shadow(e, LLVMGetArgOperand(i, 0)), LLVMGetArgOperand(i, 1),
                                        LLVMGetArgOperand(i, 2), LLVMGetArgOperand(i, 3)};
            rcp_unit_build_intrinsic(e->unit, e->builder, "llvm.prefetch", &e->unit->ptr, 1, arguments, 4);
        }
}

/* What a loop that waits does beside looking, and instructions that let a moment pass. */
static void write_waits(writer *w) {
    rcp_emitter *e = &w->emitter;
    for (size_t n = 0; n < w->spins.len; n++)
        for (unsigned b = 0; b < w->spins.at[n].n_busy; b++) {
            rcp_emit_before(e, w->spins.at[n].busy[b]);
            rcp_emit_hook(e, RCP_HOOK_busy, NULL, 0);
        }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!LLVMIsACallInst(i) || !rcp_spins_is_pause(i))
                continue;
            rcp_emit_before(e, i);
            rcp_emit_hook(e, RCP_HOOK_pause, NULL, 0);
        }
}

/* Branches that are no events, for --log-values. */
static void write_branches_ahead(writer *w, const rcp_steps *steps) {
    rcp_emitter *e = &w->emitter;
    rcp_map counted;
    rcp_map_init(&counted);
    for (size_t i = 0; i < steps->len; i++)
        rcp_map_set(&counted, (uintptr_t)steps->at[i].instruction, 1);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(e->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef i = LLVMGetBasicBlockTerminator(b);
        bool branch = LLVMIsABranchInst(i) && LLVMIsConditional(i);
        if ((!branch && !LLVMIsASwitchInst(i)) || rcp_map_get(&counted, (uintptr_t)i) != RCP_MAP_NONE)
            continue;
        rcp_emit_before(e, i);
        LLVMValueRef condition = branch ? LLVMGetCondition(i) : LLVMGetOperand(i, 0);
        RCP_EMIT(e, branch, LLVMBuildIntCast2(e->builder, condition, e->unit->i64, false, ""));
    }
    rcp_map_finish(&counted);
}

static void write_function(writer *w, LLVMValueRef function, rcp_steps *steps, bool reachable) {
    steps->len = 0;
    rcp_steps_of(function, steps);
    rcp_emitter_begin(&w->emitter, function);
    w->pads = 0;
    w->spins.len = 0;
    rcp_spins_of(function, &w->spins); /* while the function's own objects are still to be told from others */
    if (w->emitter.unit->arch == RCP_ARCH_X86_64)
        write_divisions(w);
    write_prefetches(w);
    write_waits(w);
    if (w->log_branches)
        write_branches_ahead(w, steps);
    rcp_frame_hooks_write(&w->emitter, &w->frame, steps, reachable);
    if (!w->emitter.unit->no_regions)
        rcp_regions_write(&w->emitter, steps);
    for (size_t i = 0; i < steps->len; i++)
        write_step(w, &steps->at[i]);
    rcp_float_fences_write(&w->emitter); /* of the copies of loops, too */
    w->emitter.unit->report->functions++;
}

typedef struct task {
    LLVMValueRef function;
    bool reachable;
} task;

rcp_code rcp_pass(rcp_pass_unit *unit, const char *inline_hooks, LLVMValueRef late) {
    RCP_VEC(task) tasks = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !rcp_opaque_is(f))
            rcp_vec_push(&tasks, ((task){f, rcp_frame_hooks_is_reachable(f)}));
    bool log_branches = LLVMGetModuleFlag(unit->module, RCP_BRANCHES_FLAG, sizeof RCP_BRANCHES_FLAG - 1);
    writer w = {.late = late, .log_branches = log_branches};
    rcp_steps steps = {0};
    rcp_code code = rcp_emitter_init(&w.emitter, unit, inline_hooks);
    for (size_t i = 0; code == RCP_OK && i < tasks.len; i++)
        write_function(&w, tasks.at[i].function, &steps, tasks.at[i].reachable);
    rcp_emitter_finish(&w.emitter);
    rcp_vec_finish(&w.spins);
    rcp_vec_finish(&steps);
    rcp_vec_finish(&tasks);
    return code == RCP_OK ? rcp_unit_verify(unit, "instrumentation") : code;
}
