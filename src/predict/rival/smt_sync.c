/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation as constraints on places: rules L, C, S, B and J of docs/semantics.md, and seed 003 §4 where the
 * paper has them. All are differences of integers but for barriers, whose generations are counted. */
#include "predict/rival/smt_state.h"

#define NOTHING UINT64_MAX

/* A stretch in which a thread holds a lock: from the event that takes it to the one that gives it back (NOTHING: none
 * in the cone). Inner levels of a recursive lock make none of their own. */
typedef struct section {
    uint32_t tid;
    rcp_mode mode;
    uint64_t from, to;
} section;

/* A thread that sleeps. */
typedef struct nap {
    uint64_t wait, wake; /* NOTHING: not in the cone */
    bool alone;          /* C5: no SIGNAL chooses it */
} nap;

/* What the cone has of one object, in the recorded order. */
typedef struct uses {
    RCP_VEC(section) sections;
    RCP_VEC(uint64_t) failed; /* ACQUIRE, SEM_WAIT */
    RCP_VEC(nap) naps;        /* on a condition, or with a lock */
    RCP_VEC(uint64_t) signals, broadcasts;
    RCP_VEC(uint64_t) posts, downs;
    RCP_VEC(uint64_t) enters, leaves;
    RCP_VEC(uint64_t) all;   /* every event that names it */
    RCP_VEC(uint32_t) depth; /* per thread and mode: how often it is held now, and which section is open */
    RCP_VEC(size_t) open;
} uses;

typedef struct encoder {
    rcp_smt *s;
    rcp_formulas *pool;
    uses *of; /* per object */
} encoder;

/* Pairs of pairs can be many: the encoding is given up soon after it has grown too large. */
static bool too_large(const encoder *c) { return c->pool->nodes.len > c->s->limit; }

static rcp_formula before(encoder *c, uint64_t x, uint64_t y) {
    return x == NOTHING ? RCP_FALSE : y == NOTHING ? RCP_TRUE : rcp_smt_before(c->s, x, y);
}
static rcp_formula executed(encoder *c, uint64_t x) { return x == NOTHING ? RCP_FALSE : rcp_smt_executed(c->s, x); }

static size_t slot(encoder *c, uses *u, uint32_t tid, rcp_mode mode) {
    size_t want = c->s->facts->threads * RCP_MODES;
    while (u->depth.len < want) {
        rcp_vec_push(&u->depth, 0);
        rcp_vec_push(&u->open, 0);
    }
    return (size_t)tid * RCP_MODES + mode;
}

static void take(encoder *c, rcp_obj lock, uint64_t eid, rcp_mode mode) {
    uses *u = &c->of[lock.v];
    uint32_t tid = rcp_smt_event(c->s, eid)->tid.v;
    size_t i = slot(c, u, tid, mode);
    if (u->depth.at[i]++)
        return;
    u->open.at[i] = u->sections.len;
    rcp_vec_push(&u->sections, ((section){tid, mode, eid, NOTHING}));
}

static void give(encoder *c, rcp_obj lock, uint64_t eid, rcp_mode mode) {
    uses *u = &c->of[lock.v];
    size_t i = slot(c, u, rcp_smt_event(c->s, eid)->tid.v, mode);
    if (u->depth.at[i] && !--u->depth.at[i])
        u->sections.at[u->open.at[i]].to = eid;
}

static void wait(encoder *c, const rcp_event *e, uint64_t eid) {
    const rcp_trace *trace = c->s->trace;
    rcp_position next = trace->position[eid] + 1;
    nap n = {eid, NOTHING, false};
    if (next < rcp_trace_thread_len(trace, e->tid)) {
        uint64_t wake = rcp_trace_event_of(trace, e->tid, next).v;
        n.alone = rcp_smt_event(c->s, wake)->kind == RCP_WAKE && rcp_smt_event(c->s, wake)->outcome != RCP_DONE;
        n.wake = rcp_smt_in_cone(c->s, wake) ? wake : NOTHING;
    }
    rcp_vec_push(&c->of[e->object.v].naps, n);
    rcp_vec_push(&c->of[e->lock.v].naps, n);
    give(c, e->lock, eid, RCP_EXCLUSIVE);
}

