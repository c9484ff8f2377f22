/* SPDX-License-Identifier: Apache-2.0 */
/* docs/semantics.md: memory's lives, opaque code, values, races; and a step, which must satisfy every rule. */
#include "prop/world_rules.h"

#include <string.h>

unsigned rcp_world_next(const rcp_world *world, const rcp_world_state *state, size_t tid) {
    rcp_event_set left = world->of_thread[tid] & ~state->executed;
    return left ? (unsigned)__builtin_ctzll(left) : RCP_WORLD_NOBODY;
}

/* M1; `begun_by`: a FREE whose new life counts as begun (R1), or nobody. */
static bool memory_lives(const rcp_world *world, const rcp_world_state *state, unsigned e, unsigned begun_by) {
    for (size_t k = 0; k < world->events[e].n_bytes; k++) {
        const rcp_world_byte *byte = &world->events[e].bytes[k];
        if (byte->begin != RCP_WORLD_NOBODY && byte->begin != begun_by && !rcp_world_executed(state, byte->begin))
            return false;
        if (byte->end != RCP_WORLD_NOBODY && byte->end != e && rcp_world_executed(state, byte->end))
            return false;
    }
    return true;
}

/* The byte that a WRITE or RMW recorded at this address. */
static bool recorded_by(const rcp_world *world, unsigned writer, uint64_t addr, uint8_t *value) {
    const rcp_event *w = rcp_world_event_at(world, writer);
    if (!rcp_event_writes(w) || !w->valued)
        return false;
    *value = rcp_event_written(w)[addr - w->addr];
    return true;
}

/* P1 */
static bool in_line(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    return !(world->events[e].needs & ~state->executed);
}

/* P3: nothing that can't have come yet was executed before one that knows the time, and no stretch of time is over that
 * began too late. */
static bool in_time(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    if (!world->events[e].is_early)
        return true;
    rcp_event_set over = 0;
    RCP_WORLD_EACH_EXECUTED(world, state, i) {
        over |= world->events[i].ends;
    }
    return !(world->events[e].later & state->executed) && !(over & state->late);
}

static bool opaque(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    if (!rcp_event_is_opaque(rcp_world_event_at(world, e)))
        return true;
    const rcp_world_content *contents = rcp_world_contents((rcp_world_state *)state);
    for (size_t k = 0; k < world->events[e].n_bytes; k++) { /* P2 */
        const rcp_world_byte *byte = &world->events[e].bytes[k];
        const rcp_world_content *content = &contents[byte->cell];
        if (content->writer != byte->writer)
            return false;
        if (world->options.values != RCP_VALUES_RELAXED || content->writer == RCP_WORLD_NOBODY ||
            rcp_event_is_opaque(rcp_world_event_at(world, content->writer)))
            continue;
        uint8_t value;
        if (content->knowledge == RCP_WORLD_UNKNOWN)
            return false;
        if (content->knowledge == RCP_WORLD_KNOWN &&
            !(recorded_by(world, content->writer, byte->addr, &value) && content->value == value))
            return false;
    }
    return true;
}

static bool deviates(const rcp_world *world, unsigned e, size_t k, const rcp_world_content *content) {
    const rcp_event *event = rcp_world_event_at(world, e);
    const rcp_world_byte *byte = &world->events[e].bytes[k];
    if (content->knowledge == RCP_WORLD_UNKNOWN)
        return true;
    if (content->knowledge == RCP_WORLD_AS_RECORDED)
        return content->writer != byte->writer;
    if (event->valued)
        return content->value != rcp_event_bytes(event)[k];
    uint8_t value;
    if (content->writer != byte->writer)
        return true;
    if (content->writer == RCP_WORLD_NOBODY)
        return false; /* initial contents don't change */
    return !recorded_by(world, content->writer, byte->addr, &value) || content->value != value;
}

