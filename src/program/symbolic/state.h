/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of symbolic: what they share. Terms are bare ids here, 0 being 'a constant'. */
#ifndef RECIPE_PROGRAM_SYMBOLIC_STATE_H
#define RECIPE_PROGRAM_SYMBOLIC_STATE_H

#include "base/map.h"
#include "program/symbolic/marks.h"
#include "program/symbolic/ops.h"
#include "program/symbolic/teller.h"

/* The terms of a granule's contents: byte i is byte lane[i] of term[i]; term 0: it is what memory has. */
typedef struct rcp_cell {
    uint32_t term[RCP_SPACE_GRANULE];
    uint8_t lane[RCP_SPACE_GRANULE];
} rcp_cell;

/* An unknown value: this bit, and how often its thread had pinned what such values hang on (rcp_symbolic_settle())
 * before it was made. Those of earlier times are constants. A value is used by the thread that made it alone: memory
 * that others touch is shared, and what is handed to another thread is pinned. */
#define RCP_SYMBOLIC_UNKNOWN (UINT32_C(1) << 31)

/* What unknown values hang on, to be pinned where one of them decides something. */
typedef struct rcp_awaited {
    uint32_t term;
    uint64_t value;
} rcp_awaited;

/* Up to 8 bytes that a thread has read of shared memory. */
typedef struct rcp_symbol {
    rcp_eid read;
    uint32_t offset, size;
    uint64_t value;
} rcp_symbol;

/* A thread's unknown values, and what it has read, for whoever may look at all of that (rcp_symbolic_pin_all()). */
typedef struct rcp_symbolic_thread {
    RCP_VEC(rcp_awaited) awaited;
    uint32_t settled;          /* how often rcp_symbolic_settle() was called */
    bool has_read;             /* since a branch on all that it has read was told */
    RCP_VEC(rcp_symbol) since; /* reads since all was pinned the last time; bare bytes are not among them */
    bool has_bare;             /* it has read bytes that nobody has written */
    bool has_used; /* and may have done more with them than to move them; or `since` lacks something. It stays so. */
} rcp_symbolic_thread;

/* A load instruction and its number: few are at work at a time. */
enum { RCP_READS_RECENT = 1 << 8 };
typedef struct rcp_recent_read {
    const rcp_ins *ins;
    uint32_t number;
} rcp_recent_read;

struct rcp_symbolic {
    rcp_space *space;
    rcp_teller teller;
    rcp_terms *terms;        /* the teller's */
    RCP_VEC(rcp_cell) cells; /* number 0 is none */
    RCP_VEC(uint32_t) free_cells;
    RCP_VEC(uint16_t) depths;    /* of each term, up to the limit */
    RCP_VEC(uint32_t) pinned_by; /* of each term: 2 * (thread number + 1) of the last one that awaits it; + 1: pinned */
    RCP_VEC(rcp_symbolic_thread) threads; /* by number */
    rcp_map reads;                        /* load instruction → read_counts */
    RCP_VEC(uint32_t) read_counts;        /* the symbols that it has made */
    rcp_recent_read *recent;              /* some of `reads`, each where its address says */
    rcp_map bare;                         /* read events of bytes that nobody had written → 1 + the thread */
    rcp_map bare_terms;                   /* terms over these → 1 + the thread */
    RCP_VEC(uint64_t) bare_bits;          /* a bit for each term: is it in `bare_terms`? */
    struct rcp_override *override;        /* NULL: none */
    uint16_t deepest;                     /* the limits symbolic-depth, -reads, -plenty and -terms */
    uint32_t most_reads;
    uint64_t plenty, most_terms;
    bool is_tight, is_full; /* the last but one is reached; the last one is */
};

rcp_symbolic_thread *rcp_symbolic_thread_made(rcp_symbolic *s, uint32_t number);
static inline rcp_symbolic_thread *rcp_symbolic_thread_of(rcp_symbolic *s, const rcp_strand *t) {
    return t->number < s->threads.len ? &s->threads.at[t->number] : rcp_symbolic_thread_made(s, t->number);
}

