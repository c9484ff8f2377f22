/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of docs/semantics.md, one function per section, named as they are there. */
#include "prop/world.h"

#include <string.h>

static const rcp_event *event_at(const rcp_world *world, size_t i) { return &world->trace->events.at[i]; }

static bool executed(const rcp_world_state *state, size_t i) { return state->executed >> i & 1; }

/* EACH executed event, by number. */
#define EACH_EXECUTED(world, state, i)                                                                                 \
    for (size_t i = 0; i < (world)->n; i++)                                                                            \
        if (executed(state, i))

unsigned rcp_world_next(const rcp_world *world, const rcp_world_state *state, size_t tid) {
    rcp_event_set left = world->of_thread[tid] & ~state->executed;
    return left ? (unsigned)__builtin_ctzll(left) : RCP_WORLD_NOBODY;
}

/* The last executed event of the thread. */
static unsigned last_of(const rcp_world *world, const rcp_world_state *state, size_t tid) {
    rcp_event_set done = world->of_thread[tid] & state->executed;
    return done ? 63 - (unsigned)__builtin_clzll(done) : RCP_WORLD_NOBODY;
}

static bool start_and_exit(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    if (!world->events[e].before) { /* T1 */
        bool forked = false, fork_executed = false;
        for (size_t i = 0; i < world->n; i++)
            if (event_at(world, i)->kind == RCP_FORK && event_at(world, i)->child.v == event_at(world, e)->tid.v) {
                forked = true;
                fork_executed |= executed(state, i);
            }
        if (forked && !fork_executed)
            return false;
    }
    EACH_EXECUTED(world, state, i) /* T4 */
        if (event_at(world, i)->kind == RCP_EXIT)
            return false;
    return true;
}

/* T5 */
static bool asleep_or_awake(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    unsigned last = last_of(world, state, event->tid.v);
    bool sleeps = last != RCP_WORLD_NOBODY && event_at(world, last)->kind == RCP_WAIT;
    if (sleeps != (event->kind == RCP_WAKE))
        return false;
    return !sleeps ||
           (event_at(world, last)->object.v == event->object.v && event_at(world, last)->lock.v == event->lock.v);
}

static bool threads(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    if (!start_and_exit(world, state, e))
        return false;
    if (event->kind == RCP_JOIN && event->outcome == RCP_DONE) /* T2 */
        return !(world->of_thread[event->child.v] & ~state->executed);
    if (event->kind == RCP_JOIN) { /* T3 */
        EACH_EXECUTED(world, state, i)
            if (event_at(world, i)->kind == RCP_END && event_at(world, i)->tid.v == event->child.v)
                return false;
    }
    return asleep_or_awake(world, state, e);
}

/* How often `tid` holds the lock in this mode. */
static int holds(const rcp_world *world, const rcp_world_state *state, size_t tid, uint32_t lock, rcp_mode mode) {
    int times = 0;
    EACH_EXECUTED(world, state, i) {
        const rcp_event *e = event_at(world, i);
        if (e->tid.v != tid)
            continue;
        if (e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE && e->object.v == lock && e->mode == mode)
            times++;
        if (e->kind == RCP_RELEASE && e->object.v == lock && e->mode == mode)
            times--;
        if (e->kind == RCP_WAKE && e->lock.v == lock && mode == RCP_EXCLUSIVE)
            times++;
        if (e->kind == RCP_WAIT && e->lock.v == lock && mode == RCP_EXCLUSIVE)
            times--;
    }
    return times;
}

typedef struct holders {
    bool own_exclusive, own_shared, other_exclusive, other_shared;
} holders;

static holders who_holds(const rcp_world *world, const rcp_world_state *state, size_t tid, uint32_t lock) {
    holders h = {0};
    for (size_t t = 0; t < world->n_threads; t++) {
        bool exclusive = holds(world, state, t, lock, RCP_EXCLUSIVE) > 0;
        bool shared = holds(world, state, t, lock, RCP_SHARED) > 0;
        *(t == tid ? &h.own_exclusive : &h.other_exclusive) |= exclusive;
        *(t == tid ? &h.own_shared : &h.other_shared) |= shared;
    }
    return h;
}

