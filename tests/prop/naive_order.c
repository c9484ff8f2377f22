/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_order.h"

#include "prop/line.h"
#include "trace/model/slots.h"

#include <string.h>

/* pre: comes before an event and before its race check; post: is taken after it; path: the closure of both. */
typedef struct naive {
    const rcp_trace *trace;
    bool schedulable;
    bool loose;     /* a lock's hand-over is no edge */
    bool necessary; /* only what every schedule must keep */
    bool language;  /* atomic accesses and fences order as their memory orders say */
    size_t n;
    bool *line; /* P1 */
    bool *pre, *post, *path;
} naive;

static const rcp_event *at(const naive *o, size_t i) { return &o->trace->events.at[i]; }

static bool covers(const rcp_event *e, uint64_t byte) {
    return byte >= e->addr && byte - e->addr < rcp_event_extent(e);
}

static bool reaches(const naive *o, const rcp_event *e, uint64_t byte) {
    return rcp_event_is_opaque(e) && rcp_defs_reach_holds(&o->trace->defs, e->reach, byte, byte + 1);
}

/* 1 + the ALLOC or FREE that began the life in which event i finds `byte`; 0: the trace's beginning. */
static size_t life(const naive *o, size_t i, uint64_t byte) {
    while (i-- > 0)
        if ((at(o, i)->kind == RCP_ALLOC || at(o, i)->kind == RCP_FREE) && covers(at(o, i), byte))
            return i + 1;
    return 0;
}

/* 1 + who wrote `byte` last before event i, in its life; 0: nobody. */
static size_t writer(const naive *o, size_t i, uint64_t byte) {
    size_t from = life(o, i, byte);
    while (i-- > from)
        if ((rcp_event_writes(at(o, i)) && covers(at(o, i), byte)) || reaches(o, at(o, i), byte))
            return i + 1;
    return 0;
}

static bool uses(const rcp_event *e, uint32_t what) { return rcp_event_traits(e->kind)->uses & what; }

static bool names(const rcp_event *e, uint32_t object) {
    return (uses(e, RCP_USES_OBJECT) && e->object.v == object) || (uses(e, RCP_USES_LOCK) && e->lock.v == object);
}

static bool releases(const rcp_event *e, uint32_t lock, rcp_mode mode) {
    if (e->kind == RCP_WAIT)
        return e->lock.v == lock && mode == RCP_EXCLUSIVE;
    return e->kind == RCP_RELEASE && e->object.v == lock && e->mode == mode;
}

static bool acquires(const rcp_event *e, uint32_t lock, rcp_mode mode) {
    if (e->kind == RCP_WAKE)
        return e->lock.v == lock && mode == RCP_EXCLUSIVE;
    return e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE && e->object.v == lock && e->mode == mode;
}

static bool lock_edge(const naive *o, const rcp_event *a, const rcp_event *b, uint32_t lock) {
    const rcp_mode x = RCP_EXCLUSIVE, s = RCP_SHARED;
    if (acquires(b, lock, x))
        return !o->loose && (releases(a, lock, x) || releases(a, lock, s));
    if (acquires(b, lock, s))
        return !o->loose && releases(a, lock, x);
    if (b->kind == RCP_ACQUIRE && b->outcome == RCP_FAILED && b->object.v == lock)
        return acquires(a, lock, x) || (b->mode == x && acquires(a, lock, s));
    return false;
}

/* How many ENTERs of the barrier come before event i of the trace? */
static uint64_t entered(const naive *o, size_t i, uint32_t barrier) {
    uint64_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += at(o, k)->kind == RCP_BARRIER_ENTER && at(o, k)->object.v == barrier;
    return n;
}

static bool barrier_edge(const naive *o, size_t i, size_t j) {
    uint32_t barrier = at(o, j)->object.v;
    uint64_t members = o->trace->defs.objects.at[barrier].initial;
    members = members ? members : 1;
    return (entered(o, i, barrier) / members + 1) * members <= entered(o, j, barrier);
}