static void collect(encoder *c, uint64_t eid) {
    const rcp_event *e = rcp_smt_event(c->s, eid);
    uint32_t flags = rcp_event_traits(e->kind)->uses;
    if (!(flags & RCP_USES_OBJECT))
        return;
    uses *u = &c->of[e->object.v];
    rcp_vec_push(&u->all, eid);
    if (flags & RCP_USES_LOCK)
        rcp_vec_push(&c->of[e->lock.v].all, eid);
    switch ((rcp_kind)e->kind) {
    case RCP_ACQUIRE:
        if (e->outcome == RCP_FAILED)
            rcp_vec_push(&u->failed, eid);
        else
            take(c, e->object, eid, e->mode);
        break;
    case RCP_RELEASE: give(c, e->object, eid, e->mode); break;
    case RCP_WAIT: wait(c, e, eid); break;
    case RCP_WAKE: take(c, e->lock, eid, RCP_EXCLUSIVE); break;
    case RCP_SIGNAL: rcp_vec_push(&u->signals, eid); break;
    case RCP_BROADCAST: rcp_vec_push(&u->broadcasts, eid); break;
    case RCP_SEM_POST: rcp_vec_push(&u->posts, eid); break;
    case RCP_SEM_WAIT:
        if (e->outcome == RCP_FAILED)
            rcp_vec_push(&u->failed, eid);
        else
            rcp_vec_push(&u->downs, eid);
        break;
    case RCP_BARRIER_ENTER: rcp_vec_push(&u->enters, eid); break;
    case RCP_BARRIER_LEAVE: rcp_vec_push(&u->leaves, eid); break;
    default: break;
    }
}

/* L1, L2: two sections of different threads, not both shared, one after the other. */
static void exclude(encoder *c, const uses *u) {
    for (size_t i = 0; i < u->sections.len && !too_large(c); i++)
        for (size_t k = i + 1; k < u->sections.len; k++) {
            const section *a = &u->sections.at[i], *b = &u->sections.at[k];
            if (a->tid == b->tid || (a->mode == RCP_SHARED && b->mode == RCP_SHARED))
                continue;
            rcp_formula either = rcp_formula_or(c->pool, before(c, a->to, b->from), before(c, b->to, a->from));
            rcp_formula guarded = rcp_formula_implies(c->pool, executed(c, b->from), either);
            rcp_smt_require(c->s, a->from, guarded, "excludes the other's section (L1, L2)");
        }
}

/* L3, L4: somebody holds it. */
static void fail_to_take(encoder *c, rcp_obj object, const uses *u, uint64_t eid) {
    const rcp_event *e = rcp_smt_event(c->s, eid);
    bool recursive = c->s->trace->defs.objects.at[object.v].kind == RCP_RECURSIVE;
    size_t mark = c->pool->list.len;
    for (size_t i = 0; i < u->sections.len; i++) {
        const section *held = &u->sections.at[i];
        if ((e->mode == RCP_SHARED && held->mode == RCP_SHARED) || (recursive && held->tid == e->tid.v))
            continue;
        rcp_formula_push(c->pool, rcp_formula_and(c->pool, before(c, held->from, eid), before(c, eid, held->to)));
    }
    rcp_smt_require(c->s, eid, rcp_formula_any(c->pool, mark), "somebody holds it (L3, L4)");
}

/* Signals. As trace/check/sync.c shows, a choice of sleepers exists if and only if each WAKE that no BROADCAST served
 * has a SIGNAL of its own between its WAIT and itself: w4_7 says that the WAIT e4 is given the SIGNAL e7. */
static rcp_formula given(encoder *c, const nap *n, uint64_t signal) {
    return rcp_formula_variable(c->pool, RCP_SORT_BOOL, "w%llu_%llu", (unsigned long long)n->wait,
                                (unsigned long long)signal);
}

