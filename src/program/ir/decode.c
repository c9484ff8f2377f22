/* SPDX-License-Identifier: Apache-2.0 */
#include "program/ir/decode.h"

#include "base/hash.h"
#include "program/ir/state.h"
#include "program/ir/frame.h"

#include <stdarg.h>
#include <string.h>

static uint64_t key_of(const void *value) { return (uint64_t)(uintptr_t)value; }

rcp_ins *rcp_emit(rcp_decoding *d, rcp_ins_op op, int32_t to, int32_t a, int32_t b) {
    rcp_vec_push(&d->routine->code, ((rcp_ins){.op = (uint16_t)op, .d = to, .a = a, .b = b}));
    rcp_vec_push(&d->routine->origin, d->now);
    return &d->routine->code.at[d->routine->code.len - 1];
}

void rcp_refuse_decode(rcp_decoding *d, const char *format, ...) {
    if (d->refused)
        return; /* the first reason is the best */
    va_list arguments;
    va_start(arguments, format);
    char why[256];
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    d->refused = true;
    rcp_text_clear(&d->why);
    rcp_text_puts(&d->why, why);
}

int32_t rcp_new_slots(rcp_decoding *d, uint32_t n) {
    int32_t first = d->next_slot;
    d->next_slot += (int32_t)n;
    return first;
}

int32_t rcp_slot_of_word(rcp_decoding *d, uint64_t word) {
    uint32_t *place = rcp_map_at(&d->words, word);
    if (*place == RCP_MAP_NONE) {
        *place = (uint32_t)d->pool.len;
        rcp_vec_push(&d->pool, word);
    }
    return -1 - (int32_t)*place;
}

bool rcp_constant_word(rcp_decoding *d, LLVMValueRef value, uint64_t *word) {
    return LLVMIsAConstant(value) && rcp_slots_of(d, LLVMTypeOf(value)) == 1 && rcp_decode_constant(d, value, word, 1);
}

/* A row of words is stored backwards, because slots of constants count down. */
static int32_t constant_slot(rcp_decoding *d, LLVMValueRef value) {
    uint32_t n = rcp_slots_of(d, LLVMTypeOf(value));
    uint32_t known = rcp_map_get(&d->constants, key_of(value));
    if (known != RCP_MAP_NONE)
        return -1 - (int32_t)known;
    uint64_t *words = rcp_alloc_zero(n ? n : 1, sizeof *words);
    int32_t slot = 0;
    if (n && rcp_decode_constant(d, value, words, n)) {
        if (n == 1)
            slot = rcp_slot_of_word(d, words[0]);
        else {
            uint64_t *row = rcp_vec_extend(&d->pool, n);
            for (uint32_t i = 0; i < n; i++)
                row[n - 1 - i] = words[i];
            slot = -(int32_t)d->pool.len;
        }
        rcp_map_set(&d->constants, key_of(value), (uint32_t)(-1 - slot));
    }
    rcp_release(words);
    return slot;
}

int32_t rcp_slot(rcp_decoding *d, LLVMValueRef value) {
    if (LLVMIsAConstant(value))
        return constant_slot(d, value);
    uint32_t slot = rcp_map_get(&d->routine->slots, key_of(value));
    if (slot == RCP_MAP_NONE) {
        rcp_refuse_decode(d, "a value of a type that is not modelled");
        return 0;
    }
    return (int32_t)slot;
}

const rcp_step *rcp_step_of(rcp_decoding *d, LLVMValueRef instruction) {
    uint32_t index = rcp_map_get(&d->step_index, key_of(instruction));
    return index == RCP_MAP_NONE ? NULL : &d->steps.at[index];
}

/* The moves of an edge happen all at once: each is made when nobody needs what it overwrites; a cycle is broken by a
 * copy. */
typedef struct move {
    int32_t to, from;
} move;

static void emit_moves(rcp_decoding *d, move *moves, size_t n) {
    while (n) {
        bool progress = false;
        for (size_t i = 0; i < n; i++) {
            bool needed = false;
            for (size_t k = 0; k < n && !needed; k++)
                needed = k != i && moves[k].from == moves[i].to;
            if (needed)
                continue;
            rcp_emit(d, RCP_INS_MOVE, moves[i].to, moves[i].from, 0);
            moves[i--] = moves[--n];
            progress = true;
        }
        if (progress)
            continue;
        int32_t copy = rcp_new_slots(d, 1), from = moves[0].from;
        rcp_emit(d, RCP_INS_MOVE, copy, from, 0);
        for (size_t k = 0; k < n; k++)
            if (moves[k].from == from)
                moves[k].from = copy;
    }
}

