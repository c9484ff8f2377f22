/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/reachable.h"

#include "base/limits.h"
#include "outside/outside.h"
#include "trace/check/barriers.h"

#include <string.h>

enum {
    WHOLE_FRAME = (1 << 20) - 1, /* of a key: no object that the routine lists */
    REGION = 32,                 /* bits of an address within a region */
    REGIONS = 1 << (48 - REGION)
};
#define KEY_BLOCK    (UINT64_C(1) << 62)
#define KEY_STACK    (UINT64_C(1) << 63)
#define KEY_BODY     (UINT64_C(1) << 61)
#define KEY_LOCAL    (UINT64_C(1) << 60)
#define KEY_FOREIGN  (RCP_REACH_BEYOND + 2)
#define KEY_CONST    UINT64_MAX
#define ADDRESS_BITS ((UINT64_C(1) << 48) - 1)

void rcp_reachable_init(rcp_reachable *r, const rcp_machine *machine, const rcp_lives *lives) {
    *r = (rcp_reachable){.machine = machine, .lives = lives, .lowest = UINT64_MAX};
    rcp_bodies_init(&r->bodies, machine->program);
    rcp_ranges_init(&r->globals);
    rcp_ranges_init(&r->locals);
    rcp_map_init(&r->handles);
    rcp_map_init(&r->cluster_of);
    rcp_map_init(&r->seen);
    rcp_trees_init(&r->trees);
}

void rcp_reachable_finish(rcp_reachable *r) {
    rcp_bodies_finish(&r->bodies);
    rcp_ranges_finish(&r->globals);
    rcp_ranges_finish(&r->locals);
    rcp_vec_finish(&r->thread_locals);
    rcp_vec_finish(&r->local_of);
    rcp_map_finish(&r->handles);
    rcp_map_finish(&r->cluster_of);
    rcp_map_finish(&r->seen);
    for (size_t i = 0; i < r->clusters.len; i++)
        rcp_vec_finish(&r->clusters.at[i].objects);
    rcp_vec_finish(&r->clusters);
    rcp_vec_finish(&r->variables);
    rcp_vec_finish(&r->libraries);
    rcp_vec_finish(&r->said);
    rcp_vec_finish(&r->handed);
    rcp_vec_finish(&r->belongings);
    rcp_vec_finish(&r->found);
    rcp_vec_finish(&r->constants);
    rcp_vec_finish(&r->specific);
    rcp_vec_finish(&r->threads);
    rcp_trees_finish(&r->trees);
}

/* Can libraries name the variable? */
static bool is_for_libraries(const rcp_program *program, LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
           LLVMGetVisibility(global) != LLVMHiddenVisibility &&
           rcp_linked_is_shared(&program->linked, LLVMGetValueName(global));
}

/* Functions that libraries can name, and that are neither recorded nor have a body to look at; thread-local variables
 * that they can. */
static bool has_strangers(rcp_reachable *r) {
    const rcp_program *program = r->machine->program;
    for (size_t u = 0; u < program->units.len; u++)
        for (size_t i = 0; i < program->units.at[u]->symbols.tls.len; i++) {
            LLVMValueRef global = program->units.at[u]->symbols.tls.at[i];
            if (!LLVMIsDeclaration(global) && is_for_libraries(program, global))
                return true;
        }
    for (size_t i = 0; program->units.len && i < program->linked.functions.len; i++) {
        const char *name = program->linked.functions.at[i];
        if (!rcp_program_named(program, program->units.at[0], name) &&
            !rcp_bodies_find(&r->bodies, program->units.at[0], name))
            return true;
    }
    return false;
}