static rcp_formula woken_by(encoder *c, const uses *u, const nap *n, uint64_t until) {
    size_t mark = c->pool->list.len;
    for (size_t i = 0; i < u->broadcasts.len; i++)
        rcp_formula_push(c->pool, rcp_formula_and(c->pool, before(c, n->wait, u->broadcasts.at[i]),
                                                  before(c, u->broadcasts.at[i], until)));
    for (size_t i = 0; i < u->signals.len; i++) {
        uint64_t signal = u->signals.at[i];
        rcp_formula fits = rcp_formula_and(c->pool, before(c, n->wait, signal), before(c, signal, until));
        if (fits.v != RCP_FALSE.v)
            rcp_formula_push(c->pool, rcp_formula_and(c->pool, given(c, n, signal), fits));
    }
    return rcp_formula_any(c->pool, mark);
}

static void condition(encoder *c, const uses *u, uint64_t destroy) {
    rcp_formulas *pool = c->pool;
    for (size_t i = 0; i < u->naps.len && !too_large(c); i++) {
        const nap *n = &u->naps.at[i];
        if (n->alone)
            continue;
        if (n->wake != NOTHING && !c->s->spurious)
            rcp_smt_require(c->s, n->wake, woken_by(c, u, n, n->wake), "was woken since its wait (C4)");
        if (destroy != NOTHING) { /* J3 */
            rcp_formula gone = rcp_formula_or(pool, before(c, destroy, n->wait), before(c, n->wake, destroy));
            rcp_smt_require(c->s, destroy, rcp_formula_or(pool, gone, woken_by(c, u, n, destroy)),
                            "nobody sleeps on it (J3)");
        }
        for (size_t k = 0; k < i; k++) {
            const nap *m = &u->naps.at[k];
            for (size_t j = 0; !m->alone && j < u->signals.len; j++) {
                uint64_t signal = u->signals.at[j];
                rcp_formula both = rcp_formula_and(pool, given(c, n, signal), given(c, m, signal));
                rcp_smt_require(c->s, signal, rcp_formula_not(pool, both), "wakes one (C2)");
            }
        }
    }
}

/* Semaphores as tokens: each SEM_WAIT that is done takes one of its own, of a POST before it or of the initial ones.
 * The count is 0 where all that there are were taken. s7_4: the SEM_WAIT e7 takes the token of the POST e4; s7_i0 an
 * initial one. */
static rcp_formula token(encoder *c, uint64_t down, uint64_t post, uint64_t initial) {
    return post == NOTHING ? rcp_formula_variable(c->pool, RCP_SORT_BOOL, "s%llu_i%llu", (unsigned long long)down,
                                                  (unsigned long long)initial)
                           : rcp_formula_variable(c->pool, RCP_SORT_BOOL, "s%llu_%llu", (unsigned long long)down,
                                                  (unsigned long long)post);
}

