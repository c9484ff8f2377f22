/* SPDX-License-Identifier: Apache-2.0 */
#include "prop/machine.h"

#include <string.h>

static rcp_eval taken_value(void *context, rcp_eid read, uint32_t offset, unsigned bytes, uint64_t *value) {
    const rcp_machine *machine = context;
    *value = 0;
    memcpy(value, &machine->taken[read.v][offset], bytes);
    return RCP_EVAL_OK;
}

void rcp_machine_init(rcp_machine *machine, rcp_trace *trace, rcp_random *random) {
    *machine = (rcp_machine){.trace = trace, .random = random};
    rcp_evaluator_init(&machine->evaluator, &trace->terms, taken_value, machine);
}

void rcp_machine_finish(rcp_machine *machine) { rcp_evaluator_finish(&machine->evaluator); }

rcp_obj rcp_machine_object_new(rcp_machine *machine, rcp_object_kind kind, const char *name, uint64_t initial) {
    RCP_CHECK(machine->n_objects < RCP_MACHINE_OBJECTS);
    rcp_obj object =
        rcp_defs_object(&machine->trace->defs, kind, name, RCP_MACHINE_OBJECT(machine->n_objects), initial);
    RCP_CHECK(object.v == machine->n_objects);
    rcp_machine_object *o = &machine->objects[machine->n_objects++];
    *o = (rcp_machine_object){.kind = kind, .initial = initial, .count = kind == RCP_SEM ? initial : 0};
    return object;
}

rcp_eid rcp_machine_next(const rcp_machine *machine) { return (rcp_eid){machine->trace->events.len}; }

bool rcp_machine_evaluate(rcp_machine *machine, rcp_term term, uint64_t *value) {
    rcp_evaluator_forget(&machine->evaluator);
    return rcp_evaluator_run(&machine->evaluator, term, value) == RCP_EVAL_OK;
}

bool rcp_machine_has(uint64_t addr, uint32_t size) {
    return (addr >= RCP_MACHINE_VARS && addr + size <= RCP_MACHINE_VARS + RCP_MACHINE_VAR_BYTES) ||
           (addr >= RCP_MACHINE_HEAP && addr + size <= RCP_MACHINE_HEAP + RCP_MACHINE_HEAP_BYTES);
}

uint8_t *rcp_machine_byte(rcp_machine *machine, uint64_t addr) {
    RCP_CHECK(rcp_machine_has(addr, 1));
    return &machine->memory[addr < RCP_MACHINE_HEAP ? addr - RCP_MACHINE_VARS
                                                    : RCP_MACHINE_VAR_BYTES + (addr - RCP_MACHINE_HEAP)];
}

static rcp_step_result emit(rcp_machine *machine, uint32_t tid, rcp_event event) {
    RCP_CHECK(machine->trace->events.len < RCP_GEN_MAX_EVENTS && !machine->exited);
    event.tid = (rcp_tid){tid};
    if (rcp_trace_add(machine->trace, &event) != RCP_OK) {
        rcp_print_causes(stderr);
        RCP_CHECK(!"the generator made an event that is not valid");
    }
    return RCP_STEP_DONE;
}

/* Blocked before its INIT, never again after its DESTROY. */
static rcp_step_result usable(const rcp_machine *machine, rcp_obj object) {
    const rcp_machine_object *o = &machine->objects[object.v];
    if (o->destroyed)
        return RCP_STEP_NEVER;
    return o->needs_init && !o->initialised ? RCP_STEP_BLOCKED : RCP_STEP_DONE;
}

#define NEED(object)                                                                                                   \
    do {                                                                                                               \
        rcp_step_result need = usable(machine, object);                                                                \
        if (need != RCP_STEP_DONE)                                                                                     \
            return need;                                                                                               \
    } while (0)