void rcp_reachable_part(rcp_reachable *r, size_t first) {
    const rcp_program *program = r->machine->program;
    rcp_bodies_part(&r->bodies, first);
    for (size_t u = first; u < program->units.len; u++) {
        const rcp_unit *unit = program->units.at[u];
        for (size_t i = 0; i < unit->symbols.symbols.len; i++) {
            LLVMValueRef global = unit->symbols.symbols.at[i];
            uint64_t at = unit->addresses[i];
            if (!LLVMIsAGlobalVariable(global) || !at)
                continue;
            LLVMTypeRef type = LLVMGlobalGetValueType(global);
            uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(unit->layout, type) : 0;
            bool is_constant = LLVMIsGlobalConstant(global) || rcp_program_is_constant(program, at);
            rcp_reached_object object = {at, at + (size ? size : 1), is_constant ? KEY_CONST : at};
            bool is_known = rcp_ranges_get(&r->globals, at) != RCP_RANGES_NONE;
            r->lowest = at < r->lowest ? at : r->lowest;
            bool is_librarys = LLVMIsDeclaration(global) ? !is_known : is_for_libraries(program, global);
            if (is_librarys && object.key != KEY_CONST)
                rcp_vec_push(&r->libraries, object);
            if (LLVMIsDeclaration(global) && is_known)
                continue; /* its definition has said more */
            rcp_ranges_set(&r->globals, object.lo, object.hi, (uint32_t)r->variables.len);
            rcp_vec_push(&r->variables, object);
        }
    }
    r->has_strangers = has_strangers(r);
}

void rcp_reachable_thread(rcp_reachable *r, const rcp_log_record *record) {
    rcp_thread_locals locals = {0};
    rcp_machine_thread_locals(r->machine, record, &locals);
    for (size_t i = 0; i < locals.len; i++) {
        uint64_t lo = locals.at[i].lo, hi = locals.at[i].hi;
        uint32_t index = (uint32_t)r->thread_locals.len;
        if (!rcp_space_holds(lo, hi - lo))
            continue;
        rcp_ranges_set(&r->locals, lo, hi, index);
        rcp_vec_push(&r->thread_locals, ((rcp_reached_object){lo, hi, KEY_LOCAL | index}));
        rcp_vec_push(&r->local_of, record->thread);
    }
    rcp_vec_finish(&locals);
}

void rcp_reachable_thread_end(rcp_reachable *r, uint32_t thread) {
    for (uint32_t i = 0; i < r->local_of.len; i++)
        if (r->local_of.at[i] == thread && rcp_ranges_get(&r->locals, r->thread_locals.at[i].lo) == i)
            rcp_ranges_erase(&r->locals, r->thread_locals.at[i].lo, r->thread_locals.at[i].hi);
}

void rcp_reachable_handle(rcp_reachable *r, uint64_t word, uint32_t number) {
    if (word)
        rcp_map_set(&r->handles, word, number);
    else
        r->is_handleless = true;
}

void rcp_reachable_say(rcp_reachable *r, uint32_t thread, uint64_t lo, uint64_t hi) {
    if (r->said_by != thread)
        r->said.len = 0;
    r->said_by = thread;
    rcp_vec_push(&r->said, ((rcp_span){lo, hi}));
}

void rcp_reachable_hand(rcp_reachable *r, uint64_t word) { rcp_vec_push(&r->handed, word); }

void rcp_reachable_belongs(rcp_reachable *r, rcp_span member) { rcp_vec_push(&r->belongings, member); }

void rcp_reachable_keep(rcp_reachable *r, uint32_t thread, uint64_t word) {
    rcp_vec_push(&r->specific, ((rcp_specific){thread, word}));
}

bool rcp_reachable_is_left_out(const rcp_reachable *r, uint64_t address) {
    return rcp_map_get(&r->bodies.by_address, address) != RCP_MAP_NONE;
}

