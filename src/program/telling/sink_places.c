/* SPDX-License-Identifier: Apache-2.0 */
/* Source locations, stacks and names. An event costs two look-ups here: of its instruction, and of its activation. */
#include "base/hash.h"
#include "program/ir/steps.h"
#include "program/recording/plain_name.h"
#include "program/telling/sink_state.h"
#include "trace/model/own_place.h"

#include <ctype.h>
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

void rcp_sink_places_init(rcp_sink_places *places) {
    *places = (rcp_sink_places){0};
    rcp_map_init(&places->index);
    places->recent = rcp_alloc_zero(RCP_PLACES_RECENT, sizeof *places->recent);
    places->stacks = rcp_alloc_zero(RCP_PLACES_RECENT, sizeof *places->stacks);
    rcp_map_init(&places->blocks);
    rcp_declarations_init(&places->declared);
    rcp_ranges_init(&places->variables);
}

void rcp_sink_places_finish(rcp_sink_places *places) {
    rcp_map_finish(&places->index);
    rcp_release(places->recent);
    rcp_release(places->stacks);
    rcp_map_finish(&places->blocks);
    rcp_declarations_finish(&places->declared);
    rcp_vec_finish(&places->places);
    rcp_vec_finish(&places->inlined);
    rcp_ranges_finish(&places->variables);
    rcp_vec_finish(&places->named);
}

static rcp_str plain_name(rcp_defs *defs, const char *name) {
    char *plain = rcp_take_plain_name(name);
    rcp_str string = rcp_defs_string(defs, plain, strlen(plain));
    free(plain);
    return string;
}

rcp_str rcp_sink_callee(rcp_sink *sink, const char *name) {
    uint32_t *known = rcp_map_at(&sink->callees, rcp_hash_bytes(name, strlen(name)));
    if (*known == RCP_MAP_NONE)
        *known = plain_name(sink->defs, name).v;
    return (rcp_str){*known};
}

static uint8_t order_of(LLVMAtomicOrdering order) {
    switch (order) {
    case LLVMAtomicOrderingNotAtomic: return RCP_PLAIN;
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic: return RCP_RELAXED;
    case LLVMAtomicOrderingAcquire: return RCP_ACQ;
    case LLVMAtomicOrderingRelease: return RCP_REL;
    case LLVMAtomicOrderingAcquireRelease: return RCP_ACQ_REL;
    default: return RCP_SEQ_CST;
    }
}

static uint8_t order_at(LLVMValueRef origin) {
    if (!origin || !LLVMIsAInstruction(origin))
        return RCP_PLAIN;
    switch (LLVMGetInstructionOpcode(origin)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW: return order_of(LLVMGetOrdering(origin));
    case LLVMFence: /* atomic_signal_fence() is for the compiler alone */
        return LLVMIsAtomicSingleThread(origin) ? RCP_RELAXED : order_of(LLVMGetOrdering(origin));
    case LLVMAtomicCmpXchg: return order_of(LLVMGetCmpXchgSuccessOrdering(origin));
    default: return RCP_PLAIN;
    }
}

static bool is_volatile(LLVMValueRef origin) {
    return origin && (LLVMIsALoadInst(origin) || LLVMIsAStoreInst(origin)) && LLVMGetVolatile(origin);
}

/* The operands of a metadata node: LLVM-C has no getters for most of them. */
enum { SCOPE_OPERAND = 1, NAME_OPERAND = 2, LINKAGE_NAME_OPERAND = 3, OPERANDS_MAX = 32 };

static LLVMValueRef operand_of(LLVMContextRef context, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef operands[OPERANDS_MAX], value = LLVMMetadataAsValue(context, node);
    unsigned n = LLVMGetMDNodeNumOperands(value);
    if (i >= n || n > OPERANDS_MAX)
        return NULL;
    LLVMGetMDNodeOperands(value, operands);
    return operands[i];
}

/* The function that a scope is in, as its debug information names it. */
static rcp_str function_of(rcp_defs *defs, LLVMContextRef context, LLVMMetadataRef scope) {
    for (int depth = 0; scope && depth < 1000; depth++) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
        if (kind == LLVMDISubprogramMetadataKind) {
            for (unsigned i = LINKAGE_NAME_OPERAND; i >= NAME_OPERAND; i--) {
                LLVMValueRef name = operand_of(context, scope, i);
                unsigned len;
                const char *text = name ? LLVMGetMDString(name, &len) : NULL;
                if (text && len) /* MDStrings end with a NUL */
                    return plain_name(defs, text);
            }
            break;
        }
        if (kind != LLVMDILexicalBlockMetadataKind && kind != LLVMDILexicalBlockFileMetadataKind)
            break;
        LLVMValueRef outer = operand_of(context, scope, SCOPE_OPERAND);
        scope = outer ? LLVMValueAsMetadata(outer) : NULL;
    }
    return (rcp_str){0};
}

