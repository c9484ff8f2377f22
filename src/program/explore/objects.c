/* SPDX-License-Identifier: Apache-2.0 */
/* What memory there is: globals, thread-local variables, blocks of the heap, stack objects of active functions. An
 * access is to one of them, from its first byte to its last, and to the one that its pointer was made from: C knows no
 * way from one object to the next. What was never written since malloc() holds nothing that a thread could rely on. */
#include "program/explore/state.h"

#include "program/ir/frame.h"

#include <string.h>

static void forget_found(rcp_exploring *x) { memset(x->found, 0, sizeof x->found); }

static uint32_t add_extent(rcp_exploring *x, uint64_t lo, uint64_t size, bool is_heap) {
    uint32_t index = (uint32_t)x->extents.len;
    forget_found(x);
    rcp_vec_push(&x->extents, ((rcp_explore_extent){lo, lo + size, is_heap, false, false}));
    if (size)
        rcp_ranges_set(&x->objects, lo, lo + size, index);
    return index;
}

static void add_unit(rcp_exploring *x, const rcp_unit *unit) {
    for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
        LLVMValueRef symbol = unit->symbols.symbols.at[i];
        if (!LLVMIsAGlobalVariable(symbol) || !unit->addresses[i])
            continue;
        LLVMTypeRef type = LLVMGlobalGetValueType(symbol);
        uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(unit->layout, type) : 0, upto;
        uint32_t known = rcp_ranges_stretch(&x->objects, unit->addresses[i], unit->addresses[i] + 1, &upto);
        bool is_known = known != RCP_RANGES_NONE && x->extents.at[known].lo == unit->addresses[i] &&
                        x->extents.at[known].hi >= unit->addresses[i] + size; /* another unit's declaration of it */
        size_t len;
        rcp_outside_variable variable = rcp_outside_variable_of(LLVMGetValueName2(symbol, &len));
        bool is_declared = LLVMIsDeclaration(symbol) && !LLVMIsGlobalConstant(symbol) && !LLVMIsThreadLocal(symbol) &&
                           variable == RCP_VARIABLE_OTHER;
        if (LLVMIsDeclaration(symbol) && variable == RCP_VARIABLE_POINTER)
            rcp_vec_push(&x->standard, unit->addresses[i]);
        if (size && !is_known) {
            known = add_extent(x, unit->addresses[i], size, false);
            x->extents.at[known].is_foreign = is_declared;
        }
        if (size)
            x->extents.at[known].is_foreign &= is_declared; /* some unit has it */
        if (size && LLVMIsGlobalConstant(symbol) && !LLVMIsDeclaration(symbol))
            x->extents.at[known].is_constant = true;
    }
}

bool rcp_explore_is_foreign(const rcp_exploring *x, uint64_t address) {
    uint32_t index = rcp_ranges_get(&x->objects, address);
    return index != RCP_RANGES_NONE && x->extents.at[index].is_foreign;
}

void rcp_explore_objects_part(rcp_exploring *x) {
    const rcp_program *program = x->run->m.program;
    for (; x->units < program->units.len; x->units++)
        add_unit(x, program->units.at[x->units]);
}

static void add_thread(rcp_exploring *x, const rcp_log_record *record) {
    rcp_explore_lane_of(x, record->thread)->bottom = record->address - record->room;
    rcp_thread_locals locals = {0};
    rcp_machine_thread_locals(&x->run->m, record, &locals);
    for (size_t i = 0; i < locals.len; i++)
        add_extent(x, locals.at[i].lo, locals.at[i].hi - locals.at[i].lo, false);
    rcp_vec_finish(&locals);
}

/* --- the heap --- */

uint64_t rcp_explore_block_size(const rcp_exploring *x, uint64_t address) {
    uint32_t index = rcp_map_get(&x->blocks, address);
    return index == RCP_MAP_NONE ? 0 : x->extents.at[index].hi - x->extents.at[index].lo;
}

bool rcp_explore_is_block(const rcp_exploring *x, uint64_t address) {
    uint32_t index = rcp_map_get(&x->blocks, address);
    return index != RCP_MAP_NONE && x->extents.at[index].is_heap;
}

bool rcp_explore_is_free(const rcp_exploring *x, uint64_t address, uint64_t size) {
    uint64_t upto;
    return !size || (rcp_ranges_stretch(&x->objects, address, address + size, &upto) == RCP_RANGES_NONE &&
                     upto == address + size);
}

bool rcp_explore_is_freed(const rcp_exploring *x, uint64_t address, uint64_t size) {
    uint64_t upto;
    return size &&
           (rcp_ranges_stretch(&x->freed, address, address + size, &upto) != RCP_RANGES_NONE || upto != address + size);
}