static bool stack_object(const rcp_strand *strand, uint64_t address, rcp_reached_object *object) {
    if (!strand->frames.len || address < strand->stack || address >= strand->frames.at[0].stack)
        return false;
    size_t low = 0, high = strand->frames.len - 1; /* frames go down: the last one that begins above the address */
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (strand->frames.at[middle].stack > address)
            low = middle;
        else
            high = middle - 1;
    }
    const rcp_activation *frame = &strand->frames.at[low];
    for (size_t i = 0; i < frame->routine->objects.len; i++) {
        const rcp_stack_object *o = &frame->routine->objects.at[i];
        uint64_t at = frame->registers[o->slot];
        if (address >= at && address - at < (o->size ? o->size : 1)) {
            *object = (rcp_reached_object){at, at + (o->size ? o->size : 1), KEY_STACK | frame->id << 20 | i};
            return true;
        }
    }
    uint64_t bottom = low + 1 < strand->frames.len ? strand->frames.at[low + 1].stack : strand->stack;
    *object = (rcp_reached_object){bottom, frame->stack, KEY_STACK | frame->id << 20 | WHOLE_FRAME};
    return bottom < frame->stack;
}

bool rcp_reachable_object_at(const rcp_reachable *r, uint64_t address, rcp_reached_object *object) {
    uint32_t global = rcp_ranges_get(&r->globals, address);
    if (global != RCP_RANGES_NONE) {
        *object = r->variables.at[global];
        return true;
    }
    uint32_t local = rcp_ranges_get(&r->locals, address);
    if (local != RCP_RANGES_NONE) {
        *object = r->thread_locals.at[local];
        return true;
    }
    uint64_t lo, hi;
    if (rcp_lives_block_at(r->lives, address, &lo, &hi)) {
        uint64_t upto;
        *object = (rcp_reached_object){lo, hi, KEY_BLOCK | rcp_lives_stretch(r->lives, lo, lo + 1, &upto)};
        return true;
    }
    for (size_t i = 0; i < r->machine->strands.len; i++)
        if (stack_object(r->machine->strands.at[i], address, object))
            return true;
    return false;
}

bool rcp_reachable_is_object(const rcp_reachable *r, const rcp_strand *strand, uint64_t address) {
    rcp_reached_object object;
    bool is_own = strand->frames.len && address >= strand->stack && address < strand->frames.at[0].stack;
    return !is_own && rcp_reachable_object_at(r, address, &object);
}

uint64_t rcp_reachable_end(const rcp_reachable *r, uint64_t address) {
    rcp_reached_object object;
    return rcp_reachable_object_at(r, address, &object) ? object.hi : 0;
}

bool rcp_reachable_leads_out(const rcp_reachable *r, uint64_t lo, uint64_t hi, int steps) {
    uint64_t most = rcp_limit(RCP_LIMIT_STREAM_BYTES);
    hi = hi - lo > most ? lo + most : hi;
    for (uint64_t at = (lo + 7) & ~UINT64_C(7); at + 8 <= hi; at += 8) {
        uint64_t word = 0;
        rcp_reached_object object;
        rcp_space_read(r->machine->space, at, &word, sizeof word);
        if (word < RCP_SPACE_PAGE || !rcp_space_holds(word, 1))
            continue;
        if (rcp_reachable_is_left_out(r, word) ||
            (steps > 1 && (word < lo || word >= hi) && rcp_reachable_object_at(r, word, &object) &&
             rcp_reachable_leads_out(r, object.lo, object.hi, steps - 1)))
            return true;
    }
    return false;
}

bool rcp_reachable_is_constant(const rcp_reachable *r, uint64_t address) {
    uint32_t global = rcp_ranges_get(&r->globals, address);
    return global != RCP_RANGES_NONE && r->variables.at[global].key == KEY_CONST;
}

static uint32_t root_of(rcp_reachable *r, uint32_t cluster) {
    while (r->clusters.at[cluster].parent != cluster)
        cluster = r->clusters.at[cluster].parent = r->clusters.at[r->clusters.at[cluster].parent].parent;
    return cluster;
}

static void add_object(rcp_reachable *r, rcp_reached_object object) {
    bool is_constant = object.key == KEY_CONST;
    uint32_t *seen = rcp_map_at(&r->seen, is_constant ? object.lo : object.key);
    if (*seen != RCP_MAP_NONE)
        return;
    *seen = 1;
    if (is_constant)
        rcp_vec_push(&r->constants, object);
    else
        rcp_vec_push(&r->found, object);
}

