/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/facts/lock_orders.h"

#include "base/hash.h"
#include "trace/model/own_place.h"

#include <stdlib.h>
#include <string.h>

enum { SEVERAL = 0 };

void rcp_lock_orders_init(rcp_lock_orders *o, const rcp_defs *defs) {
    *o = (rcp_lock_orders){.defs = defs};
    rcp_map_init(&o->by_hash);
    rcp_map_init(&o->other_at);
    rcp_map_init(&o->place_at);
    rcp_map_init(&o->signals);
    rcp_map_init(&o->taken_by);
    rcp_map_init(&o->cycle_at);
}

static void drop_cycles(rcp_lock_orders *o) {
    for (size_t i = 0; i < o->cycles.len; i++)
        rcp_vec_finish(&o->cycles.at[i].kept);
    rcp_vec_finish(&o->cycles);
    rcp_map_finish(&o->cycle_at);
    rcp_map_init(&o->cycle_at);
}

void rcp_lock_orders_finish(rcp_lock_orders *o) {
    for (size_t i = 0; i < o->threads.len; i++)
        rcp_vec_finish(&o->threads.at[i].locks);
    drop_cycles(o);
    rcp_vec_finish(&o->threads);
    rcp_vec_finish(&o->wishes);
    rcp_vec_finish(&o->held);
    rcp_vec_finish(&o->others);
    rcp_map_finish(&o->by_hash);
    rcp_map_finish(&o->other_at);
    rcp_map_finish(&o->place_at);
    rcp_vec_finish(&o->places);
    rcp_map_finish(&o->signals);
    rcp_map_finish(&o->taken_by);
    rcp_map_finish(&o->cycle_at);
}

/* --- places --- */

static rcp_loc next_frame(const rcp_defs *defs, rcp_stack *stack) {
    const rcp_frame *frame = &defs->stacks.at[stack->v];
    rcp_loc loc = stack->v ? frame->loc : (rcp_loc){0};
    *stack = stack->v ? frame->caller : *stack;
    return loc;
}

static uint64_t find_place(const rcp_defs *defs, const rcp_event *e) {
    const rcp_loc own = rcp_own_place(defs, e);
    rcp_stack stack = e->stack;
    for (rcp_loc at = e->loc; at.v != own.v && stack.v;)
        at = next_frame(defs, &stack);
    return rcp_hash_join(own.v, next_frame(defs, &stack).v);
}

/* 0: it is not known. */
static uint64_t place_of(rcp_lock_orders *o, const rcp_event *e) {
    if (!e->loc.v)
        return 0;
    uint32_t *index = rcp_map_at(&o->place_at, (uint64_t)e->loc.v << 32 | e->stack.v);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)o->places.len;
        rcp_vec_push(&o->places, find_place(o->defs, e));
    }
    return o->places.at[*index];
}

/* Of an array of locks, or of a structure that has some, the name of that; 0: it has none. */
static uint64_t name_of(const rcp_defs *defs, uint32_t lock) {
    const char *name = rcp_defs_borrow_string(defs, defs->objects.at[lock].name);
    return *name ? rcp_hash_bytes(name, strcspn(name, "+[")) : 0;
}

/* --- what is held --- */

static rcp_locks_held *holder_of(rcp_lock_orders *o, uint32_t tid) {
    while (o->threads.len <= tid)
        rcp_vec_push(&o->threads, (rcp_locks_held){0});
    return &o->threads.at[tid];
}

static rcp_held_lock *find_lock(const rcp_locks_held *t, uint32_t lock) {
    for (size_t i = 0; i < t->locks.len; i++)
        if (t->locks.at[i].key / 2 == lock)
            return &t->locks.at[i];
    return NULL;
}

static void take(rcp_lock_orders *o, const rcp_event *e, uint32_t key) {
    rcp_locks_held *t = holder_of(o, e->tid.v);
    rcp_held_lock *has = find_lock(t, key / 2);
    uint32_t *by = rcp_map_at(&o->taken_by, key / 2);
    *by = *by == RCP_MAP_NONE || *by == e->tid.v + 1 ? e->tid.v + 1 : SEVERAL;
    if (has)
        has->depth++;
    else
        rcp_vec_push(&t->locks, ((rcp_held_lock){key, 1, place_of(o, e)}));
}

