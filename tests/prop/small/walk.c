/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/small/walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct walk {
    const rcp_small_program *program;
    const rcp_trace *trace;
    rcp_small_path *path;
    rcp_small_state *state;
    uint64_t event;
    uint8_t *numbers; /* of the trace's threads; main is the first */
} walk;

/* RCP_SMALL_THREADS: it is none of ours. */
static unsigned thread_of(const walk *w, rcp_tid tid) { return w->numbers[tid.v]; }

/* RCP_SMALL_NULL: none of the program's. */
static int location_of(const walk *w, uint64_t address) {
    const rcp_variable *variable = rcp_defs_find_variable(&w->trace->defs, address);
    if (!variable)
        return RCP_SMALL_NULL;
    const char *name = rcp_defs_borrow_string(&w->trace->defs, variable->name);
    int offset = (int)(address - variable->addr);
    if (name[0] == 'x')
        return name[1] - '0';
    if (name[0] == 'a')
        return RCP_SMALL_VARIABLES + offset / (int)sizeof(int32_t);
    return name[0] == 'p' ? RCP_SMALL_CELLS + (name[1] - '0') : RCP_SMALL_NULL;
}

static void take_step(walk *w, unsigned thread, unsigned choice, rcp_small_done *done) {
    const rcp_small_thread *t = &w->state->threads[thread];
    rcp_small_stood stood = {.way = t->way, .at = t->at};
    rcp_small_step(w->program, w->state, thread, choice, true, done);
    stood.location = (int16_t)done->location;
    stood.lock = (int16_t)done->lock;
    stood.failed = done->failed;
    stood.read = done->read;
    rcp_vec_push(&w->path->steps[thread], stood);
}

/* Accesses that are not told: up to the one that is (`until`, at `line`), or as far as they go. */
static void catch_up(walk *w, unsigned thread, const rcp_event *until, uint32_t line) {
    rcp_small_access access;
    rcp_small_done done;
    while (rcp_small_is_access(w->program, w->state, thread, &access)) {
        bool writes = until && rcp_event_writes(until), reads = until && rcp_event_reads(until);
        if (until && rcp_event_is_access(until) && access.line == line &&
            access.does == (writes && reads ? 'u'
                            : writes        ? 'w'
                                            : 'r'))
            return;
        take_step(w, thread, 0, &done);
    }
}

static bool fits(const walk *w, unsigned thread, const rcp_small_op *op, const rcp_event *e) {
    bool is_woken = w->state->threads[thread].status == RCP_SMALL_WOKEN;
    switch ((rcp_small_kind)op->kind) {
    case RCP_SMALL_LOAD:
    case RCP_SMALL_LOAD_POINTER: return e->kind == RCP_READ && e->mode == RCP_PLAIN;
    case RCP_SMALL_STORE:
    case RCP_SMALL_STORE_POINTER: return e->kind == RCP_WRITE && e->mode == RCP_PLAIN;
    case RCP_SMALL_ATOMIC_LOAD: return e->kind == RCP_READ && e->mode == RCP_SEQ_CST;
    case RCP_SMALL_ATOMIC_STORE: return e->kind == RCP_WRITE && e->mode == RCP_SEQ_CST;
    case RCP_SMALL_SWAP: return (e->kind == RCP_RMW || e->kind == RCP_READ) && e->mode == RCP_SEQ_CST;
    case RCP_SMALL_FETCH_ADD: return e->kind == RCP_RMW && e->mode == RCP_SEQ_CST;
    case RCP_SMALL_LOCK: return e->kind == RCP_ACQUIRE && e->outcome == RCP_DONE;
    case RCP_SMALL_TRYLOCK: return e->kind == RCP_ACQUIRE;
    case RCP_SMALL_UNLOCK: return e->kind == RCP_RELEASE;
    case RCP_SMALL_WAIT: return e->kind == (is_woken ? RCP_WAKE : RCP_WAIT) && e->outcome == RCP_DONE;
    case RCP_SMALL_SIGNAL: return e->kind == RCP_SIGNAL;
    case RCP_SMALL_BROADCAST: return e->kind == RCP_BROADCAST;
    case RCP_SMALL_POST: return e->kind == RCP_SEM_POST;
    case RCP_SMALL_SEM_WAIT: return e->kind == RCP_SEM_WAIT && e->outcome == RCP_DONE;
    case RCP_SMALL_READ_LOCK: return e->kind == RCP_ACQUIRE && e->mode == RCP_SHARED;
    case RCP_SMALL_WRITE_LOCK: return e->kind == RCP_ACQUIRE && e->mode == RCP_EXCLUSIVE;
    case RCP_SMALL_READ_UNLOCK: return e->kind == RCP_RELEASE && e->mode == RCP_SHARED;
    case RCP_SMALL_WRITE_UNLOCK: return e->kind == RCP_RELEASE && e->mode == RCP_EXCLUSIVE;
    case RCP_SMALL_SEM_TRY: return e->kind == RCP_SEM_WAIT;
    case RCP_SMALL_FORK: return e->kind == RCP_FORK;
    case RCP_SMALL_JOIN: return e->kind == RCP_JOIN && thread_of(w, e->child) == (unsigned)op->object;
    case RCP_SMALL_EXIT: return e->kind == RCP_EXIT;
    default: return false;
    }
}

