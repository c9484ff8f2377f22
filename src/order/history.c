/* SPDX-License-Identifier: Apache-2.0 */
#include "order/history.h"

void rcp_history_init(rcp_history *history, rcp_clocks *clocks, const rcp_rules *rules, bool opaque) {
    *history = (rcp_history){.rules = rules, .keeps_writers = opaque || rules->reads_from};
    rcp_cells_init(&history->cells, clocks);
}

void rcp_history_finish(rcp_history *history) {
    rcp_cells_finish(&history->cells);
    rcp_vec_finish(&history->suspects);
    rcp_vec_finish(&history->suspect_of);
    rcp_vec_finish(&history->picked);
}

/* Of one thread the latest counts; the same access met again in another cell makes the range wider. */
static void suspect(rcp_history *history, rcp_touch touch, uint64_t lo, uint64_t hi) {
    while (history->suspect_of.len <= touch.tid)
        rcp_vec_push(&history->suspect_of, 0);
    uint32_t at = history->suspect_of.at[touch.tid];
    if (at >= history->suspects.len || history->suspects.at[at].touch.tid != touch.tid) {
        history->suspect_of.at[touch.tid] = (uint32_t)history->suspects.len;
        rcp_vec_push(&history->suspects, ((rcp_suspect){touch, lo, hi}));
        return;
    }
    rcp_suspect *known = &history->suspects.at[at];
    if (touch.count > known->touch.count) {
        *known = (rcp_suspect){touch, lo, hi};
    } else if (touch.count == known->touch.count) {
        known->lo = lo < known->lo ? lo : known->lo;
        known->hi = hi > known->hi ? hi : known->hi;
    }
}

/* Compares with touches [from, to) of a list; returns whether one of them is not before the runner's event. */
static bool compare(rcp_history *history, const rcp_runner *runner, const rcp_touches *touches, uint32_t from,
                    uint32_t to, bool atomic, const rcp_picked *picked) {
    bool unordered = false;
    for (uint32_t i = from; i < to; i++) {
        const rcp_touch *touch = &touches->at[i];
        if (rcp_runner_knows(runner, touch->tid, touch->count))
            continue;
        unordered = true;
        if (!(atomic && touch->atomic))
            suspect(history, *touch, picked->base + (unsigned)__builtin_ctz(picked->mask),
                    picked->base + 32 - (unsigned)__builtin_clz(picked->mask));
    }
    return unordered;
}

/* Compares an access with a shared cell. Whoever comes after all fresh writes comes after all that is not fresh. */
static bool compare_cell(rcp_history *history, const rcp_runner *runner, const rcp_shared *shared, bool writes,
                         bool atomic, const rcp_picked *picked) {
    const rcp_touches *w = &shared->writes, *r = &shared->reads;
    /* The one fresh write, where there is one only, is the last writer: no need to look into the list. */
    bool known = w->fresh == 1 && shared->writer.count && shared->writer_kind != RCP_WRITER_OPAQUE &&
                 rcp_runner_knows(runner, shared->writer.tid, shared->writer.count);
    bool open = !known && compare(history, runner, w, 0, w->fresh, atomic, picked), unordered = open;
    if (open)
        compare(history, runner, w, w->fresh, w->n, atomic, picked);
    if (writes) {
        unordered |= compare(history, runner, r, 0, r->fresh, atomic, picked);
        if (open)
            compare(history, runner, r, r->fresh, r->n, atomic, picked);
    }
    return unordered;
}

static void ask(rcp_history *history, const rcp_runner *runner) {
    rcp_stamp_set(history->cells.clocks, &history->probe->before, runner);
}

static void ask_freed(rcp_history *history, rcp_stamp freed) {
    rcp_clock_hold(history->cells.clocks, freed.clock);
    rcp_vec_push(&history->probe->freed, freed);
}