/* How many events of these kinds has the thread on the object before event i? tid UINT32_MAX: all threads. */
static uint64_t count(const naive *o, size_t i, uint32_t object, uint32_t tid, uint32_t kinds) {
    uint64_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += at(o, k)->object.v == object && kinds >> at(o, k)->kind & 1 && at(o, k)->outcome == RCP_DONE &&
             (tid == UINT32_MAX || at(o, k)->tid.v == tid);
    return n;
}

/* One giver: the thread's k-th take needs the giver's k-th give, less what there was at first. */
static bool give_edge(const naive *o, size_t i, size_t j, uint32_t gives, uint32_t takes, uint64_t initial) {
    const rcp_event *a = at(o, i), *b = at(o, j);
    if (!(gives >> a->kind & 1) || !(takes >> b->kind & 1) || b->outcome != RCP_DONE)
        return false;
    if (count(o, o->n, a->object.v, UINT32_MAX, gives) != count(o, o->n, a->object.v, a->tid.v, gives))
        return false;
    return count(o, i, a->object.v, a->tid.v, gives) + initial <= count(o, j, b->object.v, b->tid.v, takes);
}

static bool necessary_edge(const naive *o, size_t i, size_t j) {
    const rcp_event *a = at(o, i), *b = at(o, j);
    for (uint32_t object = 0; object < o->trace->defs.objects.len; object++)
        if (a->kind == RCP_INIT && a->object.v == object && names(b, object))
            return true;
    if (!uses(a, RCP_USES_OBJECT) || !uses(b, RCP_USES_OBJECT) || a->object.v != b->object.v)
        return false;
    uint64_t initial = o->trace->defs.objects.at[a->object.v].initial;
    const uint32_t signals = 1u << RCP_SIGNAL | 1u << RCP_BROADCAST;
    if (a->kind == RCP_ONCE_END && b->kind == RCP_ONCE_SKIP)
        return true;
    if (a->kind == RCP_BARRIER_ENTER && b->kind == RCP_BARRIER_LEAVE) {
        uint64_t users = 0;
        for (uint32_t t = 0; t < o->trace->defs.threads.len; t++)
            users += count(o, o->n, a->object.v, t, 1u << RCP_BARRIER_ENTER) > 0;
        return users == initial && barrier_edge(o, i, j);
    }
    return give_edge(o, i, j, 1u << RCP_SEM_POST, 1u << RCP_SEM_WAIT, initial) ||
           give_edge(o, i, j, signals, 1u << RCP_WAKE, 0);
}

static bool object_edge(const naive *o, size_t i, size_t j) {
    if (o->necessary)
        return necessary_edge(o, i, j);
    const rcp_event *a = at(o, i), *b = at(o, j);
    for (uint32_t object = 0; object < o->trace->defs.objects.len; object++) {
        if (!names(a, object) || !names(b, object))
            continue;
        if (a->kind == RCP_INIT || b->kind == RCP_DESTROY || lock_edge(o, a, b, object))
            return true;
        bool done = b->outcome == RCP_DONE;
        switch (b->kind) {
        case RCP_WAKE:
            if (done && (a->kind == RCP_SIGNAL || a->kind == RCP_BROADCAST))
                return true;
            break;
        case RCP_SEM_WAIT:
            if (done ? a->kind == RCP_SEM_POST : a->kind == RCP_SEM_WAIT && a->outcome == RCP_DONE)
                return true;
            break;
        case RCP_BARRIER_LEAVE:
            if (a->kind == RCP_BARRIER_ENTER && barrier_edge(o, i, j))
                return true;
            break;
        case RCP_ONCE_SKIP:
            if (a->kind == RCP_ONCE_END)
                return true;
            break;
        default: break;
        }
    }
    return false;
}

