/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/check/observed.h"

#include "trace/check/barriers.h"
#include "trace/check/memory.h"

#include <string.h>

/* The pass over the trace. */
typedef struct pass {
    rcp_observed *o;
    rcp_memory memory;
    rcp_ranges modifier; /* as rcp_observed.reached; kept only where the trace has opaque events */
    bool opaque;
    rcp_barriers line;
    RCP_VEC(uint32_t) tagged;          /* by the line's tag: its event */
    RCP_VEC(uint32_t) * stretches;     /* by thread: of each pair that is open, its begin if that is a stretch's */
    bool tells_time;                   /* somebody may know that too much time went by */
    RCP_VEC(rcp_piece) lives, writers; /* of the event in hand */
} pass;

/* Appends [lo, hi) -> value, merged with the piece before where that is the same. */
#define ADD_PIECE(v, from, to, what)                                                                                   \
    do {                                                                                                               \
        if ((v)->len && (v)->at[(v)->len - 1].value == (what))                                                         \
            (v)->at[(v)->len - 1].hi = (to);                                                                           \
        else                                                                                                           \
            rcp_vec_push(v, ((rcp_piece){(from), (to), (what)}));                                                      \
    } while (0)

static rcp_pieces keep(rcp_observed *o, const rcp_piece *at, size_t n) {
    rcp_pieces list = {o->pieces.len, n};
    if (n)
        memcpy(rcp_vec_extend(&o->pieces, n), at, n * sizeof *at);
    return list;
}

static void keep_mixed(rcp_observed *o, rcp_map *map, size_t eid, const rcp_piece *at, size_t n) {
    rcp_map_set(map, eid, (uint32_t)o->lists.len);
    rcp_vec_push(&o->lists, keep(o, at, n));
}

/* The first time that a byte of the first life is touched, and by a read. */
static void first_read(rcp_observed *o, const rcp_event *e, const rcp_cursor *c, unsigned i) {
    if (!e->valued || rcp_ranges_get(&o->images, c->begin + c->offset + i) != RCP_RANGES_NONE)
        return;
    uint32_t *index = rcp_map_at(&o->first_at, c->word->number);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)o->firsts.len;
        rcp_vec_push(&o->firsts, (rcp_first){0});
    }
    rcp_first *first = &o->firsts.at[*index];
    first->shown |= (uint8_t)(1u << (c->lane + i));
    first->bytes[c->lane + i] = rcp_event_bytes(e)[c->offset + i];
}

static void access(pass *p, size_t eid, const rcp_event *e) {
    rcp_observed *o = p->o;
    bool reads = rcp_event_reads(e), writes = rcp_event_writes(e);
    p->lives.len = p->writers.len = 0;
    rcp_cursor c = rcp_cursor_of(e->addr, e->size);
    while (rcp_memory_step(&p->memory, &c)) {
        uint64_t lo = c.begin + c.offset;
        ADD_PIECE(&p->lives, lo, lo + c.count, c.life);
        for (unsigned i = 0; i < c.count; i++) {
            unsigned lane = c.lane + i;
            if (reads) {
                ADD_PIECE(&p->writers, lo + i, lo + i + 1, c.word->writer[lane]);
                if (c.word->cell[lane] == RCP_CELL_FRESH && !c.life)
                    first_read(o, e, &c, i);
            }
            c.word->cell[lane] = RCP_CELL_AS_RECORDED;
            if (writes)
                c.word->writer[lane] = (uint32_t)eid + 1;
        }
    }
    if (p->lives.len > 1)
        keep_mixed(o, &o->mixed_lives, eid, p->lives.at, p->lives.len);
    if (p->writers.len > 1)
        keep_mixed(o, &o->mixed_writers, eid, p->writers.at, p->writers.len);
    o->writer[eid] = p->writers.len > 1 ? RCP_MIXED : p->writers.len ? p->writers.at[0].value : 0;
    if (writes && p->opaque)
        rcp_ranges_set(&p->modifier, e->addr, e->addr + e->size, (uint32_t)eid + 1);
}

static void change_life(pass *p, size_t eid, const rcp_event *e) {
    uint64_t hi = e->addr + e->value, upto;
    p->lives.len = 0;
    for (uint64_t at = e->addr; at < hi; at = upto) {
        uint32_t life = rcp_memory_life(&p->memory, at, hi, &upto);
        ADD_PIECE(&p->lives, at, upto, life);
    }
    if (p->lives.len > 1)
        keep_mixed(p->o, &p->o->mixed_lives, eid, p->lives.at, p->lives.len);
    rcp_memory_begin_life(&p->memory, e->addr, hi, (uint32_t)eid + 1);
    if (p->opaque)
        rcp_ranges_set(&p->modifier, e->addr, hi, (uint32_t)eid + 1);
}

/* What it finds is replaced by one piece per span, so that the pieces found over the whole trace are no more than were
 * made: linear, however large the reach. */