static inline bool rcp_symbolic_is_unknown(uint32_t term) { return term & RCP_SYMBOLIC_UNKNOWN; }

static inline rcp_eid rcp_symbolic_add(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins, rcp_event *event) {
    if (s->is_full && rcp_event_reads(event))
        rcp_symbolic_thread_of(s, t)->has_read = true;
    return s->teller.add(s->teller.context, t, ins, event);
}
static inline rcp_eid rcp_symbolic_next_at(const rcp_symbolic *s, uint64_t address) {
    return s->teller.next_at(s->teller.context, address);
}

/* --- terms (symbolic.c) --- */

static inline rcp_term rcp_symbolic_term(uint32_t id) { return (rcp_term){id}; }
static inline unsigned rcp_symbolic_width(const rcp_symbolic *s, uint32_t term) {
    RCP_DCHECK(!rcp_symbolic_is_unknown(term));
    return rcp_term_borrow(s->terms, rcp_symbolic_term(term))->width;
}
/* The term in exactly `width` bits, cut or extended with zeros; of a constant (term 0) `value`. An unknown value stays
 * one, here and in rcp_symbolic_extract(). */
rcp_term rcp_symbolic_fit(rcp_symbolic *s, uint32_t term, uint64_t value, unsigned width);
/* Any operator; the result's depth is kept. */
uint32_t rcp_symbolic_make(rcp_symbolic *s, rcp_op op, unsigned width, rcp_term a, rcp_term b, rcp_term c);
uint32_t rcp_symbolic_extract(rcp_symbolic *s, uint32_t term, unsigned low, unsigned width);
/* A slot as one bit: is it not 0? */
rcp_term rcp_symbolic_bit(rcp_symbolic *s, uint32_t term, uint64_t value);

/* The symbol of what a read event has at `offset`; unknown, where the load instruction may make no more. */
uint32_t rcp_symbolic_symbol(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins, rcp_eid read, uint32_t offset,
                             uint32_t size, uint64_t value);

/* --- unknown values (symbolic/unknown.c) --- */

/* What the thread's unknown values hang on is pinned: from here on they are constants. */
void rcp_symbolic_settle(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins);
/* The same by a branch on all that the thread has read. */
void rcp_symbolic_settle_all(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins);
/* The term, or 0 where it is that of an unknown value which is a constant by now. */
static inline uint32_t rcp_symbolic_now(rcp_symbolic *s, const rcp_strand *t, uint32_t term) {
    bool is_over =
        rcp_symbolic_is_unknown(term) && (term & ~RCP_SYMBOLIC_UNKNOWN) < rcp_symbolic_thread_of(s, t)->settled;
    return is_over ? 0 : term;
}
/* An unknown value that hangs on the term, too; 0: on nothing more. */
uint32_t rcp_symbolic_await(rcp_symbolic *s, const rcp_strand *t, uint32_t term, uint64_t value);
/* Is the result of `n` operands, in these slots, unknown? Then it hangs on all of them, and *result is its term. Deep
 * operands become unknown. */
bool rcp_symbolic_mixes_unknown(rcp_symbolic *s, const rcp_strand *t, const uint64_t *R, uint32_t *T,
                                const int32_t *slots, unsigned n, uint32_t *result);
static inline bool rcp_symbolic_mixes(rcp_symbolic *s, const rcp_strand *t, const uint64_t *R, uint32_t *T,
                                      const int32_t *slots, unsigned n, uint32_t *result) {
    return (s->is_tight || s->is_full) && rcp_symbolic_mixes_unknown(s, t, R, T, slots, n, result);
}
/* The operand in the slot decides something: unless it has a real term, it is a constant from here on. `T`: the terms
 * of the innermost activation. */
void rcp_symbolic_decides_with(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T, int32_t slot);
static inline void rcp_symbolic_decides(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T, int32_t slot) {
    if (T[slot])
        rcp_symbolic_decides_with(s, t, ins, T, slot);
}

/* --- bytes that nobody has written (symbolic/bare.c) --- */