void rcp_emit_phis(rcp_decoding *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    RCP_VEC(move) moves = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (unsigned k = 0, n = LLVMCountIncoming(i); k < n; k++)
            if (LLVMGetIncomingBlock(i, k) == from) {
                int32_t target = rcp_slot(d, i), source = rcp_slot(d, LLVMGetIncomingValue(i, k));
                for (uint32_t s = 0, slots = rcp_slots_of(d, LLVMTypeOf(i)); s < slots; s++)
                    if (target + (int32_t)s != source + (int32_t)s)
                        rcp_vec_push(&moves, ((move){target + (int32_t)s, source + (int32_t)s}));
                break;
            }
    emit_moves(d, moves.at, moves.len);
    rcp_vec_finish(&moves);
}

static bool has_phis(LLVMBasicBlockRef block) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return first && LLVMIsAPHINode(first);
}

void rcp_branch_to(rcp_decoding *d, rcp_fixup fixup) { rcp_vec_push(&d->fixups, fixup); }

void rcp_emit_edge(rcp_decoding *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    rcp_emit_phis(d, from, to);
    if (LLVMGetNextBasicBlock(from) == to)
        return; /* it follows */
    rcp_branch_to(d, (rcp_fixup){RCP_FIX_C, true, d->routine->code.len, 0, 0, from, to});
    rcp_emit(d, RCP_INS_JUMP, 0, 0, 0);
}

static void patch(rcp_decoding *d, const rcp_fixup *f, size_t target) {
    rcp_routine *r = d->routine;
    int32_t way = (int32_t)((int64_t)target - (int64_t)f->at);
    switch (f->which) {
    case RCP_FIX_C: r->code.at[f->at].c = way; break;
    case RCP_FIX_E: r->code.at[f->at].e = way; break;
    case RCP_FIX_LANDING: r->calls.at[f->index].landing = way; break;
    case RCP_FIX_TARGET: r->switches.at[f->index].targets.at[f->target] = way; break;
    case RCP_FIX_OTHERWISE: r->switches.at[f->index].otherwise = way; break;
    }
}

/* Every way leads to its block; where that has phis, through code that makes their moves, one per edge. */
static void resolve_fixups(rcp_decoding *d) {
    rcp_map stubs;
    rcp_map_init(&stubs);
    for (size_t i = 0; i < d->fixups.len; i++) {
        rcp_fixup f = d->fixups.at[i];
        size_t target = rcp_map_get(&d->blocks, key_of(f.to));
        if (!f.is_direct && has_phis(f.to)) {
            uint32_t *stub = rcp_map_at(&stubs, rcp_hash_join(key_of(f.from), key_of(f.to)));
            if (*stub == RCP_MAP_NONE) {
                *stub = (uint32_t)d->routine->code.len;
                d->now = LLVMGetBasicBlockTerminator(f.from);
                rcp_emit_phis(d, f.from, f.to);
                size_t at = d->routine->code.len;
                rcp_emit(d, RCP_INS_JUMP, 0, 0, 0)->c = (int32_t)((int64_t)target - (int64_t)at);
            }
            target = *stub;
        }
        patch(d, &f, target);
    }
    rcp_map_finish(&stubs);
}

static void emit_segment(rcp_decoding *d, LLVMValueRef instruction) {
    const rcp_step *step = rcp_step_of(d, instruction);
    if (!step)
        return;
    uint32_t n = step->reserve;
    if (step->kind == RCP_STEP_COPY)
        n = 2;
    else if (step->kind == RCP_STEP_FILL || step->kind == RCP_STEP_LEAVE)
        n = 1;
    if (n)
        rcp_emit(d, RCP_INS_SEGMENT, 0, 0, 0)->x = n;
}

