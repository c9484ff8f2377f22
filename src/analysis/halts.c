/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/halts.h"

#include "analysis/points.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"

/* What a thread has done to an object by then. */
typedef struct balance {
    uint32_t object;
    int64_t exclusive, shared; /* holds of a lock */
    int64_t count;             /* posts less waits; entries of a barrier; a once: 1 begun, 0 ended */
} balance;

/* A place where a thread may stand: before event `waits`, or at its end. */
typedef struct stop {
    rcp_position upto;
    uint32_t waits; /* RCP_NO_EVENT: at its end */
    RCP_VEC(balance) balances;
    uint64_t done; /* what it has decided by then */
} stop;

typedef struct course {
    RCP_VEC(stop) stops;
    uint32_t fork; /* by thread 0, its position + 1; 0: it is there from the beginning */
} course;

typedef struct listing {
    const rcp_run_facts *facts;
    const rcp_trace *trace;
    const rcp_decisions *decisions;
    course *courses;
    const stop **chosen; /* by thread; NULL: it is not there */
    uint64_t looked_at;
    rcp_halts *list;
} listing;

/* --- places --- */

static balance *balance_of(stop *s, uint32_t object) {
    for (size_t i = 0; i < s->balances.len; i++)
        if (s->balances.at[i].object == object)
            return &s->balances.at[i];
    rcp_vec_push(&s->balances, ((balance){.object = object}));
    return &s->balances.at[s->balances.len - 1];
}

static void execute(stop *s, const rcp_event *e) {
    const bool is_wait = e->kind == RCP_WAIT, is_lock = is_wait || e->kind == RCP_WAKE;
    const uint32_t object = is_lock ? e->lock.v : e->object.v;
    switch ((rcp_kind)e->kind) {
    case RCP_ACQUIRE:
    case RCP_RELEASE:
    case RCP_WAIT:
    case RCP_WAKE: {
        const int64_t n = e->kind == RCP_RELEASE || is_wait ? -1 : e->outcome == RCP_FAILED ? 0 : 1;
        balance *b = balance_of(s, object);
        *(!is_lock && e->mode == RCP_SHARED ? &b->shared : &b->exclusive) += n;
        break;
    }
    case RCP_SEM_POST:
    case RCP_BARRIER_ENTER:
    case RCP_ONCE_BEGIN: balance_of(s, object)->count++; break;
    case RCP_SEM_WAIT: balance_of(s, object)->count -= e->outcome == RCP_DONE; break;
    case RCP_ONCE_END: balance_of(s, object)->count--; break;
    default: break;
    }
}

static void add_stop(course *c, const stop *now, uint32_t waits) {
    stop s = *now;
    s.waits = waits;
    rcp_vec_copy(&s.balances, &now->balances);
    rcp_vec_push(&c->stops, s);
}

static void follow(listing *l, uint32_t tid, const rcp_map *waits) {
    course *c = &l->courses[tid];
    const rcp_decisions_thread *decided = &l->decisions->threads.at[tid];
    const size_t len = rcp_trace_thread_len(l->trace, (rcp_tid){tid});
    stop now = {.done = decided->name};
    size_t next = 0;
    for (now.upto = 0; now.upto < len; now.upto++) {
        const uint32_t event = (uint32_t)rcp_trace_event_of(l->trace, (rcp_tid){tid}, now.upto).v;
        const rcp_event *e = rcp_run_facts_event(l->facts, event);
        if (rcp_map_get(waits, event) != RCP_MAP_NONE)
            add_stop(c, &now, event);
        execute(&now, e);
        if (e->kind == RCP_FORK && !tid)
            l->courses[e->child.v].fork = now.upto + 1;
        if (next < decided->at.len && decided->at.at[next].event == event) {
            const rcp_decision *d = &decided->at.at[next++];
            now.done = rcp_hash_join(rcp_hash_join(now.done, d->place), d->way);
        }
    }
    const rcp_eid last = len ? rcp_trace_event_of(l->trace, (rcp_tid){tid}, (rcp_position)len - 1) : RCP_NO_EID;
    if (tid && len && l->trace->events.at[last.v].kind == RCP_END) /* with the main thread the program ends */
        add_stop(c, &now, RCP_NO_EVENT);
    rcp_vec_finish(&now.balances);
}

/* --- standstills --- */

static const rcp_event *event_of(const listing *l, size_t tid) {
    const stop *s = l->chosen[tid];
    return s && s->waits != RCP_NO_EVENT ? rcp_run_facts_event(l->facts, s->waits) : NULL;
}

static balance balance_in(const stop *s, uint32_t object) {
    for (size_t i = 0; s && i < s->balances.len; i++)
        if (s->balances.at[i].object == object)
            return s->balances.at[i];
    return (balance){.object = object};
}

static bool is_had(const listing *l, size_t but, uint32_t lock, bool in_any_mode) {
    for (size_t t = 0; t < l->trace->defs.threads.len; t++) {
        const balance b = balance_in(l->chosen[t], lock);
        if (t != but && (b.exclusive > 0 || (in_any_mode && b.shared > 0)))
            return true;
    }
    return false;
}

