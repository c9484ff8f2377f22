/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/oracle.h"

#include "base/hash.h"
#include "prop/world.h"

#include <string.h>

#define NO_STATE UINT32_MAX

struct rcp_oracle {
    rcp_world world;
    uint8_t *room; /* for the successors of one state */
    /* The states found, in the order of discovery, and how each was reached. */
    RCP_VEC(uint8_t) states;
    RCP_VEC(uint32_t) parent;
    RCP_VEC(uint8_t) by; /* the event executed last */
    uint32_t *table;     /* open addressing; NO_STATE: empty */
    size_t mask;
    const rcp_arrangement *only;                          /* NULL: every schedule is visited */
    uint32_t race_at[RCP_WORLD_EVENTS][RCP_WORLD_EVENTS]; /* the first state where the two race */
};

rcp_oracle *rcp_oracle_create(const rcp_trace *trace, rcp_value_rule values, bool spurious) {
    rcp_oracle *oracle = rcp_alloc_zero(1, sizeof *oracle);
    rcp_world_init(&oracle->world, trace, (rcp_check_options){.values = values, .spurious_wakeups = spurious});
    oracle->room = rcp_alloc((oracle->world.n_threads + 1) * oracle->world.state_size);
    memset(oracle->race_at, 0xff, sizeof oracle->race_at);
    return oracle;
}

void rcp_oracle_destroy(rcp_oracle *oracle) {
    rcp_world_finish(&oracle->world);
    rcp_vec_finish(&oracle->states);
    rcp_vec_finish(&oracle->parent);
    rcp_vec_finish(&oracle->by);
    rcp_release(oracle->table);
    rcp_release(oracle->room);
    rcp_release(oracle);
}

static const rcp_world_state *state_at(const uint8_t *states, size_t size, size_t i) {
    return (const rcp_world_state *)(states + i * size);
}

/* One event of the schedule from every state of `from`; the states that result, each once, go to `to`. */
static void follow(rcp_oracle *oracle, const uint8_t *from, size_t n_from, unsigned e, uint8_t **to, size_t *n_to) {
    size_t size = oracle->world.state_size;
    RCP_VEC(uint8_t) out = {0};
    for (size_t i = 0; i < n_from; i++) {
        size_t n = rcp_world_step(&oracle->world, state_at(from, size, i), e, oracle->room);
        for (size_t j = 0; j < n; j++) {
            bool seen = false;
            for (size_t k = 0; k < out.len / size && !seen; k++)
                seen = !memcmp(out.at + k * size, oracle->room + j * size, size);
            if (!seen)
                memcpy(rcp_vec_extend(&out, size), oracle->room + j * size, size);
        }
    }
    *to = out.at;
    *n_to = out.len / size;
}

bool rcp_oracle_feasible(rcp_oracle *oracle, const rcp_witness *witness) {
    rcp_world *world = &oracle->world;
    size_t n = 1;
    uint8_t *now = rcp_alloc(world->state_size);
    rcp_world_begin(world, (rcp_world_state *)now);
    rcp_position *done = rcp_alloc_zero(world->n_threads + 1, sizeof *done);
    for (uint64_t e = 0; e < witness->recorded && n; e++) {
        uint8_t *next;
        follow(oracle, now, n, (unsigned)e, &next, &n);
        rcp_release(now);
        now = next;
        done[world->trace->events.at[e].tid.v]++;
    }
    for (size_t s = 0; s < witness->steps.len && n; s++) {
        rcp_witness_step step = witness->steps.at[s];
        for (; done[step.tid.v] < step.to && n; done[step.tid.v]++) {
            uint8_t *next;
            follow(oracle, now, n, (unsigned)rcp_trace_event_of(world->trace, step.tid, done[step.tid.v]).v, &next, &n);
            rcp_release(now);
            now = next;
        }
    }
    bool feasible = n > 0;
    if (witness->race[0].v != RCP_NO_EID.v) {
        feasible = false;
        for (size_t i = 0; i < n && !feasible; i++)
            feasible = rcp_world_race(world, state_at(now, world->state_size, i), (unsigned)witness->race[0].v,
                                      (unsigned)witness->race[1].v);
    }
    rcp_release(now);
    rcp_release(done);
    return feasible;
}

static uint64_t hash_state(const uint8_t *state, size_t size) {
    uint64_t hash = 0;
    for (size_t i = 0; i < size; i += 8) { /* sizes are multiples of 8 */
        uint64_t word;
        memcpy(&word, state + i, 8);
        hash = rcp_hash_join(hash, word);
    }
    return hash;
}

static void rehash(rcp_oracle *oracle) {
    size_t size = oracle->world.state_size, slots = oracle->mask ? 2 * (oracle->mask + 1) : 1024;
    rcp_release(oracle->table);
    oracle->table = rcp_alloc(slots * sizeof *oracle->table);
    memset(oracle->table, 0xff, slots * sizeof *oracle->table);
    oracle->mask = slots - 1;
    for (size_t i = 0; i < oracle->parent.len; i++) {
        size_t slot = hash_state(oracle->states.at + i * size, size) & oracle->mask;
        while (oracle->table[slot] != NO_STATE)
            slot = (slot + 1) & oracle->mask;
        oracle->table[slot] = (uint32_t)i;
    }
}