rcp_step_result rcp_machine_begin(rcp_machine *machine, uint32_t tid) {
    machine->threads[tid].began = true;
    return emit(machine, tid, (rcp_event){.kind = RCP_BEGIN});
}

rcp_step_result rcp_machine_end(rcp_machine *machine, uint32_t tid) {
    machine->threads[tid].finished = true;
    return machine->ends ? emit(machine, tid, (rcp_event){.kind = RCP_END}) : RCP_STEP_DONE;
}

rcp_step_result rcp_machine_exit(rcp_machine *machine, uint32_t tid) {
    emit(machine, tid, (rcp_event){.kind = RCP_EXIT});
    machine->exited = true;
    return RCP_STEP_DONE;
}

/* What one thread hands the other at a fork or join: terms may then speak of its last read. */
static void hand_over(rcp_machine *machine, const rcp_machine_thread *from, rcp_machine_thread *to) {
    if (from->n_reads && to->n_reads < RCP_GEN_MAX_EVENTS && rcp_random_percent(machine->random, 25))
        to->reads[to->n_reads++] = from->reads[from->n_reads - 1];
}

rcp_step_result rcp_machine_fork(rcp_machine *machine, uint32_t tid, uint32_t child) {
    if (machine->threads[child].started || child == tid)
        return RCP_STEP_NEVER;
    machine->threads[child].started = true;
    hand_over(machine, &machine->threads[tid], &machine->threads[child]);
    return emit(machine, tid, (rcp_event){.kind = RCP_FORK, .child = {child}});
}

rcp_step_result rcp_machine_join(rcp_machine *machine, uint32_t tid, uint32_t child, bool may_fail) {
    rcp_machine_thread *other = &machine->threads[child];
    if (other->joined || child == tid)
        return RCP_STEP_NEVER;
    if (!other->started)
        return RCP_STEP_BLOCKED;
    if (!other->finished) {
        if (!may_fail)
            return RCP_STEP_BLOCKED;
        return emit(machine, tid, (rcp_event){.kind = RCP_JOIN, .child = {child}, .outcome = RCP_FAILED});
    }
    other->joined = true;
    hand_over(machine, other, &machine->threads[tid]);
    return emit(machine, tid, (rcp_event){.kind = RCP_JOIN, .child = {child}});
}

static bool held_by_others(const rcp_machine *machine, const rcp_machine_object *o, uint32_t tid) {
    if (o->depth && o->holder != tid)
        return true;
    for (uint32_t t = 0; t < machine->n_threads; t++)
        if (t != tid && o->shared[t])
            return true;
    return false;
}

/* L1: can `tid` take it exclusively now? */
static bool free_for(const rcp_machine *machine, const rcp_machine_object *o, uint32_t tid) {
    if (held_by_others(machine, o, tid) || o->shared[tid])
        return false;
    return !o->depth || o->kind == RCP_RECURSIVE;
}

rcp_step_result rcp_machine_acquire(rcp_machine *machine, uint32_t tid, rcp_obj lock, rcp_mode mode, bool may_fail) {
    NEED(lock);
    rcp_machine_object *o = &machine->objects[lock.v];
    rcp_event event = {.kind = RCP_ACQUIRE, .object = lock, .mode = (uint8_t)mode};
    bool free = mode == RCP_SHARED ? !o->depth : free_for(machine, o, tid);
    if (!free) {
        bool own = !held_by_others(machine, o, tid);
        if (!may_fail)
            return own ? RCP_STEP_NEVER : RCP_STEP_BLOCKED; /* nobody else could end a wait for oneself */
        event.outcome = RCP_FAILED;
        return emit(machine, tid, event);
    }
    if (mode == RCP_SHARED) {
        o->shared[tid]++;
    } else {
        o->holder = tid;
        o->depth++;
    }
    return emit(machine, tid, event);
}