bool rcp_reachable_is_same(const rcp_reachable *r, const rcp_reached_object *object) {
    rcp_reached_object now;
    return object->lo >= RCP_REACH_BEYOND || (rcp_reachable_object_at(r, object->lo, &now) && now.key == object->key);
}

/* What has been in reach together with it, and is still there. */
static void add_cluster(rcp_reachable *r, uint64_t key) {
    uint32_t index = rcp_map_get(&r->cluster_of, key);
    if (index == RCP_MAP_NONE)
        return;
    rcp_cluster *cluster = &r->clusters.at[root_of(r, index)];
    size_t kept = 0;
    for (size_t i = 0; i < cluster->objects.len; i++)
        if (rcp_reachable_is_same(r, &cluster->objects.at[i])) {
            add_object(r, cluster->objects.at[i]);
            cluster->objects.at[kept++] = cluster->objects.at[i];
        } else {
            rcp_map_remove(&r->cluster_of, cluster->objects.at[i].key);
        }
    cluster->objects.len = kept;
}

static void join_cluster(rcp_reachable *r, uint32_t *into, rcp_reached_object object) {
    uint32_t index = rcp_map_get(&r->cluster_of, object.key);
    if (index == RCP_MAP_NONE) {
        rcp_map_set(&r->cluster_of, object.key, *into);
        rcp_vec_push(&r->clusters.at[*into].objects, object);
        return;
    }
    uint32_t root = root_of(r, index);
    if (root == *into)
        return;
    rcp_cluster *from = &r->clusters.at[root], *to = &r->clusters.at[*into];
    for (size_t i = 0; i < from->objects.len; i++)
        rcp_vec_push(&to->objects, from->objects.at[i]);
    rcp_vec_finish(&from->objects);
    from->parent = *into;
}

static void keep_together(rcp_reachable *r) {
    if (!r->found.len)
        return;
    uint32_t into = RCP_MAP_NONE;
    for (size_t i = 0; i < r->found.len && into == RCP_MAP_NONE; i++) {
        uint32_t index = rcp_map_get(&r->cluster_of, r->found.at[i].key);
        into = index == RCP_MAP_NONE ? RCP_MAP_NONE : root_of(r, index);
    }
    if (into == RCP_MAP_NONE) {
        into = (uint32_t)r->clusters.len;
        rcp_vec_push(&r->clusters, ((rcp_cluster){.parent = into}));
    }
    for (size_t i = 0; i < r->found.len; i++)
        join_cluster(r, &into, r->found.at[i]);
}

uint64_t rcp_reachable_key(const rcp_reachable *r) { return r->found.len ? r->found.at[0].key : 0; }

void rcp_reachable_made(rcp_reachable *r, uint64_t key, uint64_t address) {
    rcp_reached_object block;
    uint32_t index = rcp_map_get(&r->cluster_of, key);
    if (index == RCP_MAP_NONE || !rcp_reachable_object_at(r, address, &block))
        return; /* it keeps nothing */
    uint32_t into = root_of(r, index);
    join_cluster(r, &into, block);
}

static void add_beyond(rcp_reachable *r, uint64_t key) { add_object(r, (rcp_reached_object){key, key + 1, key}); }

/* Nobody knows with what of it: with all that the system keeps, but for what it was seen not to use. */
static void add_system(rcp_reachable *r) {
    const uint64_t signals = RCP_REACH_KERNEL + RCP_OBJECT_HANDLERS, after = RCP_REACH_KERNEL + RCP_OBJECT_TIMERS + 1;
    uint64_t end = r->spares_signals ? signals : RCP_REACH_LIBRARY;
    add_object(r, (rcp_reached_object){RCP_REACH_KERNEL, end, RCP_REACH_KERNEL});
    if (r->spares_signals)
        add_object(r, (rcp_reached_object){after, RCP_REACH_LIBRARY, after});
}
_Static_assert(RCP_OBJECT_TIMERS == RCP_OBJECT_HANDLERS + 1, "what signals are about is one stretch");

