/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/memory.h"

#include "base/status.h"

enum { LANES = 8 };

void rcp_memory_init(rcp_memory *memory) {
    *memory = (rcp_memory){0};
    rcp_ranges_init(&memory->lives);
    rcp_ranges_init(&memory->opaque);
    rcp_map_init(&memory->heads);
}

void rcp_memory_finish(rcp_memory *memory) {
    rcp_ranges_finish(&memory->lives);
    rcp_ranges_finish(&memory->opaque);
    rcp_map_finish(&memory->heads);
    rcp_vec_finish(&memory->words);
}

void rcp_memory_copy(rcp_memory *memory, const rcp_memory *from) {
    rcp_ranges_copy(&memory->lives, &from->lives);
    rcp_ranges_copy(&memory->opaque, &from->opaque);
    rcp_map_copy(&memory->heads, &from->heads);
    rcp_vec_copy(&memory->words, &from->words);
}

uint32_t rcp_memory_life(const rcp_memory *memory, uint64_t addr, uint64_t hi, uint64_t *upto) {
    uint32_t life = rcp_ranges_stretch(&memory->lives, addr, hi, upto);
    return life == RCP_RANGES_NONE ? 0 : life;
}

void rcp_memory_begin_life(rcp_memory *memory, uint64_t lo, uint64_t hi, uint32_t life) {
    RCP_CHECK(life && life != RCP_RANGES_NONE);
    if (lo == hi)
        return;
    rcp_ranges_set(&memory->lives, lo, hi, life);
    if (memory->opaque.live)
        rcp_ranges_erase(&memory->opaque, lo, hi);
}

void rcp_memory_opaque(rcp_memory *memory, uint64_t lo, uint64_t hi, uint32_t writer) {
    rcp_ranges_set(&memory->opaque, lo, hi, writer);
}

/* Is any byte of the word in the record's life? */
static bool in_use(const rcp_memory *memory, const rcp_word *word) {
    uint64_t lo = word->number * LANES;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t life = rcp_ranges_get(&memory->lives, lo + lane);
        if ((life == RCP_RANGES_NONE ? 0 : life) == word->life)
            return true;
    }
    return false;
}

/* The record of this word and life. A new one takes the place of one that is out of use, so a chain never has more than
 * one record per byte and one to be used again: memory grows with the words, not with the lives. */
static rcp_word *record(rcp_memory *memory, uint64_t number, uint32_t life) {
    uint32_t *head = rcp_map_at(&memory->heads, number);
    for (uint32_t i = *head; i != RCP_MAP_NONE; i = memory->words.at[i].next)
        if (memory->words.at[i].life == life)
            return &memory->words.at[i];
    for (uint32_t i = *head; i != RCP_MAP_NONE; i = memory->words.at[i].next) {
        rcp_word *word = &memory->words.at[i];
        if (!in_use(memory, word)) {
            *word = (rcp_word){.number = number, .life = life, .next = word->next};
            return word;
        }
    }
    RCP_CHECK(memory->words.len < RCP_MAP_NONE);
    rcp_vec_push(&memory->words, ((rcp_word){.number = number, .life = life, .next = *head}));
    *head = (uint32_t)(memory->words.len - 1);
    return &memory->words.at[*head];
}

/* Moves what an opaque event left in [at, at + count) into the record. */
static void settle(rcp_memory *memory, const rcp_cursor *c, uint64_t lo) {
    uint64_t hi = lo + c->count, upto;
    for (uint64_t at = lo; at < hi; at = upto) {
        uint32_t writer = rcp_ranges_stretch(&memory->opaque, at, hi, &upto);
        if (writer == RCP_RANGES_NONE)
            continue;
        for (uint64_t byte = at; byte < upto; byte++) {
            c->word->writer[byte % LANES] = writer;
            c->word->cell[byte % LANES] = RCP_CELL_AS_RECORDED;
        }
        rcp_ranges_erase(&memory->opaque, at, upto);
    }
}

bool rcp_memory_step(rcp_memory *memory, rcp_cursor *c) {
    if (c->at == c->end)
        return false;
    if (c->at == c->life_end)
        c->life = rcp_memory_life(memory, c->at, c->end, &c->life_end);
    c->lane = (unsigned)(c->at % LANES);
    uint64_t rest = c->life_end - c->at;
    c->count = rest < LANES - c->lane ? (unsigned)rest : LANES - c->lane;
    c->offset = c->at - c->begin;
    c->word = record(memory, c->at / LANES, c->life);
    if (memory->opaque.live)
        settle(memory, c, c->at);
    c->at += c->count;
    return true;
}
