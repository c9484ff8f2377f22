/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation as the log has it → events. Whether an event may stand where it stands is asked of the rules
 * themselves (trace/check/sync.h): what they refuse (a mutex that another thread unlocked, a robust one whose owner
 * died) is told as a barrier pair, and so is all that is done with that object from there on. Of an object that other
 * processes came to use all is told so, from its beginning.
 *
 * An object is memory, too: in front of its event stands what that does to its first byte, where that is shared. */
#include "program/symbolic/marks.h"
#include "program/telling/sink_state.h"

#include <inttypes.h>

static rcp_object_kind kind_of(uint8_t object) {
    switch ((enum rcp_sync_object)object) {
    case RCP_SYNC_RECURSIVE: return RCP_RECURSIVE;
    case RCP_SYNC_SPIN: return RCP_SPIN;
    case RCP_SYNC_RWLOCK: return RCP_RWLOCK;
    case RCP_SYNC_COND: return RCP_COND;
    case RCP_SYNC_SEM: return RCP_SEM;
    case RCP_SYNC_BARRIER: return RCP_BARRIER;
    case RCP_SYNC_ONCE: return RCP_ONCE;
    default: return RCP_MUTEX;
    }
}

/* Tells the event if the rules allow it here. */
static bool try(rcp_sink *sink, const rcp_strand *strand, rcp_event event) {
    char why[RCP_REASON_ROOM];
    event.tid = rcp_sink_thread_of(sink, strand->number)->tid;
    if (!rcp_sync_step(sink->sync, &event, false, why))
        return false;
    rcp_sink_tell(sink, strand, event);
    return true;
}

/* A thread that is at no call has been interrupted, or ends: what it does there has no place. */
void rcp_sink_touch(rcp_sink *sink, const rcp_strand *strand, uint64_t address, bool writes, const char *name) {
    bool is_call = strand->frames.len && strand->pc->op == RCP_INS_LEAVE;
    if (!is_call || !rcp_mark_is_shared(sink->machine->space, address))
        return;
    if (name && !rcp_defs_find_variable(sink->defs, address))
        rcp_defs_variable(sink->defs, name, address, 1);
    sink->is_object = true;
    sink->outside_order = writes ? RCP_PLAIN : RCP_RELAXED;
    rcp_sink_tell(sink, strand, (rcp_event){.kind = writes ? RCP_WRITE : RCP_READ, .addr = address, .size = 1});
    sink->outside_order = RCP_PLAIN;
    sink->is_object = false;
}

void rcp_sink_slot_ends(rcp_sink *sink, uint64_t slot, const char *name) {
    sink->is_object = slot != 0;
    if (slot && rcp_mark_is_shared(sink->machine->space, slot) && !rcp_defs_find_variable(sink->defs, slot))
        rcp_defs_variable(sink->defs, name, slot, 1);
}

static rcp_sink_object *find(rcp_sink *sink, uint64_t address) {
    uint32_t index = rcp_map_get(&sink->object_index, address);
    return index == RCP_MAP_NONE ? NULL : &sink->objects.at[index];
}

static void forget(rcp_sink *sink, rcp_sink_object *object) {
    object->is_gone = true;
    rcp_map_remove(&sink->object_index, object->address);
}

static rcp_sink_object *make(rcp_sink *sink, uint64_t address, rcp_object_kind kind, uint64_t initial) {
    char name[128];
    rcp_sink_name_of(sink, address, name);
    rcp_obj id = rcp_defs_object(sink->defs, kind, *name ? name : NULL, address, initial);
    rcp_map_set(&sink->object_index, address, (uint32_t)sink->objects.len);
    rcp_vec_push(&sink->objects, ((rcp_sink_object){.id = id,
                                                    .address = address,
                                                    .kind = (uint8_t)kind,
                                                    .is_broken = rcp_sharing_is_divided(sink->sharing, address)}));
    return &sink->objects.at[sink->objects.len - 1];
}

/* What lives at the address; one that is there as another kind is over. */
static rcp_sink_object *object_at(rcp_sink *sink, uint64_t address, uint8_t object) {
    rcp_object_kind kind = kind_of(object);
    rcp_sink_object *found = find(sink, address);
    if (found && found->kind == kind)
        return found;
    if (found)
        forget(sink, found);
    found = make(sink, address, kind, 0);
    if (kind == RCP_BARRIER) /* how many members it has is not known */
        found->is_broken = true;
    return found;
}

/* A condition may be destroyed while those that it woke still wait for the mutex; their wakes name it. */
static bool is_slept_on(const rcp_sink *sink, rcp_obj cond) {
    for (size_t i = 0; i < sink->threads.len; i++)
        if (sink->threads.at[i].is_asleep && sink->threads.at[i].cond.v == cond.v)
            return true;
    return false;
}

