/* SPDX-License-Identifier: Apache-2.0 */
#include "report/deed.h"

#include "trace/model/slots.h"

/* Memory that goes with its thread is freed at no place. */
static bool may_be_end(const rcp_event *access) { return access->kind == RCP_FREE && !access->loc.v; }

bool rcp_deed_is_possible(const rcp_event *access) {
    return may_be_end(access) ||
           (access->size == 1 && !access->valued &&
            (access->kind == RCP_WRITE || (access->kind == RCP_READ && access->mode == RCP_RELAXED)));
}

bool rcp_deed_of_slot(rcp_deed *deed, const rcp_event *access) {
    const char *slot = rcp_slot_is_descriptor(access->addr) ? "descriptor"
                       : rcp_slot_is_key(access->addr)      ? "key"
                       : rcp_slot_is_state(access->addr)    ? "state"
                                                            : NULL;
    if (!slot)
        return false;
    *deed = (rcp_deed){.is_known = true, .kind = access->kind, .slot = slot};
    if (access->kind == RCP_WRITE && rcp_slot_is_key(access->addr))
        deed->kind = RCP_DESTROY;
    return true;
}

/* Does the event name the object at that address? */
static const rcp_object *object_of(const rcp_defs *defs, const rcp_event *event, uint64_t address) {
    const rcp_traits *traits = rcp_event_traits((rcp_kind)event->kind);
    const rcp_object *objects = defs->objects.at;
    if (traits->uses & RCP_USES_OBJECT && objects[event->object.v].addr == address)
        return &objects[event->object.v];
    if (traits->uses & RCP_USES_LOCK && objects[event->lock.v].addr == address)
        return &objects[event->lock.v];
    return NULL;
}

/* The end of a condition whose sleepers have been woken and are not up yet has no event: their wakes name it. */
static void ask_last(rcp_deed *deed, const rcp_defs *defs, const rcp_event *access) {
    for (size_t i = 0; access->kind == RCP_WRITE && i < defs->objects.len; i++)
        if (defs->objects.at[i].kind == RCP_COND && defs->objects.at[i].addr == access->addr)
            *deed = (rcp_deed){true, RCP_DESTROY, RCP_COND};
}

bool rcp_deed_ask(rcp_deed *deed, const rcp_defs *defs, const rcp_event *access, const rcp_event *next) {
    if (may_be_end(access)) {
        deed->is_known = next->kind == RCP_END;
        deed->kind = RCP_END;
        return !next->loc.v && (next->kind == RCP_FREE || next->kind == RCP_DESTROY);
    }
    if (deed->is_known) { /* destroyed, because its memory is freed, or because another is made there? */
        const rcp_object *made = object_of(defs, next, access->addr);
        bool is_freed = next->kind == RCP_FREE && access->addr - next->addr < next->value;
        if ((made && next->kind == RCP_INIT) || is_freed)
            deed->kind = next->kind;
        bool is_other = next->kind == RCP_DESTROY || rcp_deed_is_possible(next); /* of the same block */
        return is_other && !made && !is_freed && next->loc.v == access->loc.v;
    }
    if (rcp_deed_is_possible(next)) /* of the other object of a wait */
        return next->loc.v == access->loc.v;
    const rcp_object *object = object_of(defs, next, access->addr);
    if (!object || next->loc.v != access->loc.v) {
        ask_last(deed, defs, access);
        return false;
    }
    *deed = (rcp_deed){true, next->kind, object->kind};
    if (access->kind == RCP_WRITE && next->kind == RCP_ACQUIRE) /* it could not be: somebody had it */
        deed->kind = RCP_DESTROY;
    return next->kind == RCP_DESTROY;
}

const char *rcp_deed_object(const rcp_deed *deed) {
    return deed->slot              ? deed->slot
           : deed->kind == RCP_END ? "thread"
                                   : rcp_object_kind_name((rcp_object_kind)deed->object);
}

const char *rcp_deed_name(const rcp_deed *deed) {
    if (deed->slot)
        return deed->kind == RCP_READ      ? "use"
               : deed->kind == RCP_FREE    ? "close"
               : deed->kind == RCP_DESTROY ? "delete"
                                           : "change";
    switch ((rcp_kind)deed->kind) {
    case RCP_ACQUIRE: return "lock";
    case RCP_RELEASE: return "unlock";
    case RCP_SIGNAL: return "signal";
    case RCP_BROADCAST: return "broadcast";
    case RCP_SEM_POST: return "post";
    case RCP_WAIT:
    case RCP_SEM_WAIT:
    case RCP_BARRIER_ENTER: return "wait";
    case RCP_INIT: return "init";
    case RCP_DESTROY: return "destroy";
    case RCP_FREE: return "free";
    case RCP_END: return "end";
    default: return "use";
    }
}
