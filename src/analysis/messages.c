/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/messages.h"

#include "base/hash.h"
#include "predict/facts/must.h"
#include "trace/check/barriers.h"

#include <string.h>

/* Of a span of a reach: the part that is objects of the program's own by themselves; who reaches all of these is with
 * none in particular. */
static bool is_own(const rcp_span *span) {
    return span->lo >= RCP_REACH_DESCRIPTOR && span->hi <= RCP_REACH_LIBRARY &&
           (span->lo > RCP_REACH_DESCRIPTOR || span->hi < RCP_REACH_LIBRARY);
}

typedef RCP_VEC(uint64_t) objects;

/* Of one event; `to` is emptied. */
static void list_objects(const rcp_trace *trace, const rcp_event *e, objects *to) {
    to->len = 0;
    if (!rcp_event_is_opaque(e))
        return;
    const rcp_reach_def *reach = &trace->defs.reaches.at[e->reach.v];
    for (size_t i = 0; i < reach->n; i++)
        for (uint64_t at = reach->spans[i].lo; is_own(&reach->spans[i]) && at < reach->spans[i].hi; at++)
            rcp_vec_push(to, at);
}

bool rcp_messages_has(const rcp_trace *trace, const rcp_event *e) {
    objects all = {0};
    list_objects(trace, e, &all);
    const bool is = all.len;
    rcp_vec_finish(&all);
    return is;
}

/* --- what each one follows --- */

void rcp_messages_follower_init(rcp_messages_follower *f, const rcp_trace *trace) {
    *f =
        (rcp_messages_follower){.trace = trace, .ended = rcp_alloc_zero(trace->defs.threads.len + 1, sizeof *f->ended)};
    rcp_map_init(&f->last);
}

void rcp_messages_follower_finish(rcp_messages_follower *f) {
    rcp_map_finish(&f->last);
    rcp_vec_finish(&f->calls.names);
    rcp_vec_finish(&f->calls.ends);
    rcp_release(f->ended);
}

static uint64_t name_next(rcp_messages_follower *f, uint32_t tid) {
    const rcp_defs *defs = &f->trace->defs;
    const char *thread = rcp_defs_borrow_string(defs, defs->threads.at[tid].name);
    return rcp_hash_join(rcp_hash_bytes(thread, strlen(thread)), ++f->ended[tid]);
}

bool rcp_messages_follow(rcp_messages_follower *f, const rcp_event *e, uint64_t *after) {
    objects all = {0};
    list_objects(f->trace, e, &all);
    *after = 0;
    for (size_t i = 0; i < all.len; i++) {
        const uint32_t last = rcp_map_get(&f->last, all.at[i]);
        *after += last == RCP_MAP_NONE ? 0 : rcp_hash_u64(f->calls.names.at[last]); /* objects have no order */
    }
    const bool is = all.len;
    if (is && e->kind == RCP_OPAQUE_END) {
        for (size_t i = 0; i < all.len; i++)
            rcp_map_set(&f->last, all.at[i], (uint32_t)f->calls.names.len);
        rcp_vec_push(&f->calls.names, name_next(f, e->tid.v));
        rcp_vec_push(&f->calls.ends, (uint32_t)(e - f->trace->events.at));
    }
    rcp_vec_finish(&all);
    return is;
}

/* --- which could pass which --- */

typedef struct call {
    uint32_t begin, end; /* end: RCP_NO_EVENT, it has not come yet */
} call;

/* Of an object: who has called last, of each thread that has; the latest beginning of a call that has ended. */
typedef struct user {
    uint32_t tid;
    size_t call;
} user;
typedef struct used {
    RCP_VEC(user) users;
    uint32_t over;
} used;

typedef struct listing {
    const rcp_groundwork *ground;
    const rcp_trace *trace;
    RCP_VEC(call) calls;
    RCP_VEC(used) objects;
    rcp_map at;             /* object → in `objects` */
    RCP_VEC(size_t) * open; /* by thread: calls that it is in */
    rcp_map listed;         /* of the call that begins now: earlier ones */
    rcp_overtakings *list;
} listing;

static used *used_at(listing *l, uint64_t object) {
    uint32_t *index = rcp_map_at(&l->at, object);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)l->objects.len;
        rcp_vec_push(&l->objects, ((used){.over = 0}));
    }
    return &l->objects.at[*index];
}