void rcp_explore_objects_done(rcp_exploring *x, const rcp_log_record *r) {
    if (r->tag == RCP_LOG_THREAD)
        add_thread(x, r);
    if (r->tag == RCP_LOG_PART)
        rcp_explore_objects_part(x);
    if (r->tag == RCP_LOG_ALIAS && !r->second)
        rcp_ranges_set(&x->seen, r->address, r->address + r->size, 0);
    else if (r->tag == RCP_LOG_ALIAS && x->phase != RCP_PHASE_NOTING)
        x->is_twofold = true;
    if (r->tag == RCP_LOG_ALLOC) {
        bool is_heap = r->kind == RCP_ALLOC_HEAP || r->kind == RCP_ALLOC_ZEROED;
        rcp_map_set(&x->blocks, r->address, add_extent(x, r->address, r->size, is_heap));
        if (r->size)
            rcp_ranges_erase(&x->freed, r->address, r->address + r->size);
        if (x->phase != RCP_PHASE_NOTING)
            rcp_explore_set_fresh(x, r->address, r->size, r->kind == RCP_ALLOC_HEAP || r->kind == RCP_ALLOC_MAP_FILE);
    }
    if (r->tag == RCP_LOG_FREE) {
        forget_found(x);
        uint64_t size = rcp_explore_block_size(x, r->address);
        if (size)
            rcp_ranges_erase(&x->objects, r->address, r->address + size);
        if (size && rcp_explore_is_block(x, r->address))
            rcp_ranges_set(&x->freed, r->address, r->address + size, 1);
        rcp_map_remove(&x->blocks, r->address);
    }
    if (r->tag == RCP_LOG_EFFECT || r->tag == RCP_LOG_FILL || r->tag == RCP_LOG_COPY)
        rcp_explore_forget_written(x, r->address, r->size);
    if (r->tag == RCP_LOG_MISS || r->tag == RCP_LOG_MISS_ZERO)
        rcp_explore_forget_written(x, r->address, 64);
    if (x->phase == RCP_PHASE_NOTING)
        return;
    if (r->tag == RCP_LOG_EFFECT || r->tag == RCP_LOG_FILL)
        rcp_explore_set_fresh(x, r->address, r->size, false);
    if (r->tag == RCP_LOG_COPY)
        rcp_explore_copy_fresh(x, r->address, r->second, r->size);
    if ((r->tag == RCP_LOG_MISS || r->tag == RCP_LOG_MISS_ZERO) && x->phase != RCP_PHASE_FREE)
        rcp_explore_set_fresh(x, r->address, 64, false);
}

/* --- what was never written: a bit per byte, in the marks of memory --- */

static uint32_t *mark_at(const rcp_exploring *x, uint64_t address, bool make) {
    if (!rcp_space_holds(address, 1))
        return NULL;
    rcp_space *space = x->run->m.space;
    uint8_t *at = make ? rcp_space_make(space, address) : rcp_space_at(space, address, 1);
    return at ? rcp_space_mark(at, address) : NULL;
}

void rcp_explore_set_fresh(rcp_exploring *x, uint64_t address, uint64_t size, bool fresh) {
    for (uint64_t at = address, next; at < address + size; at = next) {
        uint64_t begin = at & ~(uint64_t)(RCP_SPACE_GRANULE - 1);
        next = begin + RCP_SPACE_GRANULE < address + size ? begin + RCP_SPACE_GRANULE : address + size;
        uint32_t bits = (UINT32_C(1) << (next - begin)) - (UINT32_C(1) << (at - begin)), *mark = mark_at(x, at, fresh);
        if (mark)
            *mark = fresh ? *mark | bits : *mark & ~bits;
    }
}

bool rcp_explore_is_fresh(const rcp_exploring *x, uint64_t address, uint64_t size) {
    for (uint64_t at = address; at < address + size; at++) {
        const uint32_t *mark = mark_at(x, at, false);
        if (mark && *mark >> (at % RCP_SPACE_GRANULE) & 1)
            return true;
    }
    return false;
}

/* Padding is copied, too. */
void rcp_explore_copy_fresh(rcp_exploring *x, uint64_t to, uint64_t from, uint64_t size) {
    bool forward = to < from;
    for (uint64_t i = 0; i < size; i++) {
        uint64_t k = forward ? i : size - 1 - i;
        rcp_explore_set_fresh(x, to + k, 1, rcp_explore_is_fresh(x, from + k, 1));
    }
}

/* --- accesses --- */

/* Stack objects, of any thread: their addresses may have been handed on. */
static bool find_on_stack(const rcp_strand *t, uint64_t address, rcp_explore_extent *found) {
    for (size_t i = t->frames.len; i-- > 0;) {
        const rcp_activation *frame = &t->frames.at[i];
        for (size_t k = 0; k < frame->routine->objects.len; k++) {
            const rcp_stack_object *object = &frame->routine->objects.at[k];
            uint64_t at = frame->registers[object->slot];
            *found = (rcp_explore_extent){.lo = at, .hi = at + object->size};
            if (address >= at && address - at < object->size)
                return true;
        }
        /* what alloca() makes lies below these: its bounds are not known, but that it is the function's */
        uint64_t low = i + 1 < t->frames.len ? t->frames.at[i + 1].stack : t->stack;
        uint64_t pushed = frame->stack;
        for (size_t k = 0; k < frame->routine->objects.len; k++)
            pushed = rcp_frame_push(pushed, frame->routine->objects.at[k].size, frame->routine->objects.at[k].align);
        *found = (rcp_explore_extent){.lo = low, .hi = pushed};
        if (address >= low && address < pushed)
            return true;
    }
    return false;
}