static void semaphore(encoder *c, const uses *u, uint64_t initial) {
    rcp_formulas *pool = c->pool;
    bool plenty = initial >= u->downs.len; /* more initial ones than anybody takes */
    size_t tokens = plenty ? 0 : (size_t)initial;
    for (size_t i = 0; i < u->downs.len && !plenty && !too_large(c); i++) {
        uint64_t down = u->downs.at[i];
        size_t mark = pool->list.len;
        for (size_t k = 0; k < tokens; k++)
            rcp_formula_push(pool, token(c, down, NOTHING, k));
        for (size_t k = 0; k < u->posts.len; k++)
            rcp_formula_push(pool,
                             rcp_formula_and(pool, token(c, down, u->posts.at[k], 0), before(c, u->posts.at[k], down)));
        rcp_smt_require(c->s, down, rcp_formula_any(pool, mark), "takes a token (S2)");
        /* and no more than one, where somebody counts what is left */
        for (size_t k = 0; k < tokens + u->posts.len && u->failed.len; k++)
            for (size_t m = 0; m < k; m++) {
                rcp_formula one = token(c, down, k < tokens ? NOTHING : u->posts.at[k - tokens], k);
                rcp_formula other = token(c, down, m < tokens ? NOTHING : u->posts.at[m - tokens], m);
                rcp_smt_require(c->s, down, rcp_formula_not(pool, rcp_formula_and(pool, one, other)),
                                "takes one token (S2)");
            }
        for (size_t m = 0; m < i; m++) {
            mark = pool->list.len;
            for (size_t k = 0; k < tokens + u->posts.len; k++) {
                uint64_t post = k < tokens ? NOTHING : u->posts.at[k - tokens];
                rcp_formula_push(pool, rcp_formula_not(pool, rcp_formula_and(pool, token(c, down, post, k),
                                                                             token(c, u->downs.at[m], post, k))));
            }
            rcp_formula apart = rcp_formula_implies(pool, executed(c, u->downs.at[m]), rcp_formula_all(pool, mark));
            rcp_smt_require(c->s, down, apart, "nobody else's (S2)");
        }
    }
    for (size_t i = 0; i < u->failed.len; i++) {
        uint64_t eid = u->failed.at[i];
        size_t all = pool->list.len;
        /* as many initial ones as SEM_WAITs, or more: with one more POST or token than takers nothing is ever 0 */
        if (plenty && initial > u->downs.len)
            rcp_formula_push(pool, RCP_FALSE);
        for (size_t k = 0; k < (plenty ? u->downs.len : tokens) + u->posts.len; k++) {
            size_t own = plenty ? u->downs.len : tokens;
            uint64_t post = k < own ? NOTHING : u->posts.at[k - own];
            if (plenty && post == NOTHING) { /* each takes an initial one: all must have come before */
                rcp_formula_push(pool, before(c, u->downs.at[k], eid));
                continue;
            }
            size_t any = pool->list.len;
            if (post != NOTHING)
                rcp_formula_push(pool, before(c, eid, post));
            for (size_t m = 0; m < u->downs.len && !plenty; m++)
                rcp_formula_push(
                    pool, rcp_formula_and(pool, token(c, u->downs.at[m], post, k), before(c, u->downs.at[m], eid)));
            rcp_formula taken = rcp_formula_any(pool, any);
            rcp_formula_push(
                pool, post != NOTHING ? rcp_formula_or(pool, rcp_formula_not(pool, executed(c, post)), taken) : taken);
        }
        rcp_smt_require(c->s, eid, rcp_formula_all(pool, all), "all tokens are taken (S3)");
    }
}

/* How many of the events come before `eid`. */
static rcp_formula count_before(encoder *c, const uint64_t *events, size_t n, uint64_t eid) {
    rcp_formula one = rcp_formula_literal(c->pool, RCP_SORT_INT, 1),
                zero = rcp_formula_literal(c->pool, RCP_SORT_INT, 0);
    size_t mark = c->pool->list.len;
    for (size_t i = 0; i < n; i++) {
        rcp_formula earlier = events[i] == eid ? RCP_FALSE : before(c, events[i], eid);
        if (earlier.v != RCP_FALSE.v)
            rcp_formula_push(c->pool, rcp_formula_ite(c->pool, earlier, one, zero));
    }
    return rcp_formula_sum(c->pool, mark);
}

static rcp_formula at_most(encoder *c, rcp_formula a, rcp_formula b) {
    return rcp_formula_apply2(c->pool, RCP_SORT_BOOL, "<=", a, b);
}

/* members * generation + more */
static rcp_formula scaled(encoder *c, uint64_t members, rcp_formula generation, uint64_t more) {
    rcp_formula product =
        rcp_formula_apply2(c->pool, RCP_SORT_INT, "*", rcp_formula_literal(c->pool, RCP_SORT_INT, members), generation);
    return rcp_formula_apply2(c->pool, RCP_SORT_INT, "+", product, rcp_formula_literal(c->pool, RCP_SORT_INT, more));
}

