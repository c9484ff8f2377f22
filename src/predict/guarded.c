/* SPDX-License-Identifier: Apache-2.0 */
#include "predict/guarded.h"

enum { MAX_PIECES = 8, THREADS_MAX = 8 };

typedef enum kind { ACCESS, ACQUIRE, RELEASE, POST, WAIT, FORK, JOIN, EXIT } kind;

typedef struct event {
    uint8_t kind;
    uint8_t thread;
    uint32_t object; /* location, lock, semaphore, child */
    uint8_t first, n;
    bool reads, shared, tries;
    rcp_formula guard;
    rcp_formula takes[MAX_PIECES]; /* a read's, piece by piece */
    rcp_formula writes;            /* RCP_FALSE: it does not */
    rcp_formula leaves;            /* what it writes */
    rcp_formula has;               /* a lock or a semaphore: it has it */
    rcp_formula place;
} event;

typedef struct initial {
    uint32_t object;
    unsigned pieces;
    uint64_t value;
} initial;

struct rcp_guarded {
    rcp_formulas pool;
    unsigned piece;
    rcp_formula race;
    RCP_VEC(event) events;
    RCP_VEC(uint32_t) threads[THREADS_MAX]; /* their events, in order */
    RCP_VEC(initial) locations, semaphores;
    rcp_z3 *z3;
};

rcp_guarded *rcp_guarded_create(unsigned piece) {
    rcp_guarded *g = rcp_alloc_zero(1, sizeof *g);
    rcp_formulas_init(&g->pool);
    g->piece = piece;
    g->race = rcp_formula_variable(&g->pool, RCP_SORT_INT, RCP_SMT_RACE);
    return g;
}

void rcp_guarded_destroy(rcp_guarded *g) {
    rcp_z3_destroy(g->z3);
    for (unsigned t = 0; t < THREADS_MAX; t++)
        rcp_vec_finish(&g->threads[t]);
    rcp_vec_finish(&g->events);
    rcp_vec_finish(&g->locations);
    rcp_vec_finish(&g->semaphores);
    rcp_formulas_finish(&g->pool);
    rcp_release(g);
}

rcp_formulas *rcp_guarded_pool(rcp_guarded *g) { return &g->pool; }

/* --- telling --- */

void rcp_guarded_initial(rcp_guarded *g, uint32_t location, unsigned pieces, uint64_t value) {
    rcp_vec_push(&g->locations, ((initial){location, pieces, value}));
}

void rcp_guarded_semaphore(rcp_guarded *g, uint32_t semaphore, uint32_t count) {
    rcp_vec_push(&g->semaphores, ((initial){semaphore, 0, count}));
}

static uint32_t add(rcp_guarded *g, kind what, unsigned thread, rcp_formula guard, uint32_t object) {
    uint32_t number = (uint32_t)g->events.len;
    RCP_CHECK(thread < THREADS_MAX);
    event e = {.kind = (uint8_t)what, .thread = (uint8_t)thread, .object = object, .guard = guard};
    e.writes = e.leaves = RCP_FALSE;
    e.has = RCP_TRUE;
    e.place = rcp_formula_variable(&g->pool, RCP_SORT_INT, "e%u", number);
    rcp_vec_push(&g->events, e);
    rcp_vec_push(&g->threads[thread], number);
    return number;
}

rcp_guarded_event rcp_guarded_read(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t location,
                                   unsigned first, unsigned n, rcp_formula *value) {
    uint32_t number = add(g, ACCESS, thread, guard, location);
    event *e = &g->events.at[number];
    RCP_CHECK(n && n <= MAX_PIECES);
    e->first = (uint8_t)first;
    e->n = (uint8_t)n;
    e->reads = true;
    for (unsigned i = 0; i < n; i++) {
        e->takes[i] = rcp_formula_variable(&g->pool, 8 * g->piece, "v%u_%u", number, i);
        *value = i ? rcp_formula_apply2(&g->pool, 8 * g->piece * (i + 1), "concat", e->takes[i], *value) : e->takes[i];
    }
    return (rcp_guarded_event){number};
}

void rcp_guarded_update(rcp_guarded *g, rcp_guarded_event at, rcp_formula writes, rcp_formula value) {
    g->events.at[at.v].writes = writes;
    g->events.at[at.v].leaves = value;
}