/* A thread's plain access to what it alone touched plainly: nothing is compared, nothing is learned. */
static inline bool enter_quickly(rcp_history *history, const rcp_runner *runner, const rcp_event *event) {
    unsigned offset = event->addr % 8;
    rcp_line *line = rcp_cells_line(&history->cells, event->addr);
    if (!line || event->mode != RCP_PLAIN || event->size > 8 - offset)
        return false;
    rcp_cell *cell = rcp_line_cell(line, event->addr);
    if (cell->mask != ((1u << event->size) - 1) << offset || cell->is_shared || cell->tid != runner->tid)
        return false;
    if (event->kind == RCP_READ) {
        cell->r_count = runner->count;
        cell->r_loc = event->loc.v;
    } else {
        cell->w_count = runner->count;
        cell->w_loc = event->loc.v;
        if (history->keeps_writers)
            rcp_clock_put(history->cells.clocks, &cell->w_clock, runner->clock);
    }
    return true;
}

/* Enters the event into a cell that it has been compared with. */
static void enter(rcp_history *history, const rcp_runner *runner, const rcp_event *event, const rcp_picked *picked) {
    rcp_cell *cell = picked->cell;
    rcp_clocks *clocks = history->cells.clocks;
    bool writes = rcp_event_writes(event), atomic = event->mode != RCP_PLAIN;
    if (!cell->is_shared) {
        if (writes) {
            cell->w_count = runner->count;
            cell->w_loc = event->loc.v;
            if (history->keeps_writers)
                rcp_clock_put(clocks, &cell->w_clock, runner->clock);
        } else {
            cell->r_count = runner->count;
            cell->r_loc = event->loc.v;
        }
        return;
    }
    rcp_shared *shared = cell->shared;
    rcp_touch touch = {runner->tid, runner->count, event->loc.v, event->kind, atomic};
    if (!writes) {
        rcp_touches_put(&shared->reads, touch);
        return;
    }
    if (!picked->unordered)
        shared->reads.fresh = shared->writes.fresh = 0; /* this write covers them all */
    rcp_touches_put(&shared->writes, touch);
    bool kept = atomic || history->keeps_writers;
    rcp_clock_put(clocks, &shared->writer.clock, kept ? runner->clock : (rcp_clock){0});
    shared->writer.tid = runner->tid;
    shared->writer.count = runner->count;
    shared->writer_kind = atomic ? RCP_WRITER_ATOMIC : RCP_WRITER_PLAIN;
}

void rcp_history_access(rcp_history *history, rcp_runner *runner, const rcp_event *event) {
    if (!history->probe && enter_quickly(history, runner, event))
        return;
    rcp_cells *cells = &history->cells;
    rcp_clocks *clocks = cells->clocks;
    const rcp_rules *rules = history->rules;
    bool writes = rcp_event_writes(event), reads = rcp_event_reads(event), atomic = event->mode != RCP_PLAIN;
    history->picked.len = 0;
    rcp_cells_pick(cells, event->addr, event->addr + event->size, runner->tid, &history->picked);
    rcp_picked *at = history->picked.at, *end = at + history->picked.len;

    /* what comes before the access, whichever order is asked for */
    for (rcp_picked *p = at; p != end; p++) {
        if (p->cell->life && !cells->lives.at.at[p->cell->life].frees)
            rcp_clock_receive(clocks, runner, cells->lives.at.at[p->cell->life].stamp);
        if (!p->cell->is_shared && p->cell->tid == runner->tid && !atomic)
            continue;
        const rcp_shared *shared = rcp_cells_share(cells, p->cell);
        if (reads && (shared->writer_kind == RCP_WRITER_OPAQUE || (atomic && shared->writer_kind == RCP_WRITER_ATOMIC)))
            rcp_clock_receive(clocks, runner, shared->writer);
    }
    for (rcp_picked *p = at; p != end; p++)
        p->unordered = p->cell->is_shared && compare_cell(history, runner, p->cell->shared, writes, atomic, p);
    if (history->probe)
        ask(history, runner);

    /* what the order adds, now that the access has been compared */
    for (rcp_picked *p = at; p != end; p++) {
        const rcp_origin *life = &cells->lives.at.at[p->cell->life];
        if (life->frees && history->probe)
            ask_freed(history, life->stamp);
        if (life->frees && rules->uses_freed)
            rules->uses_freed(clocks, runner, life->stamp);
        if (reads && rules->reads_from && p->cell->is_shared && p->cell->shared->writer.count)
            rules->reads_from(clocks, runner, p->cell->shared->writer);
    }
    for (rcp_picked *p = at; p != end; p++)
        enter(history, runner, event, p);
}