/* Compilers find their library's headers by way of their own directory: /usr/lib/gcc/TRIPLE/12/../../../../include/c++
 * is /usr/include/c++. What the user wrote, a path from where he compiled, stays as it is. */
static rcp_str path_of(rcp_defs *defs, const char *name, size_t len) {
    rcp_text path = {0};
    if (!len || *name != '/' || !strstr(name, "/../")) /* MDStrings end with a NUL */
        return rcp_defs_string(defs, name, len);
    for (const char *at = name; *at;) {
        size_t n = 1 + strcspn(at + 1, "/");
        if (n == 3 && !memcmp(at, "/..", 3)) {
            while (path.len && path.at[--path.len] != '/')
                ;
        } else
            rcp_text_add(&path, at, n);
        at += n;
    }
    rcp_str is = rcp_defs_string(defs, path.at, path.len);
    rcp_text_finish(&path);
    return is;
}

/* What the instruction accesses, where it is one object; a copy is of two. Of a call of the C++ library, for what. */
static rcp_str member_of(rcp_sink *sink, LLVMValueRef access) {
    LLVMValueRef pointer = NULL;
    LLVMTypeRef type = NULL;
    switch (LLVMGetInstructionOpcode(access)) {
    case LLVMLoad: pointer = LLVMGetOperand(access, 0), type = LLVMTypeOf(access); break;
    case LLVMStore: pointer = LLVMGetOperand(access, 1), type = LLVMTypeOf(LLVMGetOperand(access, 0)); break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: pointer = LLVMGetOperand(access, 0), type = LLVMTypeOf(LLVMGetOperand(access, 1)); break;
    case LLVMCall:
    case LLVMInvoke: break;
    default: return (rcp_str){0};
    }
    rcp_declarations *declared = &sink->places.declared;
    rcp_text name = {0};
    rcp_declarations_enter(declared, LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
    if (pointer)
        rcp_declarations_name(declared, pointer, LLVMABISizeOfType(declared->layout, type), &name);
    else
        rcp_declarations_name_called(declared, access, &name);
    rcp_str is = name.len ? rcp_defs_string(sink->defs, name.at, name.len) : (rcp_str){0};
    rcp_text_finish(&name);
    return is;
}

static rcp_loc location_of(rcp_defs *defs, LLVMMetadataRef debug, rcp_str function, rcp_str member) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(debug), file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned len = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &len) : NULL;
    return rcp_defs_location(defs, (rcp_location){.file = path_of(defs, name ? name : "", len),
                                                  .function = function,
                                                  .line = LLVMDILocationGetLine(debug),
                                                  .column = LLVMDILocationGetColumn(debug),
                                                  .member = member});
}

/* The address of a variable that goes with its thread is stored where others may find it: the report says how that is
 * declared. What a function keeps in its own variables is not told. */
static void note_lent(rcp_sink *sink, LLVMValueRef store, rcp_loc loc) {
    const rcp_location *at = &sink->defs->locations.at[loc.v];
    rcp_declarations *declared = &sink->places.declared;
    if (!LLVMIsAStoreInst(store) || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(store, 0))) != LLVMPointerTypeKind)
        return;
    rcp_declarations_enter(declared, LLVMGetBasicBlockParent(LLVMGetInstructionParent(store)));
    const rcp_own_variable to = rcp_declarations_own(declared, LLVMGetOperand(store, 1)),
                           is = rcp_declarations_own(declared, LLVMGetOperand(store, 0));
    LLVMMetadataRef file = is.variable && !to.variable ? LLVMDIVariableGetFile(is.variable) : NULL;
    unsigned len;
    const char *name = file ? LLVMDIFileGetFilename(file, &len) : NULL;
    if (!name || !LLVMDIVariableGetLine(is.variable))
        return;
    const rcp_str from = path_of(sink->defs, name, len);
    rcp_text said = {0};
    rcp_text_printf(&said, "%s\t", is.is_thread_local ? "thread_local" : "local");
    rcp_declarations_put_variable(declared, is.variable, &said);
    rcp_text_printf(&said, "\t%s\t%u\t%s\t%u\t%u", rcp_defs_borrow_string(sink->defs, from),
                    LLVMDIVariableGetLine(is.variable), rcp_defs_borrow_string(sink->defs, at->file), at->line,
                    at->column);
    rcp_defs_fact(sink->defs, RCP_LENT_FACT, said.at);
    rcp_text_finish(&said);
}