static bool add_word(rcp_reachable *r, uint64_t word);

/* What the thread keeps for itself, and code that is not recorded may ask for. */
static void add_specific(rcp_reachable *r) {
    uint64_t own = RCP_REACH_OWN + r->strand->number;
    add_object(r, (rcp_reached_object){own, own + 1, own});
    for (size_t i = 0; i < r->specific.len; i++)
        if (r->specific.at[i].thread == r->strand->number)
            (void)add_word(r, r->specific.at[i].word);
}

/* Code that is not recorded may be run: what it names is in reach. */
static void add_body(rcp_reachable *r, const rcp_body *body) {
    uint32_t *seen = rcp_map_at(&r->seen, KEY_BODY | (uint64_t)(uintptr_t)body);
    if (*seen != RCP_MAP_NONE)
        return;
    *seen = 1;
    r->is_everything |= body->reaches_everything || (body->reaches_libraries && r->has_strangers);
    r->is_system |= body->reaches_system;
    r->is_library |= body->reaches_libraries;
    r->sees_ends |= body->sees_ends;
    r->calls_pointers |= body->calls_pointers;
    r->keeps |= body->keeps;
    r->follows |= body->follows || body->reaches_libraries || body->reaches_specific;
    for (size_t i = 0; i < body->globals.len; i++) {
        rcp_reached_object object;
        if (rcp_reachable_object_at(r, body->globals.at[i].lo, &object))
            add_object(r, object);
        else
            r->is_everything = true;
    }
    for (size_t i = 0; i < body->locals.len; i++) {
        size_t number = body->locals.at[i];
        uint64_t at = number < r->strand->thread_locals.len ? r->strand->thread_locals.at[number] : 0;
        rcp_reached_object object;
        if (at && rcp_reachable_object_at(r, at, &object))
            add_object(r, object);
        else
            r->is_everything = true;
    }
    if (body->reaches_specific || body->reaches_libraries)
        add_specific(r);
    /* By a pointer that such code has put somewhere, unseen, it may call any function whose address is taken. */
    r->is_called_back |= body->reaches_libraries;
}

static void note_region(rcp_reachable *r, uint64_t lo, uint64_t last) {
    for (uint64_t i = lo >> REGION; i <= last >> REGION && i < REGIONS; i++)
        r->regions[i / 64] |= UINT64_C(1) << i % 64;
}

static void note_regions(rcp_reachable *r, const rcp_ranges *objects) {
    rcp_range range;
    for (uint64_t at = 0; rcp_ranges_next(objects, at, &range); at = (((range.hi - 1) >> REGION) + 1) << REGION)
        note_region(r, range.lo, range.hi - 1);
}

/* Most words of a large object are numbers. Which regions of memory have objects at all says so of nearly all. */
static void find_regions(rcp_reachable *r) {
    memset(r->regions, 0, sizeof r->regions);
    note_regions(r, &r->globals);
    note_regions(r, &r->locals);
    note_regions(r, &r->lives->live);
    for (size_t i = 0; i < r->machine->strands.len; i++)
        if (r->machine->strands.at[i]->frames.len)
            note_region(r, r->machine->strands.at[i]->stack, r->machine->strands.at[i]->frames.at[0].stack);
    r->has_regions = true;
}

/* In an object, or at its end? False only where neither can be. */
static bool may_be_object(const rcp_reachable *r, uint64_t word) {
    uint64_t here = word >> REGION, before = (word - 1) >> REGION;
    return !r->has_regions || ((r->regions[here / 64] >> here % 64 | r->regions[before / 64] >> before % 64) & 1);
}

