/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of shared memory, what it held in the beginning, and what code outside did to it. */
#include "program/recording/plain_name.h"
#include "program/symbolic/symbolic.h"
#include "program/telling/sink.h"
#include "program/telling/sink_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GRANULE = RCP_SPACE_GRANULE };

static const rcp_lives *lives_of(const rcp_sink *sink) { return &sink->telling->lives; }

static bool is_shared(const rcp_sink *sink, uint64_t address) {
    return rcp_mark_is_shared(sink->machine->space, address);
}

bool rcp_sink_any_shared(const rcp_sink *sink, uint64_t address, uint64_t size) {
    for (uint64_t at = address & ~(uint64_t)(GRANULE - 1); at < address + size; at += GRANULE)
        if (is_shared(sink, at))
            return true;
    return false;
}

static const rcp_ins *ins_of(const rcp_strand *strand) { return strand->frames.len ? strand->pc : NULL; }

/* The part of a variable that is shared: its name, and what it held. */
static void begin_variable(rcp_sink *sink, rcp_sink_variable *variable, rcp_span span) {
    if (!variable->was_told) {
        variable->was_told = true;
        char *name = rcp_take_plain_name(variable->name);
        rcp_defs_variable(sink->defs, name, variable->addr, variable->size);
        free(name);
    }
    uint64_t lo = span.lo > variable->addr ? span.lo : variable->addr;
    uint64_t hi = span.hi < variable->addr + variable->size ? span.hi : variable->addr + variable->size;
    if (!variable->is_defined || lo >= hi)
        return;
    uint8_t *bytes = rcp_alloc(hi - lo);
    rcp_space_read(sink->machine->space, lo, bytes, hi - lo);
    rcp_defs_image(sink->defs, lo, bytes, hi - lo);
    rcp_sink_note_told(sink, lo, hi);
    rcp_release(bytes);
}

static void begin_span(rcp_sink *sink, rcp_span span, uint32_t first) {
    rcp_range range;
    for (uint64_t at = span.lo; rcp_ranges_next(&sink->places.variables, at, &range) && range.lo < span.hi;
         at = range.hi)
        if (range.value >= first)
            begin_variable(sink, &sink->places.named.at[range.value], span);
}

void rcp_sink_memory_begin(rcp_sink *sink) {
    size_t n;
    const rcp_span *spans = rcp_sharing_borrow(sink->sharing, 0, &n);
    for (size_t i = 0; i < n; i++)
        rcp_symbolic_share(sink->telling->symbolic, spans[i].lo, spans[i].hi - spans[i].lo);
}

void rcp_sink_memory_part(rcp_sink *sink, size_t unit) {
    uint32_t first = (uint32_t)sink->places.named.len;
    rcp_sink_variables_add(sink, unit);
    size_t n;
    const rcp_span *spans = rcp_sharing_borrow(sink->sharing, 0, &n);
    for (size_t i = 0; i < n; i++)
        begin_span(sink, spans[i], first);
}

/* What terms the further memory's contents had is forgotten: they are over reads before the anchor, which every
 * schedule of the new trace has as recorded (the checker refuses others), so they are constants in it. */
rcp_code rcp_sink_again(rcp_sink *sink, const rcp_again *again) {
    RCP_TRY(rcp_writer_move(sink->writer, again->directory));
    if (sink->moments) { /* the process that this is a copy of goes on with them */
        rcp_moments_abandon(sink->moments);
        rcp_spool_abandon(sink->answers);
        sink->moments = NULL;
        sink->answers = NULL;
    }
    char anchor[24];
    snprintf(anchor, sizeof anchor, "%" PRIu64, sink->count);
    rcp_defs_fact(sink->defs, "anchor", anchor);
    for (size_t i = 0; i < again->n; i++) {
        rcp_span span = again->further[i];
        begin_span(sink, span, 0);
        rcp_symbolic_share(sink->telling->symbolic, span.lo, span.hi - span.lo);
    }
    return RCP_OK;
}

/* A life begins in shared memory. */
static void begin_cells(rcp_sink *sink, uint32_t life, uint64_t lo, uint64_t hi) {
    for (uint64_t g = lo / GRANULE; g * GRANULE < hi; g++) {
        uint8_t bare = rcp_sharing_bare(sink->sharing, life, g * GRANULE);
        if (bare)
            *rcp_sink_cell_of(sink, g) = (rcp_sink_cell){.bare = bare, .born = sink->pairs, .borns = sink->alls};
    }
}

static void reset_cells(rcp_sink *sink, uint64_t lo, uint64_t hi) {
    for (uint64_t g = lo / GRANULE; g * GRANULE < hi; g++) {
        uint32_t index = rcp_map_get(&sink->cell_index, g);
        if (index != RCP_MAP_NONE)
            sink->cells.at[index] = (rcp_sink_cell){0};
    }
}

