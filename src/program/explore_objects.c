/* SPDX-License-Identifier: Apache-2.0 */
/* What memory there is: globals, thread-local variables, blocks of the heap, stack objects of active functions. An
 * access is to one of them, from its first byte to its last. */
#include "program/explore_state.h"

#include "base/varint.h"
#include "program/frame.h"

#define GLOBAL 1
#define MAPPED 2
#define BLOCK  3

static void add_unit(rcp_exploring *x, const rcp_unit *unit) {
    for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
        LLVMValueRef symbol = unit->symbols.symbols.at[i];
        if (!LLVMIsAGlobalVariable(symbol) || !unit->addresses[i])
            continue;
        LLVMTypeRef type = LLVMGlobalGetValueType(symbol);
        uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(unit->layout, type) : 0;
        if (size)
            rcp_ranges_set(&x->objects, unit->addresses[i], unit->addresses[i] + size, GLOBAL);
    }
}

void rcp_explore_objects_part(rcp_exploring *x) {
    const rcp_program *program = x->run->m.program;
    for (; x->units < program->units.len; x->units++)
        add_unit(x, program->units.at[x->units]);
}

static void add_thread_locals(rcp_exploring *x, const rcp_log_record *record) {
    const rcp_program *program = x->run->m.program;
    RCP_VEC(uint64_t) addresses = {0};
    const uint8_t *at = record->bytes;
    for (uint64_t i = 0, address = 0; i < record->size && at; i++) {
        at = rcp_varint_get(at, record->end, &address);
        rcp_vec_push(&addresses, address);
    }
    for (size_t u = 0; u < program->units.len; u++) {
        const rcp_unit *unit = program->units.at[u];
        for (size_t i = 0; !unit->is_late && i < unit->symbols.tls.len; i++) {
            uint64_t lo = unit->tls_base + i < addresses.len ? addresses.at[unit->tls_base + i] : 0;
            uint64_t size = LLVMABISizeOfType(unit->layout, LLVMGlobalGetValueType(unit->symbols.tls.at[i]));
            if (lo && size)
                rcp_ranges_set(&x->objects, lo, lo + size, GLOBAL);
        }
    }
    rcp_vec_finish(&addresses);
}

uint64_t rcp_explore_block_size(const rcp_exploring *x, uint64_t address) {
    uint32_t index = rcp_map_get(&x->blocks, address);
    return index == RCP_MAP_NONE ? 0 : x->sizes.at[index];
}

bool rcp_explore_is_free(const rcp_exploring *x, uint64_t address, uint64_t size) {
    uint64_t upto;
    return !size || (rcp_ranges_stretch(&x->objects, address, address + size, &upto) == RCP_RANGES_NONE &&
                     upto == address + size);
}

void rcp_explore_objects_done(rcp_exploring *x, const rcp_log_record *r) {
    if (r->tag == RCP_LOG_THREAD)
        add_thread_locals(x, r);
    if (r->tag == RCP_LOG_PART)
        rcp_explore_objects_part(x);
    if (r->tag == RCP_LOG_ALLOC && r->size) {
        uint32_t *index = rcp_map_at(&x->blocks, r->address);
        if (*index == RCP_MAP_NONE) {
            *index = (uint32_t)x->sizes.len;
            rcp_vec_push(&x->sizes, 0);
        }
        x->sizes.at[*index] = r->size;
        bool is_heap = r->kind == RCP_ALLOC_HEAP || r->kind == RCP_ALLOC_ZEROED;
        rcp_ranges_set(&x->objects, r->address, r->address + r->size, is_heap ? BLOCK + *index : MAPPED);
    }
    uint64_t size = r->tag == RCP_LOG_FREE ? rcp_explore_block_size(x, r->address) : 0;
    if (size) {
        rcp_ranges_erase(&x->objects, r->address, r->address + size);
        x->sizes.at[rcp_map_get(&x->blocks, r->address)] = 0;
    }
}

/* Stack objects, of any thread: their addresses may have been handed on. */
static bool is_on_stack(const rcp_strand *t, uint64_t address, uint64_t size) {
    for (size_t i = t->frames.len; i-- > 0;) {
        const rcp_activation *frame = &t->frames.at[i];
        for (size_t k = 0; k < frame->routine->objects.len; k++) {
            const rcp_stack_object *object = &frame->routine->objects.at[k];
            uint64_t at = frame->registers[object->slot];
            if (address >= at && address - at <= object->size && size <= object->size - (address - at))
                return true;
        }
        /* what alloca() makes lies below these: its bounds are not known, but that it is the function's */
        uint64_t low = i + 1 < t->frames.len ? t->frames.at[i + 1].stack : t->stack;
        uint64_t pushed = frame->stack;
        for (size_t k = 0; k < frame->routine->objects.len; k++)
            pushed = rcp_frame_push(pushed, frame->routine->objects.at[k].size, frame->routine->objects.at[k].align);
        if (address >= low && address < pushed && size <= pushed - address)
            return true;
    }
    return false;
}

bool rcp_explore_is_object(rcp_exploring *x, uint64_t address, uint64_t size) {
    uint64_t upto;
    if (!rcp_space_holds(address, size))
        return false;
    uint32_t what = rcp_ranges_stretch(&x->objects, address, address + size, &upto);
    if (what != RCP_RANGES_NONE)
        return upto == address + size;
    const rcp_machine *m = &x->run->m;
    if (is_on_stack(m->current, address, size))
        return true;
    for (size_t i = 0; i < m->strands.len; i++)
        if (m->strands.at[i] != m->current && is_on_stack(m->strands.at[i], address, size))
            return true;
    return false;
}

/* The variable that an access names, through whatever indices; NULL: it has its address from elsewhere. */
static LLVMValueRef base_of(LLVMValueRef access) {
    LLVMValueRef at = !access                    ? NULL
                      : LLVMIsALoadInst(access)  ? LLVMGetOperand(access, 0)
                      : LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 1)
                                                 : NULL;
    while (at && !LLVMIsAGlobalVariable(at)) {
        bool is_step = LLVMIsAGetElementPtrInst(at) || LLVMIsABitCastInst(at) ||
                       (LLVMIsAConstantExpr(at) &&
                        (LLVMGetConstOpcode(at) == LLVMGetElementPtr || LLVMGetConstOpcode(at) == LLVMBitCast));
        at = is_step ? LLVMGetOperand(at, 0) : NULL;
    }
    return at;
}

bool rcp_explore_is_within_base(const rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    const rcp_routine *routine = t->frames.at[t->frames.len - 1].routine;
    LLVMValueRef base = base_of(routine->origin.at[ins - routine->code.at]);
    uint64_t lo = base && !LLVMIsThreadLocal(base) ? rcp_unit_address(routine->unit, base) : 0;
    LLVMTypeRef type = lo ? LLVMGlobalGetValueType(base) : NULL;
    if (!lo || !LLVMTypeIsSized(type) || LLVMIsDeclaration(base))
        return true;
    uint64_t whole = LLVMABISizeOfType(routine->unit->layout, type);
    return address >= lo && address - lo <= whole && size <= whole - (address - lo);
}