/* Is event w, the last writer of `byte` before some read, in the release sequence that event s would head? */
static bool is_in_sequence(const naive *o, size_t s, size_t w, uint64_t byte) {
    if (s > w || !rcp_event_writes(at(o, s)) || !rcp_event_is_atomic(at(o, s)) || !covers(at(o, s), byte))
        return false;
    const char *fact = rcp_defs_borrow_fact(&o->trace->defs, "release sequences");
    const bool is_cxx20 = fact && !strcmp(fact, "C++20");
    for (size_t k = s + 1; k <= w; k++) {
        const rcp_event *e = at(o, k);
        if (reaches(o, e, byte) || ((e->kind == RCP_ALLOC || e->kind == RCP_FREE) && covers(e, byte)))
            return false;
        if (!rcp_event_writes(e) || !covers(e, byte))
            continue;
        const bool goes_on = e->kind == RCP_RMW || (!is_cxx20 && e->tid.v == at(o, s)->tid.v);
        if (!rcp_event_is_atomic(e) || !goes_on)
            return false;
    }
    return true;
}

/* Does atomic read r take what a release sequence that s heads left? */
static bool takes_from(const naive *o, size_t s, size_t r) {
    const rcp_event *read = at(o, r);
    if (!rcp_event_reads(read) || !rcp_event_is_atomic(read))
        return false;
    for (uint64_t k = 0; k < read->size; k++) {
        size_t w = writer(o, r, read->addr + k);
        if (w && rcp_event_is_atomic(at(o, w - 1)) && is_in_sequence(o, s, w - 1, read->addr + k))
            return true;
    }
    return false;
}

static bool is_fence(const rcp_event *e) { return e->kind == RCP_FENCE || rcp_event_is_opaque(e); }
static bool is_release(const rcp_event *e) {
    return rcp_event_is_opaque(e) || e->mode == RCP_REL || e->mode == RCP_ACQ_REL || e->mode == RCP_SEQ_CST;
}
static bool is_acquire(const rcp_event *e) {
    return rcp_event_is_opaque(e) || e->mode == RCP_CONSUME || e->mode == RCP_ACQ || e->mode == RCP_ACQ_REL ||
           e->mode == RCP_SEQ_CST;
}

/* Does event i synchronise with event j: an atomic write that releases, or a fence before one, with an atomic read
 * that acquires, or a fence after one? */
static bool synchronises(const naive *o, size_t i, size_t j) {
    const rcp_event *a = at(o, i), *b = at(o, j);
    if ((!is_fence(a) && !rcp_event_is_atomic(a)) || (!is_fence(b) && !rcp_event_is_atomic(b)) || !is_release(a) ||
        !is_acquire(b))
        return false;
    for (size_t s = i; s < (is_fence(a) ? j : i + 1); s++)
        for (size_t r = is_fence(b) ? i + 1 : j; r <= j; r++)
            if (at(o, s)->tid.v == a->tid.v && at(o, r)->tid.v == b->tid.v && s < r && takes_from(o, s, r))
                return true;
    return false;
}

/* The edges from event i to event j that memory makes. */
static void memory_edge(const naive *o, size_t i, size_t j, bool *pre, bool *post) {
    const rcp_event *a = at(o, i), *b = at(o, j);
    if (rcp_event_is_opaque(b)) {
        for (uint64_t k = 0; k < rcp_event_extent(a); k++) {
            uint64_t byte = a->addr + k;
            if (reaches(o, b, byte) && (life(o, j, byte) == i + 1 || writer(o, j, byte) == i + 1))
                *pre = true;
        }
        return;
    }
    for (uint64_t k = 0; k < rcp_event_extent(b); k++) {
        uint64_t byte = b->addr + k;
        if (life(o, j, byte) == i + 1) {
            if (a->kind == RCP_ALLOC || b->kind == RCP_ALLOC)
                *pre = true;
            else if (o->schedulable)
                *post = true;
        }
        if (rcp_event_reads(b) && writer(o, j, byte) == i + 1) {
            if (o->necessary)
                continue; /* prop/naive_weak.c has it */
            bool both = rcp_event_is_atomic(a) && rcp_event_is_atomic(b);
            if (both && o->language)
                continue; /* synchronises() has it */
            if (rcp_event_is_opaque(a) || both)
                *pre = true;
            else if (o->schedulable)
                *post = true;
        }
    }
}

