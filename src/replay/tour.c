/* SPDX-License-Identifier: Apache-2.0 */
#include "replay/tour.h"

#include "base/limits.h"
#include "base/map.h"
#include "trace/check/barriers.h"

#include <stdlib.h>

enum {
    MOST_BYTES = 4096,     /* of an access, or a block, of which each byte is looked at */
    MOST_LOOKS = 1 << 22,  /* comparisons of accesses with what calls outside reach */
    MOST_VISITS = 1 << 26, /* of events, when it is asked which come before which */
};
#define LAST_PHASE UINT32_MAX /* of the two racing accesses: the witness does not execute them */
#define NONE       UINT32_MAX

/* An event that the witness executes, or one of the two that it ends with. */
typedef struct node {
    uint64_t eid;
    rcp_event event;
    uint32_t nth;    /* of its thread */
    uint32_t phase;  /* 0: in the recorded beginning; else 1 + the step */
    uint32_t before; /* the node before it of its thread */
    uint32_t edges;  /* what it depends on: the first of a list */
    uint32_t rank;   /* in the witness */
    uint32_t seen;   /* scratch: the search that came here */
    bool is_point;   /* a point of time (P3) */
    bool is_out;     /* it is in the tour */
    size_t stops;    /* 1 + the first of `stops` that is before it; 0: none */
} node;

typedef struct edge {
    uint32_t from, next;
    bool is_value; /* both are accesses, and only what is read or left hangs on their order */
} edge;

/* A byte: who wrote it last, who has read it since, one per thread and more, and who began its life. */
typedef struct byte {
    uint32_t writer, readers, life; /* a node; a list of edges; a node */
} byte;

/* Of a thread while the trace is read. */
typedef struct course {
    uint32_t seen, next; /* its events so far; the first step that is not over */
} course;

typedef struct accepted {
    size_t pair;
    uint32_t first;
    size_t next; /* 1 + another one before the same event */
} accepted;

typedef struct touring {
    rcp_tour *tour;
    rcp_reader *reader;
    const rcp_defs *defs;
    const rcp_race *race;
    uint64_t low;         /* what was recorded before it stays as it is */
    RCP_VEC(node) nodes;  /* in the order of the trace */
    RCP_VEC(uint32_t) at; /* in that of the witness */
    RCP_VEC(edge) edges;
    RCP_VEC(uint32_t) tags; /* barriers.h: a tag's node */
    RCP_VEC(course) courses;
    RCP_VEC(accepted) taken;
    rcp_map index; /* event → node */
    rcp_map objects, bytes;
    RCP_VEC(byte) memory;
    RCP_VEC(uint32_t) opaque; /* nodes, in the order of the witness */
    RCP_VEC(uint32_t) stack;
    uint32_t searches;
    uint32_t floor;  /* the lowest rank of a first access that was taken: no order goes back beyond it */
    uint64_t visits; /* of nodes, by all searches */
    bool is_whole;   /* nothing was too much */
} touring;

void rcp_tour_finish(rcp_tour *tour) {
    rcp_witness_finish(&tour->witness);
    rcp_vec_finish(&tour->stops);
}

/* --- the events --- */

static void depend_by(touring *t, uint32_t on, uint32_t who, bool is_value) {
    if (on == NONE || on == who)
        return;
    rcp_vec_push(&t->edges, ((edge){on, t->nodes.at[who].edges, is_value}));
    t->nodes.at[who].edges = (uint32_t)t->edges.len - 1;
}

static void depend(touring *t, uint32_t on, uint32_t who) { depend_by(t, on, who, false); }

static course *course_of(touring *t, uint32_t tid) {
    while (t->courses.len <= tid)
        rcp_vec_push(&t->courses, ((course){0}));
    return &t->courses.at[tid];
}

/* When the witness executes the event: false where it does not. */
static bool find_phase(touring *t, uint64_t eid, uint32_t tid, uint32_t nth, uint32_t *phase) {
    const rcp_witness *w = &t->race->witness;
    course *c = course_of(t, tid);
    *phase = 0;
    if (eid < w->recorded)
        return true;
    while (c->next < w->steps.len && (w->steps.at[c->next].tid.v != tid || w->steps.at[c->next].to <= nth))
        c->next++;
    *phase = c->next + 1;
    if (c->next == w->steps.len)
        *phase = LAST_PHASE;
    return c->next < w->steps.len || eid == t->race->event[0].v || eid == t->race->event[1].v;
}

