/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/rival/ways.h"

#include "base/limits.h"
#include "base/hash.h"

#include <string.h>

const char *rcp_ways_cut_name(rcp_ways_cut cut) {
    static const char *const names[RCP_CUTS] = {"told otherwise", "code outside", "synchronisation", "memory",
                                                "beyond another's end"};
    return names[cut];
}

void rcp_ways_init(rcp_ways *ways) {
    *ways = (rcp_ways){0};
    rcp_map_init(&ways->node_at);
    rcp_map_init(&ways->side_at);
    rcp_map_init(&ways->first_at);
    rcp_map_init(&ways->object_at);
}

void rcp_ways_finish(rcp_ways *ways) {
    for (size_t i = 0; i < ways->runs.len; i++) {
        rcp_observed_finish(&ways->runs.at[i].observed);
        rcp_release(ways->runs.at[i].node);
    }
    for (size_t i = 0; i < ways->threads.len; i++)
        rcp_release(ways->threads.at[i]);
    rcp_vec_finish(&ways->runs);
    rcp_vec_finish(&ways->nodes);
    rcp_vec_finish(&ways->sides);
    rcp_vec_finish(&ways->threads);
    rcp_vec_finish(&ways->objects);
    rcp_map_finish(&ways->node_at);
    rcp_map_finish(&ways->side_at);
    rcp_map_finish(&ways->first_at);
    rcp_map_finish(&ways->object_at);
}

/* A run that is being added. */
typedef struct adding {
    rcp_ways *ways;
    rcp_way_run *run;
    uint32_t number; /* the run's */
    const rcp_trace *trace;
    RCP_VEC(uint64_t) locations;
    uint32_t *thread;        /* of the run's → of all */
    uint32_t *last;          /* by the run's thread: its last node */
    uint8_t *is_cut;         /* likewise */
    uint32_t *init;          /* by object: the node of its INIT */
    uint8_t *is_handed;      /* [joiner * threads + child]: terms of the one speak of reads of the other */
    rcp_map held;            /* thread and object → how often */
    RCP_VEC(uint64_t) terms; /* what they are, by id - RCP_TERM_FIRST */
    size_t fresh;
} adding;

static uint64_t hash_string(const rcp_defs *defs, rcp_str s) {
    const char *string = rcp_defs_borrow_string(defs, s);
    return rcp_hash_bytes(string, strlen(string));
}

static uint32_t thread_named(rcp_ways *ways, const char *name) {
    for (size_t i = 0; i < ways->threads.len; i++)
        if (!strcmp(ways->threads.at[i], name))
            return (uint32_t)i;
    char *copy = rcp_alloc(strlen(name) + 1);
    strcpy(copy, name);
    rcp_vec_push(&ways->threads, copy);
    return (uint32_t)ways->threads.len - 1;
}

static void cut(adding *a, rcp_tid tid, rcp_ways_cut why) {
    a->is_cut[tid.v] = 1;
    a->ways->cuts[why]++;
}

/* --- what events speak of --- */

static uint32_t object_of(adding *a, rcp_obj object, bool *is_known) {
    const rcp_object *def = &a->trace->defs.objects.at[object.v];
    uint32_t init = a->run->observed.has_init[object.v] ? a->init[object.v] : RCP_NO_NODE;
    *is_known &= !a->run->observed.has_init[object.v] || init != RCP_NO_NODE;
    uint64_t key =
        rcp_hash_join(rcp_hash_join(def->addr ? def->addr : hash_string(&a->trace->defs, def->name), def->kind), init);
    uint32_t *at = rcp_map_at(&a->ways->object_at, key);
    if (*at == RCP_MAP_NONE) {
        *at = (uint32_t)a->ways->objects.len;
        rcp_vec_push(&a->ways->objects, ((rcp_way_object){def->addr, init, def->kind, def->initial}));
    }
    return *at;
}

/* All of its bytes have one life; and that began with a node. */
static bool find_life(adding *a, uint32_t eid, const rcp_event *e, uint32_t *life, rcp_ways_cut *why) {
    uint64_t upto, end = e->addr + rcp_event_extent(e);
    uint32_t began = rcp_observed_life(&a->run->observed, (rcp_eid){eid}, e->addr, &upto);
    *life = 0;
    *why = RCP_CUT_MEMORY;
    if (upto < end && (rcp_event_is_access(e) || e->kind == RCP_FREE))
        return false;
    if (!began || e->kind == RCP_ALLOC)
        return true;
    uint32_t node = a->run->node[began - 1];
    *why = RCP_CUT_ORIGIN;
    *life = node + 1;
    return node != RCP_NO_NODE;
}