/* True: it leads somewhere. A mark in the bits that no address has is taken off; the end of an object leads to it. */
static bool add_word(rcp_reachable *r, uint64_t word) {
    rcp_reached_object object;
    word &= ADDRESS_BITS;
    if (word < RCP_SPACE_PAGE || !rcp_space_holds(word, 1))
        return false;
    uint32_t number = rcp_map_get(&r->handles, word);
    if (number != RCP_MAP_NONE) {
        for (size_t i = 0; i < r->threads.len; i++)
            if (r->threads.at[i] == number)
                return true;
        rcp_vec_push(&r->threads, number);
        return true;
    }
    const rcp_body *body = rcp_bodies_at(&r->bodies, word);
    r->has_function |= rcp_map_get(&r->machine->program->foreign, word) != RCP_MAP_NONE;
    if (body)
        add_body(r, body);
    else if (may_be_object(r, word) &&
             (rcp_reachable_object_at(r, word, &object) || rcp_reachable_object_at(r, word - 1, &object)))
        add_object(r, object);
    else if (rcp_space_at(r->machine->space, word, 1) && !rcp_program_at(r->machine->program, word) &&
             rcp_map_get(&r->machine->program->foreign, word) == RCP_MAP_NONE &&
             !rcp_program_is_constant(r->machine->program, word)) /* a vtable keeps nothing */
        r->is_foreign = true;
    else
        return false;
    return true;
}

static bool follow(void *context, uint64_t word) { return add_word(context, word); }

static bool has_trees(const rcp_reachable *r) { return r->file && r->file->has_trees; }

/* May a word that begins at any of LOOK bytes be an address from `lowest` on? Many at once: compilers make vectors of
 * it. */
enum { LOOK = 64 };
static bool looks_like_pointers(const rcp_reachable *r, const uint8_t *bytes) {
    unsigned floor = r->lowest >> 40 < 256 ? (unsigned)(r->lowest >> 40) : 255, any = 0;
    for (size_t i = 0; i < LOOK; i++)
        any |= (unsigned)(bytes[i + 5] >= floor) & (unsigned)!(bytes[i + 6] | bytes[i + 7]);
    return any;
}

static void add_words_of(rcp_reachable *r, const rcp_reached_object *object) {
    enum { LARGE = 4096 };
    if (!r->has_regions && object->hi - object->lo >= LARGE)
        find_regions(r);
    if (has_trees(r)) {
        uint64_t key = object->key == KEY_CONST ? object->lo : object->key;
        rcp_trees_walk(&r->trees, r->machine->space, key, object->lo, object->hi, follow, r);
        return;
    }
    for (uint64_t at = object->lo; at + 8 <= object->hi;) {
        uint64_t end = (at | (RCP_SPACE_PAGE - 1)) + 1;
        const uint8_t *bytes = rcp_space_at(r->machine->space, at, 1);
        if (!bytes) {
            at = end;
            continue;
        }
        end = end < object->hi ? end : object->hi;
        for (; at + 8 <= end; at++, bytes++) {
            uint64_t word, next;
            if (at % 8 == 0 && end - at >= LOOK + 8 && !looks_like_pointers(r, bytes)) {
                for (size_t i = 0; i < LOOK; i += 8)
                    if (memcpy(&word, bytes + i, 8), word)
                        (void)add_word(r, word);
                at += LOOK - 1, bytes += LOOK - 1;
                continue;
            }
            memcpy(&word, bytes, 8);
            /* most of large objects is zero: no word that begins among these eight bytes is anything else */
            if (!word && end - at >= 16 && (memcpy(&next, bytes + 8, 8), !next)) {
                at += 7, bytes += 7;
                continue;
            }
            /* packed structs have pointers anywhere; that far off it must look like one */
            if (word && (at % 8 == 0 || (word >= r->lowest && word <= ADDRESS_BITS)))
                (void)add_word(r, word);
        }
        for (; at < end && at + 8 <= object->hi; at++) { /* across pages */
            uint64_t word = 0;
            rcp_space_read(r->machine->space, at, &word, sizeof word);
            if (word >= r->lowest && word <= ADDRESS_BITS)
                (void)add_word(r, word);
        }
    }
}

