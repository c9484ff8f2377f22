/* SPDX-License-Identifier: Apache-2.0 */
#include "order/engine/history.h"

#include "order/engine/meetings.h"

void rcp_history_init(rcp_history *history, rcp_order_frame *frame, bool opaque) {
    *history =
        (rcp_history){.frame = frame, .rules = frame->rules, .keeps_writers = opaque || frame->rules->reads_from};
    rcp_cells_init(&history->cells, &frame->clocks);
    history->cells.has_opaque = opaque;
    frame->extras = &history->cells.extras;
}

void rcp_history_finish(rcp_history *history) {
    rcp_cells_finish(&history->cells);
    rcp_vec_finish(&history->suspects);
    rcp_vec_finish(&history->suspect_of);
    rcp_vec_finish(&history->racing);
    rcp_vec_finish(&history->picked);
}

static bool is_same_place(const rcp_touch *a, const rcp_touch *b) {
    return a->loc == b->loc && a->kind == b->kind && a->atomic == b->atomic;
}

/* The suspect of this thread (and, by place, of this place and kind); NULL: there is none so far. */
static rcp_suspect *find_suspect(rcp_history *history, const rcp_touch *touch) {
    while (history->suspect_of.len <= touch->tid)
        rcp_vec_push(&history->suspect_of, 0);
    uint32_t at = history->suspect_of.at[touch->tid];
    if (at >= history->suspects.len || history->suspects.at[at].touch.tid != touch->tid) {
        history->suspect_of.at[touch->tid] = (uint32_t)history->suspects.len;
        return NULL;
    }
    if (!history->cells.by_place)
        return &history->suspects.at[at];
    for (; at < history->suspects.len; at++)
        if (history->suspects.at[at].touch.tid == touch->tid && is_same_place(&history->suspects.at[at].touch, touch))
            return &history->suspects.at[at];
    return NULL;
}

/* Of one thread (by place: and place) the latest counts; the same access met again in another cell makes the range
 * wider. */
static void suspect(rcp_history *history, rcp_touch touch, uint64_t lo, uint64_t hi) {
    rcp_suspect *known = find_suspect(history, &touch);
    if (!known) {
        rcp_vec_push(&history->suspects, ((rcp_suspect){touch, lo, hi}));
        return;
    }
    if (touch.count > known->touch.count) {
        *known = (rcp_suspect){touch, lo, hi};
    } else if (touch.count == known->touch.count) {
        known->lo = lo < known->lo ? lo : known->lo;
        known->hi = hi > known->hi ? hi : known->hi;
    }
}

/* Compares with touches [from, to) of a list; returns whether one of them is not before the runner's event. Who holds a
 * lock in common does not race, but is not ordered by that. */