/* g5: the generation that the BARRIER_ENTER e5 joins. */
static rcp_formula generation(encoder *c, uint64_t enter) {
    return rcp_formula_variable(c->pool, RCP_SORT_INT, "g%llu", (unsigned long long)enter);
}

/* The ENTER to which a LEAVE belongs, and the LEAVE of an ENTER (NOTHING: not in the cone). */
static uint64_t enter_of(encoder *c, const uses *u, uint64_t leave) {
    uint64_t found = NOTHING;
    for (size_t i = 0; i < u->enters.len; i++)
        if (rcp_smt_event(c->s, u->enters.at[i])->tid.v == rcp_smt_event(c->s, leave)->tid.v &&
            c->s->trace->position[u->enters.at[i]] < c->s->trace->position[leave])
            found = u->enters.at[i];
    return found;
}
static uint64_t leave_of(encoder *c, const uses *u, uint64_t enter) {
    for (size_t i = 0; i < u->leaves.len; i++)
        if (enter_of(c, u, u->leaves.at[i]) == enter)
            return u->leaves.at[i];
    return NOTHING;
}

static bool is_serial(encoder *c, uint64_t leave) { return rcp_smt_event(c->s, leave)->outcome == RCP_SERIAL; }

/* B3: of the members of its generation one is serial, or has not left. */
static void leave_serially(encoder *c, const uses *u, uint64_t leave, uint64_t enter) {
    rcp_formulas *pool = c->pool;
    size_t mark = pool->list.len;
    for (size_t i = 0; i < u->enters.len; i++) {
        uint64_t other = u->enters.at[i], left = leave_of(c, u, other);
        if (other == enter)
            continue;
        rcp_formula together = rcp_formula_and(pool, executed(c, other),
                                               rcp_formula_equal(pool, generation(c, other), generation(c, enter)));
        bool serial = left != NOTHING && is_serial(c, left);
        if (is_serial(c, leave)) /* no other serial one has left */
            rcp_formula_push(
                pool, rcp_formula_not(pool, rcp_formula_and(pool, serial ? executed(c, left) : RCP_FALSE, together)));
        else
            rcp_formula_push(
                pool, rcp_formula_and(pool, together, serial ? RCP_TRUE : rcp_formula_not(pool, executed(c, left))));
    }
    rcp_smt_require(c->s, leave, is_serial(c, leave) ? rcp_formula_all(pool, mark) : rcp_formula_any(pool, mark),
                    "one of a generation is serial (B3)");
}

static void barrier(encoder *c, const uses *u, uint64_t members, uint64_t destroy) {
    rcp_formulas *pool = c->pool;
    for (size_t i = 0; i < u->enters.len && !too_large(c); i++) {
        uint64_t enter = u->enters.at[i];
        rcp_formula rank = count_before(c, u->enters.at, u->enters.len, enter), g = generation(c, enter);
        rcp_formula joins =
            rcp_formula_and(pool, at_most(c, scaled(c, members, g, 0), rank),
                            rcp_formula_apply2(pool, RCP_SORT_BOOL, "<", rank, scaled(c, members, g, members)));
        rcp_smt_require(c->s, enter, joins, "joins a generation (B1)");
        for (size_t k = 0; k < i; k++) {
            rcp_formula apart =
                rcp_formula_or(pool, before(c, enter, u->enters.at[k]), before(c, u->enters.at[k], enter));
            rcp_smt_require(c->s, enter, rcp_formula_implies(pool, executed(c, u->enters.at[k]), apart),
                            "one enters after the other (B1)");
        }
    }
    for (size_t i = 0; i < u->leaves.len && !too_large(c); i++) {
        uint64_t leave = u->leaves.at[i], enter = enter_of(c, u, leave);
        if (enter == NOTHING) {
            rcp_smt_require(c->s, leave, RCP_FALSE, "leaves what it has not entered (B2)");
            continue;
        }
        rcp_formula complete = at_most(c, scaled(c, members, generation(c, enter), members),
                                       count_before(c, u->enters.at, u->enters.len, leave));
        rcp_smt_require(c->s, leave, complete, "its generation is complete (B2)");
        leave_serially(c, u, leave, enter);
    }
    if (destroy != NOTHING) {
        rcp_formula all = rcp_formula_variable(pool, RCP_SORT_INT, "g%llu", (unsigned long long)destroy);
        rcp_formula whole =
            rcp_formula_apply2(pool, RCP_SORT_INT, "*", rcp_formula_literal(pool, RCP_SORT_INT, members), all);
        rcp_smt_require(c->s, destroy,
                        rcp_formula_equal(pool, whole, count_before(c, u->enters.at, u->enters.len, destroy)),
                        "nobody waits in it (J3)");
    }
}