/* V1: does the byte hold whatever lay there when its life began (I2)? */
static bool is_uninitialised(const rcp_world *world, const rcp_world_byte *byte, const rcp_world_content *content) {
    return content->writer == RCP_WORLD_NOBODY && byte->begin != RCP_WORLD_NOBODY &&
           rcp_world_event_at(world, byte->begin)->outcome != RCP_ZEROED;
}

static void read_bytes(const rcp_world *world, rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    const rcp_world_content *contents = rcp_world_contents(state);
    for (size_t k = 0; k < world->events[e].n_bytes; k++) {
        const rcp_world_byte *byte = &world->events[e].bytes[k];
        const rcp_world_content *content = &contents[byte->cell];
        bool off = deviates(world, e, k, content);
        if (world->options.values == RCP_VALUES_LAST_WRITER) {
            if (content->writer != byte->writer || is_uninitialised(world, byte, content))
                state->off |= UINT64_C(1) << e;
            continue;
        }
        if (off)
            state->deviated |= UINT64_C(1) << e;
        if (world->options.values != RCP_VALUES_RELAXED)
            continue;
        rcp_world_taken *taken = &rcp_world_takens(world, state)[world->events[e].taken + k];
        if (content->knowledge == RCP_WORLD_KNOWN)
            *taken = (rcp_world_taken){.known = 1, .value = content->value};
        else if (content->knowledge == RCP_WORLD_AS_RECORDED && !off && event->valued)
            *taken = (rcp_world_taken){.known = 1, .value = rcp_event_bytes(event)[k]};
    }
}

static bool thread_deviated(const rcp_world *world, const rcp_world_state *state, unsigned e, bool own) {
    rcp_event_set reads = world->events[e].before | (own ? UINT64_C(1) << e : 0);
    return state->deviated & reads;
}

static rcp_eval evaluate(rcp_world *world, const rcp_world_state *state, rcp_term term, uint64_t *value) {
    world->evaluated = state;
    rcp_evaluator_forget(&world->evaluator);
    return rcp_evaluator_run(&world->evaluator, term, value);
}

/* V3: does a term of event `e` keep its value? `own`: an ALL looks at e's own read too. */
static bool keeps(rcp_world *world, const rcp_world_state *state, unsigned e, rcp_term term, bool own,
                  uint64_t wanted) {
    uint64_t value;
    if (!rcp_term_is_real(term))
        return term.v == RCP_TERM_CONST.v || !thread_deviated(world, state, e, own);
    return evaluate(world, state, term, &value) == RCP_EVAL_OK && value == wanted;
}

static bool keeps_condition(rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if (world->implicit && rcp_event_reads(event) && thread_deviated(world, state, e, true))
        return false;
    switch (event->kind) {
    case RCP_BRANCH:
        if (rcp_term_is_real(event->cond) && !event->valued) {
            rcp_event_set reads = world->events[e].cond_reads;
            return !(reads & ~state->executed) && !(reads & state->deviated);
        }
        return keeps(world, state, e, event->cond, true, event->value);
    case RCP_READ: return keeps(world, state, e, event->cond, true, 0);
    case RCP_RMW: return keeps(world, state, e, event->cond, true, 1);
    default: return true;
    }
}

/* What the write leaves; false if that is undefined. */
static bool write_bytes(rcp_world *world, rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    rcp_world_content *contents = rcp_world_contents(state);
    bool relaxed = world->options.values == RCP_VALUES_RELAXED;
    uint64_t value = 0;
    rcp_eval eval = RCP_EVAL_OK;
    bool by_term = relaxed && rcp_term_is_real(event->value_term);
    if (by_term)
        eval = evaluate(world, state, event->value_term, &value);
    if (eval == RCP_EVAL_UNDEFINED || eval == RCP_EVAL_DOUBTFUL)
        return false;
    bool unknown = by_term ? eval == RCP_EVAL_UNKNOWN
                           : relaxed && event->value_term.v == RCP_TERM_ALL.v &&
                                 thread_deviated(world, state, e, event->kind == RCP_RMW);
    for (size_t k = 0; k < world->events[e].n_bytes; k++) {
        rcp_world_content content = {.knowledge = RCP_WORLD_UNKNOWN, .writer = (uint8_t)e};
        if (!unknown && by_term) {
            content.knowledge = RCP_WORLD_KNOWN;
            content.value = (uint8_t)(value >> (8 * k));
        } else if (!unknown) {
            content.knowledge = event->valued ? RCP_WORLD_KNOWN : RCP_WORLD_AS_RECORDED;
            content.value = event->valued ? rcp_event_written(event)[k] : 0;
        }
        contents[world->events[e].bytes[k].cell] = content;
    }
    return true;
}

