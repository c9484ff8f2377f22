/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/cells.h"

#include <string.h>

#define CHUNK      RCP_CELLS_CHUNK
#define CACHE_LINE 64

void rcp_cells_init(rcp_cells *cells, rcp_clocks *clocks) {
    *cells = (rcp_cells){.clocks = clocks, .cells_made = 1};
    rcp_map_init(&cells->lines);
    rcp_arena_init(&cells->memory);
    rcp_origins_init(&cells->lives);
    rcp_reached_init(&cells->opaque);
    rcp_extras_init(&cells->extras, clocks);
    for (size_t i = 0; i < RCP_LINE_CACHE; i++)
        cells->cache[i].number = UINT64_MAX;
}

void rcp_cells_finish(rcp_cells *cells) {
    for (size_t i = 0; i < cells->shared.len; i++) {
        rcp_touches_finish(&cells->shared.at[i]->writes);
        rcp_touches_finish(&cells->shared.at[i]->reads);
    }
    rcp_vec_finish(&cells->shared);
    rcp_vec_finish(&cells->spare_shared);
    rcp_vec_finish(&cells->more_chunks);
    rcp_vec_finish(&cells->spare_cells);
    rcp_map_finish(&cells->lines);
    rcp_vec_finish(&cells->chunks);
    rcp_vec_finish(&cells->spare_lines);
    rcp_vec_finish(&cells->range);
    rcp_arena_finish(&cells->memory);
    rcp_origins_finish(&cells->lives);
    rcp_reached_finish(&cells->opaque);
    rcp_vec_finish(&cells->unreached);
    rcp_vec_finish(&cells->unreached_lives);
    rcp_extras_finish(&cells->extras);
}

size_t rcp_cells_bytes(const rcp_cells *cells) {
    size_t bytes = cells->memory.total;
    if (cells->lines.slots)
        bytes += (cells->lines.mask + 1) * sizeof *cells->lines.slots;
    for (size_t i = 0; i < cells->shared.len; i++)
        bytes += (cells->shared.at[i]->writes.cap + cells->shared.at[i]->reads.cap) * sizeof(rcp_touch);
    return bytes + (cells->lives.at.cap + cells->opaque.map.at.cap) * sizeof(rcp_origin);
}

/* CHUNK zeroed things of half a cache line or a multiple of it, none of which lies across one more than it must. */
static void *make_chunk(rcp_cells *cells, size_t size) {
    uintptr_t at = (uintptr_t)rcp_arena_alloc(&cells->memory, CHUNK * size + CACHE_LINE);
    return memset((void *)((at + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1)), 0, CHUNK * size);
}

static rcp_line *line_at(const rcp_cells *cells, uint32_t i) { return &cells->chunks.at[i / CHUNK][i % CHUNK]; }

static rcp_access_cell *cell_at(const rcp_cells *cells, uint32_t i) { return i ? rcp_cells_more(cells, i) : NULL; }

rcp_line *rcp_cells_look_up(rcp_cells *cells, uint64_t number) {
    uint32_t i = rcp_map_get(&cells->lines, number);
    if (i == RCP_MAP_NONE)
        return NULL;
    cells->cache[number % RCP_LINE_CACHE].number = number;
    return cells->cache[number % RCP_LINE_CACHE].line = line_at(cells, i);
}

static rcp_line *make_line(rcp_cells *cells, uint64_t number) {
    uint32_t i;
    if (cells->spare_lines.len) {
        i = cells->spare_lines.at[--cells->spare_lines.len];
    } else {
        i = cells->lines_made++;
        if (i / CHUNK == cells->chunks.len)
            rcp_vec_push(&cells->chunks, make_chunk(cells, sizeof(rcp_line)));
    }
    rcp_map_set(&cells->lines, number, i);
    return line_at(cells, i);
}

/* A further cell of a granule, after `first`. */
static rcp_access_cell *make_cell(rcp_cells *cells, rcp_access_cell *first) {
    uint32_t i;
    if (cells->spare_cells.len) {
        i = cells->spare_cells.at[--cells->spare_cells.len];
    } else {
        i = cells->cells_made++;
        if (i / CHUNK == cells->more_chunks.len)
            rcp_vec_push(&cells->more_chunks, make_chunk(cells, sizeof(rcp_access_cell)));
    }
    rcp_access_cell *cell = cell_at(cells, i);
    *cell = (rcp_access_cell){.next = first->next};
    first->next = i;
    return cell;
}

