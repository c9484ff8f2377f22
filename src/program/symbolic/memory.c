/* SPDX-License-Identifier: Apache-2.0 */
/* Terms of memory: cells, and which accesses are events.
 *
 * An access is taken granule by granule (a piece): a shared one is an event, another one has what its cell says. So an
 * access that lies across both is told as far as it is shared, and nobody reads in the trace what no event wrote.
 */
#include "program/symbolic/state.h"
#include "program/symbolic/symbolic.h"

#include <string.h>

/* --- cells --- */

static void drop_cell(rcp_symbolic *s, uint32_t *mark) {
    rcp_vec_push(&s->free_cells, *mark);
    *mark = 0;
}

static void forget_piece(rcp_symbolic *s, uint64_t address, uint32_t size) {
    uint32_t *mark = rcp_symbolic_mark(s, address), any = 0;
    rcp_cell *cell = rcp_symbolic_cell(s, mark);
    if (!cell)
        return;
    memset(&cell->term[address % RCP_SPACE_GRANULE], 0, size * sizeof *cell->term);
    for (int i = 0; i < RCP_SPACE_GRANULE; i++)
        any |= cell->term[i];
    if (!any)
        drop_cell(s, mark);
}

rcp_cell *rcp_symbolic_make_cell(rcp_symbolic *s, uint64_t address) {
    uint32_t *mark = rcp_space_mark(rcp_space_make(s->space, address), address);
    RCP_DCHECK(!(*mark & RCP_SYMBOLIC_SHARED));
    if (*mark)
        return &s->cells.at[*mark];
    if (s->free_cells.len)
        *mark = s->free_cells.at[--s->free_cells.len];
    else {
        *mark = (uint32_t)s->cells.len;
        rcp_vec_push(&s->cells, (rcp_cell){0});
    }
    s->cells.at[*mark] = (rcp_cell){0};
    return &s->cells.at[*mark];
}

static void put_piece(rcp_symbolic *s, uint64_t address, uint32_t size, uint32_t term) {
    if (!term) {
        forget_piece(s, address, size);
        return;
    }
    rcp_cell *cell = rcp_symbolic_make_cell(s, address);
    uint32_t at = address % RCP_SPACE_GRANULE;
    for (uint32_t i = 0; i < size; i++) {
        cell->term[at + i] = term;
        cell->lane[at + i] = (uint8_t)i;
    }
}

uint32_t rcp_symbolic_cell_term(rcp_symbolic *s, const rcp_strand *t, const rcp_cell *cell, uint32_t at, uint32_t size,
                                const uint8_t *bytes) {
    uint32_t whole = 0, any = 0, unknown = 0;
    rcp_cell now = *cell; /* and not what other terms are made into meanwhile */
    cell = &now;
    for (uint32_t i = 0; i < size; i++)
        any |= now.term[at + i] = rcp_symbolic_now(s, t, now.term[at + i]);
    if (!any)
        return 0;
    for (uint32_t from = 0, to; from < size; from = to) {
        uint32_t term = cell->term[at + from], first = cell->lane[at + from];
        for (to = from + 1;
             to < size && cell->term[at + to] == term && (!term || cell->lane[at + to] == first + (to - from)); to++)
            continue;
        uint64_t value = 0;
        memcpy(&value, bytes + from, to - from);
        if (rcp_symbolic_is_unknown(term)) {
            unknown = term;
            continue;
        }
        uint32_t part;
        if (!term)
            part = rcp_symbolic_fit(s, 0, value, 8 * (to - from)).v;
        else { /* a term may be narrower than the bytes that hold it: the rest is zeros */
            unsigned wanted = 8 * (first + (to - from));
            if (rcp_symbolic_width(s, term) < wanted)
                term = rcp_symbolic_fit(s, term, 0, wanted).v;
            part = rcp_symbolic_extract(s, term, 8 * first, 8 * (to - from));
        }
        if (rcp_symbolic_is_unknown(any)) { /* some byte of it is: it hangs on this one, too */
            if (term)
                rcp_symbolic_await(s, t, part, value);
            continue;
        }
        whole = !from ? part
                      : rcp_symbolic_make(s, RCP_OP_CONCAT, 8 * to, rcp_symbolic_term(part), rcp_symbolic_term(whole),
                                          RCP_TERM_CONST);
    }
    return unknown ? unknown : whole;
}