static uint32_t add_node(touring *t, uint64_t eid, const rcp_event *event, uint32_t nth, uint32_t phase) {
    uint32_t i = (uint32_t)t->nodes.len;
    rcp_vec_push(&t->nodes, ((node){.eid = eid, .event = *event, .nth = nth, .phase = phase, .before = NONE}));
    t->nodes.at[i].edges = NONE;
    rcp_map_set(&t->index, eid, i);
    return i;
}

static bool is_earlier(const node *a, const node *b) {
    return a->phase != b->phase ? a->phase < b->phase : a->eid < b->eid;
}

/* P1, of recorded events, and as far as the witness has it: a guess does without. */
static void stand_in_line(touring *t, uint32_t on, uint32_t who) {
    if (on != NONE && is_earlier(&t->nodes.at[on], &t->nodes.at[who]))
        depend(t, on, who);
}

/* One event of the trace. Of those from `low` on the ones that take part become nodes; rule P1 needs all. */
static void meet_event(touring *t, rcp_barriers *line, uint64_t eid, const rcp_event *event) {
    uint32_t tag = rcp_barriers_add(line, event), nth = course_of(t, event->tid.v)->seen++, phase, i = NONE;
    if (eid >= t->low && find_phase(t, eid, event->tid.v, nth, &phase))
        i = add_node(t, eid, event, nth, phase);
    if (i != NONE)
        t->nodes.at[i].is_point = line->timing != 0;
    for (size_t k = 0; i != NONE && k < line->needs.len; k++)
        stand_in_line(t, t->tags.at[line->needs.at[k]], i);
    while (tag != RCP_BARRIERS_NONE && t->tags.len <= tag)
        rcp_vec_push(&t->tags, NONE);
    if (tag != RCP_BARRIERS_NONE && i != NONE)
        t->tags.at[tag] = i;
}

/* Is there anything after this event that the witness executes? */
static bool is_over(const touring *t, uint64_t eid) {
    const rcp_witness *w = &t->race->witness;
    if (eid < w->recorded || eid < t->race->event[0].v || eid < t->race->event[1].v)
        return false;
    for (size_t i = 0; i < w->steps.len; i++)
        if (w->steps.at[i].tid.v >= t->courses.len || t->courses.at[w->steps.at[i].tid.v].seen < w->steps.at[i].to)
            return false;
    return true;
}

static rcp_code read_events(touring *t) {
    enum { LOOK = 1024 }; /* whether it is over, once in so many events */
    rcp_barriers line;
    rcp_batch batch;
    rcp_barriers_init(&line, t->defs);
    rcp_code code = rcp_reader_seek(t->reader, (rcp_eid){0});
    for (bool is_end = false; code == RCP_OK && !is_end && t->is_whole;) {
        code = rcp_reader_next(t->reader, &batch);
        is_end = code != RCP_OK || !batch.n;
        for (size_t i = 0; !is_end && i < batch.n; i++) {
            uint64_t eid = batch.first.v + i;
            meet_event(t, &line, eid, &batch.at[i]);
            is_end = eid % LOOK == 0 && is_over(t, eid);
        }
        t->is_whole = t->nodes.len <= rcp_limit(RCP_LIMIT_REPLAY_WINDOW);
    }
    rcp_barriers_finish(&line);
    return code;
}

static const touring *sorting; /* qsort has no context */
static int by_witness(const void *x, const void *y) {
    const node *a = &sorting->nodes.at[*(const uint32_t *)x], *b = &sorting->nodes.at[*(const uint32_t *)y];
    if (a->phase != b->phase)
        return a->phase < b->phase ? -1 : 1;
    return a->eid < b->eid ? -1 : a->eid > b->eid;
}

/* --- what depends on what, in the order of the witness --- */