static bool locks(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    bool wakes = event->kind == RCP_WAKE; /* C4, C5: takes the lock as in L1 */
    uint32_t lock = event->kind == RCP_WAIT || wakes ? event->lock.v : event->object.v;
    holders h = who_holds(world, state, event->tid.v, lock);
    bool anybody = h.own_exclusive || h.own_shared || h.other_exclusive || h.other_shared;
    bool recursive = world->trace->defs.objects.at[lock].kind == RCP_RECURSIVE;
    switch (event->kind) {
    case RCP_WAKE:
    case RCP_ACQUIRE:
        if (!wakes && event->mode == RCP_SHARED) {
            bool exclusive = h.own_exclusive || h.other_exclusive;
            return event->outcome == RCP_FAILED ? exclusive : !exclusive; /* L4, L2 */
        }
        if (!wakes && event->outcome == RCP_FAILED) /* L3 */
            return recursive ? h.other_exclusive || h.other_shared : anybody;
        return !anybody || (recursive && h.own_exclusive);                               /* L1 */
    case RCP_RELEASE: return event->mode == RCP_SHARED ? h.own_shared : h.own_exclusive; /* L5 */
    case RCP_WAIT: return h.own_exclusive;                                               /* C1 */
    case RCP_DESTROY: return !anybody;                                                   /* J3 */
    default: return true;
    }
}

/* The threads that sleep on the condition and that a SIGNAL can choose, as the set of their WAITs. */
static rcp_event_set sleepers(const rcp_world *world, const rcp_world_state *state, uint32_t cond) {
    rcp_event_set set = 0;
    for (size_t t = 0; t < world->n_threads; t++) {
        unsigned last = last_of(world, state, t), next = rcp_world_next(world, state, t);
        if (last == RCP_WORLD_NOBODY || event_at(world, last)->kind != RCP_WAIT ||
            event_at(world, last)->object.v != cond)
            continue;
        if (state->woken >> last & 1)
            continue;
        if (next != RCP_WORLD_NOBODY && event_at(world, next)->kind == RCP_WAKE &&
            event_at(world, next)->outcome != RCP_DONE) /* C5 */
            continue;
        set |= UINT64_C(1) << last;
    }
    return set;
}

static bool conditions(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    if (event->kind == RCP_WAKE && event->outcome == RCP_DONE && !world->options.spurious_wakeups) /* C4, C6 */
        return state->woken >> last_of(world, state, event->tid.v) & 1;
    if (event->kind == RCP_DESTROY) /* J3 */
        return !sleepers(world, state, event->object.v);
    return true;
}

static bool semaphores(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    if (event->kind != RCP_SEM_WAIT)
        return true;
    uint64_t count = world->trace->defs.objects.at[event->object.v].initial;
    EACH_EXECUTED(world, state, i) {
        if (event_at(world, i)->kind == RCP_SEM_POST && event_at(world, i)->object.v == event->object.v)
            count++;
        if (event_at(world, i)->kind == RCP_SEM_WAIT && event_at(world, i)->object.v == event->object.v &&
            event_at(world, i)->outcome == RCP_DONE)
            count--;
    }
    return event->outcome == RCP_FAILED ? count == 0 : count > 0; /* S3, S2 */
}

/* The LEAVE of the thread that goes with this ENTER: RCP_WORLD_NOBODY while it is inside. */
static unsigned leave_of(const rcp_world *world, const rcp_world_state *state, unsigned enter) {
    for (unsigned i = enter + 1; i < world->n; i++)
        if (executed(state, i) && event_at(world, i)->kind == RCP_BARRIER_LEAVE &&
            event_at(world, i)->tid.v == event_at(world, enter)->tid.v &&
            event_at(world, i)->object.v == event_at(world, enter)->object.v)
            return i;
    return RCP_WORLD_NOBODY;
}

static bool is_enter(const rcp_world *world, const rcp_world_state *state, size_t i, uint32_t barrier) {
    return executed(state, i) && event_at(world, i)->kind == RCP_BARRIER_ENTER &&
           event_at(world, i)->object.v == barrier;
}

/* Sets the generation of an ENTER in `state`, in which it has been executed. */
static void join_generation(const rcp_world *world, rcp_world_state *state, unsigned e) {
    uint64_t members = world->trace->defs.objects.at[event_at(world, e)->object.v].initial;
    uint8_t *generations = rcp_world_generations(world, state);
    size_t earlier = 0;
    for (size_t i = 0; i < world->n; i++)
        earlier += i != e && is_enter(world, state, i, event_at(world, e)->object.v);
    generations[world->events[e].entry] = (uint8_t)(members ? earlier / members : 0);
}