void rcp_symbolic_forget(rcp_symbolic *s, uint64_t address, uint64_t size) {
    for (uint32_t n; size; address += n, size -= n) {
        n = rcp_symbolic_piece(address, size);
        forget_piece(s, address, n);
    }
}

void rcp_symbolic_share(rcp_symbolic *s, uint64_t address, uint64_t size) {
    RCP_DCHECK(address % RCP_SPACE_GRANULE == 0 && size % RCP_SPACE_GRANULE == 0);
    rcp_symbolic_forget(s, address, size);
    for (uint32_t n; size; address += n, size -= n) {
        n = rcp_symbolic_piece(address, size);
        *rcp_space_mark(rcp_space_make(s->space, address), address) = RCP_SYMBOLIC_SHARED;
    }
}

void rcp_symbolic_unshare(rcp_symbolic *s, uint64_t address, uint64_t size) {
    RCP_DCHECK(address % RCP_SPACE_GRANULE == 0 && size % RCP_SPACE_GRANULE == 0);
    for (uint32_t n; size; address += n, size -= n) {
        n = rcp_symbolic_piece(address, size);
        uint32_t *mark = rcp_symbolic_mark(s, address);
        if (mark && *mark & RCP_SYMBOLIC_SHARED)
            *mark = 0;
    }
}

/* --- events --- */

rcp_term rcp_symbolic_address(rcp_symbolic *s, const rcp_ins *ins, const uint32_t *T, uint64_t offset) {
    if (!T || !T[ins->a])
        return RCP_TERM_CONST;
    rcp_term base = rcp_symbolic_fit(s, T[ins->a], 0, 64);
    return offset ? rcp_symbolic_term(
                        rcp_symbolic_make(s, RCP_OP_ADD, 64, base, rcp_symbolic_fit(s, 0, offset, 64), RCP_TERM_CONST))
                  : base;
}

/* A read of up to 8 shared bytes; its symbol. */
static uint32_t read_piece(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint32_t size,
                           const uint8_t *bytes, rcp_term by) {
    rcp_event event = {.kind = RCP_READ, .valued = 1, .addr = address, .size = size, .addr_term = by};
    memcpy(&event.value, bytes, size);
    uint64_t value = event.value;
    bool is_bare;
    RCP_CHECK(rcp_symbolic_bare_run(s, address, size, &is_bare) == size);
    rcp_eid id = rcp_symbolic_add(s, t, ins, &event);
    rcp_symbolic_note_read(s, t, id, bytes, size, is_bare);
    return rcp_symbolic_symbol(s, t, ins, id, 0, size, value);
}

/* Bytes that nobody has written are read apart from those beside them, so that only who uses them hangs on them. Where
 * a part is unknown the whole is, and hangs on the others, too. */
static uint32_t read_apart(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T, uint64_t address,
                           uint32_t size, uint32_t offset, const uint8_t *bytes) {
    uint32_t terms[RCP_SPACE_GRANULE], ends[RCP_SPACE_GRANULE], parts = 0, whole = 0;
    bool is_bare, any_unknown = false;
    for (uint32_t done = 0; done < size; done = ends[parts++]) {
        uint32_t n = (uint32_t)rcp_symbolic_bare_run(s, address + done, size - done, &is_bare);
        terms[parts] =
            read_piece(s, t, ins, address + done, n, bytes + done, rcp_symbolic_address(s, ins, T, offset + done));
        any_unknown |= rcp_symbolic_is_unknown(terms[parts]);
        ends[parts] = done + n;
    }
    for (uint32_t i = 0, from = 0; i < parts; from = ends[i++]) {
        uint64_t value = 0;
        memcpy(&value, bytes + from, ends[i] - from);
        if (any_unknown)
            whole = rcp_symbolic_await(s, t, terms[i], value);
        else
            whole = !i ? terms[i]
                       : rcp_symbolic_make(s, RCP_OP_CONCAT, 8 * ends[i], rcp_symbolic_term(terms[i]),
                                           rcp_symbolic_term(whole), RCP_TERM_CONST);
    }
    return whole;
}