/* What was shared of life `number` within [lo, hi) is so no longer. False: nothing was. */
static bool end_life(rcp_sink *sink, uint32_t number, uint64_t lo, uint64_t hi) {
    size_t n;
    bool any = false;
    const rcp_span *spans = rcp_sharing_borrow(sink->sharing, number, &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = spans[i].lo > lo ? spans[i].lo : lo, to = spans[i].hi < hi ? spans[i].hi : hi;
        if (from >= to)
            continue;
        any = true;
        rcp_symbolic_unshare(sink->telling->symbolic, from, to - from);
        reset_cells(sink, from, to);
    }
    return any;
}

/* Where the block was allocated that is freed now: for people. */
static void tell_allocated(rcp_sink *sink, rcp_eid free, uint32_t loc) {
    const rcp_location *at = &sink->defs->locations.at[loc];
    rcp_text said = {0};
    rcp_text_printf(&said, "%" PRIu64 "\t%u\t%u\t%u\t%s", free.v, loc, at->line, at->column,
                    rcp_defs_borrow_string(sink->defs, at->file));
    rcp_defs_fact(sink->defs, RCP_ALLOCATED_FACT, said.at);
    rcp_text_finish(&said);
}

void rcp_sink_change(rcp_sink *sink, const rcp_life_change *change) {
    const rcp_strand *strand = sink->machine->current;
    size_t n;
    const rcp_span *spans = rcp_sharing_borrow(sink->sharing, change->number, &n);
    rcp_ranges_erase(&sink->annotations.wanted, change->lo, change->hi);
    if (change->is_own && change->frees)
        rcp_sink_sync_end(sink, strand, change->lo, change->hi);
    bool had_shared = false;
    for (uint64_t at = change->lo, upto; at < change->hi; at = upto) {
        uint32_t number = rcp_lives_stretch(lives_of(sink), at, change->hi, &upto);
        had_shared |= end_life(sink, number, at, upto);
    }
    rcp_map *blocks = &sink->places.blocks;
    const uint32_t allocated = rcp_map_get(blocks, change->address);
    if (allocated != RCP_MAP_NONE)
        rcp_map_remove(blocks, change->address);
    if (!n && !(had_shared && change->frees)) {
        const rcp_loc own = change->frees || change->is_own ? (rcp_loc){0} : rcp_sink_own_place(sink, strand);
        if (own.v)
            rcp_map_set(blocks, change->address, own.v);
        return;
    }
    rcp_event event = {.kind = change->frees ? RCP_FREE : RCP_ALLOC, .addr = change->address, .value = change->size};
    if (change->is_zeroed)
        event.outcome = RCP_ZEROED;
    const rcp_eid eid = rcp_sink_tell(sink, strand, event);
    if (change->frees && allocated != RCP_MAP_NONE)
        tell_allocated(sink, eid, allocated);
    for (size_t i = 0; i < n; i++) {
        rcp_symbolic_share(sink->telling->symbolic, spans[i].lo, spans[i].hi - spans[i].lo);
        reset_cells(sink, spans[i].lo, spans[i].hi);
        if (!change->is_zeroed && !change->frees)
            begin_cells(sink, change->number, spans[i].lo, spans[i].hi);
    }
}

void rcp_sink_filled(rcp_sink *sink, uint64_t lo, uint64_t hi) {
    rcp_sink_stale(sink, lo, hi);
    for (uint64_t g = lo / GRANULE; g * GRANULE < hi; g++) {
        uint32_t index = rcp_map_get(&sink->cell_index, g);
        if (index != RCP_MAP_NONE)
            sink->cells.at[index].bare = 0;
    }
}

void rcp_sink_made(rcp_sink *sink, uint64_t lo, uint64_t hi) {
    size_t n;
    uint64_t upto;
    const rcp_span *spans = rcp_sharing_borrow(sink->sharing, rcp_lives_stretch(lives_of(sink), lo, hi, &upto), &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = spans[i].lo > lo ? spans[i].lo : lo, to = spans[i].hi < hi ? spans[i].hi : hi;
        if (from < to)
            rcp_sink_note_told(sink, from, to);
        for (uint64_t g = from / GRANULE; g * GRANULE < to; g++) { /* what came before says nothing of this life */
            rcp_sink_cell_of(sink, g)->pairs = sink->pairs;
            rcp_sink_cell_of(sink, g)->alls = sink->alls;
            rcp_sink_cell_of(sink, g)->bare = 0;
        }
    }
}