static bool compare(rcp_history *history, const rcp_runner *runner, const rcp_touches *touches, uint32_t from,
                    uint32_t to, bool atomic, const rcp_picked *picked) {
    const rcp_locks *locks = &history->frame->locks;
    uint32_t set = rcp_locks_set(locks, runner->tid);
    bool unordered = false;
    for (uint32_t i = from; i < to; i++) {
        const rcp_touch *touch = &touches->at[i];
        if (rcp_runner_knows(runner, touch->tid, touch->count))
            continue;
        unordered = true;
        if ((atomic && touch->atomic) || rcp_locks_exclude(locks, set, touch->set))
            continue;
        suspect(history, *touch, picked->base + (unsigned)__builtin_ctz(picked->mask),
                picked->base + 32 - (unsigned)__builtin_clz(picked->mask));
        if (rcp_order_handles(history->frame))
            rcp_vec_push(&history->racing, ((rcp_racing){*touch, picked->cell->shared}));
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

/* The event has been compared with all before it: what it races with is put before it. `gone`: so are the places. */
static void handle_races(rcp_history *history, rcp_runner *runner, bool reads, bool gone) {
    for (size_t i = 0; i < history->racing.len; i++)
        rcp_meet_racing(history->frame, runner, gone ? NULL : history->racing.at[i].shared,
                        &history->racing.at[i].touch, reads);
    history->racing.len = 0;
}

/* By place: has the thread that owns the cell read it, or written it, elsewhere? Both are kept, then. */
static inline bool is_another_place(const rcp_history *history, const rcp_access_cell *cell, const rcp_event *event) {
    return history->cells.by_place && (event->kind == RCP_READ ? cell->r_count && cell->r_loc != event->loc.v
                                                               : cell->w_count && cell->w_loc != event->loc.v);
}

/* A thread's plain access to what it alone touched plainly: nothing is compared, nothing is learned. */
static inline bool enter_quickly(rcp_history *history, rcp_runner *runner, const rcp_event *event) {
    unsigned offset = event->addr % 8;
    rcp_line *line = rcp_cells_line(&history->cells, event->addr);
    if (!line || event->mode != RCP_PLAIN || event->size > 8 - offset ||
        rcp_locks_set(&history->frame->locks, runner->tid))
        return false;
    rcp_access_cell *cell = rcp_line_cell(line, event->addr);
    if (cell->mask != ((1u << event->size) - 1) << offset || cell->is_shared || cell->tid != runner->tid ||
        is_another_place(history, cell, event))
        return false;
    history->frame->graph.executed = true;
    if (history->rules->executes)
        history->rules->executes(history->frame, runner, event);
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
    rcp_access_cell *cell = picked->cell;
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
    rcp_touch touch = {runner->tid, runner->count, event->loc.v,
                       event->kind, atomic,        rcp_locks_set(&history->frame->locks, runner->tid)};
    if (!writes) {
        rcp_touches_put(&shared->reads, touch);
        return;
    }
    if (!picked->unordered)
        shared->reads.fresh = shared->writes.fresh = 0; /* this write covers them all */
    rcp_touches_put(&shared->writes, touch);
    if (history->rules->leaves)
        history->rules->leaves(history->frame, runner, shared, event);
    bool kept = atomic || history->keeps_writers;
    if (shared->writer_kind == RCP_WRITER_OPAQUE)
        rcp_cells_note_written(&history->cells, picked->base);
    rcp_clock_put(clocks, &shared->writer.clock, kept ? runner->clock : (rcp_clock){0});
    shared->writer.tid = runner->tid;
    shared->writer.count = runner->count;
    shared->writer_kind = atomic ? RCP_WRITER_ATOMIC : RCP_WRITER_PLAIN;
}

/* What comes before the access, whichever order is asked for. */
static void learn(rcp_history *history, rcp_runner *runner, const rcp_event *event, rcp_picked *picked) {
    rcp_cells *cells = &history->cells;
    const rcp_rules *rules = history->rules;
    rcp_access_cell *cell = picked->cell;
    bool reads = rcp_event_reads(event), atomic = event->mode != RCP_PLAIN;
    if (cell->life && !cells->lives.at.at[cell->life].frees)
        rcp_clock_receive(cells->clocks, runner, cells->lives.at.at[cell->life].stamp);
    bool own = !cell->is_shared && cell->tid == runner->tid;
    if (own && !atomic && !rcp_locks_set(&history->frame->locks, runner->tid) &&
        !is_another_place(history, cell, event))
        return;
    rcp_shared *shared = rcp_cells_share(cells, cell);
    bool bound = shared->writer_kind == RCP_WRITER_OPAQUE || (atomic && shared->writer_kind == RCP_WRITER_ATOMIC);
    if (reads && bound && rules->takes && shared->writer_kind == RCP_WRITER_ATOMIC)
        rules->takes(history->frame, runner, shared, event->mode);
    else if (reads && bound && !rules->necessary)
        rcp_clock_receive(cells->clocks, runner, shared->writer);
    if (reads && rules->reads)
        rules->reads(history->frame, runner, shared);
    if (rules->meets)
        rcp_meet(history->frame, runner, shared, reads, rcp_event_writes(event), atomic);
}

static uint32_t writer_set(const rcp_shared *shared) {
    for (uint32_t i = 0; i < shared->writes.n; i++)
        if (shared->writes.at[i].tid == shared->writer.tid && shared->writes.at[i].count == shared->writer.count)
            return shared->writes.at[i].set;
    return 0;
}

/* What the order adds, now that the access has been compared. */
static void learn_more(rcp_history *history, rcp_runner *runner, uint64_t eid, const rcp_event *event,
                       const rcp_picked *picked) {
    const rcp_rules *rules = history->rules;
    const rcp_origin *life = &history->cells.lives.at.at[picked->cell->life];
    if (life->frees && history->probe)
        ask_freed(history, life->stamp);
    if (life->frees && rules->uses_freed)
        rules->uses_freed(history->frame, runner, life->stamp);
    if (!picked->cell->is_shared)
        return;
    rcp_shared *shared = picked->cell->shared;
    bool atomic = event->mode != RCP_PLAIN;
    if (rcp_event_reads(event) && rules->reads_from && shared->writer.count) {
        rcp_source source = {.eid = eid,
                             .writer = shared->writer,
                             .set = rules->sections ? writer_set(shared) : 0,
                             .bound = shared->writer_kind == RCP_WRITER_OPAQUE ||
                                      (atomic && shared->writer_kind == RCP_WRITER_ATOMIC)};
        rules->reads_from(history->frame, runner, &source);
    }
    if (atomic && rules->meets) {
        rcp_extra *extra = rcp_order_extra(history->frame, shared);
        if (rcp_event_reads(event))
            rcp_extra_atomic(&history->frame->clocks, extra, runner, false);
        if (rcp_event_writes(event))
            rcp_extra_atomic(&history->frame->clocks, extra, runner, true);
    }
}

/* Is this the analysed access, or one since then that was quicker to enter than to filter? */
static bool is_late(const rcp_redundant_late *late, uint32_t tid, uint32_t count) {
    return tid == late->tid && count >= late->analysed && count < late->last;
}

static void catch_up(rcp_access_cell *cell, const rcp_redundant_late *late) {
    if (!cell->is_shared) {
        uint32_t *count = late->writes ? &cell->w_count : &cell->r_count;
        if (is_late(late, cell->tid, *count)) {
            *count = late->last;
            *(late->writes ? &cell->w_loc : &cell->r_loc) = late->loc;
        }
        return;
    }
    rcp_shared *shared = cell->shared;
    rcp_touches *touches = late->writes ? &shared->writes : &shared->reads;
    for (uint32_t i = 0; i < touches->n; i++)
        if (is_late(late, touches->at[i].tid, touches->at[i].count)) {
            rcp_touch touch = touches->at[i];
            touch.count = late->last;
            touch.loc = late->loc;
            rcp_touches_put(touches, touch); /* among the fresh ones: a write of its own may have come in between */
            break;
        }
    if (late->writes && is_late(late, shared->writer.tid, shared->writer.count))
        shared->writer.count = late->last;
}

void rcp_history_catch_up(rcp_history *history) {
    for (size_t i = 0; i < history->redundant->late.len; i++) {
        const rcp_redundant_late *late = &history->redundant->late.at[i];
        history->picked.len = 0;
        rcp_cells_pick_range(&history->cells, late->granule * 8, late->granule * 8 + 8, false, &history->picked);
        for (size_t k = 0; k < history->picked.len; k++)
            if (history->picked.at[k].mask & late->mask)
                catch_up(history->picked.at[k].cell, late);
    }
    history->redundant->late.len = 0;
}

void rcp_history_access(rcp_history *history, rcp_runner *runner, uint64_t eid, const rcp_event *event) {
    if (!history->probe && enter_quickly(history, runner, event)) {
        if (history->redundant)
            rcp_redundant_own(history->redundant, event);
        return;
    }
    if (history->redundant) {
        if (rcp_redundant_is(history->redundant, event, runner->count))
            return;
        if (history->redundant->late.len)
            rcp_history_catch_up(history);
    }
    uint64_t pending = history->frame->pending.added;
    bool writes = rcp_event_writes(event), atomic = event->mode != RCP_PLAIN;
    history->picked.len = 0;
    rcp_cells_pick(&history->cells, event->addr, event->addr + event->size, runner->tid, &history->picked);
    rcp_picked *at = history->picked.at, *end = at + history->picked.len;
    for (rcp_picked *p = at; p != end; p++)
        learn(history, runner, event, p);
    for (rcp_picked *p = at; p != end; p++)
        p->unordered =
            p->cell->is_shared && compare_cell(history, rcp_runner_seen(runner), p->cell->shared, writes, atomic, p);
    if (history->probe)
        ask(history, runner);
    history->frame->graph.executed = true;
    if (history->racing.len)
        handle_races(history, runner, rcp_event_reads(event), false);
    for (rcp_picked *p = at; p != end; p++)
        learn_more(history, runner, eid, event, p);
    if (history->rules->executes)
        history->rules->executes(history->frame, runner, event);
    for (rcp_picked *p = at; p != end; p++)
        enter(history, runner, event, p);
    if (history->redundant && history->frame->pending.by_term && history->frame->pending.added != pending)
        rcp_redundant_keep(history->redundant);
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
    rcp_reached_forget(&cells->opaque, cells->clocks, lo, hi);
    rcp_cells_note_life(cells, lo, hi,
                        rcp_origins_set(&cells->lives, cells->clocks, lo, hi, runner, event->loc.v, false, 0));
}

/* Memory that is freed twice. */
static void suspect_freed(rcp_history *history, const rcp_origin *freed, uint64_t lo, uint64_t hi) {
    rcp_touch touch = {freed->stamp.tid, freed->stamp.count, freed->loc, RCP_FREE, 0, freed->set};
    suspect(history, touch, lo, hi);
    if (rcp_order_handles(history->frame))
        rcp_vec_push(&history->racing, ((rcp_racing){touch, NULL}));
}

void rcp_history_free(rcp_history *history, rcp_runner *runner, const rcp_event *event) {
    rcp_cells *cells = &history->cells;
    rcp_clocks *clocks = cells->clocks;
    uint64_t lo = event->addr, hi = lo + event->value;
    uint32_t set = rcp_locks_set(&history->frame->locks, runner->tid);
    rcp_range range;
    const rcp_origin *life;
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));) {
        if (!life->frees)
            rcp_clock_receive(clocks, runner, life->stamp);
    }

    /* a plain write of the whole range; where memory is freed twice there need be no cell */
    history->picked.len = 0;
    rcp_cells_pick_range(cells, lo, hi, false, &history->picked);
    for (size_t i = 0; i < history->picked.len && history->rules->meets && set; i++)
        rcp_meet(history->frame, runner, rcp_cells_share(cells, history->picked.at[i].cell), false, true, false);
    for (uint64_t at = lo; history->rules->meets && set && (life = next_life(cells, &at, hi, &range));)
        if (life->frees)
            rcp_meet_freed(history->frame, runner, life);
    const rcp_runner *seen = rcp_runner_seen(runner);
    for (size_t i = 0; i < history->picked.len; i++) {
        rcp_picked *p = &history->picked.at[i];
        if (p->cell->is_shared || p->cell->tid != runner->tid)
            compare_cell(history, seen, rcp_cells_share(cells, p->cell), true, false, p);
    }
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));) {
        rcp_stamp stamp = life->stamp;
        if (life->frees && !rcp_runner_knows(seen, stamp.tid, stamp.count) &&
            !rcp_locks_exclude(&history->frame->locks, set, life->set))
            suspect_freed(history, life, range.lo > lo ? range.lo : lo, range.hi < hi ? range.hi : hi);
    }
    history->frame->graph.executed = true;
    if (history->probe)
        ask(history, runner);
    handle_races(history, runner, false, true);
    for (uint64_t at = lo; (life = next_life(cells, &at, hi, &range));) {
        if (life->frees && history->probe)
            ask_freed(history, life->stamp);
        if (life->frees && history->rules->uses_freed)
            history->rules->uses_freed(history->frame, runner, life->stamp);
    }
    rcp_cells_drop(cells, lo, hi);
    rcp_reached_forget(&cells->opaque, clocks, lo, hi);
    rcp_cells_note_life(cells, lo, hi, rcp_origins_set(&cells->lives, clocks, lo, hi, runner, event->loc.v, true, set));
}