/* Addresses from there on are no memory (docs/semantics.md). */
#define NO_MEMORY (UINT64_C(1) << 48)

static bool reaches_memory(const adding *a, uint32_t eid) {
    const rcp_observed *o = &a->run->observed;
    rcp_pieces list = o->reached.at[rcp_observed_opaque(o, (rcp_eid){eid})];
    for (size_t i = 0; i < list.n; i++)
        if (o->pieces.at[list.first + i].lo < NO_MEMORY)
            return true;
    return false;
}

static uint64_t count_held(adding *a, const rcp_event *e, int by) {
    uint32_t *n = rcp_map_at(
        &a->held, rcp_hash_join(e->tid.v, e->kind == RCP_WAIT || e->kind == RCP_WAKE ? e->lock.v : e->object.v));
    uint32_t before = *n == RCP_MAP_NONE ? 0 : *n;
    *n = by < 0 && !before ? 0 : before + (uint32_t)by;
    return before;
}

/* Can the event be said? Fills in what the node has of it. */
static bool describe(adding *a, uint32_t eid, rcp_way_node *node, rcp_ways_cut *why) {
    const rcp_event *e = &a->trace->events.at[eid];
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    bool is_known = true;
    *why = RCP_CUT_SYNC;
    if (uses & RCP_USES_OBJECT && e->kind != RCP_INIT)
        node->object = object_of(a, e->object, &is_known);
    if (uses & RCP_USES_LOCK)
        node->lock = object_of(a, e->lock, &is_known);
    if (!is_known) {
        *why = RCP_CUT_ORIGIN;
        return false;
    }
    switch ((rcp_kind)e->kind) {
    case RCP_ACQUIRE:
        if (e->outcome == RCP_DONE && count_held(a, e, 1))
            return false;
        return true;
    case RCP_RELEASE:
    case RCP_WAIT: return count_held(a, e, -1);
    case RCP_WAKE: return !count_held(a, e, 1);
    case RCP_BARRIER_ENTER:
    case RCP_BARRIER_LEAVE:
    case RCP_ONCE_BEGIN:
    case RCP_ONCE_END:
    case RCP_ONCE_SKIP: return false;
    case RCP_JOIN: node->child = a->thread[e->child.v]; return e->outcome == RCP_DONE;
    case RCP_FORK: node->child = a->thread[e->child.v]; return true;
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: *why = RCP_CUT_OPAQUE; return !reaches_memory(a, eid);
    default: break;
    }
    if (!rcp_event_extent(e))
        return true;
    if (rcp_event_is_access(e) && e->size > rcp_limit(RCP_LIMIT_GUARDED_BYTES)) {
        *why = RCP_CUT_MEMORY;
        rcp_limit_reached(RCP_LIMIT_GUARDED_BYTES);
        return false;
    }
    return find_life(a, eid, e, &node->life, why);
}

/* The term, whatever its number in the run. Those before it speak of reads before it. */
static uint64_t term_of(adding *a, rcp_term term) {
    if (!rcp_term_is_real(term))
        return term.v;
    while (a->terms.len <= term.v - RCP_TERM_FIRST) {
        const rcp_term_node *node = &a->trace->terms.nodes.at[a->terms.len];
        const uint32_t args[3] = {node->a, node->b, node->c};
        unsigned arity = rcp_op_borrow_traits(node->op)->arity;
        uint64_t h = rcp_hash_join(node->op, node->width);
        if (node->op == RCP_OP_READ)
            h = rcp_hash_join(rcp_hash_join(h, a->run->node[node->word]), node->a);
        else if (node->op == RCP_OP_CONST)
            h = rcp_hash_join(h, node->word);
        else if (node->op == RCP_OP_EXTRACT)
            h = rcp_hash_join(h, node->b);
        for (unsigned i = 0; node->op > RCP_OP_READ && i < arity; i++)
            h = rcp_hash_join(h, a->terms.at[args[i] - RCP_TERM_FIRST]);
        rcp_vec_push(&a->terms, h);
    }
    return a->terms.at[term.v - RCP_TERM_FIRST];
}

/* Which way did it go? Of a switch the condition says it, not its value. */
static uint64_t outcome_of(adding *a, const rcp_event *e) {
    if (e->kind == RCP_BRANCH)
        return rcp_hash_join(term_of(a, e->cond), e->value);
    if (rcp_ways_swaps(e))
        return e->kind == RCP_RMW;
    if (e->kind == RCP_ACQUIRE || e->kind == RCP_SEM_WAIT || e->kind == RCP_WAKE)
        return e->outcome != RCP_DONE;
    if (e->kind != RCP_JOIN || !a->is_handed[e->tid.v * a->trace->defs.threads.len + e->child.v])
        return 0;
    uint64_t end = a->run->observed.end[e->child.v]; /* what it hands over hangs on where it went */
    return end == UINT64_MAX ? 0 : 1 + (uint64_t)a->run->node[end];
}