/* V1: no executed causal read has another last writer or is of uninitialised memory. `more`: causal reads of a race's
 * addresses. */
static bool causal_reads_keep(const rcp_world *world, const rcp_world_state *state, rcp_event_set more) {
    rcp_event_set causal = more;
    RCP_WORLD_EACH_EXECUTED(world, state, i)
        causal |= world->events[i].causal;
    return !(causal & state->off);
}

static bool values(rcp_world *world, rcp_world_state *state, unsigned e) {
    const rcp_event *event = rcp_world_event_at(world, e);
    bool relaxed = world->options.values == RCP_VALUES_RELAXED;
    if (relaxed ? !keeps(world, state, e, event->addr_term, false, event->addr)
                : world->events[e].addr_reads & ~state->executed)
        return false;
    state->executed |= UINT64_C(1) << e;
    if (!relaxed && (world->events[e].cond_reads | world->events[e].value_reads) & ~state->executed)
        return false;
    if (rcp_event_reads(event))
        read_bytes(world, state, e);
    if (world->options.values == RCP_VALUES_SAME && state->deviated)
        return false;
    if (relaxed && !keeps_condition(world, state, e))
        return false;
    if (rcp_event_writes(event) && !write_bytes(world, state, e))
        return false;
    if (rcp_event_is_opaque(event))
        for (size_t k = 0; k < world->events[e].n_bytes; k++)
            rcp_world_contents(state)[world->events[e].bytes[k].cell] =
                (rcp_world_content){.knowledge = RCP_WORLD_AS_RECORDED, .writer = (uint8_t)e};
    return world->options.values != RCP_VALUES_LAST_WRITER || causal_reads_keep(world, state, 0);
}

void rcp_world_begin(const rcp_world *world, rcp_world_state *state) {
    memset(state, 0, world->state_size);
    memcpy(rcp_world_contents(state), world->initial, world->n_cells * sizeof *world->initial);
}

size_t rcp_world_step(rcp_world *world, const rcp_world_state *state, unsigned e, void *to) {
    const rcp_event *event = rcp_world_event_at(world, e);
    if (!rcp_world_threads(world, state, e) || !rcp_world_synchronisation(world, state, e) ||
        !memory_lives(world, state, e, RCP_WORLD_NOBODY) || !in_line(world, state, e) || !in_time(world, state, e) ||
        !opaque(world, state, e))
        return 0;
    rcp_world_state *first = to;
    memcpy(first, state, world->state_size);
    if (world->events[e].begins && world->events[e].later & state->executed)
        first->late |= UINT64_C(1) << e;
    if (!values(world, first, e))
        return 0;
    if (event->kind == RCP_BARRIER_ENTER)
        rcp_world_join_generation(world, first, e);
    rcp_event_set asleep = event->kind == RCP_SIGNAL || event->kind == RCP_BROADCAST
                               ? rcp_world_sleepers(world, state, event->object.v)
                               : 0;
    if (event->kind == RCP_BROADCAST) /* C3 */
        first->woken |= asleep;
    if (event->kind != RCP_SIGNAL || !asleep)
        return 1;
    size_t n = 0; /* C2 */
    for (rcp_event_set rest = asleep; rest; rest &= rest - 1, n++) {
        rcp_world_state *choice = (rcp_world_state *)((uint8_t *)to + n * world->state_size);
        if (n)
            memcpy(choice, first, world->state_size);
        choice->woken = state->woken | (rest & -rest);
    }
    return n;
}