/* J2, and J3 for locks. */
static void end_of_life(encoder *c, const uses *u, uint64_t destroy) {
    for (size_t i = 0; i < u->all.len; i++)
        if (u->all.at[i] != destroy)
            rcp_smt_require(c->s, u->all.at[i], before(c, u->all.at[i], destroy), "before it is destroyed (J2)");
    if (!rcp_smt_in_cone(c->s, destroy))
        return;
    for (size_t i = 0; i < u->sections.len; i++) {
        const section *held = &u->sections.at[i];
        rcp_smt_require(c->s, destroy,
                        rcp_formula_or(c->pool, before(c, destroy, held->from), before(c, held->to, destroy)),
                        "nobody holds it (J3)");
    }
    const rcp_event *e = rcp_smt_event(c->s, destroy);
    if (c->s->trace->defs.objects.at[e->object.v].kind == RCP_COND)
        return;
    for (size_t i = 0; i < u->naps.len; i++)
        rcp_smt_require(
            c->s, destroy,
            rcp_formula_or(c->pool, before(c, destroy, u->naps.at[i].wait), before(c, u->naps.at[i].wake, destroy)),
            "no wait with it has not ended (J3)");
}

static void encode_object(encoder *c, rcp_obj object) {
    const uses *u = &c->of[object.v];
    const rcp_object *definition = &c->s->trace->defs.objects.at[object.v];
    uint64_t destroy = c->s->facts->destroy[object.v];
    uint64_t within = destroy != NOTHING && rcp_smt_in_cone(c->s, destroy) ? destroy : NOTHING;
    if (destroy != NOTHING)
        end_of_life(c, u, destroy);
    switch ((rcp_object_kind)definition->kind) {
    case RCP_COND: condition(c, u, within); break;
    case RCP_SEM: semaphore(c, u, definition->initial); break;
    case RCP_BARRIER: barrier(c, u, definition->initial, within); break;
    case RCP_ONCE: break; /* begun once in every trace; SKIP needs the END */
    default:
        exclude(c, u);
        for (size_t i = 0; i < u->failed.len; i++)
            fail_to_take(c, object, u, u->failed.at[i]);
    }
}

void rcp_smt_sync(rcp_smt *s) {
    size_t objects = s->trace->defs.objects.len;
    encoder c = {.s = s, .pool = &s->pool, .of = rcp_alloc_zero(objects + 1, sizeof *c.of)};
    for (uint64_t eid = 0; eid < s->trace->events.len; eid++)
        if (rcp_smt_in_cone(s, eid))
            collect(&c, eid);
    for (uint32_t i = 0; i < objects; i++)
        encode_object(&c, (rcp_obj){i});
    for (size_t i = 0; i < objects; i++) {
        uses *u = &c.of[i];
        rcp_vec_finish(&u->sections);
        rcp_vec_finish(&u->failed);
        rcp_vec_finish(&u->naps);
        rcp_vec_finish(&u->signals);
        rcp_vec_finish(&u->broadcasts);
        rcp_vec_finish(&u->posts);
        rcp_vec_finish(&u->downs);
        rcp_vec_finish(&u->enters);
        rcp_vec_finish(&u->leaves);
        rcp_vec_finish(&u->all);
        rcp_vec_finish(&u->depth);
        rcp_vec_finish(&u->open);
    }
    rcp_release(c.of);
}
