/* SPDX-License-Identifier: Apache-2.0 */
#include "program/reach/lives.h"

#include "program/ir/program.h"

#include <stdlib.h>

void rcp_lives_init(rcp_lives *lives, rcp_lives_listener *listener, void *context) {
    *lives = (rcp_lives){.listener = listener, .context = context};
    rcp_ranges_init(&lives->at);
    rcp_ranges_init(&lives->live);
    rcp_map_init(&lives->blocks);
    rcp_map_init(&lives->private_index);
}

void rcp_lives_finish(rcp_lives *lives) {
    rcp_ranges_finish(&lives->at);
    rcp_ranges_finish(&lives->live);
    rcp_vec_finish(&lives->begins);
    rcp_map_finish(&lives->blocks);
    rcp_vec_finish(&lives->sizes);
    rcp_vec_finish(&lives->zeroed);
    rcp_vec_finish(&lives->ended);
    rcp_vec_finish(&lives->is_heap);
    rcp_map_finish(&lives->private_index);
    rcp_vec_finish(&lives->privates);
}

uint32_t rcp_lives_stretch(const rcp_lives *lives, uint64_t address, uint64_t hi, uint64_t *upto) {
    uint32_t life = rcp_ranges_stretch(&lives->at, address, hi, upto);
    return life == RCP_RANGES_NONE ? 0 : life;
}

static void change(rcp_lives *lives, rcp_life_change c) {
    if (!c.size || !rcp_space_holds(c.address, c.size))
        return;
    c.lo = c.address & ~(uint64_t)(RCP_SPACE_GRANULE - 1);
    c.hi = (c.address + c.size + RCP_SPACE_GRANULE - 1) & ~(uint64_t)(RCP_SPACE_GRANULE - 1);
    RCP_CHECK(lives->count < RCP_RANGES_NONE - 1);
    c.number = ++lives->count;
    lives->listener(lives->context, &c);
    rcp_ranges_set(&lives->at, c.lo, c.hi, c.number);
}

void rcp_lives_allocate(rcp_lives *lives, const rcp_log_record *record) {
    uint32_t *index = rcp_map_at(&lives->blocks, record->address);
    bool is_zeroed = record->kind == RCP_ALLOC_ZEROED || record->kind == RCP_ALLOC_MAP;
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)lives->sizes.len;
        rcp_vec_push(&lives->sizes, record->size);
        rcp_vec_push(&lives->begins, record->address);
        rcp_vec_push(&lives->zeroed, is_zeroed);
        rcp_vec_push(&lives->ended, 0);
        rcp_vec_push(&lives->is_heap, false);
    } else {
        lives->sizes.at[*index] = record->size;
        lives->zeroed.at[*index] = is_zeroed;
    }
    lives->ended.at[*index] = 0;
    lives->is_heap.at[*index] = record->kind == RCP_ALLOC_HEAP || record->kind == RCP_ALLOC_ZEROED;
    if (record->size && rcp_space_holds(record->address, record->size))
        rcp_ranges_set(&lives->live, record->address, record->address + record->size, *index);
    change(lives,
           (rcp_life_change){
               .thread = record->thread, .address = record->address, .size = record->size, .is_zeroed = is_zeroed});
}

uint64_t rcp_lives_block_size(const rcp_lives *lives, uint64_t address) {
    uint32_t index = rcp_map_get(&lives->blocks, address);
    return index == RCP_MAP_NONE ? 0 : lives->sizes.at[index];
}

bool rcp_lives_is_zeroed(const rcp_lives *lives, uint64_t address) {
    uint32_t index = rcp_map_get(&lives->blocks, address);
    return index == RCP_MAP_NONE || !lives->sizes.at[index] || lives->zeroed.at[index];
}

bool rcp_lives_block_at(const rcp_lives *lives, uint64_t address, uint64_t *lo, uint64_t *hi) {
    uint32_t index = rcp_ranges_get(&lives->live, address);
    if (index == RCP_RANGES_NONE || !lives->sizes.at[index])
        return false;
    *lo = lives->begins.at[index];
    *hi = *lo + lives->sizes.at[index];
    return true;
}