static rcp_shared *make_shared(rcp_cells *cells) {
    if (!cells->spare_shared.len) {
        rcp_shared *chunk = make_chunk(cells, sizeof *chunk);
        for (size_t i = 0; i < CHUNK; i++) {
            rcp_vec_push(&cells->shared, &chunk[i]);
            rcp_vec_push(&cells->spare_shared, &chunk[i]);
        }
    }
    rcp_shared *shared = cells->spare_shared.at[--cells->spare_shared.len];
    shared->writes.by_place = shared->reads.by_place = cells->by_place;
    return shared;
}

rcp_shared *rcp_cells_share(rcp_cells *cells, rcp_access_cell *cell) {
    if (cell->is_shared)
        return cell->shared;
    rcp_shared *shared = make_shared(cells);
    if (cell->r_count)
        rcp_touches_put(&shared->reads, (rcp_touch){cell->tid, cell->r_count, cell->r_loc, RCP_READ, 0});
    if (cell->w_count)
        rcp_touches_put(&shared->writes, (rcp_touch){cell->tid, cell->w_count, cell->w_loc, RCP_WRITE, 0});
    shared->writer = (rcp_stamp){cell->w_clock, cell->tid, cell->w_count};
    shared->writer_kind = RCP_WRITER_PLAIN;
    cell->w_clock = (rcp_clock){0}; /* handed over */
    cell->is_shared = true;
    return cell->shared = shared;
}

/* What the cell refers to is given back. */
static void empty(rcp_cells *cells, rcp_access_cell *cell) {
    if (cell->is_shared) {
        rcp_shared *shared = cell->shared;
        rcp_stamp_drop(cells->clocks, &shared->writer);
        rcp_touches_clear(&shared->writes);
        rcp_touches_clear(&shared->reads);
        rcp_extras_drop(&cells->extras, shared->extra);
        shared->extra = 0;
        rcp_vec_push(&cells->spare_shared, shared);
    } else {
        rcp_clock_drop(cells->clocks, cell->w_clock);
    }
}

/* Cuts `mask`, a proper part of the cell's bytes, out of the cell: the rest becomes a cell of its own after it. */
static void split(rcp_cells *cells, rcp_access_cell *cell, uint8_t mask) {
    rcp_access_cell *rest = make_cell(cells, cell);
    uint32_t next = rest->next;
    *rest = *cell;
    rest->next = next;
    rest->mask = cell->mask & ~(uint32_t)mask;
    cell->mask = mask;
    if (cell->is_shared) {
        rest->shared = make_shared(cells);
        rcp_touches_copy(&rest->shared->writes, &cell->shared->writes);
        rcp_touches_copy(&rest->shared->reads, &cell->shared->reads);
        rest->shared->writer = cell->shared->writer;
        rest->shared->writer_kind = cell->shared->writer_kind;
        rest->shared->extra = rcp_extras_copy(&cells->extras, cell->shared->extra);
        rcp_clock_hold(cells->clocks, rest->shared->writer.clock);
    } else {
        rcp_clock_hold(cells->clocks, rest->w_clock);
    }
}

/* Gives a new cell what stood there before its first access. */
static void begin(rcp_cells *cells, rcp_access_cell *cell, uint32_t tid, uint32_t life, const rcp_stamp *opaque) {
    cell->life = life;
    cell->tid = tid & RCP_CELL_TID_MAX;
    if (tid > RCP_CELL_TID_MAX)
        rcp_cells_share(cells, cell);
    const rcp_origin *freed = &cells->lives.at.at[life];
    if (freed->frees)
        rcp_touches_put(&rcp_cells_share(cells, cell)->writes,
                        (rcp_touch){freed->stamp.tid, freed->stamp.count, freed->loc, RCP_FREE, 0, freed->set});
    if (opaque) {
        rcp_shared *shared = rcp_cells_share(cells, cell);
        shared->writer = *opaque;
        shared->writer_kind = RCP_WRITER_OPAQUE;
        rcp_clock_hold(cells->clocks, shared->writer.clock);
    }
}

/* The bytes of the granule at `base` that [lo, hi) covers. */
static uint8_t covered(uint64_t base, uint64_t lo, uint64_t hi) {
    unsigned from = lo > base ? (unsigned)(lo - base) : 0, to = hi - base < 8 ? (unsigned)(hi - base) : 8;
    return (uint8_t)(((1u << to) - 1) & ~((1u << from) - 1));
}

static bool touches(uint64_t base, uint64_t lo, uint64_t hi) { return base < hi && base + 7 >= lo; }

static bool is_reached(const rcp_access_cell *cell) {
    return cell->is_shared && cell->shared->writer_kind == RCP_WRITER_OPAQUE;
}