static void give(rcp_lock_orders *o, const rcp_event *e, uint32_t lock) {
    rcp_locks_held *t = holder_of(o, e->tid.v);
    rcp_held_lock *has = find_lock(t, lock);
    if (!has || --has->depth)
        return;
    size_t i = (size_t)(has - t->locks.at);
    memmove(has, has + 1, (t->locks.len - i - 1) * sizeof *has);
    t->locks.len--;
}

/* --- wishes --- */

static bool is_wish(const rcp_lock_orders *o, const rcp_lock_wish *w, const rcp_lock_wish *like,
                    const rcp_locks_held *t) {
    if (w->tid != like->tid || w->wants != like->wants || w->place != like->place || w->n_held != t->locks.len)
        return false;
    for (uint32_t i = 0; i < w->n_held; i++) {
        const rcp_held_lock *a = &o->held.at[w->first + i], *b = &t->locks.at[i];
        if (a->key != b->key || a->place != b->place)
            return false;
    }
    return true;
}

static uint64_t hash_wish(const rcp_lock_wish *like, const rcp_locks_held *t) {
    uint64_t hash = rcp_hash_join(rcp_hash_join(like->tid, like->wants), like->place);
    for (size_t i = 0; i < t->locks.len; i++)
        hash = rcp_hash_join(rcp_hash_join(hash, t->locks.at[i].key), t->locks.at[i].place);
    return hash;
}

/* NULL: there are too many. */
static rcp_lock_wish *wish_of(rcp_lock_orders *o, const rcp_event *e, uint32_t key) {
    const rcp_lock_wish like = {.tid = e->tid.v, .wants = key, .place = place_of(o, e), .first = (uint32_t)o->held.len};
    const rcp_locks_held *t = holder_of(o, e->tid.v);
    for (uint64_t hash = hash_wish(&like, t);; hash++) {
        uint32_t index = rcp_map_get(&o->by_hash, hash);
        if (index != RCP_MAP_NONE && is_wish(o, &o->wishes.at[index], &like, t))
            return &o->wishes.at[index];
        if (index != RCP_MAP_NONE)
            continue;
        if (o->wishes.len >= rcp_limit(RCP_LIMIT_DEADLOCK_ORDERS)) {
            rcp_limit_reached(RCP_LIMIT_DEADLOCK_ORDERS);
            return NULL;
        }
        rcp_map_set(&o->by_hash, hash, (uint32_t)o->wishes.len);
        rcp_vec_push(&o->wishes, like);
        o->wishes.at[o->wishes.len - 1].n_held = (uint32_t)t->locks.len;
        for (size_t i = 0; i < t->locks.len; i++)
            rcp_vec_push(&o->held, t->locks.at[i]);
        return &o->wishes.at[o->wishes.len - 1];
    }
}

static void ask(rcp_lock_orders *o, uint32_t number, const rcp_event *e, uint32_t key) {
    const rcp_locks_held *t = holder_of(o, e->tid.v);
    if (!t->locks.len || find_lock(t, key / 2))
        return;
    rcp_lock_wish *w = wish_of(o, e, key);
    if (!w)
        return;
    if (w->n == RCP_WISH_INSTANCES) {
        w->event[RCP_WISH_INSTANCES - 2] = w->event[RCP_WISH_INSTANCES - 1];
        w->n--;
    }
    w->event[w->n++] = number;
}

/* It waits, and not for a lock: whoever is to let it go on may want one of its locks. */
static void wait_otherwise(rcp_lock_orders *o, const rcp_event *e, uint32_t but, uint32_t by) {
    const rcp_locks_held *t = holder_of(o, e->tid.v);
    for (size_t i = 0; i < t->locks.len; i++) {
        const rcp_other_wait wait = {place_of(o, e), t->locks.at[i].key / 2, by};
        const uint64_t key = rcp_hash_join(rcp_hash_join(wait.place, wait.lock), wait.by);
        if (wait.lock == but || rcp_map_get(&o->other_at, key) != RCP_MAP_NONE)
            continue;
        rcp_map_set(&o->other_at, key, 1);
        rcp_vec_push(&o->others, wait);
    }
}