/* Where the rules refuse it (somebody holds it), its end is not told. */
static void end_object(rcp_sink *sink, const rcp_strand *strand, rcp_sink_object *object) {
    if (!object->is_broken && !(object->kind == RCP_COND && is_slept_on(sink, object->id)))
        (void)try(sink, strand, (rcp_event){.kind = RCP_DESTROY, .object = object->id});
    forget(sink, object);
}

void rcp_sink_sync_end(rcp_sink *sink, const rcp_strand *strand, uint64_t lo, uint64_t hi) {
    for (size_t i = 0; i < sink->objects.len; i++)
        if (!sink->objects.at[i].is_gone && sink->objects.at[i].address - lo < hi - lo)
            end_object(sink, strand, &sink->objects.at[i]);
}

static void pair(rcp_sink *sink, const rcp_strand *strand, const char *what) {
    rcp_sink_pair(sink, strand, what, rcp_sink_reach(sink, &rcp_sink_beyond, 1));
}

static void tell_object(rcp_sink *sink, const rcp_strand *strand, rcp_sink_object *object, rcp_event event) {
    event.object = object->id;
    if (!object->is_broken && try(sink, strand, event))
        return;
    object->is_broken = true;
    const rcp_span spans[2] = {{object->address, object->address + 1},
                               rcp_sink_beyond}; /* after what was done with it */
    rcp_sink_pair(sink, strand, rcp_event_traits(event.kind)->name, rcp_sink_reach(sink, spans, 2));
}

/* A handler ran in the wait: its events can't be those of one who sleeps. A wait that ends without a signal is no more
 * than a lock that is let go and taken again. */
static bool is_split(const rcp_sink *sink, const rcp_strand *strand) {
    return rcp_telling_is_interrupted(sink->telling, strand->number);
}

static void wait(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    rcp_sink_thread *thread = rcp_sink_thread_of(sink, strand->number);
    const rcp_sink_object lock = *object_at(sink, record->second, record->second_object);
    const rcp_sink_object cond = *object_at(sink, record->address, record->object);
    thread->is_asleep = false;
    if (is_split(sink, strand)) {
        tell_object(sink, strand, object_at(sink, record->second, record->second_object),
                    (rcp_event){.kind = RCP_RELEASE});
        return;
    }
    if (!lock.is_broken && !cond.is_broken &&
        try(sink, strand, (rcp_event){.kind = RCP_WAIT, .object = cond.id, .lock = lock.id})) {
        thread->is_asleep = true;
        thread->cond = cond.id;
        thread->lock = lock.id;
        return;
    }
    object_at(sink, record->second, record->second_object)->is_broken = true;
    pair(sink, strand, "wait");
}

/* Does it wait for a condition until a time? How that ends is not modelled, as that of others is. */
static bool has_deadline(const rcp_sink *sink, const rcp_strand *strand) {
    const rcp_visits *visits = rcp_telling_visits(sink->telling, strand->number);
    return visits->len && visits->at[visits->len - 1].called.roles & RCP_ROLE_OUTCOME;
}

/* A condition may have been destroyed since its wait: the wake names what the wait did. */
static void wake(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    rcp_sink_thread *thread = rcp_sink_thread_of(sink, strand->number);
    if (is_split(sink, strand)) {
        tell_object(sink, strand, object_at(sink, record->second, record->second_object),
                    (rcp_event){.kind = RCP_ACQUIRE});
        return;
    }
    if (!thread->is_asleep) {
        pair(sink, strand, "wake");
        return;
    }
    rcp_event event = {.kind = RCP_WAKE, .object = thread->cond, .lock = thread->lock};
    event.outcome = record->outcome == RCP_SYNC_TIMEOUT    ? RCP_TIMEOUT
                    : record->outcome == RCP_SYNC_SPURIOUS ? RCP_SPURIOUS
                                                           : RCP_DONE;
    thread->is_asleep = false;
    if (try(sink, strand, event)) {
        if (event.outcome == RCP_DONE && has_deadline(sink, strand))
            rcp_sink_in_time(sink, strand);
        return;
    }
    event.outcome = RCP_SPURIOUS; /* by somebody whose signal is not in the trace */
    if (try(sink, strand, event))
        return;
    if (sink->code == RCP_OK)
        sink->code = rcp_fail(RCP_BAD_INPUT, "thread %s wakes from a condition variable with a mutex that is not free",
                              rcp_thread_names_borrow(sink->names, strand->number));
}

static void join(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    rcp_sink_thread *child = rcp_sink_thread_of(sink, (uint32_t)record->address);
    rcp_event event = {.kind = RCP_JOIN, .child = child->tid};
    event.outcome = record->outcome == RCP_SYNC_DONE ? RCP_DONE : RCP_FAILED;
    if (child->has_ended != (event.outcome == RCP_DONE)) /* refused for another reason than that it runs */
        pair(sink, strand, "join");
    else
        rcp_sink_tell(sink, strand, event);
}