/* Of shared memory: how many of `size` bytes from `address` on are all bare (rcp_teller), or all not? */
uint64_t rcp_symbolic_bare_run(rcp_symbolic *s, uint64_t address, uint64_t size, bool *is_bare);
/* A read that the thread has had, of `size` bytes. Are they bare, so that they say nothing? */
void rcp_symbolic_note_read(rcp_symbolic *s, const rcp_strand *t, rcp_eid read, const uint8_t *bytes, uint64_t size,
                            bool is_bare);
/* A term was made of others (0: none), which it is returned for. */
uint32_t rcp_symbolic_note_made(rcp_symbolic *s, rcp_op op, uint32_t made, const uint32_t from[3]);
/* Which bytes of a term, `size` (at most 8) from byte `lane` on, are copies of bare ones: a bit each. Of an unknown
 * value none is. */
uint8_t rcp_symbolic_bare_bytes(const rcp_symbolic *s, uint32_t term, uint32_t lane, uint32_t size);
/* How many of `size` bytes of a granule, from its byte `at` on, are alike in a mask of bytes? */
static inline uint32_t rcp_symbolic_alike(uint8_t mask, uint32_t at, uint32_t size) {
    uint32_t n = 1;
    while (n < size && (mask >> (at + n) & 1) == (mask >> at & 1))
        n++;
    return n;
}

/* Tells a branch: `cond` was `value`. */
void rcp_symbolic_tell(rcp_symbolic *s, const rcp_strand *t, const rcp_ins *ins, uint32_t cond, uint64_t value);

/* Of an atomic operation; 0: terms have no word for it (symbolic/rows.c). */
uint32_t rcp_symbolic_binary(rcp_symbolic *s, rcp_binary op, rcp_scalar scalar, rcp_term a, rcp_term b);

/* --- memory (symbolic/memory.c) --- */

/* The mark of the granule at `address`; NULL: there is no page, so nothing is known of it. */
static inline uint32_t *rcp_symbolic_mark(const rcp_symbolic *s, uint64_t address) {
    return rcp_mark_at(s->space, address);
}
static inline bool rcp_symbolic_is_shared(const rcp_symbolic *s, uint64_t address) {
    return rcp_mark_is_shared(s->space, address);
}
static inline rcp_cell *rcp_symbolic_cell(rcp_symbolic *s, const uint32_t *mark) {
    return mark && *mark && !(*mark & RCP_SYMBOLIC_SHARED) ? &s->cells.at[*mark] : NULL;
}
/* How many of `size` bytes from `address` lie within its granule. */
static inline uint32_t rcp_symbolic_piece(uint64_t address, uint64_t size) {
    uint64_t room = RCP_SPACE_GRANULE - address % RCP_SPACE_GRANULE;
    return (uint32_t)(size < room ? size : room);
}
/* The cell of a granule that is not shared, made if need be. */
rcp_cell *rcp_symbolic_make_cell(rcp_symbolic *s, uint64_t address);
/* The term of bytes [at, at + size) of a cell; `bytes` are what memory has. 0: constants. */
uint32_t rcp_symbolic_cell_term(rcp_symbolic *s, const rcp_strand *t, const rcp_cell *cell, uint32_t at, uint32_t size,
                                const uint8_t *bytes);
/* The term of an access's address, `offset` bytes into it; `T` NULL: it is pinned already. */
rcp_term rcp_symbolic_address(rcp_symbolic *s, const rcp_ins *ins, const uint32_t *T, uint64_t offset);
/* The terms of `size` bytes that are read, piece by piece, into `terms`; returns the number of pieces. An override
 * changes `bytes`. */
uint32_t rcp_symbolic_load_pieces(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T,
                                  uint64_t address, uint32_t size, bool is_event, uint8_t *bytes, uint32_t *terms);
/* Up to 8 bytes with one term. */
void rcp_symbolic_store_pieces(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T, uint64_t address,
                               uint32_t size, const uint8_t *bytes, uint32_t term);
/* A write of up to 8 shared bytes. */
void rcp_symbolic_write(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint32_t size,
                        const uint8_t *bytes, rcp_term by, uint32_t term);

#endif