/* Which opaque event wrote the cell last? Where that is not one for all of its bytes, the others become a cell of their
 * own, right after it, that is asked likewise. */
static void refresh(rcp_cells *cells, rcp_access_cell *cell, uint64_t base) {
    uint8_t part;
    const rcp_stamp *stamp =
        rcp_reached_find(&cells->opaque, base, (uint8_t)cell->mask, cells->lives.at.at[cell->life].since, &part);
    if (part != cell->mask)
        split(cells, cell, part);
    rcp_stamp *writer = &cell->shared->writer;
    if (!stamp || (stamp->tid == writer->tid && stamp->count == writer->count))
        return;
    rcp_clock_put(cells->clocks, &writer->clock, stamp->clock);
    writer->tid = stamp->tid;
    writer->count = stamp->count;
}

/* Picks the cells of `mask`; returns the bytes that have none. */
static uint8_t pick_present(rcp_cells *cells, rcp_access_cell *first, uint64_t base, uint8_t mask, bool cut,
                            rcp_picked_list *picked) {
    if (!first->mask)
        return mask;
    for (rcp_access_cell *cell = first; cell && mask; cell = cell_at(cells, cell->next)) {
        if (!(cell->mask & mask))
            continue;
        if (cut && is_reached(cell))
            refresh(cells, cell, base);
        uint8_t common = (uint8_t)(cell->mask & mask);
        if (!common)
            continue;
        if (cut && common != cell->mask)
            split(cells, cell, common);
        rcp_vec_push(picked, ((rcp_picked){.cell = cell, .base = base, .mask = common}));
        mask &= ~common;
    }
    return mask;
}

/* Makes cells for bytes that have none: one for each stretch of one life and one opaque writer. */
static void pick_missing(rcp_cells *cells, rcp_access_cell *first, uint64_t base, uint8_t mask, uint32_t tid,
                         rcp_picked_list *picked) {
    while (mask) {
        uint64_t at = base + (unsigned)__builtin_ctz(mask), until;
        uint32_t life = rcp_origins_find(&cells->lives, at, &until);
        uint8_t stretch = mask & covered(base, at, until);
        const rcp_stamp *opaque = NULL;
        if (cells->has_opaque)
            opaque = rcp_reached_find(&cells->opaque, base, stretch, cells->lives.at.at[life].since, &stretch);
        rcp_access_cell *cell = first->mask ? make_cell(cells, first) : first;
        cell->mask = stretch;
        begin(cells, cell, tid, life, opaque);
        if (cells->has_opaque && !opaque)
            rcp_cells_note_written(cells, base);
        rcp_vec_push(picked, ((rcp_picked){.cell = cell, .base = base, .mask = stretch}));
        mask &= ~stretch;
    }
}

void rcp_cells_pick(rcp_cells *cells, uint64_t lo, uint64_t hi, uint32_t tid, rcp_picked_list *picked) {
    for (uint64_t base = lo & ~UINT64_C(7); touches(base, lo, hi); base += 8) {
        rcp_line *line = rcp_cells_line(cells, base);
        if (!line)
            line = make_line(cells, base >> RCP_LINE_SHIFT);
        rcp_access_cell *first = rcp_line_cell(line, base);
        uint8_t mask = covered(base, lo, hi);
        if (first->mask == mask && !is_reached(first)) { /* as a rule */
            rcp_vec_push(picked, ((rcp_picked){.cell = first, .base = base, .mask = mask}));
            continue;
        }
        uint8_t missing = pick_present(cells, first, base, mask, true, picked);
        if (missing)
            pick_missing(cells, first, base, missing, tid, picked);
    }
}

/* The numbers of the lines that exist in [lo, hi): by address, or, where fewer lines exist than the range has, by
 * looking at all of them. */
static void find_lines(rcp_cells *cells, uint64_t lo, uint64_t hi) {
    cells->range.len = 0;
    uint64_t first = lo >> RCP_LINE_SHIFT, last = (hi - 1) >> RCP_LINE_SHIFT;
    if (last - first >= cells->lines.len) {
        RCP_MAP_EACH(&cells->lines, slot) {
            if (slot->key >= first && slot->key <= last)
                rcp_vec_push(&cells->range, slot->key);
        }
        return;
    }
    for (uint64_t number = first; number <= last; number++)
        if (rcp_map_get(&cells->lines, number) != RCP_MAP_NONE)
            rcp_vec_push(&cells->range, number);
}