/* R4: a compare-and-swap that only a write makes a race must succeed where it stands. */
static bool swaps(rcp_world *world, const rcp_world_state *state, unsigned a, unsigned b) {
    const rcp_event *x = rcp_world_event_at(world, a), *y = rcp_world_event_at(world, b);
    if (x->kind != RCP_RMW || x->cond.v == RCP_TERM_CONST.v || y->kind != RCP_READ)
        return true;
    uint8_t *to = rcp_alloc((world->n_threads + 1) * world->state_size);
    bool is_early = world->events[a].is_early;
    world->events[a].is_early = false; /* P3 is not asked of the two */
    bool may = rcp_world_step(world, state, a, to) > 0;
    world->events[a].is_early = is_early;
    rcp_release(to);
    return may;
}

bool rcp_world_race(rcp_world *world, const rcp_world_state *state, unsigned a, unsigned b) {
    const rcp_event *x = rcp_world_event_at(world, a), *y = rcp_world_event_at(world, b);
    bool x_frees = x->kind == RCP_FREE, y_frees = y->kind == RCP_FREE;
    if (x->tid.v == y->tid.v || rcp_world_executed(state, a) || rcp_world_executed(state, b) ||
        world->events[a].before & ~state->executed || world->events[b].before & ~state->executed)
        return false;
    if (!rcp_world_comes_next(world, state, a) || !rcp_world_comes_next(world, state, b) || /* R1 */
        !in_line(world, state, a) || !in_line(world, state, b))
        return false;
    if (!memory_lives(world, state, a, y_frees ? b : RCP_WORLD_NOBODY) ||
        !memory_lives(world, state, b, x_frees ? a : RCP_WORLD_NOBODY))
        return false;
    if (!(rcp_event_is_access(x) || x_frees) || !(rcp_event_is_access(y) || y_frees)) /* R2 */
        return false;
    if (!rcp_event_writes(x) && !rcp_event_writes(y) && !x_frees && !y_frees)
        return false;
    if (rcp_event_is_atomic(x) && rcp_event_is_atomic(y))
        return false;
    bool common = false;
    for (size_t i = 0; i < world->events[a].n_bytes; i++)
        for (size_t j = 0; j < world->events[b].n_bytes; j++) {
            const rcp_world_byte *p = &world->events[a].bytes[i], *q = &world->events[b].bytes[j];
            common |= p->addr == q->addr &&
                      (p->begin == q->begin || (x_frees && q->begin == a) || (y_frees && p->begin == b));
        }
    if (!common)
        return false;
    if (world->options.values != RCP_VALUES_RELAXED &&
        (world->events[a].addr_reads | world->events[b].addr_reads) & ~state->executed)
        return false;
    if (world->options.values == RCP_VALUES_LAST_WRITER && /* R3 */
        !causal_reads_keep(world, state, world->events[a].causal_addr | world->events[b].causal_addr))
        return false;
    if (world->options.values == RCP_VALUES_RELAXED &&
        !(keeps(world, state, a, x->addr_term, false, x->addr) && keeps(world, state, b, y->addr_term, false, y->addr)))
        return false;
    return swaps(world, state, a, b) && swaps(world, state, b, a);
}

bool rcp_world_deadlock(rcp_world *world, const rcp_world_state *state, const unsigned *events, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const unsigned e = events[i];
        if (rcp_world_executed(state, e) || world->events[e].before & ~state->executed || /* D1 */
            !rcp_world_comes_next(world, state, e) || !in_line(world, state, e))
            return false;
        bool waits = false;
        for (size_t k = 0; k < n; k++) { /* D2 */
            const size_t tid = rcp_world_event_at(world, events[k])->tid.v;
            if (k != i && tid == rcp_world_event_at(world, e)->tid.v)
                return false;
            waits |= k != i && rcp_world_waits_for(world, state, e, tid);
        }
        if (!waits)
            return false;
    }
    return n > 1;
}