/* The next life that [*at, hi) has a part of: `origin` began it. */
static const rcp_origin *next_life(const rcp_cells *cells, uint64_t *at, uint64_t hi, rcp_range *range) {
    if (*at >= hi || !rcp_ranges_next(&cells->lives.map, *at, range) || range->lo >= hi)
        return NULL;
    *at = range->hi;
    return &cells->lives.at.at[range->value];
}

void rcp_history_alloc(rcp_history *history, rcp_runner *runner, const rcp_event *event) {
    rcp_cells *cells = &history->cells;
    uint64_t lo = event->addr, hi = lo + event->value;
    rcp_range range;
    const rcp_origin *life;
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));)
        rcp_clock_receive(cells->clocks, runner, life->stamp);
    rcp_cells_drop(cells, lo, hi);
    rcp_origins_erase(&cells->opaque, cells->clocks, lo, hi);
    rcp_origins_set(&cells->lives, cells->clocks, lo, hi, runner, event->loc.v, false);
}

void rcp_history_free(rcp_history *history, rcp_runner *runner, const rcp_event *event) {
    rcp_cells *cells = &history->cells;
    rcp_clocks *clocks = cells->clocks;
    uint64_t lo = event->addr, hi = lo + event->value;
    rcp_range range;
    const rcp_origin *life;
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));) {
        if (!life->frees)
            rcp_clock_receive(clocks, runner, life->stamp);
    }

    /* a plain write of the whole range; where memory is freed twice there need be no cell */
    history->picked.len = 0;
    rcp_cells_pick_range(cells, lo, hi, false, &history->picked);
    for (size_t i = 0; i < history->picked.len; i++) {
        rcp_picked *p = &history->picked.at[i];
        if (p->cell->is_shared || p->cell->tid != runner->tid)
            compare_cell(history, runner, rcp_cells_share(cells, p->cell), true, false, p);
    }
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));) {
        rcp_stamp stamp = life->stamp;
        if (life->frees && !rcp_runner_knows(runner, stamp.tid, stamp.count))
            suspect(history, (rcp_touch){stamp.tid, stamp.count, life->loc, RCP_FREE, 0}, range.lo > lo ? range.lo : lo,
                    range.hi < hi ? range.hi : hi);
    }
    if (history->probe)
        ask(history, runner);
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));) {
        if (life->frees && history->probe)
            ask_freed(history, life->stamp);
        if (life->frees && history->rules->uses_freed)
            history->rules->uses_freed(clocks, runner, life->stamp);
    }
    rcp_cells_drop(cells, lo, hi);
    rcp_origins_erase(&cells->opaque, clocks, lo, hi);
    rcp_origins_set(&cells->lives, clocks, lo, hi, runner, event->loc.v, true);
}

void rcp_history_opaque(rcp_history *history, rcp_runner *runner, const rcp_span *spans, size_t n) {
    rcp_cells *cells = &history->cells;
    rcp_clocks *clocks = cells->clocks;
    rcp_range range;
    const rcp_origin *life;
    RCP_CHECK(history->keeps_writers || !n);
    history->picked.len = 0;
    for (size_t i = 0; i < n; i++) {
        for (uint64_t at = spans[i].lo; (life = next_life(cells, &at, spans[i].hi, &range));)
            rcp_clock_receive(clocks, runner, life->stamp);
        rcp_cells_pick_range(cells, spans[i].lo, spans[i].hi, true, &history->picked);
    }
    for (size_t i = 0; i < history->picked.len; i++)
        rcp_clock_receive(clocks, runner, rcp_cells_share(cells, history->picked.at[i].cell)->writer);
    for (size_t i = 0; i < history->picked.len; i++) {
        rcp_shared *shared = history->picked.at[i].cell->shared;
        rcp_stamp_set(clocks, &shared->writer, runner);
        shared->writer_kind = RCP_WRITER_OPAQUE;
    }
    for (size_t i = 0; i < n; i++)
        rcp_origins_set(&cells->opaque, clocks, spans[i].lo, spans[i].hi, runner, 0, false);
}