/* Events that name the same thing keep their order. */
static void chain(touring *t, uint64_t key, uint32_t i) {
    uint32_t *last = rcp_map_at(&t->objects, key);
    if (*last != RCP_MAP_NONE)
        depend(t, *last, i);
    *last = i;
}

enum { OBJECT, THREAD, CHILD, HEAP, TIME, EVERYTHING };
static uint64_t key_of(unsigned kind, uint64_t number) { return (uint64_t)kind << 40 | number; }

static byte *byte_at(touring *t, uint64_t address) {
    uint32_t *index = rcp_map_at(&t->bytes, address);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)t->memory.len;
        rcp_vec_push(&t->memory, ((byte){NONE, NONE, NONE}));
    }
    return &t->memory.at[*index];
}

static bool is_of_one_thread(const touring *t, uint32_t a, uint32_t b) {
    return t->nodes.at[a].event.tid.v == t->nodes.at[b].event.tid.v;
}

static void depend_on_access(touring *t, uint32_t on, uint32_t who) {
    bool are_accesses =
        on != NONE && rcp_event_is_access(&t->nodes.at[on].event) && rcp_event_is_access(&t->nodes.at[who].event);
    depend_by(t, on, who, are_accesses);
}

static void touch(touring *t, uint32_t i, uint64_t address, uint64_t size, bool writes) {
    for (uint64_t k = 0; k < size; k++) {
        byte *b = byte_at(t, address + k);
        depend(t, b->life, i);
        depend_on_access(t, b->writer, i);
        for (uint32_t r = b->readers; writes && r != NONE; r = t->edges.at[r].next)
            depend_on_access(t, t->edges.at[r].from, i);
        if (writes) {
            *b = (byte){i, NONE, rcp_event_is_access(&t->nodes.at[i].event) ? b->life : i};
        } else if (b->readers != NONE && is_of_one_thread(t, t->edges.at[b->readers].from, i)) {
            t->edges.at[b->readers].from = i;
        } else {
            rcp_vec_push(&t->edges, ((edge){i, b->readers, true}));
            b->readers = (uint32_t)t->edges.len - 1;
        }
    }
}

/* What can't be looked at closely keeps its place among all. */
static void keep_place(touring *t, uint32_t i, size_t rank) {
    for (size_t k = 0; k < rank; k++)
        depend(t, t->at.at[k], i);
    rcp_map_set(&t->objects, key_of(EVERYTHING, 0), i);
}

/* P2: what a call outside reaches it reads and writes. */
static void reach(touring *t, uint32_t i, size_t rank, uint64_t *looks) {
    const rcp_event *e = &t->nodes.at[i].event;
    if (rcp_event_is_opaque(e)) {
        for (size_t k = 0; k < rank; k++, ++*looks) {
            const rcp_event *other = &t->nodes.at[t->at.at[k]].event;
            uint64_t extent = other->tid.v == e->tid.v ? 0 : rcp_event_extent(other);
            if (extent && rcp_defs_reach_holds(t->defs, e->reach, other->addr, other->addr + extent))
                depend(t, t->at.at[k], i);
        }
        rcp_vec_push(&t->opaque, i);
    }
    uint64_t extent = rcp_event_extent(e);
    for (size_t k = 0; extent && k < t->opaque.len; k++, ++*looks)
        if (!is_of_one_thread(t, i, t->opaque.at[k]) &&
            rcp_defs_reach_holds(t->defs, t->nodes.at[t->opaque.at[k]].event.reach, e->addr, e->addr + extent))
            depend(t, t->opaque.at[k], i);
}