static void write_piece(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint32_t size,
                        const uint8_t *bytes, rcp_term by, uint32_t term) {
    rcp_event event = {.kind = RCP_WRITE,
                       .valued = 1,
                       .addr = address,
                       .size = size,
                       .addr_term = by,
                       .value_term = rcp_symbolic_is_unknown(term) ? RCP_TERM_ALL : rcp_symbolic_term(term)};
    memcpy(&event.value, bytes, size);
    rcp_symbolic_add(s, t, ins, &event);
}

/* Copies of bytes that nobody has written are written apart, for the same reason. */
void rcp_symbolic_write(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, uint64_t address, uint32_t size,
                        const uint8_t *bytes, rcp_term by, uint32_t term) {
    uint8_t bare = term && s->bare.len ? rcp_symbolic_bare_bytes(s, term, 0, size) : 0;
    for (uint32_t done = 0, n; done < size; done += n) {
        n = rcp_symbolic_alike(bare, done, size - done);
        rcp_term at = by;
        if (done && rcp_term_is_real(by))
            at = rcp_symbolic_term(
                rcp_symbolic_make(s, RCP_OP_ADD, 64, by, rcp_symbolic_fit(s, 0, done, 64), RCP_TERM_CONST));
        write_piece(s, t, ins, address + done, n, bytes + done, at,
                    term && n < size ? rcp_symbolic_extract(s, term, 8 * done, 8 * n) : term);
    }
}

/* Does any piece of the access become an event, which then keeps its address? */
static bool touches_shared(const rcp_symbolic *s, uint64_t address, uint64_t size) {
    for (uint32_t n; size; address += n, size -= n) {
        n = rcp_symbolic_piece(address, size);
        if (rcp_symbolic_is_shared(s, address))
            return true;
    }
    return false;
}

/* An atomic access of more than one granule (128 bits, a member of a packed struct) is one event all the same: no
 * schedule may come in between. Where a part of it is no other thread's, nobody else sees more than the other part at
 * once. */
static bool is_at_once(const rcp_symbolic *s, const rcp_ins *ins, uint64_t address, uint64_t size) {
    if (!ins->e || size > 16 || rcp_symbolic_piece(address, size) == size)
        return false;
    for (uint32_t n; size; address += n, size -= n) {
        n = rcp_symbolic_piece(address, size);
        if (!rcp_symbolic_is_shared(s, address))
            return false;
    }
    return true;
}

/* The terms of its words. */
static void read_at_once(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T, uint64_t address,
                         uint32_t size, const uint8_t *bytes, uint32_t terms[2]) {
    rcp_event event = {
        .kind = RCP_READ, .valued = 1, .addr = address, .size = size, .addr_term = rcp_symbolic_address(s, ins, T, 0)};
    if (size > 8)
        event.bytes = bytes;
    else
        memcpy(&event.value, bytes, size);
    rcp_eid id = rcp_symbolic_add(s, t, ins, &event);
    rcp_symbolic_note_read(s, t, id, bytes, size, false);
    for (uint32_t done = 0, n; done < size; done += n) {
        uint64_t value = 0;
        n = size - done < 8 ? size - done : 8;
        memcpy(&value, bytes + done, n);
        terms[done / 8] = rcp_symbolic_symbol(s, t, ins, id, done, n, value);
    }
}

/* Where no event keeps the address, it is pinned. */
static void keep_address(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                         uint64_t size) {
    rcp_symbolic_decides(s, t, ins, T, ins->a);
    if (T[ins->a] && (rcp_ins_reads_padding(ins) || !touches_shared(s, R[ins->a], size)))
        rcp_symbolic_pin_address(s, t, ins, ins->a);
}