static bool keeps_in_facet(const rcp_routine *routine) { return rcp_outside_keeps_in_facet(routine->name); }

static rcp_place find_place(rcp_sink *sink, const rcp_routine *routine, const rcp_ins *ins) {
    rcp_sink_places *places = &sink->places;
    rcp_place place = {.first = (uint32_t)places->inlined.len};
    size_t at = (size_t)(ins - routine->code.at);
    LLVMValueRef origin = at < routine->code.len ? routine->origin.at[at] : NULL;
    rcp_str own = plain_name(sink->defs, routine->name);
    const size_t prefix = strlen(RCP_STEPS_STAND_IN); /* `recipe.5` is the linker's name for somebody's recipe() */
    place.stands_in = !strncmp(routine->name, RCP_STEPS_STAND_IN, prefix) && !isdigit((uint8_t)routine->name[prefix]);
    LLVMMetadataRef debug = origin && LLVMIsAInstruction(origin) ? LLVMInstructionGetDebugLoc(origin) : NULL;
    place.order = place.if_failed = order_at(origin);
    if (origin && LLVMIsAAtomicCmpXchgInst(origin))
        place.if_failed = order_of(LLVMGetCmpXchgFailureOrdering(origin));
    const rcp_opaque_file *said = sink->telling->reachable.file;
    if (place.order == RCP_PLAIN && said && said->is_volatile_atomic && is_volatile(origin))
        place.order = place.if_failed = RCP_RELAXED;
    if (place.order == RCP_PLAIN && keeps_in_facet(routine))
        place.order = place.if_failed = RCP_RELAXED;
    place.is_spared = origin && LLVMIsAInstruction(origin) &&
                      rcp_steps_is_spared(LLVMGetBasicBlockParent(LLVMGetInstructionParent(origin)));
    if (!debug) {
        place.loc = rcp_defs_location(sink->defs, (rcp_location){.function = own});
        return place;
    }
    LLVMContextRef context = LLVMGetModuleContext(routine->unit->module);
    RCP_VEC(LLVMMetadataRef) chain = {0};
    for (; debug; debug = LLVMDILocationGetInlinedAt(debug))
        rcp_vec_push(&chain, debug);
    for (size_t i = chain.len; i-- > 0;) {
        bool is_own = i + 1 == chain.len;
        rcp_str function = is_own ? own : function_of(sink->defs, context, LLVMDILocationGetScope(chain.at[i]));
        rcp_str member = i ? (rcp_str){0} : member_of(sink, origin);
        rcp_loc loc = location_of(sink->defs, chain.at[i], function, member);
        if (i)
            rcp_vec_push(&places->inlined, loc);
        else
            place.loc = loc;
    }
    place.count = (uint32_t)chain.len - 1;
    rcp_vec_finish(&chain);
    note_lent(sink, origin, place.loc);
    return place;
}

const rcp_place *rcp_sink_place_of(rcp_sink *sink, const rcp_routine *routine, const rcp_ins *ins) {
    rcp_sink_places *places = &sink->places;
    uint64_t key = (uint64_t)(uintptr_t)ins;
    rcp_recent_place *recent = &places->recent[key / sizeof *ins % RCP_PLACES_RECENT];
    if (recent->ins == ins)
        return &places->places.at[recent->index];
    uint32_t index = rcp_map_get(&places->index, key);
    if (index == RCP_MAP_NONE) {
        rcp_place place = find_place(sink, routine, ins);
        index = (uint32_t)places->places.len;
        rcp_map_set(&places->index, key, index);
        rcp_vec_push(&places->places, place);
    }
    *recent = (rcp_recent_place){ins, index};
    return &places->places.at[index];
}

