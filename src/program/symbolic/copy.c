/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, fills, and what code outside reads and writes: any number of bytes, told in runs. */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include "base/limits.h"

#include <string.h>

/* From `address` on, at most `size` bytes that are all shared, or all not. */
static uint64_t run_of(const rcp_symbolic *s, uint64_t address, uint64_t size, bool *shared) {
    *shared = rcp_symbolic_is_shared(s, address);
    uint64_t n = rcp_symbolic_piece(address, size);
    while (n < size && n < RCP_ACCESS_MAX - RCP_SPACE_GRANULE && rcp_symbolic_is_shared(s, address + n) == *shared)
        n += rcp_symbolic_piece(address + n, size - n);
    return n;
}

/* An event over the bytes that memory has now. */
static rcp_eid tell_run(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, rcp_kind kind, uint64_t address,
                        uint64_t size) {
    rcp_event event = {.kind = (uint8_t)kind, .valued = 1, .addr = address, .size = (uint32_t)size};
    uint8_t *bytes = NULL;
    if (size <= 8)
        rcp_space_read(s->space, address, &event.value, size);
    else {
        bytes = rcp_alloc(size);
        rcp_space_read(s->space, address, bytes, size);
        event.bytes = bytes;
    }
    rcp_eid id = rcp_symbolic_add(s, t, ins, &event);
    rcp_release(bytes);
    return id;
}

static rcp_eid tell_read(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size,
                         bool is_bare) {
    rcp_eid read = tell_run(s, t, ins, RCP_READ, address, size);
    if (!s->teller.bare)
        return read;
    uint8_t *bytes = rcp_alloc(size);
    rcp_space_read(s->space, address, bytes, size);
    rcp_symbolic_note_read(s, t, read, bytes, size, is_bare);
    rcp_release(bytes);
    return read;
}

static uint64_t word_at(const rcp_symbolic *s, uint64_t address, uint32_t size) {
    uint64_t word = 0;
    rcp_space_read(s->space, address, &word, size);
    return word;
}

/* What a run's read had is kept. */
static void pin_run(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, rcp_eid read, uint64_t address, uint64_t size) {
    /* each 8 bytes of it would be pinned: beyond so many, all that the thread has read is */
    if (size > 8 * rcp_limit(RCP_LIMIT_COPY_PINS)) {
        rcp_limit_reached(RCP_LIMIT_COPY_PINS);
        rcp_symbolic_settle_all(s, t, ins);
        return;
    }
    if (s->is_full) {
        rcp_symbolic_settle(s, t, ins);
        return;
    }
    for (uint64_t done = 0, n; done < size; done += n) {
        n = size - done < 8 ? size - done : 8;
        uint32_t part = (uint32_t)n;
        rcp_symbolic_pin(s, t, ins, rcp_term_read(s->terms, read, (uint32_t)done, 8 * part).v,
                         word_at(s, address + done, part));
    }
}

/* Which bytes of the cell are copies of bare ones: a bit each. */
static uint8_t bare_in(const rcp_symbolic *s, const rcp_cell *cell) {
    uint8_t bare = 0;
    for (uint32_t i = 0; s->bare.len && i < RCP_SPACE_GRANULE; i++)
        if (cell->term[i])
            bare |= (uint8_t)(rcp_symbolic_bare_bytes(s, cell->term[i], cell->lane[i], 1) << i);
    return bare;
}

/* `let_out`: what nobody has written is not kept. */
static void pin_cells(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size,
                      bool let_out) {
    for (uint32_t n; size; address += n, size -= n) {
        n = rcp_symbolic_piece(address, size);
        const rcp_cell *cell = rcp_symbolic_cell(s, rcp_symbolic_mark(s, address));
        if (!cell)
            continue;
        uint8_t bare = let_out ? bare_in(s, cell) : 0;
        uint32_t at = address % RCP_SPACE_GRANULE;
        for (uint32_t done = 0, part; done < n; done += part) {
            part = rcp_symbolic_alike(bare, at + done, n - done);
            if (bare >> (at + done) & 1)
                continue;
            uint64_t word = word_at(s, address + done, part);
            uint32_t term = rcp_symbolic_cell_term(s, t, cell, at + done, part, (const uint8_t *)&word);
            rcp_symbolic_pin(s, t, ins, term, word);
        }
    }
}

/* A read of a shared run: bytes that nobody has written apart from the others. */
static void pin_shared(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size,
                       bool let_out) {
    bool is_bare;
    for (uint64_t n; size; address += n, size -= n) {
        n = rcp_symbolic_bare_run(s, address, size, &is_bare);
        rcp_eid read = tell_read(s, t, ins, address, n, is_bare);
        if (!is_bare || !let_out)
            pin_run(s, t, ins, read, address, n);
    }
}