/* But for P1 of the later one itself. */
static bool is_free(const listing *l, uint32_t earlier, uint32_t later) {
    const uint32_t previous = rcp_run_facts_previous(&l->ground->facts, later);
    return previous == RCP_NO_EVENT || previous < earlier || !rcp_must_order(l->ground->forced.must, earlier, previous);
}

static void add_earlier(listing *l, const used *object, uint32_t event, uint32_t tid) {
    for (size_t i = 0; i < object->users.len; i++) {
        const call *earlier = &l->calls.at[object->users.at[i].call];
        const bool is_adjacent = earlier->end == RCP_NO_EVENT || earlier->end > object->over;
        if (object->users.at[i].tid == tid || !is_adjacent || !is_free(l, earlier->begin, event) ||
            rcp_map_get(&l->listed, earlier->begin) != RCP_MAP_NONE)
            continue;
        rcp_map_set(&l->listed, earlier->begin, 1);
        rcp_vec_push(l->list, ((rcp_overtaking){earlier->begin, event}));
    }
}

static void note_user(used *object, uint32_t tid, size_t last) {
    for (size_t i = 0; i < object->users.len; i++)
        if (object->users.at[i].tid == tid) {
            object->users.at[i].call = last;
            return;
        }
    rcp_vec_push(&object->users, ((user){tid, last}));
}

static void begin(listing *l, uint32_t event, const objects *all) {
    const uint32_t tid = l->trace->events.at[event].tid.v;
    rcp_map_finish(&l->listed);
    rcp_map_init(&l->listed);
    for (size_t i = 0; i < all->len; i++)
        add_earlier(l, used_at(l, all->at[i]), event, tid);
    for (size_t i = 0; i < all->len; i++)
        note_user(used_at(l, all->at[i]), tid, l->calls.len);
    rcp_vec_push(&l->open[tid], l->calls.len);
    rcp_vec_push(&l->calls, ((call){event, RCP_NO_EVENT}));
}

static void end(listing *l, uint32_t event, const objects *all) {
    const uint32_t tid = l->trace->events.at[event].tid.v;
    if (!l->open[tid].len)
        return;
    call *it = &l->calls.at[l->open[tid].at[--l->open[tid].len]];
    it->end = event;
    for (size_t i = 0; i < all->len; i++) {
        used *object = used_at(l, all->at[i]);
        object->over = it->begin > object->over ? it->begin : object->over;
    }
}

void rcp_messages_list(const rcp_groundwork *g, rcp_overtakings *list) {
    const rcp_trace *trace = g->facts.trace;
    const size_t threads = trace->defs.threads.len;
    listing l = {.ground = g, .trace = trace, .open = rcp_alloc_zero(threads + 1, sizeof *l.open), .list = list};
    objects all = {0};
    rcp_map_init(&l.at);
    rcp_map_init(&l.listed);
    for (uint32_t i = 0; i < trace->events.len; i++) {
        list_objects(trace, &trace->events.at[i], &all);
        if (all.len && trace->events.at[i].kind == RCP_OPAQUE_BEGIN)
            begin(&l, i, &all);
        else if (all.len)
            end(&l, i, &all);
    }
    for (size_t t = 0; t < threads; t++)
        rcp_vec_finish(&l.open[t]);
    for (size_t i = 0; i < l.objects.len; i++)
        rcp_vec_finish(&l.objects.at[i].users);
    rcp_release(l.open);
    rcp_vec_finish(&l.objects);
    rcp_vec_finish(&l.calls);
    rcp_vec_finish(&all);
    rcp_map_finish(&l.at);
    rcp_map_finish(&l.listed);
}

uint64_t rcp_messages_after(const rcp_groundwork *g, rcp_overtaking of, rcp_messages_ends *ends) {
    const rcp_trace *trace = g->facts.trace;
    rcp_messages_follower f;
    objects all = {0};
    uint64_t after = 0;
    rcp_messages_follower_init(&f, trace);
    for (uint32_t i = 0; i < of.later; i++)
        if (i < of.earlier || (i > of.earlier && !rcp_must_order(g->forced.must, of.earlier, i)))
            rcp_messages_follow(&f, &trace->events.at[i], &after);
    rcp_messages_follow(&f, &trace->events.at[of.later], &after);
    list_objects(trace, &trace->events.at[of.later], &all);
    for (size_t i = 0; i < all.len; i++) {
        const uint32_t last = rcp_map_get(&f.last, all.at[i]);
        if (last != RCP_MAP_NONE)
            rcp_vec_push(ends, f.calls.ends.at[last]);
    }
    rcp_vec_finish(&all);
    rcp_messages_follower_finish(&f);
    return after;
}
