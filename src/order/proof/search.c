/* SPDX-License-Identifier: Apache-2.0 */
#include "order/proof/search.h"

#include "base/hash.h"
#include "base/map.h"

typedef struct search {
    const rcp_trace *trace;
    const rcp_checker *checker;
    rcp_eid race[2];
    uint32_t *most, *done;    /* per thread: how far it may go, and is */
    RCP_VEC(uint64_t) events; /* the schedule */
    rcp_map seen;             /* hashes of schedules */
    uint64_t steps, *work;
    rcp_witness *witness;
    rcp_found found;
} search;

/* Two events that name a thing in common see each other, unless both only read. */
static uint64_t mix(uint64_t hash, uint64_t thing, uint64_t order) {
    return hash + rcp_hash_u64(rcp_hash_join(thing, order));
}

typedef struct tracked {
    uint64_t chain;   /* hash of the events so far that others must see in order */
    uint64_t loosely; /* and of those since then in any order */
} tracked;

typedef struct state {
    rcp_map at;
    RCP_VEC(tracked) things;
} state;

static tracked *thing_at(state *s, uint64_t key) {
    uint32_t *place = rcp_map_at(&s->at, key);
    if (*place == RCP_MAP_NONE) {
        *place = (uint32_t)s->things.len;
        rcp_vec_push(&s->things, ((tracked){.chain = key}));
    }
    return &s->things.at[*place];
}

static void see(state *s, uint64_t key, uint64_t eid, bool alone) {
    tracked *t = thing_at(s, key);
    if (alone) {
        t->chain = rcp_hash_join(rcp_hash_join(t->chain, t->loosely), eid);
        t->loosely = 0;
    } else {
        t->loosely += rcp_hash_u64(eid + 1);
    }
}

static uint64_t sum(const state *s, uint64_t hash) {
    for (size_t i = 0; i < s->things.len; i++)
        hash = mix(hash, s->things.at[i].chain, s->things.at[i].loosely);
    return hash;
}

/* Equal for schedules that can be continued alike. */
static uint64_t signature(const search *x) {
    state s = {0};
    rcp_map_init(&s.at);
    uint64_t hash = 0;
    for (size_t i = 0; i < x->events.len; i++) {
        const rcp_event *e = &x->trace->events.at[x->events.at[i]];
        uint32_t uses = rcp_event_traits(e->kind)->uses;
        uint64_t eid = x->events.at[i], extent = rcp_event_extent(e);
        for (uint64_t g = e->addr / 8; extent && g <= (e->addr + extent - 1) / 8; g++)
            see(&s, g * 4 + 1, eid, e->kind != RCP_READ);
        if (uses & RCP_USES_OBJECT)
            see(&s, (uint64_t)e->object.v * 4 + 2, eid, true);
        if (uses & RCP_USES_LOCK)
            see(&s, (uint64_t)e->lock.v * 4 + 2, eid, true);
        if (e->kind == RCP_FORK || e->kind == RCP_JOIN || e->kind == RCP_END)
            see(&s, (uint64_t)(e->kind == RCP_END ? e->tid.v : e->child.v) * 4 + 3, eid, true);
        if (rcp_event_is_opaque(e)) /* sees everything: the order so far counts as a whole */
            hash = rcp_hash_join(sum(&s, hash), eid + 1);
    }
    hash = sum(&s, hash);
    for (size_t t = 0; t < x->trace->defs.threads.len; t++)
        hash = mix(hash, t + (UINT64_C(1) << 40), x->done[t]);
    rcp_map_finish(&s.at);
    rcp_vec_finish(&s.things);
    return hash;
}

static rcp_code ask(search *x, bool race, bool *accepted) {
    rcp_witness w;
    rcp_check_verdict verdict;
    rcp_witness_init(&w);
    uint32_t *to = rcp_alloc_zero(x->trace->defs.threads.len + 1, sizeof *to);
    for (size_t i = 0; i < x->events.len; i++) {
        rcp_tid tid = x->trace->events.at[x->events.at[i]].tid;
        rcp_witness_run(&w, tid, ++to[tid.v]);
    }
    rcp_release(to);
    for (int k = 0; k < 2; k++)
        w.race[k] = race ? x->race[k] : RCP_NO_EID;
    *x->work += x->events.len + 1;
    x->steps--;
    rcp_code code = rcp_checker_run(x->checker, &w, (rcp_check_options){.values = RCP_VALUES_LAST_WRITER}, &verdict);
    *accepted = code == RCP_OK && verdict.accepted;
    if (*accepted && race) {
        rcp_witness_finish(x->witness);
        *x->witness = w;
    } else {
        rcp_witness_finish(&w);
    }
    return code;
}

static bool both_next(const search *x) {
    for (int k = 0; k < 2; k++) {
        uint32_t t = x->trace->events.at[x->race[k].v].tid.v;
        if (x->done[t] != x->trace->position[x->race[k].v])
            return false;
    }
    return true;
}

static rcp_code explore(search *x) {
    bool accepted;
    if (both_next(x)) {
        RCP_TRY(ask(x, true, &accepted));
        if (accepted) {
            x->found = RCP_FOUND;
            return RCP_OK;
        }
    }
    /* in the recorded order first */
    size_t threads = x->trace->defs.threads.len;
    uint64_t from = 0;
    for (size_t tries = 0; tries < threads && x->found == RCP_NOT_THERE; tries++) {
        uint64_t best = UINT64_MAX;
        for (uint32_t t = 0; t < threads; t++)
            if (x->done[t] < x->most[t]) {
                uint64_t eid = rcp_trace_event_of(x->trace, (rcp_tid){t}, x->done[t]).v;
                if (eid >= from && eid < best)
                    best = eid;
            }
        if (best == UINT64_MAX)
            return RCP_OK;
        from = best + 1;
        if (x->steps <= 1) {
            x->found = RCP_GAVE_UP;
            return RCP_OK;
        }
        uint32_t t = x->trace->events.at[best].tid.v;
        rcp_vec_push(&x->events, best);
        x->done[t]++;
        uint32_t *place = rcp_map_at(&x->seen, signature(x));
        if (*place == RCP_MAP_NONE) {
            *place = 0;
            RCP_TRY(ask(x, false, &accepted));
            if (accepted)
                RCP_TRY(explore(x));
        }
        x->done[t]--;
        x->events.len--;
    }
    return RCP_OK;
}

rcp_code rcp_search_schedules(const rcp_trace *trace, const rcp_checker *checker, rcp_eid earlier, rcp_eid later,
                              uint64_t steps, uint64_t *work, rcp_witness *witness, rcp_found *found) {
    size_t threads = trace->defs.threads.len;
    search x = {.trace = trace,
                .checker = checker,
                .race = {earlier, later},
                .steps = steps,
                .work = work,
                .witness = witness,
                .found = RCP_NOT_THERE};
    x.most = rcp_alloc_zero(threads + 1, sizeof *x.most);
    x.done = rcp_alloc_zero(threads + 1, sizeof *x.done);
    rcp_map_init(&x.seen);
    for (size_t t = 0; t < threads; t++)
        x.most[t] = (uint32_t)rcp_trace_thread_len(trace, (rcp_tid){(uint32_t)t});
    for (int k = 0; k < 2; k++)
        x.most[trace->events.at[x.race[k].v].tid.v] = trace->position[x.race[k].v];
    rcp_code code = explore(&x);
    *found = x.found;
    rcp_release(x.most);
    rcp_release(x.done);
    rcp_vec_finish(&x.events);
    rcp_map_finish(&x.seen);
    return code;
}