rcp_guarded_event rcp_guarded_write(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t location,
                                    unsigned first, unsigned n, rcp_formula value) {
    uint32_t number = add(g, ACCESS, thread, guard, location);
    g->events.at[number].first = (uint8_t)first;
    g->events.at[number].n = (uint8_t)n;
    rcp_guarded_update(g, (rcp_guarded_event){number}, RCP_TRUE, value);
    return (rcp_guarded_event){number};
}

static void may_fail(rcp_guarded *g, uint32_t number, rcp_formula *has) {
    if (!has)
        return;
    g->events.at[number].tries = true;
    *has = g->events.at[number].has = rcp_formula_variable(&g->pool, RCP_SORT_BOOL, "h%u", number);
}

void rcp_guarded_acquire(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t lock, bool shared,
                         rcp_formula *has) {
    uint32_t number = add(g, ACQUIRE, thread, guard, lock);
    g->events.at[number].shared = shared;
    may_fail(g, number, has);
}

void rcp_guarded_release(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t lock) {
    add(g, RELEASE, thread, guard, lock);
}

void rcp_guarded_post(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t semaphore) {
    add(g, POST, thread, guard, semaphore);
}

void rcp_guarded_wait(rcp_guarded *g, unsigned thread, rcp_formula guard, uint32_t semaphore, rcp_formula *has) {
    may_fail(g, add(g, WAIT, thread, guard, semaphore), has);
}

void rcp_guarded_fork(rcp_guarded *g, unsigned thread, rcp_formula guard, unsigned child) {
    add(g, FORK, thread, guard, child);
}

void rcp_guarded_join(rcp_guarded *g, unsigned thread, rcp_formula guard, unsigned child) {
    add(g, JOIN, thread, guard, child);
}

rcp_guarded_event rcp_guarded_exit(rcp_guarded *g, unsigned thread, rcp_formula guard) {
    return (rcp_guarded_event){add(g, EXIT, thread, guard, 0)};
}

/* --- rules --- */

static const event *at(const rcp_guarded *g, uint32_t number) { return &g->events.at[number]; }

static rcp_formula less(rcp_guarded *g, rcp_formula x, rcp_formula y) {
    return rcp_formula_apply2(&g->pool, RCP_SORT_BOOL, "<", x, y);
}

static rcp_formula executed(rcp_guarded *g, uint32_t x) {
    return rcp_formula_and(&g->pool, less(g, at(g, x)->place, g->race), at(g, x)->guard);
}

static rcp_formula before(rcp_guarded *g, uint32_t x, uint32_t y) { return less(g, at(g, x)->place, at(g, y)->place); }

/* x, which is executed, has the lock or the token. */
static rcp_formula had(rcp_guarded *g, uint32_t x) { return rcp_formula_and(&g->pool, executed(g, x), at(g, x)->has); }

static rcp_formula written(rcp_guarded *g, uint32_t x) {
    return rcp_formula_and(&g->pool, executed(g, x), at(g, x)->writes);
}

static bool writes_piece(const event *e, uint32_t location, unsigned piece) {
    return e->kind == ACCESS && e->writes.v != RCP_FALSE.v && e->object == location && piece >= e->first &&
           piece < e->first + e->n;
}

static rcp_formula piece_left(rcp_guarded *g, const event *w, unsigned piece) {
    unsigned bits = 8 * g->piece, low = (piece - w->first) * bits;
    char name[32];
    if (w->n == 1)
        return w->leaves;
    snprintf(name, sizeof name, "(_ extract %u %u)", low + bits - 1, low);
    return rcp_formula_apply1(&g->pool, bits, name, w->leaves);
}

static rcp_formula initial_piece(rcp_guarded *g, uint32_t location, unsigned piece) {
    uint64_t value = 0;
    for (size_t i = 0; i < g->locations.len; i++)
        if (g->locations.at[i].object == location)
            value = g->locations.at[i].value >> 8 * g->piece * piece;
    return rcp_formula_literal(&g->pool, 8 * g->piece, value);
}