uint32_t rcp_symbolic_load_pieces(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T,
                                  uint64_t address, uint32_t size, bool is_event, uint8_t *bytes, uint32_t *terms) {
    uint32_t pieces = 0;
    for (uint32_t done = 0, n; done < size; done += n) {
        n = rcp_symbolic_piece(address + done, size - done);
        const uint32_t *mark = rcp_symbolic_mark(s, address + done);
        const rcp_cell *cell = rcp_symbolic_cell(s, mark);
        uint32_t term = 0;
        if (mark && *mark & RCP_SYMBOLIC_SHARED && is_event) {
            bool is_bare, is_one = rcp_symbolic_bare_run(s, address + done, n, &is_bare) == n;
            bool other = s->override && T && is_one && rcp_symbolic_next_at(s, address + done).v == s->override->read.v;
            term = read_apart(s, t, ins, T, address + done, n, done, bytes + done);
            if (other && term && !rcp_symbolic_is_unknown(term)) {
                memcpy(bytes + done, &s->override->value, n);
                s->override->is_applied = true;
            }
        } else if (cell)
            term = rcp_symbolic_cell_term(s, t, cell, (address + done) % RCP_SPACE_GRANULE, n, bytes + done);
        terms[pieces++] = term;
    }
    return pieces;
}

/* The terms of `size` bytes that are read, as one term; 0: constants. */
static uint32_t load_joined(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T, uint64_t address,
                            uint32_t size, bool is_event, uint8_t *bytes) {
    uint32_t terms[2] = {0}, low = rcp_symbolic_piece(address, size);
    if (rcp_symbolic_load_pieces(s, t, ins, T, address, size, is_event, bytes, terms) == 1 || !(terms[0] | terms[1]))
        return terms[0];
    uint64_t parts[2] = {0};
    memcpy(&parts[0], bytes, low);
    memcpy(&parts[1], bytes + low, size - low);
    if (rcp_symbolic_is_unknown(terms[0] | terms[1]))
        return rcp_symbolic_await(s, t, rcp_symbolic_is_unknown(terms[0]) ? terms[1] : terms[0],
                                  parts[rcp_symbolic_is_unknown(terms[0])]);
    return rcp_symbolic_make(s, RCP_OP_CONCAT, 8 * size, rcp_symbolic_fit(s, terms[1], parts[1], 8 * (size - low)),
                             rcp_symbolic_fit(s, terms[0], parts[0], 8 * low), RCP_TERM_CONST);
}

uint32_t rcp_symbolic_load(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                           uint32_t size, bool is_event, void *value) {
    keep_address(s, t, ins, R, T, size);
    is_event &= !ins->k;
    if (!is_event || !is_at_once(s, ins, R[ins->a], size))
        return load_joined(s, t, ins, T, R[ins->a], size, is_event, value);
    uint32_t terms[2];
    read_at_once(s, t, ins, T, R[ins->a], size, value, terms);
    return terms[0];
}

void rcp_symbolic_store_pieces(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint32_t *T, uint64_t address,
                               uint32_t size, const uint8_t *bytes, uint32_t term) {
    term = rcp_symbolic_now(s, t, term);
    if (term)
        term = rcp_symbolic_fit(s, term, 0, 8 * size).v;
    for (uint32_t done = 0, n; done < size; done += n) {
        n = rcp_symbolic_piece(address + done, size - done);
        uint32_t part = term && n < size ? rcp_symbolic_extract(s, term, 8 * done, 8 * n) : term;
        if (rcp_symbolic_is_shared(s, address + done))
            rcp_symbolic_write(s, t, ins, address + done, n, bytes + done, rcp_symbolic_address(s, ins, T, done), part);
        else
            put_piece(s, address + done, n, part);
    }
}

void rcp_symbolic_store_own(rcp_symbolic *s, const rcp_strand *t, uint64_t address, uint32_t size, uint32_t term) {
    term = rcp_symbolic_now(s, t, term);
    put_piece(s, address, size, term ? rcp_symbolic_fit(s, term, 0, 8 * size).v : 0);
}

void rcp_symbolic_store(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                        uint32_t size) {
    keep_address(s, t, ins, R, T, size);
    const uint8_t *bytes = (const uint8_t *)&R[ins->d];
    if (!is_at_once(s, ins, R[ins->a], size)) {
        rcp_symbolic_store_pieces(s, t, ins, T, R[ins->a], size, bytes, T[ins->d]);
        return;
    }
    uint32_t term = rcp_symbolic_now(s, t, T[ins->d]);
    write_piece(s, t, ins, R[ins->a], size, bytes, rcp_symbolic_address(s, ins, T, 0),
                term ? rcp_symbolic_fit(s, term, 0, 8 * size).v : 0);
}

/* --- rows --- */