static void decode_instruction(rcp_decoding *d, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    d->now = i;
    if (op == LLVMPHI || (op == LLVMICmp && rcp_is_fused(d, i)))
        return;
    emit_segment(d, i);
    size_t code = d->routine->code.len, fixups = d->fixups.len;
    d->refused = false;
    if (!rcp_decode_integer(d, i, op) && !rcp_decode_float(d, i, op) && !rcp_decode_memory(d, i, op) &&
        !rcp_decode_aggregate(d, i, op) && !rcp_decode_control(d, i, op)) {
        if (op == LLVMCall || op == LLVMInvoke)
            rcp_decode_call(d, i);
        else
            rcp_refuse_decode(d, "LLVM's instruction %d", (int)op);
    }
    if (!d->refused)
        return;
    d->routine->code.len = d->routine->origin.len = code;
    d->fixups.len = fixups;
    rcp_emit(d, RCP_INS_UNSUPPORTED, 0, 0, 0)->c = (int32_t)d->routine->texts.len;
    char *text = rcp_alloc(d->why.len + 1);
    memcpy(text, d->why.at, d->why.len + 1);
    rcp_vec_push(&d->routine->texts, text);
}

/* Slots for the arguments, then for every result. */
static void assign_slots(rcp_decoding *d) {
    LLVMValueRef function = d->routine->function;
    for (unsigned i = 0, n = LLVMCountParams(function); i < n; i++) {
        LLVMValueRef parameter = LLVMGetParam(function, i);
        rcp_map_set(&d->routine->slots, key_of(parameter),
                    (uint32_t)rcp_new_slots(d, rcp_slots_of(d, LLVMTypeOf(parameter))));
        rcp_vec_push(&d->routine->parameters, rcp_layout_of(d, LLVMTypeOf(parameter)));
    }
    d->routine->n_arguments = (uint32_t)d->next_slot;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            d->refused = false;
            uint32_t n = rcp_slots_of(d, LLVMTypeOf(i));
            if (n)
                rcp_map_set(&d->routine->slots, key_of(i), (uint32_t)rcp_new_slots(d, n));
        }
}

static void emit_frame(rcp_decoding *d) {
    rcp_frame_slots slots = {0};
    rcp_frame_slots_of(d->routine->function, d->data, &slots);
    for (size_t i = 0; i < slots.len; i++)
        rcp_vec_push(&d->routine->objects,
                     ((rcp_stack_object){rcp_slot(d, slots.at[i].value), LLVMIsAArgument(slots.at[i].value) != NULL,
                                         slots.at[i].size, slots.at[i].align}));
    if (slots.len)
        rcp_emit(d, RCP_INS_FRAME, 0, 0, 0);
    rcp_vec_finish(&slots);
}

static void take_constants(rcp_decoding *d) {
    rcp_routine *r = d->routine;
    r->n_constants = (uint32_t)d->pool.len;
    r->constants = rcp_alloc(r->n_constants ? r->n_constants * sizeof *r->constants : 1);
    for (uint32_t k = 0; k < r->n_constants; k++)
        r->constants[r->n_constants - 1 - k] = d->pool.at[k];
    r->n_slots = (uint32_t)d->next_slot;
}

void rcp_decode(rcp_routine *routine) {
    if (routine->decoded)
        return;
    rcp_decoding d = {.routine = routine, .unit = routine->unit, .data = routine->unit->layout};
    routine->key = routine->address ? routine->address : rcp_hash_bytes(routine->name, strlen(routine->name));
    rcp_map_init(&routine->slots);
    rcp_map_init(&d.constants);
    rcp_map_init(&d.words);
    rcp_map_init(&d.blocks);
    rcp_map_init(&d.step_index);
    rcp_steps_of(routine->function, &d.steps);
    for (size_t i = 0; i < d.steps.len; i++)
        rcp_map_set(&d.step_index, key_of(d.steps.at[i].instruction), (uint32_t)i);
    assign_slots(&d);
    emit_frame(&d);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(routine->function); b; b = LLVMGetNextBasicBlock(b)) {
        rcp_map_set(&d.blocks, key_of(b), (uint32_t)routine->code.len);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            decode_instruction(&d, i);
    }
    resolve_fixups(&d);
    take_constants(&d);
    rcp_map_finish(&d.constants);
    rcp_map_finish(&d.words);
    rcp_map_finish(&d.blocks);
    rcp_map_finish(&d.step_index);
    rcp_vec_finish(&d.pool);
    rcp_vec_finish(&d.steps);
    rcp_vec_finish(&d.fixups);
    rcp_text_finish(&d.why);
    routine->decoded = true;
}