/* Instrumented code looks at the guard of a static variable by an atomic load, so who sets it does so likewise. */
static uint8_t order_of(rcp_sink *sink, const rcp_strand *strand) {
    const rcp_visits *visits = rcp_telling_visits(sink->telling, strand->number);
    return visits->len && visits->at[visits->len - 1].called.roles & RCP_ROLE_GUARD ? RCP_REL : RCP_PLAIN;
}

static rcp_sink_cell *find_cell(rcp_sink *sink, uint64_t granule) {
    if (is_shared(sink, granule * GRANULE))
        return rcp_sink_cell_of(sink, granule);
    uint32_t index = rcp_map_get(&sink->cell_index, granule);
    return index == RCP_MAP_NONE ? NULL : &sink->cells.at[index];
}

/* What was written in the old block, perhaps by code that nobody knows, is written in the new one. */
static void move_bare(rcp_sink *sink, uint64_t to, uint64_t from, uint64_t size) {
    for (uint64_t done = 0; (to | from) % GRANULE == 0 && done < size; done += GRANULE) {
        rcp_sink_cell *cell = find_cell(sink, (to + done) / GRANULE);
        uint8_t beyond = size - done < GRANULE ? (uint8_t)(255u << (size - done)) : 0;
        if (cell && cell->bare)
            cell->bare &= rcp_sink_bare(sink, from + done) | beyond;
    }
}

void rcp_sink_effect(rcp_sink *sink, rcp_strand *strand, const rcp_log_record *record) {
    rcp_symbolic *symbolic = sink->telling->symbolic;
    sink->outside_order = order_of(sink, strand);
    sink->is_moving = record->tag == RCP_LOG_COPY;
    if (sink->is_moving) {
        move_bare(sink, record->address, record->second, record->size);
        rcp_symbolic_moved(symbolic, strand, ins_of(strand), record->address, record->second, record->size);
    } else {
        rcp_symbolic_wrote(symbolic, strand, ins_of(strand), record->address, record->size);
    }
    sink->is_moving = false;
    if (record->tag == RCP_LOG_COPY && rcp_sink_is_stale(sink, record->second, record->second + record->size))
        rcp_sink_stale(sink, record->address, record->address + record->size);
    else if (sink->stale.live)
        rcp_ranges_erase(&sink->stale, record->address, record->address + record->size);
    sink->outside_order = RCP_PLAIN;
}

/* Calls `each` with every stretch of [address, address + size) that is shared. */
typedef void each_stretch(rcp_sink *sink, rcp_strand *strand, uint64_t address, uint64_t size);
static void over_shared(rcp_sink *sink, rcp_strand *strand, uint64_t address, uint64_t size, each_stretch *each) {
    uint64_t end = address + size, from = 0, next;
    for (uint64_t at = address; at < end; at = next) {
        next = (at / GRANULE + 1) * GRANULE < end ? (at / GRANULE + 1) * GRANULE : end;
        if (!is_shared(sink, at)) {
            if (from)
                each(sink, strand, from, at - from);
            from = 0;
        } else if (!from)
            from = at;
    }
    if (from)
        each(sink, strand, from, end - from);
}

static void wrote_stretch(rcp_sink *sink, rcp_strand *strand, uint64_t address, uint64_t size) {
    for (uint64_t n; size; address += n, size -= n) {
        n = size < RCP_ACCESS_MAX ? size : RCP_ACCESS_MAX;
        rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_WRITE, .addr = address, .size = (uint32_t)n});
    }
}

void rcp_sink_stale(rcp_sink *sink, uint64_t lo, uint64_t hi) {
    if (lo < hi)
        rcp_ranges_set(&sink->stale, lo, hi, 0);
}

bool rcp_sink_is_stale(const rcp_sink *sink, uint64_t lo, uint64_t hi) {
    rcp_range range;
    return sink->stale.live && rcp_ranges_next(&sink->stale, lo, &range) && range.lo < hi;
}

void rcp_sink_wrote_unseen(rcp_sink *sink, rcp_strand *strand, uint64_t address, uint64_t size) {
    rcp_sink_stale(sink, address, address + size);
    over_shared(sink, strand, address, size, wrote_stretch);
    rcp_symbolic_forget(sink->telling->symbolic, address, size);
}

static void unsure_stretch(rcp_sink *sink, rcp_strand *strand, uint64_t address, uint64_t size) {
    (void)strand;
    for (uint64_t g = address / GRANULE; g * GRANULE < address + size; g++) {
        rcp_sink_cell *cell = rcp_sink_cell_of(sink, g);
        cell->unsure = UINT8_MAX;
        cell->bare = 0;
    }
}

void rcp_sink_unsure(rcp_sink *sink, uint64_t address, uint64_t size) {
    rcp_sink_stale(sink, address, address + size);
    over_shared(sink, NULL, address, size, unsure_stretch);
    rcp_symbolic_forget(sink->telling->symbolic, address, size);
}