static void initialise(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    rcp_sink_object *before = find(sink, record->address);
    if (before)
        end_object(sink, strand, before);
    rcp_object_kind kind = kind_of(record->object);
    bool counts = kind == RCP_SEM || kind == RCP_BARRIER;
    rcp_sink_object *object = make(sink, record->address, kind, counts ? record->value : 0);
    if (kind == RCP_SEM && record->value >= RCP_SYNC_SEM_HIGH) /* a post may fail: S1 knows no such */
        object->is_broken = true;
    tell_object(sink, strand, object, (rcp_event){.kind = RCP_INIT});
}

static void destroy(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    rcp_sink_object *object = find(sink, record->address);
    if (object) /* else nobody ever used it */
        end_object(sink, strand, object);
}

/* The initialiser threw: whoever comes next begins another one, and is after this. */
static void abort_once(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    rcp_sink_object *object = find(sink, record->address);
    pair(sink, strand, "once");
    if (object)
        forget(sink, object);
    make(sink, record->address, RCP_ONCE, 0)->is_broken = true;
}

void rcp_sink_sync(rcp_sink *sink, const rcp_strand *strand, const rcp_log_record *record) {
    static const uint8_t kinds[RCP_SYNC_OPS] = {
        [RCP_SYNC_ACQUIRE] = RCP_ACQUIRE,
        [RCP_SYNC_ACQUIRE_SHARED] = RCP_ACQUIRE,
        [RCP_SYNC_RELEASE] = RCP_RELEASE,
        [RCP_SYNC_RELEASE_SHARED] = RCP_RELEASE,
        [RCP_SYNC_SIGNAL] = RCP_SIGNAL,
        [RCP_SYNC_BROADCAST] = RCP_BROADCAST,
        [RCP_SYNC_SEM_POST] = RCP_SEM_POST,
        [RCP_SYNC_SEM_WAIT] = RCP_SEM_WAIT,
        [RCP_SYNC_BARRIER_ENTER] = RCP_BARRIER_ENTER,
        [RCP_SYNC_BARRIER_LEAVE] = RCP_BARRIER_LEAVE,
        [RCP_SYNC_ONCE_BEGIN] = RCP_ONCE_BEGIN,
        [RCP_SYNC_ONCE_END] = RCP_ONCE_END,
        [RCP_SYNC_ONCE_SKIP] = RCP_ONCE_SKIP,
        [RCP_SYNC_SPARED] = RCP_ACQUIRE, /* as who tries to lock it, and can't */
    };
    rcp_event event = {.kind = kinds[record->op]};
    bool is_asleep = record->op == RCP_SYNC_WAKE && rcp_sink_thread_of(sink, strand->number)->is_asleep;
    if (record->outcome == RCP_SYNC_TIMEOUT && !is_asleep) /* a WAKE says it itself */
        rcp_sink_time_out(sink, strand);
    rcp_object_access access = rcp_telling_access_of(record);
    if (access != RCP_OBJECT_UNTOUCHED)
        rcp_sink_touch(sink, strand, record->address, access == RCP_OBJECT_CHANGED, NULL);
    if (record->op == RCP_SYNC_WAIT)
        rcp_sink_touch(sink, strand, record->second, false, NULL);
    switch ((enum rcp_sync_op)record->op) {
    case RCP_SYNC_CREATE:
        rcp_sink_thread_of(sink, (uint32_t)record->address)->has_fork = sink->has_forked = true;
        rcp_sink_tell(sink, strand,
                      (rcp_event){.kind = RCP_FORK, .child = rcp_sink_thread_of(sink, (uint32_t)record->address)->tid});
        return;
    case RCP_SYNC_JOIN: join(sink, strand, record); return;
    case RCP_SYNC_DETACH:
    case RCP_SYNC_DIVIDE:
    case RCP_SYNC_SEM_GET: return; /* no event; sem_getvalue() is a barrier pair */
    case RCP_SYNC_WAIT: wait(sink, strand, record); return;
    case RCP_SYNC_WAKE: wake(sink, strand, record); return;
    case RCP_SYNC_INIT: initialise(sink, strand, record); return;
    case RCP_SYNC_DESTROY: destroy(sink, strand, record); return;
    case RCP_SYNC_ONCE_ABORT: abort_once(sink, strand, record); return;
    case RCP_SYNC_ACQUIRE_SHARED:
    case RCP_SYNC_RELEASE_SHARED: event.mode = RCP_SHARED; break;
    default: break;
    }
    if (record->outcome == RCP_SYNC_SERIAL)
        event.outcome = RCP_SERIAL;
    else if (record->outcome != RCP_SYNC_DONE || record->op == RCP_SYNC_SPARED)
        event.outcome = RCP_FAILED;
    tell_object(sink, strand, object_at(sink, record->address, record->object), event);
}