static bool barriers(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    if (event->kind != RCP_BARRIER_ENTER && event->kind != RCP_BARRIER_LEAVE)
        return true;
    uint64_t needed = world->trace->defs.objects.at[event->object.v].initial;
    const uint8_t *generations = rcp_world_generations(world, (rcp_world_state *)state);
    unsigned own = RCP_WORLD_NOBODY; /* the ENTER by which the thread is inside */
    for (unsigned i = 0; i < world->n; i++)
        if (is_enter(world, state, i, event->object.v) && event_at(world, i)->tid.v == event->tid.v &&
            leave_of(world, state, i) == RCP_WORLD_NOBODY)
            own = i;
    if (event->kind == RCP_BARRIER_ENTER)
        return own == RCP_WORLD_NOBODY; /* B1 */
    if (own == RCP_WORLD_NOBODY)
        return false;
    uint64_t members = 0, left = 1, serial = event->outcome == RCP_SERIAL;
    for (unsigned i = 0; i < world->n; i++) {
        if (!is_enter(world, state, i, event->object.v) ||
            generations[world->events[i].entry] != generations[world->events[own].entry])
            continue;
        members++;
        unsigned leave = leave_of(world, state, i);
        if (leave != RCP_WORLD_NOBODY) {
            left++;
            serial += event_at(world, leave)->outcome == RCP_SERIAL;
        }
    }
    return members == needed /* B2 */ && serial <= 1 && (left < members || serial == 1) /* B3 */;
}

static bool once(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    bool begun = false, by_us = false, ended = false;
    EACH_EXECUTED(world, state, i) {
        if (!(rcp_event_traits(event_at(world, i)->kind)->uses & RCP_USES_OBJECT) ||
            event_at(world, i)->object.v != event->object.v)
            continue;
        if (event_at(world, i)->kind == RCP_ONCE_BEGIN) {
            begun = true;
            by_us = event_at(world, i)->tid.v == event->tid.v;
        }
        ended |= event_at(world, i)->kind == RCP_ONCE_END;
    }
    switch (event->kind) {
    case RCP_ONCE_BEGIN: return !begun;                 /* O1 */
    case RCP_ONCE_END: return begun && by_us && !ended; /* O2 */
    case RCP_ONCE_SKIP: return ended;                   /* O3 */
    default: return true;
    }
}

static bool names(const rcp_event *e, uint32_t object) {
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    return (uses & RCP_USES_OBJECT && e->object.v == object) || (uses & RCP_USES_LOCK && e->lock.v == object);
}

static bool lives(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    for (uint32_t object = 0; object < world->trace->defs.objects.len; object++) {
        if (!names(event_at(world, e), object))
            continue;
        bool has_init = false, initialised = false, destroyed = false;
        for (size_t i = 0; i < world->n; i++) {
            const rcp_event *other = event_at(world, i);
            if (other->kind == RCP_INIT && other->object.v == object) {
                has_init = true;
                initialised |= executed(state, i);
            }
            if (other->kind == RCP_DESTROY && other->object.v == object)
                destroyed |= executed(state, i);
        }
        if (event_at(world, e)->kind == RCP_INIT ? initialised : has_init && !initialised) /* J1 */
            return false;
        if (destroyed) /* J2 */
            return false;
    }
    return true;
}

/* M1; `begun_by`: a FREE whose new life counts as begun (R1), or nobody. */
static bool memory_lives(const rcp_world *world, const rcp_world_state *state, unsigned e, unsigned begun_by) {
    for (size_t k = 0; k < world->events[e].n_bytes; k++) {
        const rcp_world_byte *byte = &world->events[e].bytes[k];
        if (byte->begin != RCP_WORLD_NOBODY && byte->begin != begun_by && !executed(state, byte->begin))
            return false;
        if (byte->end != RCP_WORLD_NOBODY && byte->end != e && executed(state, byte->end))
            return false;
    }
    return true;
}

/* The byte that a WRITE or RMW recorded at this address. */
static bool recorded_by(const rcp_world *world, unsigned writer, uint64_t addr, uint8_t *value) {
    const rcp_event *w = event_at(world, writer);
    if (!rcp_event_writes(w) || !w->valued)
        return false;
    *value = rcp_event_written(w)[addr - w->addr];
    return true;
}

/* P1 */
static bool in_line(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    bool ends = event_at(world, e)->kind == RCP_END;
    for (unsigned i = 0; i < e; i++) {
        bool other_ends = event_at(world, i)->kind == RCP_END;
        bool matters = ends ? world->events[i].in_line && !other_ends
                            : world->events[e].in_line && (world->events[i].in_line || other_ends);
        if (matters && !executed(state, i))
            return false;
    }
    return true;
}