static bool is_signal(const rcp_lock_orders *o, uint32_t lock) {
    return rcp_map_get(&o->signals, lock) != RCP_MAP_NONE;
}

static void take_semaphore(rcp_lock_orders *o, uint32_t number, const rcp_event *e) {
    if (o->defs->objects.at[e->object.v].initial != 1)
        rcp_map_set(&o->signals, e->object.v, 1);
    wait_otherwise(o, e, e->object.v, e->object.v);
    ask(o, number, e, 2 * e->object.v);
    take(o, e, 2 * e->object.v);
}

/* By who has not taken it: it is none that is taken and given back. */
static void give_semaphore(rcp_lock_orders *o, const rcp_event *e) {
    if (find_lock(holder_of(o, e->tid.v), e->object.v))
        give(o, e, e->object.v);
    else
        rcp_map_set(&o->signals, e->object.v, 1);
}

void rcp_lock_orders_add(rcp_lock_orders *o, uint32_t number, const rcp_event *e) {
    const uint32_t none = RCP_MAP_NONE, key = 2 * e->object.v + (e->mode == RCP_SHARED);
    switch ((rcp_kind)e->kind) {
    case RCP_ACQUIRE:
        if (e->outcome != RCP_DONE)
            break;
        if (o->defs->objects.at[e->object.v].kind == RCP_SPIN)
            wait_otherwise(o, e, none, none);
        else
            ask(o, number, e, key);
        take(o, e, key);
        break;
    case RCP_RELEASE: give(o, e, e->object.v); break;
    case RCP_WAIT:
        wait_otherwise(o, e, e->lock.v, none);
        give(o, e, e->lock.v);
        break;
    case RCP_WAKE: take(o, e, 2 * e->lock.v); break;
    case RCP_SEM_WAIT:
        if (e->outcome == RCP_DONE)
            take_semaphore(o, number, e);
        break;
    case RCP_SEM_POST: give_semaphore(o, e); break;
    case RCP_JOIN:
    case RCP_BARRIER_LEAVE: wait_otherwise(o, e, none, none); break;
    default: break;
    }
}

void rcp_lock_orders_keep(rcp_lock_orders *o, bool (*stays)(void *context, uint32_t event), void *context) {
    for (size_t i = 0; i < o->wishes.len; i++) {
        rcp_lock_wish *w = &o->wishes.at[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < w->n; k++)
            if (stays(context, w->event[k]))
                w->event[kept++] = w->event[k];
        w->n = kept;
    }
}

uint64_t rcp_lock_orders_other_waits(const rcp_lock_orders *o) {
    uint64_t n = 0;
    rcp_map places;
    rcp_map_init(&places);
    for (size_t i = 0; i < o->others.len; i++) {
        const rcp_other_wait *w = &o->others.at[i];
        if (rcp_map_get(&o->taken_by, w->lock) != SEVERAL || is_signal(o, w->lock) ||
            (w->by != RCP_MAP_NONE && !is_signal(o, w->by)))
            continue;
        uint32_t *known = rcp_map_at(&places, w->place);
        n += *known == RCP_MAP_NONE;
        *known = 1;
    }
    rcp_map_finish(&places);
    return n;
}

/* --- cycles --- */

typedef struct search {
    rcp_lock_orders *o;
    const rcp_must *must;
    uint32_t *first, *holders; /* by lock: the wishes that hold it, holders[first[lock] .. first[lock + 1]) */
    uint32_t path[RCP_MOST_STANDING];
    uint32_t n, length;
    uint64_t steps;
    bool is_over;
} search;

/* Can both not have it at once? */
static bool clash(const rcp_lock_orders *o, uint32_t a, uint32_t b) {
    return a / 2 == b / 2 && !(a % 2 && b % 2) && !is_signal(o, a / 2);
}

