/* SPDX-License-Identifier: Apache-2.0 */
/* Memory while events are executed: the life that each byte is in, and what each byte of that life holds.
 *
 * The naive model is one record (life, last writer, content) per byte. ALLOC and FREE and opaque calls cover ranges of
 * any length, so lives and what opaque calls left are kept as ranges; contents are kept in words of 8 bytes, made when
 * an access first touches them. A byte whose life has changed finds a fresh record: what one life holds is not seen in
 * another (M2).
 *
 * Lives and writers are numbers that the user chooses: 0 is the trace's beginning and the life's beginning.
 *
 * Invariant: at most one record per (word, life), and a record of a life that no byte of the word is in may be used
 * again for another. Owns everything; a cursor's word is borrowed until the next step.
 */
#ifndef RECIPE_TRACE_CHECK_MEMORY_H
#define RECIPE_TRACE_CHECK_MEMORY_H

#include "base/map.h"
#include "base/ranges.h"
#include "base/vec.h"

#include <stdbool.h>

typedef enum rcp_cell_state {
    RCP_CELL_FRESH,       /* untouched in this life: its initial contents */
    RCP_CELL_KNOWN,       /* `value` */
    RCP_CELL_AS_RECORDED, /* what `writer` left there when observed; no value was recorded */
    RCP_CELL_UNKNOWN,
} rcp_cell_state;

typedef struct rcp_word {
    uint64_t number; /* address / 8 */
    uint32_t life, next;
    uint32_t writer[8]; /* 0: the life's beginning */
    uint8_t value[8];
    uint8_t cell[8]; /* rcp_cell_state */
} rcp_word;

typedef struct rcp_memory {
    rcp_ranges lives;  /* what is not in it is in life 0 */
    rcp_ranges opaque; /* bytes that an opaque event wrote last and no access has touched since: its writer number */
    rcp_map heads;     /* word number -> the first of its records */
    RCP_VEC(rcp_word) words;
} rcp_memory;

void rcp_memory_init(rcp_memory *memory);
void rcp_memory_finish(rcp_memory *memory);
/* `memory` is not initialised. */
void rcp_memory_copy(rcp_memory *memory, const rcp_memory *from);

/* [lo, hi) begins a new life, which is above 0 and below UINT32_MAX. */
void rcp_memory_begin_life(rcp_memory *memory, uint64_t lo, uint64_t hi, uint32_t life);
/* An opaque event left [lo, hi) as only the recording knows. */
void rcp_memory_opaque(rcp_memory *memory, uint64_t lo, uint64_t hi, uint32_t writer);
/* The life at `addr`; it goes on at least to *upto, which is at most `hi`. */
uint32_t rcp_memory_life(const rcp_memory *memory, uint64_t addr, uint64_t hi, uint64_t *upto);

/* Goes over the bytes of an access, in stretches within one word and one life:
 *     rcp_cursor c = rcp_cursor_of(addr, size);
 *     while (rcp_memory_step(memory, &c)) … c.word->value[c.lane + i] is byte c.offset + i of the access, i < c.count
 */
typedef struct rcp_cursor {
    rcp_word *word;
    unsigned lane, count;
    uint64_t offset;
    uint32_t life;
    uint64_t begin, at, end, life_end;
} rcp_cursor;

static inline rcp_cursor rcp_cursor_of(uint64_t addr, uint64_t size) {
    return (rcp_cursor){.begin = addr, .at = addr, .end = addr + size, .life_end = addr};
}
bool rcp_memory_step(rcp_memory *memory, rcp_cursor *cursor);

#endif