void rcp_cells_pick_range(rcp_cells *cells, uint64_t lo, uint64_t hi, bool cut, rcp_picked_list *picked) {
    if (lo >= hi)
        return;
    find_lines(cells, lo, hi);
    for (size_t i = 0; i < cells->range.len; i++) {
        uint64_t base = cells->range.at[i] << RCP_LINE_SHIFT;
        rcp_line *line = rcp_cells_line(cells, base);
        for (size_t g = 0; g < RCP_LINE_GRANULES; g++, base += 8)
            if (line->at[g].mask && touches(base, lo, hi))
                pick_present(cells, &line->at[g], base, covered(base, lo, hi), cut, picked);
    }
}

/* Lists the granules anew: each once. */
static void list_unreached(rcp_cells *cells) {
    cells->unreached.len = 0;
    RCP_MAP_EACH(&cells->lines, slot) {
        rcp_line *line = line_at(cells, slot->value);
        for (size_t g = 0; g < RCP_LINE_GRANULES; g++) {
            bool any = false;
            for (rcp_access_cell *cell = line->at[g].mask ? &line->at[g] : NULL; cell;
                 cell = cell_at(cells, cell->next))
                any |= !is_reached(cell);
            if (any)
                rcp_vec_push(&cells->unreached, (slot->key << RCP_LINE_SHIFT) + 8 * g);
        }
    }
}

/* Those of one granule that the event reaches; true: some stay as they are. */
static bool pick_granule(rcp_cells *cells, uint64_t base, uint8_t mask, rcp_picked_list *picked) {
    rcp_line *line = rcp_cells_line(cells, base);
    bool stay = false;
    rcp_access_cell *first = line ? rcp_line_cell(line, base) : NULL;
    for (rcp_access_cell *cell = first && first->mask ? first : NULL; cell; cell = cell_at(cells, cell->next)) {
        uint8_t common = (uint8_t)(cell->mask & mask);
        if (is_reached(cell))
            continue;
        stay |= common != cell->mask;
        if (!common)
            continue;
        if (common != cell->mask)
            split(cells, cell, common);
        rcp_vec_push(picked, ((rcp_picked){.cell = cell, .base = base, .mask = common}));
    }
    return stay;
}

/* By the list, or, where that is longer than the reach, by the reach. What the list has of a reach leaves it, so that a
 * wide one costs no more than the writes since the last; a narrow one would look at the same others again and again. */
void rcp_cells_pick_unreached(rcp_cells *cells, const rcp_span *spans, size_t n, rcp_picked_list *picked) {
    uint64_t granules = 0, most = 4 * RCP_LINE_GRANULES * (uint64_t)cells->lines.len;
    if (cells->unreached.len > 1024 + most / 2)
        list_unreached(cells);
    for (size_t i = 0; i < n && granules < cells->unreached.len; i++) {
        uint64_t of_span = (spans[i].hi - spans[i].lo) / 8 + 2;
        granules += of_span < most ? of_span : most;
    }
    if (granules < cells->unreached.len) {
        for (size_t i = 0; i < n; i++) {
            find_lines(cells, spans[i].lo, spans[i].hi);
            for (size_t k = 0; k < cells->range.len * RCP_LINE_GRANULES; k++) {
                uint64_t base =
                    (cells->range.at[k / RCP_LINE_GRANULES] << RCP_LINE_SHIFT) + 8 * (k % RCP_LINE_GRANULES);
                if (touches(base, spans[i].lo, spans[i].hi))
                    pick_granule(cells, base, covered(base, spans[i].lo, spans[i].hi), picked);
            }
        }
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < cells->unreached.len; i++) {
        uint64_t base = cells->unreached.at[i];
        uint8_t mask = rcp_spans_cover(spans, n, base);
        if (!mask || pick_granule(cells, base, mask, picked))
            cells->unreached.at[kept++] = base;
    }
    cells->unreached.len = kept;
}

void rcp_cells_note_life(rcp_cells *cells, uint64_t lo, uint64_t hi, uint32_t origin) {
    if (!cells->has_opaque || lo >= hi)
        return;
    cells->lives.at.at[origin].since = ++cells->now;
    rcp_vec_push(&cells->unreached_lives, ((rcp_span){lo, hi}));
    if (cells->unreached_lives.len < 1024 + 4 * (size_t)cells->lives.map.live)
        return;
    cells->unreached_lives.len = 0;
    rcp_range range;
    for (uint64_t at = 0; rcp_ranges_next(&cells->lives.map, at, &range); at = range.hi)
        rcp_vec_push(&cells->unreached_lives, ((rcp_span){range.lo, range.hi}));
}

static void visit_lives(const rcp_cells *cells, uint64_t lo, uint64_t hi, rcp_life_visitor *each, void *context) {
    rcp_range range;
    for (uint64_t at = lo; at < hi && rcp_ranges_next(&cells->lives.map, at, &range) && range.lo < hi; at = range.hi)
        each(context, &cells->lives.at.at[range.value]);
}