static bool is_restless(const rcp_sink *sink, uint64_t granule) {
    return rcp_defs_reach_holds(sink->defs, sink->reach_known, granule * GRANULE, granule * GRANULE + 1);
}

/* Can the granule be written where no event says so: by others, by another name, by a handler that is left out? */
static bool is_written_unseen(const rcp_sink *sink, uint64_t address) {
    return is_restless(sink, address / GRANULE) || rcp_sharing_is_seen(sink->sharing, address, GRANULE) ||
           rcp_sharing_is_alias(sink->sharing, address) || rcp_sharing_is_handled(sink->sharing, address);
}

/* What an opaque event has reached since is its doing, as far as anybody knows; so is what changes by itself. */
uint8_t rcp_sink_bare(rcp_sink *sink, uint64_t address) {
    uint64_t granule = address / GRANULE;
    const rcp_sink_cell *cell = find_cell(sink, granule);
    if (!cell || !cell->bare || cell->borns != sink->alls || is_written_unseen(sink, granule * GRANULE))
        return 0;
    uint32_t reached = rcp_ranges_get(&sink->reached, granule * GRANULE);
    return reached != RCP_RANGES_NONE && reached > cell->born ? 0 : cell->bare;
}

/* Can the bytes of a shared granule have changed without a further event? */
static bool is_explained(rcp_sink *sink, uint64_t granule, uint8_t changed) {
    const rcp_sink_cell *cell = rcp_sink_cell_of(sink, granule);
    if (!(changed & cell->told & ~cell->unsure))
        return true;
    uint32_t reached = rcp_ranges_get(&sink->reached, granule * GRANULE);
    if (reached != RCP_RANGES_NONE && reached > cell->pairs)
        return true;
    return cell->alls != sink->alls || (is_restless(sink, granule) && cell->pairs < sink->stirred);
}

/* Nobody else has to do with the granule, and no code that is not known can have written it: memory has what it holds.
 */
static bool is_known_private(const rcp_sink *sink, uint64_t address) {
    return !sink->alls && !rcp_sink_is_stale(sink, address, address + GRANULE) &&
           rcp_ranges_get(&sink->reached, address) == RCP_RANGES_NONE && !is_written_unseen(sink, address);
}

bool rcp_sink_is_sure(rcp_sink *sink, uint64_t lo, uint64_t hi) {
    for (uint64_t g = lo / GRANULE; g * GRANULE < hi; g++) {
        uint64_t from = g * GRANULE > lo ? g * GRANULE : lo, to = (g + 1) * GRANULE < hi ? (g + 1) * GRANULE : hi;
        uint8_t mask = (uint8_t)((1u << (to - g * GRANULE)) - (1u << (from - g * GRANULE)));
        if (!is_shared(sink, g * GRANULE)) {
            if (!is_known_private(sink, g * GRANULE))
                return false;
        } else if (mask & (~rcp_sink_cell_of(sink, g)->told | rcp_sink_cell_of(sink, g)->unsure) ||
                   is_explained(sink, g, mask)) /* each byte of it, not one of them */
            return false;
    }
    return true;
}

void rcp_sink_miss(rcp_sink *sink, rcp_strand *strand, const rcp_ins *ins, uint64_t address, const uint8_t bytes[64]) {
    static const uint8_t zeros[64];
    const uint8_t *now = rcp_space_at(sink->machine->space, address, 64);
    now = now ? now : zeros;
    rcp_span unexplained = {0, 0};
    bool is_handled = false;
    if (sink->stale.live)
        rcp_ranges_erase(&sink->stale, address, address + 64);
    for (unsigned g = 0; g < 64; g += GRANULE) {
        uint8_t changed = 0;
        for (unsigned i = 0; i < GRANULE; i++)
            changed |= (uint8_t)((now[g + i] != bytes[g + i]) << i);
        if (!changed)
            continue;
        is_handled |= rcp_sharing_is_handled(sink->sharing, address + g);
        if (!is_shared(sink, address + g)) {
            rcp_symbolic_forget(sink->telling->symbolic, address + g, GRANULE);
        } else if (!is_explained(sink, (address + g) / GRANULE, changed)) {
            unexplained.lo = unexplained.lo ? unexplained.lo : address + g;
            unexplained.hi = address + g + GRANULE;
        }
    }
    (void)ins;
    if (is_handled) { /* on whichever thread the handler ran: all that was done by then comes before */
        rcp_sink_pair(sink, strand, "a signal's handler", rcp_sink_everything(sink));
        return;
    }
    if (unexplained.hi || rcp_sharing_has_noted(sink->sharing, sink->machine->record.at, RCP_ODD_CHANGED))
        rcp_sink_cause(sink, strand, "memory that changed, nobody knows by whom", unexplained);
}