/* The read takes the piece from whoever wrote it last; `now`: at the race, where it has not been executed. */
static rcp_formula takes(rcp_guarded *g, uint32_t read, unsigned i, bool now) {
    const event *r = at(g, read);
    unsigned piece = r->first + i;
    size_t outer = g->pool.list.len;
    for (uint32_t w = 0; w <= g->events.len; w++) { /* the last one stands for the beginning */
        bool is_initial = w == g->events.len;
        if (!is_initial && (w == read || !writes_piece(at(g, w), r->object, piece)))
            continue;
        size_t mark = g->pool.list.len;
        if (!is_initial) {
            rcp_formula_push(&g->pool, written(g, w));
            rcp_formula_push(&g->pool, now ? RCP_TRUE : before(g, w, read));
        }
        rcp_formula left = is_initial ? initial_piece(g, r->object, piece) : piece_left(g, at(g, w), piece);
        rcp_formula_push(&g->pool, rcp_formula_equal(&g->pool, r->takes[i], left));
        for (uint32_t other = 0; other < g->events.len; other++) {
            if (other == w || other == read || !writes_piece(at(g, other), r->object, piece))
                continue;
            rcp_formula apart = rcp_formula_or(&g->pool, is_initial ? RCP_FALSE : before(g, other, w),
                                               now ? RCP_FALSE : before(g, read, other));
            rcp_formula_push(&g->pool, rcp_formula_implies(&g->pool, written(g, other), apart));
        }
        rcp_formula choice = rcp_formula_all(&g->pool, mark);
        rcp_formula_push(&g->pool, choice);
    }
    return rcp_formula_any(&g->pool, outer);
}

/* The lock that `acquire` took is let go before `now`. */
static rcp_formula is_over(rcp_guarded *g, uint32_t acquire, uint32_t now) {
    const event *a = at(g, acquire);
    size_t mark = g->pool.list.len;
    for (uint32_t r = acquire + 1; r < g->events.len; r++)
        if (at(g, r)->kind == RELEASE && at(g, r)->thread == a->thread && at(g, r)->object == a->object)
            rcp_formula_push(&g->pool, rcp_formula_and(&g->pool, executed(g, r), before(g, r, now)));
    return rcp_formula_any(&g->pool, mark);
}

/* It has been taken, and not let go, when `now` comes. */
static rcp_formula is_held(rcp_guarded *g, uint32_t acquire, uint32_t now) {
    const event *a = at(g, acquire);
    size_t mark = g->pool.list.len;
    rcp_formula_push(&g->pool, had(g, acquire));
    rcp_formula_push(&g->pool, before(g, acquire, now));
    for (uint32_t r = acquire + 1; r < g->events.len; r++)
        if (at(g, r)->kind == RELEASE && at(g, r)->thread == a->thread && at(g, r)->object == a->object)
            rcp_formula_push(&g->pool, rcp_formula_implies(&g->pool, executed(g, r), before(g, now, r)));
    return rcp_formula_all(&g->pool, mark);
}

static void assert_lock(rcp_guarded *g, uint32_t x) {
    const event *e = at(g, x);
    size_t mark = g->pool.list.len;
    for (uint32_t y = 0; y < g->events.len; y++) {
        const event *other = at(g, y);
        if (y == x || other->kind != ACQUIRE || other->object != e->object || (e->shared && other->shared))
            continue;
        bool earlier = other->thread == e->thread && y < x, later = other->thread == e->thread && y > x;
        if (y < x) { /* two critical sections exclude each other, guards willing */
            rcp_formula apart = rcp_formula_or(&g->pool, is_over(g, y, x), earlier ? RCP_FALSE : is_over(g, x, y));
            rcp_formula both = rcp_formula_and(&g->pool, had(g, x), had(g, y));
            rcp_formula_assert(&g->pool, rcp_formula_implies(&g->pool, both, apart), "");
        }
        if (e->tries && !later)
            rcp_formula_push(&g->pool, is_held(g, y, x));
    }
    rcp_formula held = rcp_formula_any(&g->pool, mark);
    if (e->tries) { /* who has it not finds it held; that who has it finds it free is said above */
        rcp_formula fails = rcp_formula_and(&g->pool, executed(g, x), rcp_formula_not(&g->pool, e->has));
        rcp_formula_assert(&g->pool, rcp_formula_implies(&g->pool, fails, held), "");
    }
}