void rcp_lives_free(rcp_lives *lives, const rcp_log_record *record) {
    uint32_t index = rcp_map_get(&lives->blocks, record->address);
    if (index == RCP_MAP_NONE)
        return;
    uint64_t size = lives->sizes.at[index];
    rcp_range other;
    if (!size) { /* a second free */
        size = lives->ended.at[index];
        bool is_taken = rcp_ranges_next(&lives->live, record->address, &other) && other.lo < record->address + size;
        size = is_taken ? 0 : size;
    }
    lives->sizes.at[index] = 0;
    lives->ended.at[index] = lives->is_heap.at[index] ? size : 0;
    if (size && rcp_space_holds(record->address, size))
        rcp_ranges_erase(&lives->live, record->address, record->address + size);
    change(lives, (rcp_life_change){.thread = record->thread, .address = record->address, .size = size, .frees = true});
}

void rcp_lives_slot(rcp_lives *lives, uint32_t thread, uint64_t slot, bool ends) {
    change(lives, (rcp_life_change){.thread = thread, .address = slot, .size = 1, .frees = ends, .is_zeroed = !ends});
}

void rcp_lives_private(rcp_lives *lives, uint32_t thread, uint64_t address, uint64_t size) {
    uint32_t *head = rcp_map_at(&lives->private_index, thread);
    for (uint32_t i = *head; i != RCP_MAP_NONE; i = lives->privates.at[i].next)
        if (lives->privates.at[i].lo <= address && address + size <= lives->privates.at[i].hi)
            return;
    struct rcp_private own = {address, address + size, *head};
    *head = (uint32_t)lives->privates.len;
    rcp_vec_push(&lives->privates, own);
    change(lives, (rcp_life_change){.thread = thread, .address = address, .size = size, .is_own = true});
}

void rcp_lives_thread_end(rcp_lives *lives, uint32_t thread) {
    uint32_t head = rcp_map_get(&lives->private_index, thread);
    if (head == RCP_MAP_NONE)
        return;
    rcp_map_remove(&lives->private_index, thread);
    for (uint32_t i = head; i != RCP_MAP_NONE; i = lives->privates.at[i].next) {
        const struct rcp_private own = lives->privates.at[i];
        change(lives, (rcp_life_change){
                          .thread = thread, .address = own.lo, .size = own.hi - own.lo, .frees = true, .is_own = true});
    }
}

static int by_address(const void *a, const void *b) {
    const rcp_thread_local *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* The thread-local variables lie close together: one life for those that touch the same few words. */
static void add_thread_locals(rcp_lives *lives, const rcp_machine *m, const rcp_strand *strand,
                              const rcp_log_record *record) {
    enum { NEAR = 16 };
    rcp_thread_locals found = {0};
    rcp_machine_thread_locals(m, record, &found);
    if (found.len)
        qsort(found.at, found.len, sizeof *found.at, by_address);
    for (size_t i = 0, k; i < found.len; i = k) {
        uint64_t hi = found.at[i].hi;
        for (k = i + 1; k < found.len && found.at[k].lo <= hi + NEAR; k++)
            hi = found.at[k].hi > hi ? found.at[k].hi : hi;
        if (hi > found.at[i].lo)
            rcp_lives_private(lives, strand->number, found.at[i].lo, hi - found.at[i].lo);
    }
    rcp_vec_finish(&found);
}

void rcp_lives_thread(rcp_lives *lives, const rcp_machine *machine, const rcp_strand *strand,
                      const rcp_log_record *record) {
    if (!strand->number) /* the main thread's is nobody's before it, and nobody's after it */
        return;
    if (record->room && record->room <= record->address)
        rcp_lives_private(lives, strand->number, record->address - record->room, record->room);
    rcp_range block;
    uint64_t lo = record->native_lo, hi = record->native_hi; /* the program may have given it a block of its own */
    if (lo < hi && !(rcp_ranges_next(&lives->live, lo, &block) && block.lo < hi))
        rcp_lives_private(lives, strand->number, lo, hi - lo);
    add_thread_locals(lives, machine, strand, record);
}