/* Recorded code was lent, or has returned, a pointer to memory that is no object: most often the stack of code that is
 * not recorded, which nobody tells of. That is in reach, and what recorded code has left there, as far as a variable
 * may go. */
static void add_lent(rcp_reachable *r, uint64_t word) {
    const uint64_t before = rcp_limit(RCP_LIMIT_LENT_BEFORE) & ~UINT64_C(7), after = rcp_limit(RCP_LIMIT_LENT_AFTER);
    rcp_reached_object object;
    (void)add_word(r, word);
    if (word < RCP_SPACE_PAGE || !rcp_space_holds(word, after) || rcp_reachable_object_at(r, word, &object))
        return;
    uint64_t lo = (word & ~UINT64_C(7)) - before, end = lo + before + after;
    add_object(r, (rcp_reached_object){lo, end, lo});
    for (uint64_t at = lo; at < end; at += 8) {
        const uint8_t *bytes = rcp_space_at(r->machine->space, at, 8);
        uint64_t found = 0;
        if (bytes)
            memcpy(&found, bytes, 8);
        if (found)
            (void)add_word(r, found);
    }
}

static void add_callbacks(rcp_reachable *r) {
    if (!r->is_called_back || r->was_called_back)
        return;
    r->was_called_back = true;
    for (size_t i = 0; i < r->bodies.functions.len; i++)
        add_body(r, rcp_bodies_of(&r->bodies, i));
}

/* What leads on is a pointer that the code takes out of memory. Where none of the bodies that may run does (`follows`),
 * every address that they use is made of a word that they were given or a variable that they name, and so lies in that
 * object: nothing else is touched, whatever the object's words are. Bodies are all known by now, or what adds one later
 * (a library that calls back) follows itself. */
static bool close_over(rcp_reachable *r) {
    uint64_t bytes = 0;
    for (size_t i = 0, k = 0; i < r->found.len || k < r->constants.len;) {
        bool is_constant = k < r->constants.len;
        const rcp_reached_object object = is_constant ? r->constants.at[k++] : r->found.at[i++];
        bytes += object.hi - object.lo;
        bool is_many = r->found.len > rcp_limit(RCP_LIMIT_REACH_OBJECTS);
        if (is_many || bytes > rcp_limit(RCP_LIMIT_REACH_BYTES)) { /* that is everything */
            rcp_limit_reached(is_many ? RCP_LIMIT_REACH_OBJECTS : RCP_LIMIT_REACH_BYTES);
            return false;
        }
        if (!is_constant && r->follows)
            add_cluster(r, object.key);
        if (object.lo < RCP_REACH_BEYOND && r->follows)
            add_words_of(r, &object);
        add_callbacks(r);
        if (r->is_everything)
            return false;
        if (r->is_library)
            add_beyond(r, RCP_REACH_LIBRARY);
        if (r->is_foreign)
            add_beyond(r, KEY_FOREIGN);
        if (object.key == RCP_REACH_LIBRARY)
            for (size_t l = 0; l < r->libraries.len; l++)
                add_object(r, r->libraries.at[l]);
    }
    return true;
}

static void begin(rcp_reachable *r, const rcp_strand *strand) {
    rcp_map_finish(&r->seen);
    rcp_map_init(&r->seen);
    r->strand = strand;
    r->found.len = r->constants.len = r->threads.len = 0;
    r->is_system = r->is_library = r->is_foreign = r->keeps = r->follows = r->is_everything = r->sees_ends = false;
    r->calls_pointers = r->has_function = false;
    r->is_called_back = r->was_called_back = r->has_regions = false;
    for (size_t i = 0; i < r->said.len && r->said_by == strand->number; i++) {
        rcp_span s = r->said.at[i];
        rcp_reached_object object;
        add_object(r, rcp_reachable_object_at(r, s.lo, &object) ? object : (rcp_reached_object){s.lo, s.hi, s.lo});
    }
}