/* Posts before it, less the tokens that others took: 1 for each where the formula holds. */
static void assert_token(rcp_guarded *g, uint32_t x) {
    const event *e = at(g, x);
    rcp_formulas *pool = &g->pool;
    rcp_formula zero = rcp_formula_literal(pool, RCP_SORT_INT, 0), one = rcp_formula_literal(pool, RCP_SORT_INT, 1);
    RCP_VEC(rcp_formula) taken = {0};
    size_t mark = pool->list.len;
    uint64_t count = 0;
    for (size_t i = 0; i < g->semaphores.len; i++)
        count = g->semaphores.at[i].object == e->object ? g->semaphores.at[i].value : count;
    for (uint32_t y = 0; y < g->events.len; y++) {
        if (at(g, y)->object != e->object || y == x)
            continue;
        if (at(g, y)->kind == POST) {
            rcp_formula posted = rcp_formula_and(pool, executed(g, y), before(g, y, x));
            rcp_formula_push(pool, rcp_formula_ite(pool, posted, one, zero));
        } else if (at(g, y)->kind == WAIT) {
            rcp_formula took = rcp_formula_and(pool, had(g, y), rcp_formula_not(pool, before(g, x, y)));
            rcp_vec_push(&taken, rcp_formula_ite(pool, took, one, zero));
        }
    }
    rcp_formula_push(pool, rcp_formula_literal(pool, RCP_SORT_INT, count));
    rcp_formula there = rcp_formula_sum(pool, mark);
    for (size_t i = 0; i < taken.len; i++)
        rcp_formula_push(pool, taken.at[i]);
    rcp_formula gone = rcp_formula_sum(pool, mark), is_there = less(g, gone, there);
    rcp_vec_finish(&taken);
    rcp_formula rule = e->tries ? rcp_formula_equal(pool, e->has, is_there) : is_there;
    rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, x), rule), "");
}

static void assert_event(rcp_guarded *g, uint32_t x) {
    const event *e = at(g, x);
    rcp_formulas *pool = &g->pool;
    for (unsigned i = 0; e->reads && i < e->n; i++)
        rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, x), takes(g, x, i, false)), "");
    if (e->kind == ACQUIRE)
        assert_lock(g, x);
    if (e->kind == WAIT)
        assert_token(g, x);
    if (e->kind == EXIT)
        rcp_formula_assert(pool, rcp_formula_not(pool, executed(g, x)), "");
    if ((e->kind != FORK && e->kind != JOIN) || !g->threads[e->object].len)
        return;
    if (e->kind == FORK) {
        /* of those that create it on some way, the one on this way */
        rcp_formula_assert(pool, rcp_formula_implies(pool, e->guard, before(g, x, g->threads[e->object].at[0])), "");
    } else {
        uint32_t last = g->threads[e->object].at[g->threads[e->object].len - 1];
        rcp_formula_assert(pool, rcp_formula_implies(pool, executed(g, x), before(g, last, x)), "");
    }
}

void rcp_guarded_close(rcp_guarded *g) {
    for (unsigned t = 0; t < THREADS_MAX; t++)
        for (size_t i = 1; i < g->threads[t].len; i++) /* whatever the guards */
            rcp_formula_assert(&g->pool, before(g, g->threads[t].at[i - 1], g->threads[t].at[i]), "");
    for (uint32_t x = 0; x < g->events.len; x++)
        assert_event(g, x);
}

/* --- questions --- */

rcp_formula rcp_guarded_next(rcp_guarded *g, rcp_guarded_event which, bool succeeds) {
    const event *e = at(g, which.v);
    size_t mark = g->pool.list.len;
    rcp_formula_push(&g->pool, e->guard);
    rcp_formula_push(&g->pool, rcp_formula_not(&g->pool, less(g, e->place, g->race)));
    for (size_t i = 1; i < g->threads[e->thread].len; i++)
        if (g->threads[e->thread].at[i] == which.v)
            rcp_formula_push(&g->pool, less(g, at(g, g->threads[e->thread].at[i - 1])->place, g->race));
    size_t forks = g->pool.list.len; /* its thread is there, by one of those that create it on some way */
    for (uint32_t x = 0; x < g->events.len; x++)
        if (at(g, x)->kind == FORK && at(g, x)->object == e->thread)
            rcp_formula_push(&g->pool, executed(g, x));
    if (g->pool.list.len > forks)
        rcp_formula_push(&g->pool, rcp_formula_any(&g->pool, forks));
    for (unsigned i = 0; succeeds && e->reads && i < e->n; i++)
        rcp_formula_push(&g->pool, takes(g, which.v, i, true));
    if (succeeds)
        rcp_formula_push(&g->pool, e->writes);
    return rcp_formula_all(&g->pool, mark);
}

rcp_z3_answer rcp_guarded_ask(rcp_guarded *g, rcp_formula end, rcp_z3_limits limits) {
    if (!g->z3)
        g->z3 = rcp_z3_create_plain(&g->pool, limits);
    size_t first = g->pool.assertions.len;
    rcp_formula_assert(&g->pool, end, "");
    rcp_z3_answer answer = g->z3 ? rcp_z3_check(g->z3, first) : RCP_Z3_UNKNOWN;
    g->pool.assertions.len = first;
    return answer;
}