static void opaque(pass *p, size_t eid, const rcp_event *e) {
    rcp_observed *o = p->o;
    const rcp_reach_def *reach = &o->trace->defs.reaches.at[e->reach.v];
    rcp_pieces list = {o->pieces.len, 0};
    for (size_t i = 0; i < reach->n && reach->spans[i].lo < RCP_REACH_BEYOND; i++) { /* what is beyond has no bytes */
        uint64_t lo = reach->spans[i].lo, hi = reach->spans[i].hi, upto;
        hi = hi < RCP_REACH_BEYOND ? hi : RCP_REACH_BEYOND;
        for (uint64_t at = lo; at < hi; at = upto) {
            uint32_t modifier = rcp_ranges_stretch(&p->modifier, at, hi, &upto);
            rcp_vec_push(&o->pieces, ((rcp_piece){at, upto, modifier == RCP_RANGES_NONE ? 0 : modifier}));
        }
        rcp_ranges_set(&p->modifier, lo, hi, (uint32_t)eid + 1);
        rcp_memory_opaque(&p->memory, lo, hi, (uint32_t)eid + 1);
    }
    list.n = o->pieces.len - list.first;
    rcp_vec_push(&o->opaques, eid);
    rcp_vec_push(&o->reached, list);
}

/* Where the stretch of time begins that the event ends. */
static uint32_t find_begin(pass *p, size_t eid, const rcp_event *e) {
    uint32_t begin = RCP_NO_BEGIN;
    if (e->kind == RCP_OPAQUE_BEGIN)
        rcp_vec_push(&p->stretches[e->tid.v], p->line.timing == RCP_TIMING_BEGINS ? (uint32_t)eid : RCP_NO_BEGIN);
    else if (e->kind == RCP_OPAQUE_END && p->stretches[e->tid.v].len)
        begin = p->stretches[e->tid.v].at[--p->stretches[e->tid.v].len];
    return begin;
}

static void note_time(pass *p, size_t eid, const rcp_event *e) {
    uint32_t begin = find_begin(p, eid, e);
    if (p->line.timing || begin != RCP_NO_BEGIN)
        rcp_vec_push(&p->o->points, ((rcp_point){(uint32_t)eid, begin, p->line.timing}));
    p->tells_time |= p->line.timing & RCP_TIMING_NOT_AFTER;
}

static void stand_in_line(pass *p, size_t eid, const rcp_event *e) {
    rcp_observed *o = p->o;
    uint32_t tag = rcp_barriers_add(&p->line, e);
    note_time(p, eid, e);
    if (tag == RCP_BARRIERS_NONE)
        return;
    if (tag == p->tagged.len)
        rcp_vec_push(&p->tagged, (uint32_t)eid);
    p->tagged.at[tag] = (uint32_t)eid;
    if (!p->line.needs.len)
        return;
    rcp_vec_push(&o->line, (uint32_t)eid);
    rcp_vec_push(&o->needs_from, o->needs.len);
    for (size_t i = 0; i < p->line.needs.len; i++)
        rcp_vec_push(&o->needs, p->tagged.at[p->line.needs.at[i]]);
}

static void observe(pass *p, size_t eid, const rcp_event *e) {
    rcp_observed *o = p->o;
    if (p->opaque)
        stand_in_line(p, eid, e);
    switch ((rcp_kind)e->kind) {
    case RCP_FORK:
        if (o->fork[e->child.v] == UINT64_MAX)
            o->fork[e->child.v] = eid;
        break;
    case RCP_END: o->end[e->tid.v] = eid; break;
    case RCP_INIT: o->has_init[e->object.v] = 1; break;
    case RCP_READ:
    case RCP_WRITE:
    case RCP_RMW: access(p, eid, e); break;
    case RCP_ALLOC:
    case RCP_FREE: change_life(p, eid, e); break;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: opaque(p, eid, e); break;
    default: break;
    }
}

rcp_code rcp_observed_init(rcp_observed *o, const rcp_trace *trace) {
    size_t n = trace->events.len, threads = trace->defs.threads.len;
    *o = (rcp_observed){.trace = trace, .implicit_branches = rcp_defs_implicit_branches(&trace->defs)};
    if (n >= UINT32_MAX - 1)
        return rcp_fail(RCP_LIMIT, "the witness checker takes traces of up to %u events; this one has %zu",
                        UINT32_MAX - 2, n);
    o->fork = rcp_alloc((threads + 1) * sizeof *o->fork);
    o->end = rcp_alloc((threads + 1) * sizeof *o->end);
    memset(o->fork, 0xff, (threads + 1) * sizeof *o->fork);
    memset(o->end, 0xff, (threads + 1) * sizeof *o->end);
    o->has_init = rcp_alloc_zero(trace->defs.objects.len + 1, 1);
    o->writer = rcp_alloc_zero(n + 1, sizeof *o->writer);
    rcp_map_init(&o->mixed_writers);
    rcp_map_init(&o->mixed_lives);
    rcp_map_init(&o->first_at);
    rcp_ranges_init(&o->images);
    for (size_t i = 0; i < trace->defs.images.len; i++) {
        const rcp_image *image = &trace->defs.images.at[i];
        if (image->n && image->n <= UINT64_MAX - image->addr)
            rcp_ranges_set(&o->images, image->addr, image->addr + image->n, (uint32_t)i);
    }

    pass p = {.o = o};
    p.stretches = rcp_alloc_zero(threads + 1, sizeof *p.stretches);
    rcp_memory_init(&p.memory);
    rcp_ranges_init(&p.modifier);
    rcp_barriers_init(&p.line, &trace->defs);
    for (size_t i = 0; i < n && !p.opaque; i++)
        p.opaque = rcp_event_is_opaque(&trace->events.at[i]);
    for (size_t i = 0; i < n; i++)
        observe(&p, i, &trace->events.at[i]);
    rcp_memory_finish(&p.memory);
    rcp_ranges_finish(&p.modifier);
    rcp_barriers_finish(&p.line);
    rcp_vec_finish(&p.tagged);
    for (size_t t = 0; t < threads; t++)
        rcp_vec_finish(&p.stretches[t]);
    rcp_release(p.stretches);
    o->points.len = p.tells_time ? o->points.len : 0;
    rcp_vec_push(&o->needs_from, o->needs.len);
    rcp_vec_finish(&p.lives);
    rcp_vec_finish(&p.writers);
    return RCP_OK;
}