bool rcp_reachable_find(rcp_reachable *r, const rcp_unit *unit, const char *name, uint64_t pointer,
                        const rcp_strand *strand, const uint64_t *words, size_t n) {
    begin(r, strand);
    const rcp_opaque_rule *rule = rcp_opaque_file_find(r->file, name);
    const rcp_body *body = pointer ? rcp_bodies_at(&r->bodies, pointer) : NULL;
    if (!body)
        body = rcp_bodies_find(&r->bodies, unit, name);
    if (rule) {
        r->is_everything = rule->is_everything;
        r->is_system = rule->blocks;
        r->keeps = rule->keeps;
        r->follows = true;
    } else if (body) {
        add_body(r, body);
    } else {
        bool is_librarys = rcp_bodies_is_foreign(&r->bodies, name) ||
                           (pointer && rcp_exports_has_code(&r->machine->program->exports, pointer));
        r->is_everything = !is_librarys || r->has_strangers;
        r->is_called_back = true;
        r->is_system = r->is_library = r->keeps = r->follows = r->sees_ends = true;
        add_specific(r);
    }
    for (size_t i = 0; i < n; i++)
        if (!rule || i >= 32 || rule->arguments >> i & 1)
            (void)add_word(r, words[i]);
    for (size_t i = 0; i < r->handed.len; i++)
        if (!rule)
            add_lent(r, r->handed.at[i]);
    r->handed.len = 0;
    add_callbacks(r);
    if (r->is_library)
        add_beyond(r, RCP_REACH_LIBRARY);
    if (r->is_foreign)
        add_beyond(r, KEY_FOREIGN);
    if (r->is_everything || !close_over(r))
        return false;
    if (r->keeps && !has_trees(r))
        keep_together(r);
    if (r->is_system) /* after that: what the system keeps holds no pointers */
        add_system(r);
    return true;
}

bool rcp_reachable_given(rcp_reachable *r, const rcp_strand *strand, const uint64_t *words, size_t n, bool is_stream) {
    begin(r, strand);
    r->is_everything = r->has_strangers;
    r->is_system = r->is_library = is_stream;
    r->follows = true;
    for (size_t i = 0; i < n; i++)
        (void)add_word(r, words[i]);
    for (size_t i = 0; i < r->belongings.len; i++) {
        rcp_span member = r->belongings.at[i];
        rcp_reached_object object;
        add_object(r, rcp_reachable_object_at(r, member.lo, &object)
                          ? object
                          : (rcp_reached_object){member.lo, member.hi, member.lo});
    }
    r->belongings.len = 0;
    if (r->is_library)
        add_beyond(r, RCP_REACH_LIBRARY);
    if (r->is_foreign)
        add_beyond(r, KEY_FOREIGN);
    if (r->is_everything || !close_over(r))
        return false;
    if (r->is_system)
        add_system(r);
    return true;
}

bool rcp_reachable_alone(rcp_reachable *r, const rcp_strand *strand, const uint64_t *words, size_t n) {
    begin(r, strand);
    r->is_everything = r->has_strangers;
    for (size_t i = 0; i < n; i++) {
        rcp_reached_object object;
        if (!rcp_space_holds(words[i], 1) || !rcp_reachable_object_at(r, words[i], &object))
            (void)add_word(r, words[i]);
        else if (object.key != KEY_CONST)
            rcp_vec_push(&r->found, ((rcp_reached_object){words[i], object.hi, object.key}));
    }
    for (size_t i = 0; i < r->belongings.len; i++)
        rcp_vec_push(&r->found, ((rcp_reached_object){r->belongings.at[i].lo, r->belongings.at[i].hi, 0}));
    r->belongings.len = 0;
    if (r->is_foreign)
        add_beyond(r, KEY_FOREIGN);
    return !r->is_everything;
}