/* Who hears of a life's beginning. */
typedef struct hearer {
    rcp_clocks *clocks;
    rcp_runner *runner;
} hearer;

static void hear(void *context, const rcp_origin *life) {
    const hearer *h = context;
    rcp_clock_receive(h->clocks, h->runner, life->stamp);
}

/* Lives and cells that an earlier opaque event has reached since are before that one, which is before this one (P1). */
void rcp_history_opaque(rcp_history *history, rcp_runner *runner, const rcp_span *spans, size_t n) {
    rcp_cells *cells = &history->cells;
    rcp_clocks *clocks = cells->clocks;
    RCP_CHECK(history->keeps_writers || !n);
    hearer h = {clocks, runner};
    rcp_cells_unreached_lives(cells, spans, n, hear, &h);
    history->picked.len = 0;
    rcp_cells_pick_unreached(cells, spans, n, &history->picked);
    for (size_t i = 0; i < history->picked.len; i++)
        rcp_clock_receive(clocks, runner, rcp_cells_share(cells, history->picked.at[i].cell)->writer);
    for (size_t i = 0; i < history->picked.len; i++) {
        rcp_shared *shared = history->picked.at[i].cell->shared;
        rcp_stamp_set(clocks, &shared->writer, runner);
        shared->writer_kind = RCP_WRITER_OPAQUE;
    }
    rcp_reached_set(&cells->opaque, clocks, spans, n, runner, ++cells->now);
}