void rcp_observed_finish(rcp_observed *o) {
    rcp_release(o->fork);
    rcp_release(o->end);
    rcp_release(o->has_init);
    rcp_release(o->writer);
    rcp_map_finish(&o->mixed_writers);
    rcp_map_finish(&o->mixed_lives);
    rcp_map_finish(&o->first_at);
    rcp_ranges_finish(&o->images);
    rcp_vec_finish(&o->line);
    rcp_vec_finish(&o->needs);
    rcp_vec_finish(&o->needs_from);
    rcp_vec_finish(&o->points);
    rcp_vec_finish(&o->opaques);
    rcp_vec_finish(&o->reached);
    rcp_vec_finish(&o->lists);
    rcp_vec_finish(&o->pieces);
    rcp_vec_finish(&o->firsts);
    *o = (rcp_observed){0};
}

/* The piece of the event's list that holds `addr`. */
static uint32_t in_list(const rcp_observed *o, const rcp_map *map, rcp_eid eid, uint64_t addr, uint64_t *upto) {
    rcp_pieces list = o->lists.at[rcp_map_get(map, eid.v)];
    size_t lo = list.first, hi = list.first + list.n - 1;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (o->pieces.at[middle].hi <= addr)
            lo = middle + 1;
        else
            hi = middle;
    }
    *upto = o->pieces.at[lo].hi;
    return o->pieces.at[lo].value;
}

uint32_t rcp_observed_writer(const rcp_observed *o, rcp_eid eid, uint64_t addr, uint64_t *upto) {
    const rcp_event *e = &o->trace->events.at[eid.v];
    if (o->writer[eid.v] == RCP_MIXED)
        return in_list(o, &o->mixed_writers, eid, addr, upto);
    *upto = e->addr + rcp_event_extent(e);
    return o->writer[eid.v];
}

uint32_t rcp_observed_life(const rcp_observed *o, rcp_eid eid, uint64_t addr, uint64_t *upto) {
    const rcp_event *e = &o->trace->events.at[eid.v];
    if (rcp_map_get(&o->mixed_lives, eid.v) != RCP_MAP_NONE)
        return in_list(o, &o->mixed_lives, eid, addr, upto);
    *upto = e->addr + rcp_event_extent(e);
    return (uint32_t)o->trace->life[eid.v];
}

bool rcp_observed_initial(const rcp_observed *o, uint64_t addr, uint8_t *value) {
    uint32_t image = rcp_ranges_get(&o->images, addr);
    if (image != RCP_RANGES_NONE) {
        const rcp_image *i = &o->trace->defs.images.at[image];
        *value = i->bytes[addr - i->addr];
        return true;
    }
    uint32_t first = rcp_map_get(&o->first_at, addr / 8);
    if (first == RCP_MAP_NONE || !(o->firsts.at[first].shown >> addr % 8 & 1))
        return false;
    *value = o->firsts.at[first].bytes[addr % 8];
    return true;
}

const uint32_t *rcp_observed_needs(const rcp_observed *o, rcp_eid eid, size_t *n) {
    size_t low = 0, high = o->line.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (o->line.at[middle] < eid.v)
            low = middle + 1;
        else
            high = middle;
    }
    *n = low < o->line.len && o->line.at[low] == eid.v ? o->needs_from.at[low + 1] - o->needs_from.at[low] : 0;
    return *n ? &o->needs.at[o->needs_from.at[low]] : NULL;
}

const rcp_point *rcp_observed_point(const rcp_observed *o, rcp_eid eid) {
    size_t low = 0, high = o->points.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (o->points.at[middle].event < eid.v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < o->points.len && o->points.at[low].event == eid.v ? &o->points.at[low] : NULL;
}

size_t rcp_observed_opaque(const rcp_observed *o, rcp_eid eid) {
    size_t low = 0, high = o->opaques.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (o->opaques.at[middle] < eid.v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