static void add_state(rcp_oracle *oracle, const uint8_t *state, uint32_t parent, unsigned by) {
    size_t size = oracle->world.state_size;
    if (!oracle->table || 2 * oracle->parent.len > oracle->mask)
        rehash(oracle);
    size_t slot = hash_state(state, size) & oracle->mask;
    for (; oracle->table[slot] != NO_STATE; slot = (slot + 1) & oracle->mask)
        if (!memcmp(oracle->states.at + oracle->table[slot] * size, state, size))
            return;
    oracle->table[slot] = (uint32_t)oracle->parent.len;
    memcpy(rcp_vec_extend(&oracle->states, size), state, size);
    rcp_vec_push(&oracle->parent, parent);
    rcp_vec_push(&oracle->by, (uint8_t)by);
}

static bool has(rcp_event_set set, rcp_eid eid) { return set >> eid.v & 1; }

/* May a schedule that is to be arranged so execute `e` next? */
static bool is_allowed(const rcp_oracle *oracle, const rcp_world_state *state, unsigned e) {
    const rcp_arrangement *as = oracle->only;
    const rcp_trace *trace = oracle->world.trace;
    if (!as)
        return true;
    bool is_past_last = trace->events.at[e].tid.v == trace->events.at[as->last.v].tid.v && e > as->last.v;
    bool is = e != as->never.v && !is_past_last;
    for (unsigned i = 0; i < as->n; i++)
        is &= e != as->after[i].v || has(state->executed, as->before[i]);
    return is;
}

bool rcp_oracle_explore(rcp_oracle *oracle, size_t limit) {
    rcp_world *world = &oracle->world;
    size_t size = world->state_size;
    uint8_t *now = rcp_alloc(size); /* a copy: the store of states moves as it grows */
    rcp_world_begin(world, (rcp_world_state *)now);
    add_state(oracle, now, NO_STATE, RCP_WORLD_NOBODY);
    size_t i = 0;
    for (; i < oracle->parent.len && oracle->parent.len <= limit; i++) {
        memcpy(now, oracle->states.at + i * size, size);
        const rcp_world_state *state = (const rcp_world_state *)now;
        for (size_t t = 0; t < world->n_threads; t++) {
            unsigned a = rcp_world_next(world, state, t);
            if (a == RCP_WORLD_NOBODY || !is_allowed(oracle, state, a))
                continue;
            for (size_t u = t + 1; u < world->n_threads; u++) {
                unsigned b = rcp_world_next(world, state, u);
                if (b != RCP_WORLD_NOBODY && oracle->race_at[a][b] == NO_STATE && rcp_world_race(world, state, a, b))
                    oracle->race_at[a][b] = oracle->race_at[b][a] = (uint32_t)i;
            }
            size_t n = rcp_world_step(world, state, a, oracle->room);
            for (size_t j = 0; j < n; j++)
                add_state(oracle, oracle->room + j * size, (uint32_t)i, a);
        }
    }
    rcp_release(now);
    return i == oracle->parent.len;
}

bool rcp_oracle_arranges(rcp_oracle *oracle, const rcp_arrangement *arranged, size_t limit, bool *within) {
    bool is = false;
    oracle->only = arranged;
    *within = rcp_oracle_explore(oracle, limit);
    for (size_t i = 0; i < oracle->parent.len && !is; i++) {
        const rcp_event_set executed = state_at(oracle->states.at, oracle->world.state_size, i)->executed;
        is = has(executed, arranged->last);
        for (unsigned k = 0; k < arranged->n; k++)
            is &= has(executed, arranged->after[k]);
    }
    return is;
}

size_t rcp_oracle_states(const rcp_oracle *oracle) { return oracle->parent.len; }

bool rcp_oracle_races(const rcp_oracle *oracle, rcp_eid a, rcp_eid b) { return oracle->race_at[a.v][b.v] != NO_STATE; }

void rcp_oracle_schedule(const rcp_oracle *oracle, size_t i, rcp_witness *witness) {
    const rcp_trace *trace = oracle->world.trace;
    RCP_VEC(uint8_t) backwards = {0};
    for (uint32_t at = (uint32_t)i; oracle->parent.at[at] != NO_STATE; at = oracle->parent.at[at])
        rcp_vec_push(&backwards, oracle->by.at[at]);
    for (size_t k = backwards.len; k-- > 0;) {
        uint8_t e = backwards.at[k];
        rcp_witness_run(witness, trace->events.at[e].tid, trace->position[e] + 1);
    }
    rcp_vec_finish(&backwards);
}

bool rcp_oracle_deadlocks_at(rcp_oracle *oracle, size_t state, const unsigned *events, size_t n) {
    return rcp_world_deadlock(&oracle->world, state_at(oracle->states.at, oracle->world.state_size, state), events, n);
}

bool rcp_oracle_deadlocks(rcp_oracle *oracle, const unsigned *events, size_t n, size_t *state) {
    for (*state = 0; *state < oracle->parent.len; ++*state)
        if (rcp_oracle_deadlocks_at(oracle, *state, events, n))
            return true;
    return false;
}

uint64_t rcp_oracle_executed(const rcp_oracle *oracle, size_t state, uint64_t *woken) {
    const rcp_world_state *s = state_at(oracle->states.at, oracle->world.state_size, state);
    *woken = s->woken;
    return s->executed;
}

void rcp_oracle_witness(const rcp_oracle *oracle, rcp_eid a, rcp_eid b, rcp_witness *witness) {
    RCP_CHECK(rcp_oracle_races(oracle, a, b));
    rcp_oracle_schedule(oracle, oracle->race_at[a.v][b.v], witness);
    witness->race[0] = a;
    witness->race[1] = b;
}