static int64_t count_of(const listing *l, uint32_t object) {
    int64_t n = 0;
    for (size_t t = 0; t < l->trace->defs.threads.len; t++)
        n += balance_in(l->chosen[t], object).count;
    return n;
}

static int64_t count_standing(const listing *l, const rcp_event *like) {
    int64_t n = 0;
    for (size_t t = 0; t < l->trace->defs.threads.len; t++) {
        const rcp_event *e = event_of(l, t);
        n += e && e->kind == like->kind && e->object.v == like->object.v;
    }
    return n;
}

/* Whatever the order was: does the thread wait there? A WAKE also where nothing has woken it. */
static bool waits(const listing *l, size_t tid) {
    const rcp_event *e = event_of(l, tid);
    const rcp_object *object = e && e->kind != RCP_JOIN ? &l->trace->defs.objects.at[e->object.v] : NULL;
    switch (e ? (rcp_kind)e->kind : RCP_END) {
    case RCP_ACQUIRE: return is_had(l, tid, e->object.v, e->mode == RCP_EXCLUSIVE);
    case RCP_SEM_WAIT: return (int64_t)object->initial + count_of(l, e->object.v) == 0;
    case RCP_JOIN: return event_of(l, e->child.v) != NULL;
    case RCP_ONCE_SKIP: return count_of(l, e->object.v) > 0;
    case RCP_BARRIER_LEAVE: { /* of the last generation, which is not complete, nobody has left */
        const int64_t inside = object->initial ? count_of(l, e->object.v) % (int64_t)object->initial : 0;
        return inside && inside == count_standing(l, e);
    }
    default: return true;
    }
}

static uint64_t name_places(const listing *l, const rcp_event *e) {
    return rcp_hash_join(rcp_point_of_location(&l->trace->defs, e->loc), e->kind);
}

static void add_standing(listing *l) {
    const size_t threads = l->trace->defs.threads.len;
    rcp_halt s = {.upto = rcp_alloc_zero(threads + 1, sizeof *s.upto)};
    for (size_t t = 0; t < threads; t++) {
        const rcp_event *e = event_of(l, t);
        const uint64_t name = l->decisions->threads.at[t].name;
        s.upto[t] = l->chosen[t] ? l->chosen[t]->upto : 0;
        if (l->chosen[t])
            s.key += rcp_hash_u64(rcp_hash_join(l->chosen[t]->done, e ? name_places(l, e) : 0));
        if (e)
            s.shape += rcp_hash_u64(rcp_hash_join(name, name_places(l, e)));
        if (e && e->kind == RCP_WAKE && !is_had(l, t, e->lock.v, true))
            rcp_vec_push(&s.asleep, rcp_run_facts_previous(l->facts, l->chosen[t]->waits));
    }
    rcp_vec_push(&l->list->at, s);
}

/* Of the threads from `tid` on every choice. */
static void choose(listing *l, size_t tid) {
    const size_t threads = l->trace->defs.threads.len;
    if (l->list->is_cut || l->looked_at >= rcp_limit(RCP_LIMIT_HUNT_STANDS)) {
        l->list->is_cut = true;
        return;
    }
    if (tid == threads) {
        bool all = true;
        l->looked_at++;
        for (size_t t = 0; t < threads && all; t++)
            all = waits(l, t);
        if (all)
            add_standing(l);
        return;
    }
    const course *c = &l->courses[tid];
    if (tid && l->chosen[0]->upto < c->fork) {
        l->chosen[tid] = NULL;
        choose(l, tid + 1);
        return;
    }
    for (size_t i = 0; i < c->stops.len; i++) {
        l->chosen[tid] = &c->stops.at[i];
        choose(l, tid + 1);
    }
}

void rcp_halts_list(const rcp_run_facts *facts, const rcp_decisions *decisions, const uint32_t *events, size_t n,
                    rcp_halts *list) {
    const rcp_trace *trace = facts->trace;
    const size_t threads = trace->defs.threads.len;
    listing l = {.facts = facts,
                 .trace = trace,
                 .decisions = decisions,
                 .courses = rcp_alloc_zero(threads + 1, sizeof *l.courses),
                 .chosen = rcp_alloc_zero(threads + 1, sizeof *l.chosen),
                 .list = list};
    rcp_map is_wait;
    rcp_map_init(&is_wait);
    *list = (rcp_halts){.is_cut = false};
    for (size_t i = 0; i < n; i++)
        rcp_map_set(&is_wait, events[i], 1);
    for (uint32_t t = 0; t < threads; t++)
        follow(&l, t, &is_wait);
    if (threads)
        choose(&l, 0);
    for (size_t t = 0; t < threads; t++) {
        for (size_t i = 0; i < l.courses[t].stops.len; i++)
            rcp_vec_finish(&l.courses[t].stops.at[i].balances);
        rcp_vec_finish(&l.courses[t].stops);
    }
    rcp_release(l.courses);
    rcp_release(l.chosen);
    rcp_map_finish(&is_wait);
}

void rcp_halts_finish(rcp_halts *list) {
    for (size_t i = 0; i < list->at.len; i++) {
        rcp_release(list->at.at[i].upto);
        rcp_vec_finish(&list->at.at[i].asleep);
    }
    rcp_vec_finish(&list->at);
}