static bool opaque(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    if (!rcp_event_is_opaque(event_at(world, e)))
        return true;
    const rcp_world_content *contents = rcp_world_contents((rcp_world_state *)state);
    for (size_t k = 0; k < world->events[e].n_bytes; k++) { /* P2 */
        const rcp_world_byte *byte = &world->events[e].bytes[k];
        const rcp_world_content *content = &contents[byte->cell];
        if (content->writer != byte->writer)
            return false;
        if (world->options.values != RCP_VALUES_RELAXED || content->writer == RCP_WORLD_NOBODY ||
            rcp_event_is_opaque(event_at(world, content->writer)))
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
    const rcp_event *event = event_at(world, e);
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

static void read_bytes(const rcp_world *world, rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    const rcp_world_content *contents = rcp_world_contents(state);
    for (size_t k = 0; k < world->events[e].n_bytes; k++) {
        const rcp_world_byte *byte = &world->events[e].bytes[k];
        const rcp_world_content *content = &contents[byte->cell];
        bool off = deviates(world, e, k, content);
        if (world->options.values == RCP_VALUES_LAST_WRITER) {
            if (content->writer != byte->writer)
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
    const rcp_event *event = event_at(world, e);
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
    const rcp_event *event = event_at(world, e);
    rcp_world_content *contents = rcp_world_contents(state);
    bool relaxed = world->options.values == RCP_VALUES_RELAXED;
    uint64_t value = 0;
    rcp_eval eval = RCP_EVAL_OK;
    bool by_term = relaxed && rcp_term_is_real(event->value_term);
    if (by_term)
        eval = evaluate(world, state, event->value_term, &value);
    if (eval == RCP_EVAL_UNDEFINED)
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

/* V1: no executed causal read has another last writer. `more`: causal reads of a race's addresses. */
static bool causal_reads_keep(const rcp_world *world, const rcp_world_state *state, rcp_event_set more) {
    rcp_event_set causal = more;
    EACH_EXECUTED(world, state, i)
        causal |= world->events[i].causal;
    return !(causal & state->off);
}

static bool values(rcp_world *world, rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    bool relaxed = world->options.values == RCP_VALUES_RELAXED;
    if (relaxed && !keeps(world, state, e, event->addr_term, false, event->addr))
        return false;
    state->executed |= UINT64_C(1) << e;
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

static bool synchronisation(const rcp_world *world, const rcp_world_state *state, unsigned e) {
    const rcp_event *event = event_at(world, e);
    if (!(rcp_event_traits(event->kind)->uses & RCP_USES_OBJECT))
        return true;
    switch (world->trace->defs.objects.at[event->object.v].kind) {
    case RCP_COND:
        if (!conditions(world, state, e))
            return false;
        if ((event->kind == RCP_WAIT || event->kind == RCP_WAKE) && !locks(world, state, e))
            return false;
        break;
    case RCP_SEM:
        if (!semaphores(world, state, e))
            return false;
        break;
    case RCP_BARRIER:
        if (!barriers(world, state, e))
            return false;
        break;
    case RCP_ONCE:
        if (!once(world, state, e))
            return false;
        break;
    default:
        if (!locks(world, state, e))
            return false;
    }
    return lives(world, state, e);
}

void rcp_world_begin(const rcp_world *world, rcp_world_state *state) {
    memset(state, 0, world->state_size);
    memcpy(rcp_world_contents(state), world->initial, world->n_cells * sizeof *world->initial);
}

size_t rcp_world_step(rcp_world *world, const rcp_world_state *state, unsigned e, void *to) {
    const rcp_event *event = event_at(world, e);
    if (!threads(world, state, e) || !synchronisation(world, state, e) ||
        !memory_lives(world, state, e, RCP_WORLD_NOBODY) || !in_line(world, state, e) || !opaque(world, state, e))
        return 0;
    rcp_world_state *first = to;
    memcpy(first, state, world->state_size);
    if (!values(world, first, e))
        return 0;
    if (event->kind == RCP_BARRIER_ENTER)
        join_generation(world, first, e);
    rcp_event_set asleep =
        event->kind == RCP_SIGNAL || event->kind == RCP_BROADCAST ? sleepers(world, state, event->object.v) : 0;
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

bool rcp_world_race(rcp_world *world, const rcp_world_state *state, unsigned a, unsigned b) {
    const rcp_event *x = event_at(world, a), *y = event_at(world, b);
    bool x_frees = x->kind == RCP_FREE, y_frees = y->kind == RCP_FREE;
    if (x->tid.v == y->tid.v || executed(state, a) || executed(state, b) ||
        world->events[a].before & ~state->executed || world->events[b].before & ~state->executed)
        return false;
    if (!start_and_exit(world, state, a) || !start_and_exit(world, state, b) || !asleep_or_awake(world, state, a) ||
        !asleep_or_awake(world, state, b))
        return false;
    if (!in_line(world, state, a) || !in_line(world, state, b))
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
    if (world->options.values == RCP_VALUES_LAST_WRITER) /* R3 */
        return causal_reads_keep(world, state, world->events[a].causal_addr | world->events[b].causal_addr);
    return world->options.values != RCP_VALUES_RELAXED || (keeps(world, state, a, x->addr_term, false, x->addr) &&
                                                           keeps(world, state, b, y->addr_term, false, y->addr));
}