/* --- nodes --- */

static uint64_t location_of(adding *a, rcp_loc loc) {
    const rcp_defs *defs = &a->trace->defs;
    while (a->locations.len <= loc.v) {
        const rcp_location *at = &defs->locations.at[a->locations.len];
        uint64_t h = rcp_hash_join(hash_string(defs, at->file), at->line);
        rcp_vec_push(&a->locations, rcp_hash_join(rcp_hash_join(h, at->column), hash_string(defs, at->function)));
    }
    return a->locations.at[loc.v];
}

/* What the thread does there, whatever comes of it. */
static uint64_t point_of(adding *a, const rcp_event *e, const rcp_way_node *node) {
    uint8_t kind = rcp_ways_swaps(e) ? RCP_RMW : e->kind;
    uint64_t address = e->kind == RCP_BRANCH ? 0
                       : e->kind == RCP_INIT ? a->trace->defs.objects.at[e->object.v].addr
                                             : e->addr;
    uint64_t h = rcp_hash_join(rcp_hash_join(kind, location_of(a, e->loc)), address);
    h = rcp_hash_join(rcp_hash_join(h, e->size), rcp_event_is_access(e) ? e->mode : rcp_event_extent(e));
    h = rcp_hash_join(rcp_hash_join(h, node->life), node->object);
    return rcp_hash_join(rcp_hash_join(h, node->lock), node->child);
}

/* Another node follows on the same side of the same parent: the address says which. */
static bool is_alternative(const rcp_ways *ways, uint32_t other, const rcp_event *e) {
    const rcp_event *o = rcp_ways_event(ways, &ways->nodes.at[other]);
    return rcp_event_is_access(o) && rcp_event_is_access(e) && rcp_term_is_real(o->addr_term) &&
           rcp_term_is_real(e->addr_term) && o->addr != e->addr && o->size == e->size;
}

/* Nothing that was read tells what the two are to be. */
static bool is_settled(const rcp_event *e) {
    return rcp_event_writes(e) && e->valued && e->value_term.v == RCP_TERM_CONST.v && e->size <= 8;
}

static bool disagree(const rcp_event *a, const rcp_event *b) {
    if (is_settled(a) && is_settled(b) && a->kind == b->kind)
        return memcmp(rcp_event_written(a), rcp_event_written(b), a->size);
    return a->kind == RCP_BRANCH && b->kind == RCP_BRANCH && a->value != b->value &&
           (a->cond.v == RCP_TERM_CONST.v || b->cond.v == RCP_TERM_CONST.v);
}

static uint64_t side_key(uint32_t node, uint64_t outcome) { return rcp_hash_join(rcp_hash_join(node, outcome), 1); }

const rcp_way_side *rcp_ways_side(const rcp_ways *ways, uint32_t node, uint64_t outcome) {
    uint32_t at = rcp_map_get(&ways->side_at, side_key(node, outcome));
    return at == RCP_MAP_NONE ? NULL : &ways->sides.at[at];
}

static bool place(adding *a, uint32_t eid, rcp_way_node node, uint64_t where) {
    rcp_ways *ways = a->ways;
    const rcp_event *e = &a->trace->events.at[eid];
    uint32_t *at = rcp_map_at(&ways->node_at, rcp_hash_join(where, point_of(a, e, &node)));
    if (*at == RCP_MAP_NONE) {
        uint32_t *first = rcp_map_at(&ways->first_at, where);
        if (*first != RCP_MAP_NONE && !is_alternative(ways, *first, e)) {
            rcp_map_remove(&ways->node_at, rcp_hash_join(where, point_of(a, e, &node)));
            return false;
        }
        *at = (uint32_t)ways->nodes.len;
        if (*first == RCP_MAP_NONE)
            *first = *at;
        rcp_vec_push(&ways->nodes, node);
        a->fresh++;
    } else if (disagree(rcp_ways_event(ways, &ways->nodes.at[*at]), e)) {
        return false;
    }
    rcp_way_node *there = &ways->nodes.at[*at];
    if (e->kind == RCP_RMW && there->swap_run == RCP_NO_NODE) {
        there->swap_run = a->number;
        there->swap_event = eid;
    }
    a->run->node[eid] = a->last[e->tid.v] = *at;
    uint64_t outcome = outcome_of(a, e);
    uint32_t *side = rcp_map_at(&ways->side_at, side_key(*at, outcome));
    if (*side == RCP_MAP_NONE) {
        *side = (uint32_t)ways->sides.len;
        rcp_vec_push(&ways->sides, ((rcp_way_side){*at, outcome, a->number, eid}));
        a->fresh++;
    }
    return true;
}