void rcp_cells_unreached_lives(rcp_cells *cells, const rcp_span *spans, size_t n, rcp_life_visitor *each,
                               void *context) {
    if (cells->unreached_lives.len > n && n > 1) {
        for (size_t i = 0; i < n; i++)
            visit_lives(cells, spans[i].lo, spans[i].hi, each, context);
        return;
    }
    size_t kept = 0;
    for (size_t k = 0; k < cells->unreached_lives.len; k++) {
        rcp_span life = cells->unreached_lives.at[k];
        bool all = false;
        for (size_t i = 0; i < n; i++) {
            uint64_t lo = spans[i].lo > life.lo ? spans[i].lo : life.lo;
            uint64_t hi = spans[i].hi < life.hi ? spans[i].hi : life.hi;
            visit_lives(cells, lo, hi, each, context);
            all |= lo == life.lo && hi == life.hi;
        }
        if (!all)
            cells->unreached_lives.at[kept++] = life;
    }
    cells->unreached_lives.len = kept;
}

static void drop_bytes(rcp_cells *cells, rcp_access_cell *first, uint8_t mask) {
    for (uint32_t *link = &first->next; *link;) {
        uint32_t i = *link;
        rcp_access_cell *cell = cell_at(cells, i);
        cell->mask &= ~(uint32_t)mask;
        if (cell->mask) {
            link = &cell->next;
            continue;
        }
        *link = cell->next;
        empty(cells, cell);
        rcp_vec_push(&cells->spare_cells, i);
    }
    first->mask &= ~(uint32_t)mask;
    if (first->mask)
        return;
    empty(cells, first);
    uint32_t second = first->next;
    *first = second ? *cell_at(cells, second) : (rcp_access_cell){0};
    if (second)
        rcp_vec_push(&cells->spare_cells, second);
}

void rcp_cells_drop(rcp_cells *cells, uint64_t lo, uint64_t hi) {
    if (lo >= hi)
        return;
    find_lines(cells, lo, hi);
    for (size_t i = 0; i < cells->range.len; i++) {
        uint64_t number = cells->range.at[i];
        uint32_t index = rcp_map_get(&cells->lines, number);
        rcp_line *line = line_at(cells, index);
        uint64_t base = number << RCP_LINE_SHIFT;
        bool used = false;
        for (size_t g = 0; g < RCP_LINE_GRANULES; g++, base += 8) {
            if (line->at[g].mask && touches(base, lo, hi))
                drop_bytes(cells, &line->at[g], covered(base, lo, hi));
            used |= line->at[g].mask != 0;
        }
        if (used)
            continue;
        rcp_map_remove(&cells->lines, number);
        rcp_vec_push(&cells->spare_lines, index);
        cells->cache[number % RCP_LINE_CACHE].number = UINT64_MAX; /* whoever's it is: a miss costs little */
    }
}

/* Accesses that held no lock are no part of rule (a). */
static void note_touches(rcp_position_list *of, size_t n, const rcp_touches *touches) {
    for (uint32_t i = 0; i < touches->n; i++)
        if (touches->at[i].set)
            rcp_stamp_position((rcp_stamp){{0}, touches->at[i].tid, touches->at[i].count}, of, n);
}

static void note_origins(rcp_position_list *of, size_t n, const rcp_origins *origins) {
    for (size_t i = 0; i < origins->at.len; i++)
        rcp_stamp_position(origins->at.at[i].stamp, of, n);
}

void rcp_cells_positions(const rcp_cells *cells, rcp_position_list *of, size_t n) {
    for (size_t i = 0; i < cells->shared.len; i++) { /* those not in use are empty */
        const rcp_shared *shared = cells->shared.at[i];
        if (shared->writer_kind == RCP_WRITER_OPAQUE) /* any other is among the writes */
            rcp_stamp_position(shared->writer, of, n);
        note_touches(of, n, &shared->writes);
        note_touches(of, n, &shared->reads);
    }
    note_origins(of, n, &cells->lives);
    note_origins(of, n, &cells->opaque.map);
    for (size_t i = 0; i < cells->opaque.recent.len; i++)
        rcp_stamp_position(cells->opaque.recent.at[i].stamp, of, n);
    for (size_t i = 0; i < cells->extras.at.len; i++)
        for (size_t k = 0; k < cells->extras.at.at[i].atomics.len; k++)
            rcp_stamp_position(cells->extras.at.at[i].atomics.at[k].stamp, of, n);
}