static void relate(touring *t, uint32_t i, size_t rank, uint64_t *looks) {
    const rcp_event *e = &t->nodes.at[i].event;
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    uint64_t extent = rcp_event_extent(e);
    uint32_t last = rcp_map_get(&t->objects, key_of(THREAD, e->tid.v));
    t->nodes.at[i].before = last == RCP_MAP_NONE ? NONE : last;
    if (last == RCP_MAP_NONE)
        chain(t, key_of(CHILD, e->tid.v), i); /* after its FORK */
    chain(t, key_of(THREAD, e->tid.v), i);
    uint32_t all = rcp_map_get(&t->objects, key_of(EVERYTHING, 0));
    depend(t, all == RCP_MAP_NONE ? NONE : all, i);
    if (uses & RCP_USES_OBJECT)
        chain(t, key_of(OBJECT, e->object.v), i);
    if (uses & RCP_USES_LOCK)
        chain(t, key_of(OBJECT, e->lock.v), i);
    if (uses & RCP_USES_CHILD) {
        uint32_t of_child = rcp_map_get(&t->objects, key_of(THREAD, e->child.v));
        depend(t, of_child == RCP_MAP_NONE ? NONE : of_child, i);
        chain(t, key_of(CHILD, e->child.v), i);
    }
    if (e->kind == RCP_END)
        chain(t, key_of(CHILD, e->tid.v), i);
    bool is_block = e->kind == RCP_ALLOC || e->kind == RCP_FREE;
    if (is_block || e->kind == RCP_FORK) /* who comes first decides where it is, and its number */
        chain(t, key_of(HEAP, 0), i);
    if (t->nodes.at[i].is_point)
        chain(t, key_of(TIME, 0), i);
    reach(t, i, rank, looks);
    if (e->kind == RCP_EXIT || extent > MOST_BYTES)
        keep_place(t, i, rank);
    else
        touch(t, i, e->addr, extent, is_block || rcp_event_writes(e));
}

/* --- who can meet --- */

/* What the node depends on, but for values where `all` is false, and what the search has not met: onto the stack. */
static void push_needs(touring *t, uint32_t i, bool all, uint32_t floor) {
    for (uint32_t k = t->nodes.at[i].edges; k != NONE; k = t->edges.at[k].next) {
        node *from = &t->nodes.at[t->edges.at[k].from];
        if ((!all && t->edges.at[k].is_value) || from->seen == t->searches || from->rank < floor)
            continue;
        from->seen = t->searches;
        rcp_vec_push(&t->stack, t->edges.at[k].from);
    }
}

/* Does `first` come before something that `second` needs, values aside, by what is known so far? */
static bool is_needed(touring *t, uint32_t first, uint32_t second) {
    uint32_t rank = t->nodes.at[first].rank, floor = rank < t->floor ? rank : t->floor;
    t->searches++;
    t->stack.len = 0;
    for (push_needs(t, second, false, floor); t->stack.len; t->visits++) {
        uint32_t i = t->stack.at[--t->stack.len];
        if (i == first)
            return true;
        push_needs(t, i, true, floor);
    }
    return false;
}

static void try_pair(touring *t, size_t pair, const rcp_tour_pair *p) {
    uint32_t x = rcp_map_get(&t->index, p->event[0].v), y = rcp_map_get(&t->index, p->event[1].v);
    if (x == RCP_MAP_NONE || y == RCP_MAP_NONE)
        return;
    if (is_earlier(&t->nodes.at[y], &t->nodes.at[x])) {
        uint32_t z = x;
        x = y, y = z;
    }
    node *first = &t->nodes.at[x];
    const node *second = &t->nodes.at[y];
    bool are_accesses = rcp_event_is_access(&first->event) && rcp_event_is_access(&second->event);
    if (!are_accesses || first->phase == LAST_PHASE || !rcp_event_conflict(&first->event, &second->event))
        return;
    /* the second one's turn has come where all is done that it needs, but for what others leave in its bytes */
    if (is_needed(t, x, y))
        return;
    for (uint32_t e = second->edges; e != NONE; e = t->edges.at[e].next)
        if (!t->edges.at[e].is_value)
            depend(t, t->edges.at[e].from, x);
    t->floor = first->rank < t->floor ? first->rank : t->floor;
    rcp_vec_push(&t->taken, ((accepted){pair, x, first->stops}));
    first->stops = t->taken.len;
}

/* --- the tour --- */

static void put_out(touring *t, uint32_t i, bool *is_new) {
    node *n = &t->nodes.at[i];
    rcp_witness *w = &t->tour->witness;
    n->is_out = true;
    for (size_t k = n->stops; k; k = t->taken.at[k - 1].next) {
        rcp_vec_push(&t->tour->stops, ((rcp_tour_stop){t->taken.at[k - 1].pair, w->steps.len}));
        *is_new = true;
    }
    if (!t->tour->stops.len && !w->steps.len && n->eid == w->recorded && n->phase == 0) {
        w->recorded++;
        return;
    }
    if (*is_new || !w->steps.len)
        rcp_vec_push(&w->steps, ((rcp_witness_step){n->event.tid, n->nth + 1}));
    else
        rcp_witness_run(w, n->event.tid, n->nth + 1);
    *is_new = false;
}