static void add_event(adding *a, uint32_t eid) {
    const rcp_event *e = &a->trace->events.at[eid];
    rcp_way_node node = {.thread = a->thread[e->tid.v],
                         .parent = a->last[e->tid.v],
                         .run = a->number,
                         .event = eid,
                         .swap_run = RCP_NO_NODE,
                         .child = RCP_NO_NODE};
    rcp_ways_cut why;
    if (a->is_cut[e->tid.v])
        return;
    if (!describe(a, eid, &node, &why)) {
        cut(a, e->tid, why);
        return;
    }
    uint64_t key = rcp_hash_join(node.thread, UINT64_MAX);
    if (node.parent == RCP_NO_NODE) {
        uint64_t fork = a->run->observed.fork[e->tid.v];
        node.child = fork == UINT64_MAX ? RCP_NO_NODE : a->run->node[fork];
        if (fork != UINT64_MAX && node.child == RCP_NO_NODE) {
            cut(a, e->tid, RCP_CUT_ORIGIN);
            return;
        }
        key = rcp_hash_join(key, node.child);
    } else {
        rcp_position before = a->trace->position[eid] - 1;
        node.side = outcome_of(a, &a->trace->events.at[rcp_trace_event_of(a->trace, e->tid, before).v]);
        key = rcp_hash_join(rcp_hash_join(node.parent, node.side), 2);
    }
    if (!place(a, eid, node, key))
        cut(a, e->tid, RCP_CUT_OTHERWISE);
    else if (e->kind == RCP_INIT)
        a->init[e->object.v] = a->run->node[eid];
}

/* Which threads' terms speak of reads of which others? */
static void find_handed(adding *a) {
    size_t threads = a->trace->defs.threads.len;
    rcp_eids reads = {0};
    for (size_t i = 0; i < a->trace->events.len; i++) {
        const rcp_event *e = &a->trace->events.at[i];
        const rcp_term terms[] = {e->value_term, e->addr_term, e->cond};
        for (int k = 0; k < 3; k++) {
            reads.len = 0;
            if (rcp_term_is_real(terms[k]))
                rcp_term_reads(&a->trace->terms, terms[k], &reads);
            for (size_t r = 0; r < reads.len; r++)
                a->is_handed[e->tid.v * threads + a->trace->events.at[reads.at[r].v].tid.v] = 1;
        }
    }
    rcp_vec_finish(&reads);
}

rcp_code rcp_ways_add(rcp_ways *ways, const rcp_trace *trace, size_t *fresh) {
    size_t threads = trace->defs.threads.len, objects = trace->defs.objects.len;
    rcp_way_run run = {.trace = trace};
    RCP_TRY(rcp_observed_init(&run.observed, trace));
    run.node = rcp_alloc((trace->events.len + 1) * sizeof *run.node);
    memset(run.node, 0xff, (trace->events.len + 1) * sizeof *run.node);
    rcp_vec_push(&ways->runs, run);
    adding a = {.ways = ways, .run = &ways->runs.at[ways->runs.len - 1], .trace = trace};
    a.number = (uint32_t)ways->runs.len - 1;
    a.thread = rcp_alloc_zero(threads + 1, sizeof *a.thread);
    a.last = rcp_alloc_zero(threads + 1, sizeof *a.last);
    a.is_cut = rcp_alloc_zero(threads + 1, 1);
    a.is_handed = rcp_alloc_zero(threads * threads + 1, 1);
    a.init = rcp_alloc_zero(objects + 1, sizeof *a.init);
    memset(a.last, 0xff, threads * sizeof *a.last);
    memset(a.init, 0xff, objects * sizeof *a.init);
    rcp_map_init(&a.held);
    for (uint32_t t = 0; t < threads; t++)
        a.thread[t] = thread_named(ways, rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[t].name));
    find_handed(&a);
    for (uint32_t eid = 0; eid < trace->events.len; eid++)
        add_event(&a, eid);
    *fresh = a.fresh;
    rcp_vec_finish(&a.locations);
    rcp_vec_finish(&a.terms);
    rcp_release(a.thread);
    rcp_release(a.last);
    rcp_release(a.is_cut);
    rcp_release(a.is_handed);
    rcp_release(a.init);
    rcp_map_finish(&a.held);
    return RCP_OK;
}