rcp_step_result rcp_machine_release(rcp_machine *machine, uint32_t tid, rcp_obj lock, rcp_mode mode) {
    NEED(lock);
    rcp_machine_object *o = &machine->objects[lock.v];
    if (mode == RCP_SHARED) {
        if (!o->shared[tid])
            return RCP_STEP_NEVER;
        o->shared[tid]--;
    } else {
        if (!o->depth || o->holder != tid)
            return RCP_STEP_NEVER;
        o->depth--;
    }
    return emit(machine, tid, (rcp_event){.kind = RCP_RELEASE, .object = lock, .mode = (uint8_t)mode});
}

rcp_step_result rcp_machine_wait(rcp_machine *machine, uint32_t tid, rcp_obj cond, rcp_obj lock, rcp_outcome fate) {
    NEED(cond);
    NEED(lock);
    rcp_machine_object *o = &machine->objects[lock.v];
    if (!o->depth || o->holder != tid)
        return RCP_STEP_NEVER;
    o->depth--;
    rcp_machine_thread *thread = &machine->threads[tid];
    thread->waiting = true;
    thread->woken = false;
    thread->fate = (uint8_t)fate;
    thread->cond = cond;
    thread->lock = lock;
    return emit(machine, tid, (rcp_event){.kind = RCP_WAIT, .object = cond, .lock = lock});
}

rcp_step_result rcp_machine_wake(rcp_machine *machine, uint32_t tid) {
    rcp_machine_thread *thread = &machine->threads[tid];
    rcp_machine_object *o = &machine->objects[thread->lock.v];
    if ((thread->fate == RCP_DONE && !thread->woken) || !free_for(machine, o, tid))
        return RCP_STEP_BLOCKED;
    o->holder = tid;
    o->depth++;
    thread->waiting = false;
    return emit(machine, tid,
                (rcp_event){.kind = RCP_WAKE, .object = thread->cond, .lock = thread->lock, .outcome = thread->fate});
}

rcp_step_result rcp_machine_signal(rcp_machine *machine, uint32_t tid, rcp_obj cond, bool all) {
    NEED(cond);
    uint32_t sleepers[RCP_GEN_MAX_THREADS], n = 0;
    for (uint32_t t = 0; t < machine->n_threads; t++) {
        const rcp_machine_thread *other = &machine->threads[t];
        if (other->waiting && other->cond.v == cond.v && other->fate == RCP_DONE && !other->woken)
            sleepers[n++] = t;
    }
    if (all)
        for (uint32_t i = 0; i < n; i++)
            machine->threads[sleepers[i]].woken = true;
    else if (n)
        machine->threads[sleepers[rcp_random_below(machine->random, n)]].woken = true;
    return emit(machine, tid, (rcp_event){.kind = all ? RCP_BROADCAST : RCP_SIGNAL, .object = cond});
}

rcp_step_result rcp_machine_post(rcp_machine *machine, uint32_t tid, rcp_obj sem) {
    NEED(sem);
    machine->objects[sem.v].count++;
    return emit(machine, tid, (rcp_event){.kind = RCP_SEM_POST, .object = sem});
}

rcp_step_result rcp_machine_down(rcp_machine *machine, uint32_t tid, rcp_obj sem, bool may_fail) {
    NEED(sem);
    if (!machine->objects[sem.v].count) {
        if (!may_fail)
            return RCP_STEP_BLOCKED;
        return emit(machine, tid, (rcp_event){.kind = RCP_SEM_WAIT, .object = sem, .outcome = RCP_FAILED});
    }
    machine->objects[sem.v].count--;
    return emit(machine, tid, (rcp_event){.kind = RCP_SEM_WAIT, .object = sem});
}