static rcp_stack inline_stack(rcp_sink *sink, const rcp_place *place, rcp_stack under) {
    if (!place->count)
        return under;
    rcp_recent_stack *recent = &sink->places.stacks[(place->first + 31 * under.v) % RCP_PLACES_RECENT];
    if (recent->first != place->first || recent->count != place->count || recent->under.v != under.v) {
        *recent = (rcp_recent_stack){place->first, place->count, under, under};
        for (uint32_t i = 0; i < place->count; i++)
            recent->is = rcp_defs_stack(sink->defs, (rcp_frame){sink->places.inlined.at[place->first + i], recent->is});
    }
    return recent->is;
}

rcp_stack rcp_sink_stack_of(rcp_sink *sink, const rcp_strand *strand, const rcp_place *place) {
    rcp_sink_thread *thread = rcp_sink_thread_of(sink, strand->number);
    size_t n = strand->frames.len, known = n < thread->stacks.len ? n : thread->stacks.len;
    while (known && thread->stacks.at[known - 1].id != strand->frames.at[known - 1].id)
        known--;
    thread->stacks.len = known;
    for (size_t i = known; i < n; i++) {
        const rcp_activation *frame = &strand->frames.at[i];
        rcp_stack stack = {0};
        if (i && frame->back) {
            const rcp_place call = *rcp_sink_place_of(sink, strand->frames.at[i - 1].routine, frame->back);
            stack = inline_stack(sink, &call, thread->stacks.at[i - 1].stack);
            stack = rcp_defs_stack(sink->defs, (rcp_frame){call.loc, stack});
        }
        rcp_vec_push(&thread->stacks, ((rcp_known_stack){frame->id, stack}));
    }
    return inline_stack(sink, place, thread->stacks.at[n - 1 - place->stands_in].stack);
}

void rcp_sink_place_call(rcp_sink *sink, const rcp_strand *strand, rcp_place *place) {
    const size_t n = strand->frames.len;
    place->stands_in &= n > 1 && strand->frames.at[n - 1].back;
    if (!place->stands_in)
        return;
    const rcp_place call = *rcp_sink_place_of(sink, strand->frames.at[n - 2].routine, strand->frames.at[n - 1].back);
    place->loc = call.loc;
    place->first = call.first;
    place->count = call.count;
}

rcp_loc rcp_sink_own_place(rcp_sink *sink, const rcp_strand *strand) {
    if (!strand->frames.len || !strand->pc)
        return (rcp_loc){0};
    rcp_place place = *rcp_sink_place_of(sink, strand->frames.at[strand->frames.len - 1].routine, strand->pc);
    rcp_sink_place_call(sink, strand, &place);
    const rcp_event event = {.loc = place.loc, .stack = rcp_sink_stack_of(sink, strand, &place)};
    return rcp_own_place(sink->defs, &event);
}

void rcp_sink_variables_add(rcp_sink *sink, size_t first) {
    rcp_sink_places *places = &sink->places;
    const rcp_program *program = sink->machine->program;
    for (size_t u = first; u < program->units.len; u++) {
        const rcp_unit *unit = program->units.at[u];
        for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
            LLVMValueRef symbol = unit->symbols.symbols.at[i];
            uint64_t address = unit->addresses[i];
            if (!LLVMIsAGlobalVariable(symbol) || !address)
                continue;
            LLVMTypeRef type = LLVMGlobalGetValueType(symbol);
            uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(unit->layout, type) : 0;
            size_t len;
            const char *name = LLVMGetValueName2(symbol, &len);
            if (!size || !len || !rcp_space_holds(address, size) ||
                (LLVMIsDeclaration(symbol) && rcp_ranges_get(&places->variables, address) != RCP_RANGES_NONE))
                continue;
            rcp_sink_variable variable = {
                .name = name, .addr = address, .size = size, .is_defined = !LLVMIsDeclaration(symbol)};
            rcp_ranges_set(&places->variables, address, address + size, (uint32_t)places->named.len);
            rcp_vec_push(&places->named, variable);
        }
    }
}

void rcp_sink_name_of(const rcp_sink *sink, uint64_t address, char name[128]) {
    uint32_t index = rcp_ranges_get(&sink->places.variables, address);
    *name = 0;
    if (index == RCP_RANGES_NONE)
        return;
    const rcp_sink_variable *variable = &sink->places.named.at[index];
    char *text = rcp_take_plain_name(variable->name);
    if (address == variable->addr)
        snprintf(name, 128, "%.100s", text);
    else
        snprintf(name, 128, "%.100s+%" PRIu64, text, address - variable->addr);
    free(text);
}
