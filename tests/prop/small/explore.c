/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/explore.h"

#include "base/hash.h"
#include "base/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One step, of one thread. */
typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct explorer {
    const rcp_small_program *program;
    const rcp_small_path *path;
    rcp_small_rule rule;
    rcp_small_exploration *found;
    RCP_VEC(rcp_small_state) states;
    RCP_VEC(edge) edges;         /* in the order of `from` */
    RCP_VEC(uint32_t) same_hash; /* of each state: the one before it; RCP_MAP_NONE: none */
    rcp_map by_hash;
} explorer;

/* --- sets --- */

static int compare(rcp_small_race a, rcp_small_race b) {
    int keys[2][4] = {{a.line[0], a.does[0], a.line[1], a.does[1]}, {b.line[0], b.does[0], b.line[1], b.does[1]}};
    for (int i = 0; i < 4; i++)
        if (keys[0][i] != keys[1][i])
            return keys[0][i] - keys[1][i];
    return 0;
}

static rcp_small_race ordered(rcp_small_race race) {
    if (race.line[0] < race.line[1] || (race.line[0] == race.line[1] && race.does[0] <= race.does[1]))
        return race;
    return (rcp_small_race){{race.line[1], race.line[0]}, {race.does[1], race.does[0]}};
}

void rcp_small_races_add(rcp_small_races *races, rcp_small_race race) {
    race = ordered(race);
    size_t at = 0;
    while (at < races->len && compare(races->at[at], race) < 0)
        at++;
    if (at < races->len && !compare(races->at[at], race))
        return;
    rcp_vec_push(races, race);
    memmove(races->at + at + 1, races->at + at, (races->len - 1 - at) * sizeof race);
    races->at[at] = race;
}

bool rcp_small_races_have(const rcp_small_races *races, rcp_small_race race) {
    race = ordered(race);
    for (size_t i = 0; i < races->len; i++)
        if (!compare(races->at[i], race))
            return true;
    return false;
}

static void add_outcome(rcp_small_exploration *found, const char *outcome) {
    for (size_t i = 0; i < found->outcomes.len; i++)
        if (!strcmp(found->outcomes.at[i], outcome))
            return;
    rcp_vec_push(&found->outcomes, rcp_copy(outcome, strlen(outcome) + 1));
}

void rcp_small_path_finish(rcp_small_path *path) {
    for (unsigned i = 0; i < RCP_SMALL_THREADS; i++)
        rcp_vec_finish(&path->steps[i]);
}

void rcp_small_exploration_finish(rcp_small_exploration *found) {
    for (size_t i = 0; i < found->outcomes.len; i++)
        rcp_release(found->outcomes.at[i]);
    rcp_vec_finish(&found->outcomes);
    rcp_vec_finish(&found->races);
}

/* --- the recorded way --- */

/* Does the thread stand where it stood before its step of that number? */
static const rcp_small_stood *recorded(const explorer *x, const rcp_small_state *state, unsigned thread) {
    const rcp_small_thread *t = &state->threads[thread];
    if (t->done >= x->path->steps[thread].len)
        return NULL;
    const rcp_small_stood *stood = &x->path->steps[thread].at[t->done];
    return stood->way == t->way && stood->at == t->at ? stood : NULL;
}

static bool keeps(const explorer *x, const rcp_small_stood *stood, const rcp_small_done *done) {
    return stood->location == done->location && stood->lock == done->lock && stood->failed == done->failed &&
           (x->rule != RCP_SMALL_SAME_VALUES || stood->read == done->read);
}

/* Has it ended, as it did? */
static bool is_over(const explorer *x, const rcp_small_state *state, unsigned thread) {
    const rcp_small_thread *t = &state->threads[thread];
    return t->status == RCP_SMALL_ENDED && x->path->has_ended[thread] && x->path->last_way[thread] == t->way &&
           t->done == x->path->steps[thread].len;
}

static bool may_step(const explorer *x, const rcp_small_state *state, unsigned thread) {
    if (!rcp_small_can_step(x->program, state, thread))
        return false;
    if (x->rule == RCP_SMALL_FREE)
        return true;
    const rcp_small_op *op = rcp_small_next(x->program, state, thread);
    if (op->kind == RCP_SMALL_JOIN && !is_over(x, state, (unsigned)op->object))
        return false;
    return recorded(x, state, thread);
}

static bool is_access(const explorer *x, const rcp_small_state *state, unsigned thread, rcp_small_access *access) {
    if (!rcp_small_is_access(x->program, state, thread, access))
        return false;
    if (x->rule == RCP_SMALL_FREE)
        return true;
    const rcp_small_stood *stood = recorded(x, state, thread);
    if (!stood || stood->location != access->location)
        return false;
    if (access->is_swap)
        access->does = stood->failed ? 'r' : 'u';
    return true;
}

/* --- the search --- */

/* Returns its number. */
static uint32_t visit(explorer *x, const rcp_small_state *state) {
    uint64_t hash = rcp_hash_bytes(state, sizeof *state);
    uint32_t *slot = rcp_map_at(&x->by_hash, hash), last = *slot;
    for (uint32_t i = last; i != RCP_MAP_NONE; i = x->same_hash.at[i])
        if (!memcmp(&x->states.at[i], state, sizeof *state))
            return i;
    *slot = (uint32_t)x->states.len;
    rcp_vec_push(&x->states, *state);
    rcp_vec_push(&x->same_hash, last);
    return (uint32_t)x->states.len - 1;
}