/* A fence in every thread, wherever that is. */
static bool is_everywhere(const naive *o, const rcp_event *e) {
    return rcp_event_is_opaque(e) && !strcmp(rcp_defs_borrow_string(&o->trace->defs, e->callee), RCP_FENCES_ALL);
}

static void find_edges(naive *o, size_t i, size_t j) {
    const rcp_event *a = at(o, i), *b = at(o, j);
    bool *pre = &o->pre[i * o->n + j], *post = &o->post[i * o->n + j];
    *pre = a->tid.v == b->tid.v || o->line[i * o->n + j] ||
           (a->kind == RCP_FORK && a->child.v == b->tid.v && !o->trace->position[j]) ||
           (a->kind == RCP_FORK && b->kind == RCP_JOIN && a->child.v == b->child.v) ||
           (b->kind == RCP_JOIN && b->outcome == RCP_DONE && b->child.v == a->tid.v) || object_edge(o, i, j);
    memory_edge(o, i, j, pre, post);
    *pre |= o->language && (is_everywhere(o, a) || is_everywhere(o, b));
    *pre |= o->language && a->tid.v != b->tid.v && synchronises(o, i, j);
}

/* Is i before j when j is compared with it: not counting the edges of j's own that are taken afterwards? */
static bool before(const naive *o, size_t i, size_t j) {
    for (size_t k = 0; k < o->n; k++)
        if (o->pre[k * o->n + j] && (k == i || o->path[i * o->n + k]))
            return true;
    return false;
}

/* Do events i < j conflict? Widens [*lo, *hi) by the bytes in which they do. */
static bool conflict(const naive *o, size_t i, size_t j, uint64_t *lo, uint64_t *hi) {
    bool found = false;
    if (!rcp_event_conflict(at(o, i), at(o, j)))
        return false;
    for (uint64_t k = 0; k < rcp_event_extent(at(o, j)); k++) {
        uint64_t byte = at(o, j)->addr + k;
        if (!covers(at(o, i), byte))
            continue;
        size_t mine = life(o, j, byte);
        if (mine != life(o, i, byte) && !(at(o, i)->kind == RCP_FREE && mine == i + 1))
            continue;
        *lo = !found || byte < *lo ? byte : *lo;
        *hi = !found || byte + 1 > *hi ? byte + 1 : *hi;
        found = true;
    }
    return found;
}

/* Is event k, of the same thread as i and after it, at the same place and of the same kind? */
static bool is_same_place(const naive *o, size_t i, size_t k) {
    const rcp_event *a = at(o, i), *b = at(o, k);
    return a->loc.v == b->loc.v && a->kind == b->kind && rcp_event_is_atomic(a) == rcp_event_is_atomic(b);
}

/* The thread's events before j that race with it, and are the last to do so: of all, or of their place. */
static void name(const naive *o, uint32_t tid, size_t j, bool by_place, rcp_naive_races *races) {
    for (size_t i = 0; i < j; i++) {
        uint64_t lo = 0, hi = 0, unused;
        bool is_last = at(o, i)->tid.v == tid && conflict(o, i, j, &lo, &hi) && !before(o, i, j) &&
                       !(o->language && rcp_slot_is_descriptor(at(o, i)->addr));
        for (size_t k = i + 1; k < j && is_last; k++)
            is_last = at(o, k)->tid.v != tid || (by_place && !is_same_place(o, i, k)) ||
                      !conflict(o, k, j, &unused, &unused) || before(o, k, j);
        if (is_last)
            rcp_vec_push(races, ((rcp_naive_race){{i}, {j}, lo, hi}));
    }
}

/* All edges and their closure; finish() gives back what it takes. */
static void close_order(naive *o) {
    size_t n = o->n;
    o->line = rcp_alloc_zero(n * n + 1, sizeof *o->line);
    rcp_line_edges(o->trace, o->line);
    o->pre = rcp_alloc_zero(n * n + 1, sizeof *o->pre);
    o->post = rcp_alloc_zero(n * n + 1, sizeof *o->post);
    o->path = rcp_alloc_zero(n * n + 1, sizeof *o->path);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            find_edges(o, i, j);
            o->path[i * n + j] = o->pre[i * n + j] || o->post[i * n + j];
        }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            if (o->path[i * n + k])
                for (size_t j = 0; j < n; j++)
                    o->path[i * n + j] = o->path[i * n + j] || o->path[k * n + j];
}