rcp_step_result rcp_machine_enter(rcp_machine *machine, uint32_t tid, rcp_obj barrier) {
    NEED(barrier);
    rcp_machine_object *o = &machine->objects[barrier.v];
    rcp_machine_thread *thread = &machine->threads[tid];
    thread->in_barrier = true;
    thread->barrier = barrier;
    thread->generation = o->generation;
    o->members[o->generation] |= 1u << tid;
    if (++o->count == o->initial) {
        uint32_t told = rcp_random_below(machine->random, (uint32_t)o->initial);
        for (uint32_t t = 0; t < machine->n_threads; t++)
            if (o->members[o->generation] >> t & 1 && !told--)
                o->serial[o->generation] = t;
        o->count = 0;
        o->generation++;
    }
    return emit(machine, tid, (rcp_event){.kind = RCP_BARRIER_ENTER, .object = barrier});
}

rcp_step_result rcp_machine_leave(rcp_machine *machine, uint32_t tid) {
    rcp_machine_thread *thread = &machine->threads[tid];
    const rcp_machine_object *o = &machine->objects[thread->barrier.v];
    if (thread->generation >= o->generation)
        return RCP_STEP_BLOCKED;
    thread->in_barrier = false;
    return emit(machine, tid,
                (rcp_event){.kind = RCP_BARRIER_LEAVE,
                            .object = thread->barrier,
                            .outcome = o->serial[thread->generation] == tid ? RCP_SERIAL : RCP_DONE});
}

rcp_step_result rcp_machine_once(rcp_machine *machine, uint32_t tid, rcp_obj once) {
    NEED(once);
    rcp_machine_object *o = &machine->objects[once.v];
    if (o->once_ended)
        return emit(machine, tid, (rcp_event){.kind = RCP_ONCE_SKIP, .object = once});
    if (o->once_begun)
        return o->once_by == tid ? RCP_STEP_NEVER : RCP_STEP_BLOCKED;
    o->once_begun = true;
    o->once_by = tid;
    return emit(machine, tid, (rcp_event){.kind = RCP_ONCE_BEGIN, .object = once});
}

rcp_step_result rcp_machine_once_end(rcp_machine *machine, uint32_t tid, rcp_obj once) {
    rcp_machine_object *o = &machine->objects[once.v];
    if (!o->once_begun || o->once_ended || o->once_by != tid)
        return RCP_STEP_NEVER;
    o->once_ended = true;
    return emit(machine, tid, (rcp_event){.kind = RCP_ONCE_END, .object = once});
}

/* Its WAKE will name the object. */
static bool names(const rcp_machine_thread *thread, rcp_obj object) {
    return thread->waiting && (thread->cond.v == object.v || thread->lock.v == object.v);
}

static bool in_use(const rcp_machine *machine, rcp_obj object) {
    const rcp_machine_object *o = &machine->objects[object.v];
    if (o->depth || (o->once_begun && !o->once_ended))
        return true;
    for (uint32_t t = 0; t < machine->n_threads; t++) {
        const rcp_machine_thread *thread = &machine->threads[t];
        if (o->shared[t] || (thread->in_barrier && thread->barrier.v == object.v))
            return true;
        if (names(thread, object) && !(thread->woken && thread->cond.v == object.v))
            return true;
    }
    return false;
}

rcp_step_result rcp_machine_lifetime(rcp_machine *machine, uint32_t tid, rcp_obj object, bool begins) {
    rcp_machine_object *o = &machine->objects[object.v];
    if (begins) {
        if (!o->needs_init || o->initialised)
            return RCP_STEP_NEVER;
        o->initialised = true;
        return emit(machine, tid, (rcp_event){.kind = RCP_INIT, .object = object});
    }
    NEED(object);
    if (in_use(machine, object))
        return RCP_STEP_BLOCKED;
    o->destroyed = true;
    for (uint32_t t = 0; t < machine->n_threads; t++) /* woken, but the trace ends before they get on */
        if (names(&machine->threads[t], object))
            machine->threads[t].finished = true;
    return emit(machine, tid, (rcp_event){.kind = RCP_DESTROY, .object = object});
}