static const rcp_held_lock *has_against(const rcp_lock_orders *o, const rcp_lock_wish *w, uint32_t wants) {
    for (uint32_t i = 0; i < w->n_held; i++)
        if (clash(o, o->held.at[w->first + i].key, wants))
            return &o->held.at[w->first + i];
    return NULL;
}

static bool have_gate(const rcp_lock_orders *o, const rcp_lock_wish *a, const rcp_lock_wish *b) {
    for (uint32_t i = 0; i < a->n_held; i++)
        if (has_against(o, b, o->held.at[a->first + i].key))
            return true;
    return false;
}

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int by_word(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Where each asks, and where each has taken what it is asked for. Without places: who, and which locks. */
static uint64_t places_of(const search *s) {
    uint64_t words[RCP_MOST_STANDING], all = s->n;
    for (uint32_t i = 0; i < s->n; i++) {
        const rcp_lock_wish *w = &s->o->wishes.at[s->path[i]], *before = &s->o->wishes.at[s->path[(i ? i : s->n) - 1]];
        const rcp_held_lock *has = has_against(s->o, w, before->wants);
        words[i] = rcp_hash_join(name_of(s->o->defs, w->wants / 2), w->place);
        words[i] = w->place ? rcp_hash_join(words[i], has->place)
                            : rcp_hash_join(rcp_hash_join(w->tid, w->wants), has->key | UINT64_C(1) << 40);
    }
    qsort(words, s->n, sizeof *words, by_word);
    for (uint32_t i = 0; i < s->n; i++)
        all = rcp_hash_join(all, words[i]);
    return all;
}

static uint32_t spread(const rcp_standing *s) { return s->event[s->n - 1] - s->event[0]; }

static void keep(rcp_lock_cycle *cycle, const rcp_standing *standing) {
    size_t widest = 0;
    for (size_t i = 0; i < cycle->kept.len; i++) {
        if (!memcmp(&cycle->kept.at[i], standing, sizeof *standing))
            return;
        if (spread(&cycle->kept.at[i]) > spread(&cycle->kept.at[widest]))
            widest = i;
    }
    cycle->found++;
    if (cycle->kept.len < rcp_limit(RCP_LIMIT_DEADLOCK_INSTANCES)) {
        rcp_vec_push(&cycle->kept, *standing);
        return;
    }
    cycle->is_cut = true;
    if (spread(standing) < spread(&cycle->kept.at[widest]))
        cycle->kept.at[widest] = *standing;
}

/* Of each instance of the first one, with those of the others that are closest to it. */
static bool choose(const search *s, uint32_t instance, rcp_standing *to) {
    const rcp_lock_wish *one = &s->o->wishes.at[s->path[0]];
    *to = (rcp_standing){.n = s->n, .event = {one->event[instance]}};
    for (uint32_t i = 1; i < s->n; i++) {
        const rcp_lock_wish *w = &s->o->wishes.at[s->path[i]];
        uint32_t best = RCP_NO_EVENT, least = UINT32_MAX;
        for (uint32_t k = 0; k < w->n; k++) {
            const uint32_t a = to->event[0] < w->event[k] ? to->event[0] : w->event[k];
            const uint32_t b = to->event[0] < w->event[k] ? w->event[k] : to->event[0];
            if (b - a < least && (!s->must || !rcp_must_order(s->must, a, b))) {
                least = b - a;
                best = w->event[k];
            }
        }
        if (best == RCP_NO_EVENT)
            return false;
        to->event[i] = best;
    }
    qsort(to->event, to->n, sizeof *to->event, by_number);
    for (uint32_t i = 0; s->must && i < to->n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (rcp_must_order(s->must, to->event[k], to->event[i]))
                return false;
    return true;
}

static void note_cycle(search *s) {
    rcp_lock_orders *o = s->o;
    const uint64_t places = places_of(s);
    uint32_t index = rcp_map_get(&o->cycle_at, places);
    for (uint32_t i = 0; i < o->wishes.at[s->path[0]].n; i++) {
        rcp_standing standing;
        if (!choose(s, i, &standing))
            continue;
        if (index == RCP_MAP_NONE) {
            index = (uint32_t)o->cycles.len;
            rcp_map_set(&o->cycle_at, places, index);
            rcp_vec_push(&o->cycles, ((rcp_lock_cycle){.places = places}));
        }
        keep(&o->cycles.at[index], &standing);
    }
}

/* May the wish be the next of the path, which it closes if that is long enough then? */
static bool fits(const search *s, uint32_t next) {
    const rcp_lock_orders *o = s->o;
    const rcp_lock_wish *w = &o->wishes.at[next];
    const bool is_last = s->n + 1 == s->length;
    for (uint32_t i = 0; i < s->n; i++) {
        const rcp_lock_wish *p = &o->wishes.at[s->path[i]];
        bool is_before = i + 1 == s->n, closes = is_last && !i;
        if (p->tid == w->tid || have_gate(o, p, w) || (!is_before && has_against(o, w, p->wants)) ||
            !!has_against(o, p, w->wants) != closes)
            return false;
    }
    return true;
}

static void extend(search *s) {
    if (s->n == s->length) {
        note_cycle(s);
        return;
    }
    const uint32_t wants = s->o->wishes.at[s->path[s->n - 1]].wants;
    for (uint32_t i = s->first[wants / 2]; i < s->first[wants / 2 + 1] && !s->is_over; i++) {
        const uint32_t next = s->holders[i];
        s->is_over = !s->steps;
        s->steps -= !s->is_over;
        if (s->is_over || next <= s->path[0] || !has_against(s->o, &s->o->wishes.at[next], wants) || !fits(s, next))
            continue;
        s->path[s->n++] = next;
        extend(s);
        s->n--;
    }
}

static void index_holders(search *s) {
    const rcp_lock_orders *o = s->o;
    const size_t locks = o->defs->objects.len;
    s->first = rcp_alloc_zero(locks + 2, sizeof *s->first);
    s->holders = rcp_alloc((o->held.len + 1) * sizeof *s->holders);
    for (size_t i = 0; i < o->held.len; i++)
        s->first[o->held.at[i].key / 2 + 2]++;
    for (size_t i = 0; i < locks; i++)
        s->first[i + 2] += s->first[i + 1];
    for (uint32_t w = 0; w < o->wishes.len; w++)
        for (uint32_t i = 0; i < o->wishes.at[w].n_held; i++)
            s->holders[s->first[o->held.at[o->wishes.at[w].first + i].key / 2 + 1]++] = w;
}

static bool of_length(search *s, uint32_t length) {
    const size_t before = s->o->cycles.len;
    s->length = length;
    for (uint32_t w = 0; w < s->o->wishes.len && !s->is_over; w++) {
        s->path[0] = w;
        s->n = 1;
        extend(s);
    }
    return s->o->cycles.len > before;
}

void rcp_lock_orders_find(rcp_lock_orders *o, const rcp_must *must) {
    const uint32_t most = (uint32_t)rcp_limit(RCP_LIMIT_DEADLOCK_THREADS);
    const uint32_t looked = must || most == RCP_MOST_STANDING ? most : most + 1;
    search s = {.o = o, .must = must, .steps = rcp_limit(RCP_LIMIT_DEADLOCK_STEPS)};
    drop_cycles(o);
    index_holders(&s);
    for (uint32_t length = 2; length <= looked; length++)
        of_length(&s, length);
    if (s.is_over && must)
        rcp_limit_reached(RCP_LIMIT_DEADLOCK_STEPS);
    if (most < RCP_MOST_STANDING && !s.is_over && must) { /* is anything left out by that? */
        const size_t cycles = o->cycles.len;
        if (of_length(&s, most + 1)) {
            rcp_limit_reached_times(RCP_LIMIT_DEADLOCK_THREADS, o->cycles.len - cycles);
            for (; o->cycles.len > cycles; o->cycles.len--) {
                rcp_map_remove(&o->cycle_at, o->cycles.at[o->cycles.len - 1].places);
                rcp_vec_finish(&o->cycles.at[o->cycles.len - 1].kept);
            }
        }
    }
    o->is_over = s.is_over;
    rcp_release(s.first);
    rcp_release(s.holders);
}