static void pin_all(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size, bool let_out) {
    bool shared;
    for (uint64_t n; size; address += n, size -= n) {
        n = run_of(s, address, size, &shared);
        if (shared)
            pin_shared(s, t, ins, address, n, let_out);
        else
            pin_cells(s, t, ins, address, n, let_out);
    }
}

void rcp_symbolic_pin_memory(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    pin_all(s, t, ins, address, size, false);
}

void rcp_symbolic_let_out(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    pin_all(s, t, ins, address, size, true);
}

static void pin_private(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size,
                        bool let_out) {
    bool shared;
    for (uint64_t n; size; address += n, size -= n) {
        n = run_of(s, address, size, &shared);
        if (!shared)
            pin_cells(s, t, ins, address, n, let_out);
    }
}

void rcp_symbolic_pin_private(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    pin_private(s, t, ins, address, size, false);
}

void rcp_symbolic_pin_reached(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    pin_private(s, t, ins, address, size, !rcp_symbolic_thread_of(s, t)->has_used);
}

void rcp_symbolic_wrote(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    bool shared;
    for (uint64_t n; size; address += n, size -= n) {
        n = run_of(s, address, size, &shared);
        if (shared)
            tell_run(s, t, ins, RCP_WRITE, address, n);
        else
            rcp_symbolic_forget(s, address, n);
    }
}

void rcp_symbolic_arrived(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint64_t size) {
    bool shared;
    for (uint64_t n; size; address += n, size -= n) {
        n = run_of(s, address, size, &shared);
        rcp_event event = {.kind = RCP_WRITE, .addr = address, .size = (uint32_t)n};
        if (shared)
            rcp_symbolic_add(s, t, ins, &event);
        else
            rcp_symbolic_forget(s, address, n);
    }
}

void rcp_symbolic_filled(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t size) {
    rcp_symbolic_wrote(s, t, ins, to, size);
}

void rcp_symbolic_pin_operands(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint32_t *T) {
    if (T[ins->a])
        rcp_symbolic_pin_slot(s, t, ins, ins->a);
    if (T[ins->b])
        rcp_symbolic_pin_slot(s, t, ins, ins->b);
    if (T[ins->d])
        rcp_symbolic_pin_slot(s, t, ins, ins->d);
}

/* --- copies --- */

static bool has_marks(const rcp_symbolic *s, uint64_t address, uint64_t size) {
    for (uint32_t n; size; address += n, size -= n) {
        const uint32_t *mark = rcp_symbolic_mark(s, address);
        if (mark && *mark)
            return true;
        n = rcp_symbolic_piece(address, size);
    }
    return false;
}

/* The terms of bytes that are on their way. */
typedef struct load {
    uint32_t *term;
    uint8_t *lane;
    bool any;
} load;

static void put_on(load *l, uint64_t at, uint32_t size, uint32_t term) {
    for (uint32_t i = 0; term && i < size; i++) {
        l->term[at + i] = term;
        l->lane[at + i] = (uint8_t)i;
        l->any = true;
    }
}

static void read_alike(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t from, uint64_t size, load *l,
                       uint64_t at, bool is_bare) {
    rcp_eid id = tell_read(s, t, ins, from, size, is_bare);
    for (uint64_t done = 0; done < size; done += 8) {
        uint32_t n = (uint32_t)(size - done < 8 ? size - done : 8);
        put_on(l, at + done, n, rcp_symbolic_symbol(s, t, ins, id, (uint32_t)done, n, word_at(s, from + done, n)));
    }
}

static void read_run(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t from, uint64_t size, load *l,
                     uint64_t at) {
    bool is_bare;
    for (uint64_t done = 0, n; done < size; done += n) {
        n = rcp_symbolic_bare_run(s, from + done, size - done, &is_bare);
        read_alike(s, t, ins, from + done, n, l, at + done, is_bare);
    }
}

static void take(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t from, uint64_t size, load *l) {
    bool shared;
    for (uint64_t done = 0, n; done < size; done += n) {
        n = run_of(s, from + done, size - done, &shared);
        if (shared && ins && rcp_ins_reads_padding(ins))
            continue;
        if (shared) {
            read_run(s, t, ins, from + done, n, l, done);
            continue;
        }
        for (uint64_t at = done, end = done + n; at < end;) {
            uint32_t piece = rcp_symbolic_piece(from + at, end - at), in = (from + at) % RCP_SPACE_GRANULE;
            const rcp_cell *cell = rcp_symbolic_cell(s, rcp_symbolic_mark(s, from + at));
            for (uint32_t i = 0; cell && i < piece; i++)
                if (cell->term[in + i]) {
                    l->term[at + i] = cell->term[in + i];
                    l->lane[at + i] = cell->lane[in + i];
                    l->any = true;
                }
            at += piece;
        }
    }
}