/* Which of those that sleep a signal woke: whoever is awake first. */
static unsigned choice_of(const walk *w) {
    for (uint64_t i = w->event + 1; i < w->trace->events.len; i++) {
        const rcp_event *e = &w->trace->events.at[i];
        unsigned thread = thread_of(w, e->tid), before = 0;
        if (e->kind != RCP_WAKE || thread >= RCP_SMALL_THREADS || w->state->threads[thread].status != RCP_SMALL_ASLEEP)
            continue;
        for (unsigned other = 0; other < thread; other++)
            before += w->state->threads[other].status == RCP_SMALL_ASLEEP;
        return before;
    }
    return 0;
}

static rcp_code refuse(const walk *w, unsigned thread, const char *what) {
    const rcp_small_op *op = rcp_small_next(w->program, w->state, thread);
    return rcp_fail(RCP_BAD_INPUT, "event %" PRIu64 " of the trace does not fit: %s; thread %u stands at line %d",
                    w->event, what, thread, op ? op->line : 0);
}

static bool is_value(const walk *w, const rcp_small_op *op, uint64_t recorded, int64_t value) {
    if (op->kind != RCP_SMALL_LOAD_POINTER && op->kind != RCP_SMALL_STORE_POINTER)
        return (uint32_t)recorded == (uint32_t)value;
    int location = location_of(w, recorded);
    if (!recorded || value == RCP_SMALL_NULL)
        return !recorded && value == RCP_SMALL_NULL;
    return location == RCP_SMALL_NULL || location == value; /* a variable that is not shared has no name there */
}

static rcp_code compare(const walk *w, unsigned thread, const rcp_small_op *op, const rcp_event *e,
                        const rcp_small_done *done) {
    if (rcp_event_is_access(e)) {
        bool in_heap = done->location >= RCP_SMALL_STATIC && done->location < RCP_SMALL_CELLS;
        if (location_of(w, e->addr) != (in_heap ? RCP_SMALL_NULL : done->location))
            return refuse(w, thread, "another place is touched");
        if (rcp_event_reads(e) && !is_value(w, op, e->value, done->read))
            return refuse(w, thread, "another value is read");
        if (rcp_event_writes(e) && !is_value(w, op, e->kind == RCP_RMW ? e->written : e->value, done->wrote))
            return refuse(w, thread, "another value is written");
    }
    if (done->failed != (op->kind == RCP_SMALL_SWAP ? e->kind == RCP_READ : e->outcome == RCP_FAILED))
        return refuse(w, thread, "it has another outcome");
    return RCP_OK;
}

static bool is_told(const rcp_event *e) {
    switch (e->kind) {
    case RCP_BEGIN:
    case RCP_BRANCH:
    case RCP_INIT:
    case RCP_DESTROY:
    case RCP_ALLOC:
    case RCP_FREE:
    case RCP_OPAQUE_BEGIN:
    case RCP_OPAQUE_END: return false;
    default: return true;
    }
}

static rcp_code follow(walk *w, const rcp_event *e) {
    unsigned thread = thread_of(w, e->tid);
    uint32_t line = w->trace->defs.locations.at[e->loc.v].line;
    if (!is_told(e) || thread >= RCP_SMALL_THREADS || (!thread && line >= w->program->last_line))
        return RCP_OK;
    catch_up(w, thread, e, line);
    if (e->kind == RCP_END) {
        if (w->state->threads[thread].status != RCP_SMALL_ENDED)
            return refuse(w, thread, "the thread ends");
        return RCP_OK;
    }
    const rcp_small_op *op = rcp_small_next(w->program, w->state, thread);
    if (e->kind == RCP_EXIT && (!op || op->kind != RCP_SMALL_EXIT))
        return RCP_OK; /* main has returned */
    if (!op || !fits(w, thread, op, e) || (op->line != line && op->kind != RCP_SMALL_EXIT))
        return refuse(w, thread, op ? "it is another operation" : "the thread has ended");
    if (!rcp_small_can_step(w->program, w->state, thread))
        return refuse(w, thread, "it would have to wait");
    rcp_small_done done;
    if (op->kind == RCP_SMALL_FORK)
        w->numbers[e->child.v] = (uint8_t)op->object;
    take_step(w, thread, e->kind == RCP_SIGNAL ? choice_of(w) : 0, &done);
    return compare(w, thread, op, e, &done);
}

rcp_code rcp_small_walk(const rcp_small_program *program, const rcp_trace *trace, rcp_small_path *path,
                        rcp_small_state *last) {
    walk w = {.program = program, .trace = trace, .path = path, .state = last};
    *path = (rcp_small_path){0};
    w.numbers = rcp_alloc_zero(trace->defs.threads.len + 1, 1);
    memset(w.numbers + 1, RCP_SMALL_THREADS, trace->defs.threads.len);
    rcp_small_begin(program, last, true);
    rcp_code code = RCP_OK;
    for (; code == RCP_OK && w.event < trace->events.len; w.event++)
        code = follow(&w, &trace->events.at[w.event]);
    bool have_ended = code == RCP_OK;
    for (unsigned i = 1; i < program->threads; i++)
        have_ended &= last->threads[i].status == RCP_SMALL_ENDED || i == program->late;
    if (have_ended)
        catch_up(&w, 0, NULL, 0);
    for (unsigned i = 0; code == RCP_OK && i < program->threads; i++) {
        path->has_ended[i] = last->threads[i].status == RCP_SMALL_ENDED;
        path->last_way[i] = last->threads[i].way;
    }
    rcp_release(w.numbers);
    return code;
}