rcp_step_result rcp_machine_alloc(rcp_machine *machine, uint32_t tid, uint64_t addr, uint64_t bytes, bool zeroed,
                                  rcp_term addr_term) {
    for (uint64_t i = 0; i < bytes; i++)
        *rcp_machine_byte(machine, addr + i) = zeroed ? 0 : (uint8_t)rcp_random_below(machine->random, 3);
    return emit(machine, tid,
                (rcp_event){.kind = RCP_ALLOC,
                            .addr = addr,
                            .value = bytes,
                            .addr_term = addr_term,
                            .outcome = zeroed ? RCP_ZEROED : RCP_DONE});
}

rcp_step_result rcp_machine_free(rcp_machine *machine, uint32_t tid, uint64_t addr, uint64_t bytes,
                                 rcp_term addr_term) {
    for (uint64_t i = 0; i < bytes; i++)
        if (rcp_random_percent(machine->random, 30))
            *rcp_machine_byte(machine, addr + i) = (uint8_t)rcp_random_below(machine->random, 3);
    return emit(machine, tid, (rcp_event){.kind = RCP_FREE, .addr = addr, .value = bytes, .addr_term = addr_term});
}

rcp_step_result rcp_machine_opaque(rcp_machine *machine, uint32_t tid, rcp_kind kind, rcp_reach reach) {
    const rcp_reach_def *def = &machine->trace->defs.reaches.at[reach.v];
    for (size_t s = 0; s < def->n; s++)
        for (uint64_t addr = def->spans[s].lo; addr < def->spans[s].hi; addr++)
            if (rcp_machine_has(addr, 1) && rcp_random_percent(machine->random, 20))
                *rcp_machine_byte(machine, addr) = (uint8_t)rcp_random_below(machine->random, 4);
    return emit(machine, tid, (rcp_event){.kind = (uint8_t)kind, .reach = reach});
}

rcp_step_result rcp_machine_fence(rcp_machine *machine, uint32_t tid, rcp_order order) {
    return emit(machine, tid, (rcp_event){.kind = RCP_FENCE, .mode = (uint8_t)order});
}

rcp_step_result rcp_machine_branch(rcp_machine *machine, uint32_t tid, rcp_term cond, uint64_t value) {
    rcp_event event = {.kind = RCP_BRANCH, .cond = cond};
    if (!rcp_random_percent(machine->random, machine->unvalued_percent)) {
        event.valued = 1;
        event.value = value;
    }
    return emit(machine, tid, event);
}

rcp_step_result rcp_machine_access(rcp_machine *machine, uint32_t tid, rcp_event event, const uint8_t *written) {
    uint64_t self = rcp_machine_next(machine).v;
    rcp_machine_thread *thread = &machine->threads[tid];
    uint8_t before[RCP_MACHINE_WIDEST] = {0}, after[RCP_MACHINE_WIDEST] = {0};
    for (uint32_t i = 0; i < event.size; i++)
        before[i] = *rcp_machine_byte(machine, event.addr + i);
    if (rcp_event_reads(&event)) {
        memcpy(machine->taken[self], before, sizeof before);
        if (thread->n_reads < RCP_GEN_MAX_EVENTS)
            thread->reads[thread->n_reads++] = self;
    }
    if (rcp_event_writes(&event)) {
        memcpy(after, written, event.size);
        for (uint32_t i = 0; i < event.size; i++)
            *rcp_machine_byte(machine, event.addr + i) = after[i];
    }
    if (!rcp_random_percent(machine->random, machine->unvalued_percent)) {
        const uint8_t *recorded = event.kind == RCP_WRITE ? after : before;
        event.valued = 1;
        if (event.size > 8) {
            event.bytes = recorded;
            if (event.kind == RCP_RMW)
                event.written_bytes = after;
        } else {
            memcpy(&event.value, recorded, 8);
            if (event.kind == RCP_RMW)
                memcpy(&event.written, after, 8);
        }
    }
    return emit(machine, tid, event);
}