/* The bytes have arrived at `to`, in memory; now their terms. Shared granules one by one: each has a term of its own.
 */
static void put_down(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t size, const load *l) {
    for (uint64_t done = 0, n; done < size; done += n) {
        uint32_t piece = rcp_symbolic_piece(to + done, size - done), in = (to + done) % RCP_SPACE_GRANULE;
        n = piece;
        rcp_cell cell = {0};
        uint32_t any = 0;
        for (uint32_t i = 0; i < piece; i++) {
            any |= cell.term[in + i] = l->term[done + i];
            cell.lane[in + i] = l->lane[done + i];
        }
        if (!any) {
            rcp_symbolic_wrote(s, t, ins, to + done, piece);
        } else if (rcp_symbolic_is_shared(s, to + done)) {
            uint64_t word = word_at(s, to + done, piece);
            uint32_t term = rcp_symbolic_cell_term(s, t, &cell, in, piece, (const uint8_t *)&word);
            rcp_symbolic_write(s, t, ins, to + done, piece, (const uint8_t *)&word, RCP_TERM_CONST, term);
        } else {
            rcp_cell *there = rcp_symbolic_make_cell(s, to + done);
            memcpy(&there->term[in], &cell.term[in], piece * sizeof *there->term);
            memcpy(&there->lane[in], &cell.lane[in], piece * sizeof *there->lane);
        }
    }
}

static void finish_load(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t size, load *l) {
    if (l->any)
        put_down(s, t, ins, to, size, l);
    else
        rcp_symbolic_wrote(s, t, ins, to, size);
    rcp_release(l->term);
    rcp_release(l->lane);
}

/* What is no copy of bare bytes is pinned, and a constant. */
static void pin_load(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t size, load *l) {
    uint64_t pins = 0, most = rcp_limit(RCP_LIMIT_COPY_PINS);
    l->any = false;
    for (uint64_t done = 0, n; done < size; done += n) {
        n = 1;
        uint32_t term = l->term[done] = rcp_symbolic_now(s, t, l->term[done]), lane = l->lane[done];
        if (!term)
            continue;
        if (rcp_symbolic_is_unknown(term)) { /* which makes all of the thread's constants */
            rcp_symbolic_pin(s, t, ins, term, 0);
            l->term[done] = 0;
            continue;
        }
        if (rcp_symbolic_bare_bytes(s, term, lane, 1)) {
            l->any = true;
            continue;
        }
        while (done + n < size && n < 8 && l->term[done + n] == term && l->lane[done + n] == lane + n &&
               !rcp_symbolic_bare_bytes(s, term, (uint32_t)(lane + n), 1))
            n++;
        unsigned width = 8 * (lane + (uint32_t)n);
        if (rcp_symbolic_width(s, term) < width)
            term = rcp_symbolic_fit(s, term, 0, width).v;
        if (pins++ < most)
            rcp_symbolic_pin(s, t, ins, rcp_symbolic_extract(s, term, 8 * lane, 8 * (unsigned)n),
                             word_at(s, to + done, (uint32_t)n));
        memset(&l->term[done], 0, n * sizeof *l->term);
    }
    if (pins > most) { /* all that the thread has read is kept instead */
        rcp_limit_reached(RCP_LIMIT_COPY_PINS);
        rcp_symbolic_settle_all(s, t, ins);
    }
}

void rcp_symbolic_moved(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t from, uint64_t size) {
    if (!size || !has_marks(s, from, size)) {
        rcp_symbolic_wrote(s, t, ins, to, size);
        return;
    }
    load l = {rcp_alloc_zero(size, sizeof *l.term), rcp_alloc_zero(size, 1), false};
    take(s, t, ins, from, size, &l);
    pin_load(s, t, ins, to, size, &l);
    finish_load(s, t, ins, to, size, &l);
}

void rcp_symbolic_copy(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t to, uint64_t from, uint64_t size) {
    if (!has_marks(s, from, size)) {
        rcp_space_copy(s->space, to, from, size);
        if (has_marks(s, to, size))
            rcp_symbolic_wrote(s, t, ins, to, size);
        return;
    }
    load l = {rcp_alloc_zero(size, sizeof *l.term), rcp_alloc_zero(size, 1), false};
    take(s, t, ins, from, size, &l);
    rcp_space_copy(s->space, to, from, size);
    finish_load(s, t, ins, to, size, &l);
}