/* The object that holds the byte. */
static bool find_object(const rcp_exploring *x, uint64_t address, rcp_explore_extent *found) {
    uint64_t upto;
    uint32_t index = rcp_ranges_stretch(&x->objects, address, address + 1, &upto);
    const rcp_machine *m = &x->run->m;
    if (index != RCP_RANGES_NONE) {
        *found = x->extents.at[index];
        return true;
    }
    if (find_on_stack(m->current, address, found))
        return true;
    for (size_t i = 0; i < m->strands.len; i++)
        if (m->strands.at[i] != m->current && find_on_stack(m->strands.at[i], address, found))
            return true;
    return false;
}

static bool is_within(const rcp_explore_extent *object, uint64_t address, uint64_t size) {
    return address >= object->lo && address <= object->hi && size <= object->hi - address;
}

bool rcp_explore_is_object(rcp_exploring *x, uint64_t address, uint64_t size) {
    rcp_explore_extent object, *found = &x->found[address >> 8 & (RCP_EXPLORE_FOUND - 1)];
    if (address >= found->lo && address < found->hi)
        return size <= found->hi - address;
    if (!rcp_space_holds(address, size))
        return false;
    const rcp_strand *t = x->run->m.current; /* its own stack, mostly: that comes and goes */
    if (t->frames.len && address >= t->stack && address < t->frames.at[0].stack && find_on_stack(t, address, &object))
        return is_within(&object, address, size);
    if (!find_object(x, address, &object))
        return false;
    uint64_t upto;
    if (rcp_ranges_stretch(&x->objects, address, address + 1, &upto) != RCP_RANGES_NONE)
        *found = object;
    return is_within(&object, address, size);
}

bool rcp_explore_is_constant(const rcp_exploring *x, uint64_t address) {
    uint64_t upto;
    uint32_t index = rcp_ranges_stretch(&x->objects, address, address + 1, &upto);
    return index != RCP_RANGES_NONE && x->extents.at[index].is_constant;
}

/* The pointer of an access's first or second stretch (a copy has two). */
static LLVMValueRef pointer_of(LLVMValueRef access, unsigned stretch) {
    return !access                                                              ? NULL
           : LLVMIsALoadInst(access)                                            ? LLVMGetOperand(access, 0)
           : LLVMIsAStoreInst(access)                                           ? LLVMGetOperand(access, 1)
           : LLVMIsAAtomicRMWInst(access) || LLVMIsAAtomicCmpXchgInst(access)   ? LLVMGetOperand(access, 0)
           : LLVMIsACallInst(access) && LLVMGetNumArgOperands(access) > stretch ? LLVMGetOperand(access, stretch)
                                                                                : NULL;
}

/* What the pointer was made from, through whatever indices. */
static LLVMValueRef root_of(LLVMValueRef at) {
    for (;;) {
        bool is_step = at && (LLVMIsAGetElementPtrInst(at) || LLVMIsABitCastInst(at) ||
                              (LLVMIsAConstantExpr(at) &&
                               (LLVMGetConstOpcode(at) == LLVMGetElementPtr || LLVMGetConstOpcode(at) == LLVMBitCast)));
        if (!is_step)
            return at;
        at = LLVMGetOperand(at, 0);
    }
}

static bool is_within_variable(const rcp_routine *routine, LLVMValueRef base, uint64_t address, uint64_t size) {
    uint64_t lo = LLVMIsThreadLocal(base) ? 0 : rcp_unit_address(routine->unit, base);
    LLVMTypeRef type = lo ? LLVMGlobalGetValueType(base) : NULL;
    if (!lo || !LLVMTypeIsSized(type) || LLVMIsDeclaration(base))
        return true;
    const rcp_explore_extent variable = {.lo = lo, .hi = lo + LLVMABISizeOfType(routine->unit->layout, type)};
    return is_within(&variable, address, size);
}

bool rcp_explore_is_within_base(const rcp_exploring *x, const rcp_strand *t, const rcp_ins *ins, unsigned stretch,
                                uint64_t address, uint64_t size) {
    const rcp_activation *frame = &t->frames.at[t->frames.len - 1];
    const rcp_routine *routine = frame->routine;
    LLVMValueRef root = root_of(pointer_of(routine->origin.at[ins - routine->code.at], stretch));
    if (!root || LLVMIsAIntToPtrInst(root))
        return true;
    if (LLVMIsAGlobalVariable(root))
        return is_within_variable(routine, root, address, size);
    uint32_t slot = rcp_map_get(&routine->slots, (uint64_t)(uintptr_t)root);
    if (slot == RCP_MAP_NONE)
        return true;
    uint64_t base = frame->registers[slot];
    rcp_explore_extent object, before;
    bool is_in = find_object(x, base, &object), is_behind = base && find_object(x, base - 1, &before);
    if (!is_in && !is_behind) /* nothing that we know */
        return true;
    return (is_in && is_within(&object, address, size)) ||
           (is_behind && before.hi == base && is_within(&before, address, size));
}