/* A location has one name, whatever the compare-and-swap there comes to. */
static char named(rcp_small_access access) { return access.is_swap ? 'u' : access.does; }

/* Against what only reads, a compare-and-swap writes where it would succeed now (docs/semantics.md, R4). */
static bool writes(rcp_small_access access, rcp_small_access other) {
    return access.does != 'r' && (access.now != 'r' || other.does != 'r');
}

static void find_races(explorer *x, const rcp_small_state *state) {
    rcp_small_access next[RCP_SMALL_THREADS];
    bool is_next[RCP_SMALL_THREADS];
    for (unsigned i = 0; i < x->program->threads; i++) {
        is_next[i] = is_access(x, state, i, &next[i]);
        for (unsigned j = 0; j < i; j++)
            if (is_next[i] && is_next[j] && next[i].location == next[j].location && (next[i].bytes & next[j].bytes) &&
                (writes(next[i], next[j]) || writes(next[j], next[i])) && !(next[i].is_atomic && next[j].is_atomic))
                rcp_small_races_add(&x->found->races,
                                    (rcp_small_race){{next[i].line, next[j].line}, {named(next[i]), named(next[j])}});
    }
}

static void step(explorer *x, uint32_t number, const rcp_small_state *from, unsigned thread) {
    const rcp_small_stood *stood = x->rule == RCP_SMALL_FREE ? NULL : recorded(x, from, thread);
    unsigned n = rcp_small_choices(x->program, from, thread);
    for (unsigned choice = 0; choice < n; choice++) {
        rcp_small_state next = *from;
        rcp_small_done done;
        rcp_small_step(x->program, &next, thread, choice, x->rule != RCP_SMALL_FREE, &done);
        if (stood && !keeps(x, stood, &done))
            continue;
        if (stood)
            next.threads[thread].done++;
        rcp_vec_push(&x->edges, ((edge){number, visit(x, &next)}));
    }
}

static void look_at(explorer *x, uint32_t number, const rcp_small_state *state) {
    bool goes_on = false;
    find_races(x, state);
    for (unsigned i = 0; i < x->program->threads; i++)
        if (may_step(x, state, i)) {
            goes_on = true;
            step(x, number, state, i);
        }
    if (goes_on || x->rule != RCP_SMALL_FREE)
        return;
    x->found->deadlocks |= !state->end;
    rcp_text outcome = {0};
    rcp_small_outcome(x->program, state, &outcome);
    add_outcome(x->found, outcome.at);
    rcp_text_finish(&outcome);
}

/* Ways from the first state to those from which none goes on, each state after all that lead to it. Endless where a
 * state leads back to itself. */
static double count_interleavings(const explorer *x) {
    const size_t n = x->states.len;
    double *ways = rcp_alloc_zero(n, sizeof *ways), sum = 0;
    uint32_t *before = rcp_alloc_zero(n, sizeof *before), *line = rcp_alloc_zero(n, sizeof *line);
    size_t *first = rcp_alloc_zero(n + 1, sizeof *first), done = 0, ready = 1;
    for (size_t i = 0; i < x->edges.len; i++) {
        before[x->edges.at[i].to]++;
        first[x->edges.at[i].from + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    ways[0] = 1;
    for (; done < ready; done++) {
        const uint32_t at = line[done];
        sum += first[at] == first[at + 1] ? ways[at] : 0;
        for (size_t i = first[at]; i < first[at + 1]; i++) {
            const uint32_t to = x->edges.at[i].to;
            ways[to] += ways[at];
            if (!--before[to])
                line[ready++] = to;
        }
    }
    rcp_release(ways);
    rcp_release(before);
    rcp_release(line);
    rcp_release(first);
    return done == n ? sum : INFINITY;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void rcp_small_explore(const rcp_small_program *program, rcp_small_rule rule, const rcp_small_path *path, size_t limit,
                       rcp_small_exploration *found) {
    *found = (rcp_small_exploration){0};
    explorer x = {.program = program, .path = path, .rule = rule, .found = found};
    rcp_map_init(&x.by_hash);
    rcp_small_state first;
    rcp_small_begin(program, &first, rule != RCP_SMALL_FREE);
    visit(&x, &first);
    size_t at = 0;
    for (; at < x.states.len && at < limit; at++) {
        rcp_small_state state = x.states.at[at]; /* a copy: the vector grows */
        look_at(&x, (uint32_t)at, &state);
    }
    found->states = x.states.len;
    found->is_whole = at == x.states.len;
    found->interleavings = found->is_whole ? count_interleavings(&x) : 0;
    if (found->outcomes.len)
        qsort(found->outcomes.at, found->outcomes.len, sizeof *found->outcomes.at, by_text);
    rcp_map_finish(&x.by_hash);
    rcp_vec_finish(&x.states);
    rcp_vec_finish(&x.edges);
    rcp_vec_finish(&x.same_hash);
}