/* Is the leaf a whole number of bytes that a term can have? */
static bool is_plain_leaf(const rcp_leaf *leaf) {
    return leaf->offset % 8 == 0 && leaf->bits <= 64 && (leaf->bits % 8 == 0 || !leaf->is_lane);
}

static uint32_t leaf_bytes(const rcp_leaf *leaf) { return (leaf->bits + 7u) / 8; }

/* A slot's part of a leaf: a leaf wider than 64 bits has two. False: there is none from `bit` on. */
static bool part_of(const rcp_leaf *leaf, uint32_t bit, rcp_leaf *part) {
    if (bit >= leaf->bits)
        return false;
    *part = (rcp_leaf){leaf->offset + bit, (uint16_t)(leaf->bits - bit < 64 ? leaf->bits - bit : 64), leaf->is_lane};
    return true;
}

/* Is it 128 bits, atomic, and one event? */
static bool is_row_at_once(const rcp_symbolic *s, const rcp_ins *ins, uint64_t address, const rcp_layout *layout) {
    return layout->n == 1 && layout->leaves[0].bits == 8 * layout->size && is_at_once(s, ins, address, layout->size);
}

/* Loads of rows: each leaf on its own. What has no leaf of whole bytes is read, and pinned. */
void rcp_symbolic_load_wide(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                            const rcp_layout *layout) {
    uint64_t address = R[ins->a];
    if (T[ins->a])
        rcp_symbolic_pin_address(s, t, ins, ins->a);
    bool is_event = ins->op == RCP_INS_LOAD_WIDE && !ins->k;
    int32_t slot = ins->d;
    if (is_event && is_row_at_once(s, ins, address, layout)) {
        uint8_t all[16];
        rcp_space_read(s->space, address, all, layout->size);
        read_at_once(s, t, ins, NULL, address, layout->size, all, &T[slot]);
        return;
    }
    rcp_leaf part;
    for (uint32_t i = 0; i < layout->n; i++)
        for (uint32_t bit = 0; part_of(&layout->leaves[i], bit, &part); bit += 64, slot++) {
            T[slot] = 0;
            if (!is_plain_leaf(&part)) {
                if (!part.offset && is_event)
                    rcp_symbolic_pin_memory(s, t, ins, address, layout->size);
                continue;
            }
            uint8_t bytes[8] = {0};
            uint64_t from = address + part.offset / 8;
            rcp_space_read(s->space, from, bytes, leaf_bytes(&part));
            uint32_t term = load_joined(s, t, ins, NULL, from, leaf_bytes(&part), is_event, bytes);
            T[slot] = term ? rcp_symbolic_fit(s, term, 0, part.bits).v : 0;
        }
}

void rcp_symbolic_store_wide(rcp_symbolic *s, rcp_strand *t, const rcp_ins *ins, const uint64_t *R, uint32_t *T,
                             const rcp_layout *layout) {
    uint64_t address = R[ins->a];
    if (T[ins->a])
        rcp_symbolic_pin_address(s, t, ins, ins->a);
    int32_t slot = ins->d;
    if (is_row_at_once(s, ins, address, layout)) { /* no term has two words */
        for (int32_t i = slot; i < slot + 2; i++)
            if (T[i])
                rcp_symbolic_pin_slot(s, t, ins, i);
        rcp_event event = {.kind = RCP_WRITE, .valued = 1, .addr = address, .size = layout->size};
        event.bytes = (const uint8_t *)&R[slot];
        rcp_symbolic_add(s, t, ins, &event);
        return;
    }
    rcp_leaf part;
    for (uint32_t i = 0; i < layout->n; i++)
        for (uint32_t bit = 0; part_of(&layout->leaves[i], bit, &part); bit += 64, slot++) {
            if (is_plain_leaf(&part)) {
                rcp_symbolic_store_pieces(s, t, ins, NULL, address + part.offset / 8, leaf_bytes(&part),
                                          (const uint8_t *)&R[slot], T[slot]);
                continue;
            }
            if (T[slot])
                rcp_symbolic_pin_slot(s, t, ins, slot);
            if (!part.offset) /* bits that share bytes: the row as it is in memory now */
                rcp_symbolic_filled(s, t, ins, address, layout->size);
        }
}