/* In the order of the witness; but what an event depends on comes before it. */
static void put_all_out(touring *t) {
    bool is_new = true;
    t->tour->witness.recorded = t->low;
    for (size_t k = 0; k < t->at.len; k++) {
        t->stack.len = 0;
        if (t->nodes.at[t->at.at[k]].phase == LAST_PHASE)
            break;
        rcp_vec_push(&t->stack, t->at.at[k]);
        while (t->stack.len) {
            uint32_t i = t->stack.at[t->stack.len - 1], missing = NONE;
            for (uint32_t e = t->nodes.at[i].edges; e != NONE && missing == NONE; e = t->edges.at[e].next)
                if (!t->nodes.at[t->edges.at[e].from].is_out)
                    missing = t->edges.at[e].from;
            if (missing != NONE) {
                rcp_vec_push(&t->stack, missing);
                continue;
            }
            if (!t->nodes.at[i].is_out)
                put_out(t, i, &is_new);
            t->stack.len--;
        }
    }
}

static rcp_code make(touring *t, const rcp_tour_pair *pairs, size_t n) {
    const rcp_witness *w = &t->race->witness;
    uint64_t window = rcp_limit(RCP_LIMIT_REPLAY_WINDOW), looks = 0;
    t->low = w->recorded;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            if (pairs[i].event[k].v < t->low && pairs[i].event[k].v + window >= w->recorded)
                t->low = pairs[i].event[k].v;
    RCP_TRY(read_events(t));
    if (!t->is_whole)
        return RCP_OK;
    for (uint32_t i = 0; i < t->nodes.len; i++)
        rcp_vec_push(&t->at, i);
    sorting = t;
    if (t->at.len)
        qsort(t->at.at, t->at.len, sizeof *t->at.at, by_witness);
    for (size_t k = 0; k < t->at.len && looks < MOST_LOOKS; k++) {
        t->nodes.at[t->at.at[k]].rank = (uint32_t)k;
        relate(t, t->at.at[k], k, &looks);
    }
    if (looks >= MOST_LOOKS)
        return RCP_OK;
    t->floor = UINT32_MAX;
    for (size_t i = 0; i < n && t->taken.len < rcp_limit(RCP_LIMIT_REPLAY_OTHERS) && t->visits < MOST_VISITS; i++)
        try_pair(t, i, &pairs[i]);
    if (t->taken.len)
        put_all_out(t);
    return RCP_OK;
}

rcp_code rcp_tour_make(rcp_tour *tour, rcp_reader *reader, const rcp_race *race, const rcp_tour_pair *pairs, size_t n) {
    *tour = (rcp_tour){0};
    rcp_witness_init(&tour->witness);
    tour->witness.race[0] = race->event[0];
    tour->witness.race[1] = race->event[1];
    if (!n || !rcp_limit(RCP_LIMIT_REPLAY_OTHERS))
        return RCP_OK;
    touring t = {
        .tour = tour, .reader = reader, .defs = rcp_reader_borrow_defs(reader), .race = race, .is_whole = true};
    rcp_map_init(&t.index);
    rcp_map_init(&t.objects);
    rcp_map_init(&t.bytes);
    rcp_code code = make(&t, pairs, n);
    rcp_map_finish(&t.index);
    rcp_map_finish(&t.objects);
    rcp_map_finish(&t.bytes);
    rcp_vec_finish(&t.nodes);
    rcp_vec_finish(&t.at);
    rcp_vec_finish(&t.edges);
    rcp_vec_finish(&t.tags);
    rcp_vec_finish(&t.courses);
    rcp_vec_finish(&t.taken);
    rcp_vec_finish(&t.memory);
    rcp_vec_finish(&t.opaque);
    rcp_vec_finish(&t.stack);
    return code;
}