static void finish(naive *o) {
    rcp_release(o->line);
    rcp_release(o->pre);
    rcp_release(o->post);
    rcp_release(o->path);
}

void rcp_naive_order(const rcp_trace *trace, rcp_naive_kind kind, bool by_place, rcp_naive_races *races) {
    naive o = {.trace = trace,
               .schedulable = kind != RCP_NAIVE_ORDER_HB,
               .language = kind == RCP_NAIVE_ORDER_C11,
               .n = trace->events.len};
    close_order(&o);
    for (size_t j = 0; j < o.n; j++)
        for (uint32_t tid = 0; tid < trace->defs.threads.len; tid++)
            name(&o, tid, j, by_place, races);
    finish(&o);
}

bool *rcp_naive_take_before(const rcp_trace *trace, rcp_naive_kind kind) {
    naive o = {.trace = trace,
               .schedulable = kind != RCP_NAIVE_ORDER_HB,
               .language = kind == RCP_NAIVE_ORDER_C11,
               .n = trace->events.len};
    close_order(&o);
    bool *is_before = rcp_alloc_zero(o.n * o.n + 1, sizeof *is_before);
    for (size_t j = 0; j < o.n; j++)
        for (size_t i = 0; i < j; i++)
            is_before[i * o.n + j] = before(&o, i, j);
    finish(&o);
    return is_before;
}

void rcp_naive_edges(const rcp_trace *trace, rcp_naive_sort sort, uint64_t *pre, uint64_t *post) {
    size_t n = trace->events.len;
    naive o = {.trace = trace, .n = n, .loose = sort != RCP_NAIVE_HB, .necessary = sort >= RCP_NAIVE_NECESSARY};
    o.schedulable = sort == RCP_NAIVE_NECESSARY_FREED;
    o.line = rcp_alloc_zero(n * n + 1, sizeof *o.line);
    rcp_line_edges(trace, o.line);
    o.pre = rcp_alloc_zero(n * n + 1, sizeof *o.pre);
    o.post = rcp_alloc_zero(n * n + 1, sizeof *o.post);
    for (size_t j = 0; j < n; j++) {
        pre[j] = post[j] = 0;
        for (size_t i = 0; i < j; i++) {
            find_edges(&o, i, j);
            pre[j] |= (uint64_t)o.pre[i * n + j] << i;
            post[j] |= (uint64_t)o.post[i * n + j] << i;
        }
    }
    rcp_release(o.line);
    rcp_release(o.pre);
    rcp_release(o.post);
}

bool rcp_naive_share(const rcp_trace *trace, size_t i, size_t j, uint64_t byte) {
    naive o = {.trace = trace, .n = trace->events.len};
    return covers(at(&o, i), byte) && covers(at(&o, j), byte) &&
           (life(&o, j, byte) == life(&o, i, byte) || (at(&o, i)->kind == RCP_FREE && life(&o, j, byte) == i + 1));
}

bool rcp_naive_overlap(const rcp_trace *trace, size_t i, size_t j) {
    const rcp_event *e = &trace->events.at[j];
    for (uint64_t k = 0; k < rcp_event_extent(e); k++)
        if (rcp_naive_share(trace, i, j, e->addr + k))
            return true;
    return false;
}

size_t rcp_naive_writer(const rcp_trace *trace, size_t i, uint64_t byte) {
    naive o = {.trace = trace, .n = trace->events.len};
    return writer(&o, i, byte);
}

bool rcp_naive_conflict(const rcp_trace *trace, size_t i, size_t j, uint64_t *lo, uint64_t *hi) {
    naive o = {.trace = trace, .n = trace->events.len};
    return conflict(&o, i, j, lo, hi);
}
