/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/model/stat.h"

#include "base/hash.h"
#include "trace/model/places.h"

#include <inttypes.h>

typedef struct location {
    uint64_t addr, size;
    uint32_t tid; /* of the first access */
    bool others, written, shared;
} location;

struct rcp_stat {
    const rcp_defs *defs;
    rcp_counts counts;
    rcp_places places;
    rcp_map by_place;
    RCP_VEC(location) locations;
    RCP_VEC(uint8_t) thread_seen;
    RCP_VEC(uint8_t) object_seen;
};

rcp_stat *rcp_stat_create(const rcp_defs *defs) {
    rcp_stat *stat = rcp_alloc_zero(1, sizeof *stat);
    stat->defs = defs;
    rcp_places_init(&stat->places);
    rcp_map_init(&stat->by_place);
    return stat;
}

void rcp_stat_destroy(rcp_stat *stat) {
    if (!stat)
        return;
    rcp_places_finish(&stat->places);
    rcp_map_finish(&stat->by_place);
    rcp_vec_finish(&stat->locations);
    rcp_vec_finish(&stat->thread_seen);
    rcp_vec_finish(&stat->object_seen);
    rcp_release(stat);
}

const rcp_counts *rcp_stat_borrow_counts(const rcp_stat *stat) { return &stat->counts; }

static location *location_of(rcp_stat *stat, const rcp_event *e) {
    uint64_t addr = e->addr, size = e->size;
    uint32_t v = rcp_places_find(&stat->places, stat->defs, addr, size);
    if (v != RCP_NO_VARIABLE) {
        addr = stat->defs->variables.at[v].addr;
        size = stat->defs->variables.at[v].size;
    }
    for (uint64_t key = rcp_hash_join(addr, size);; key++) {
        uint32_t *i = rcp_map_at(&stat->by_place, key);
        if (*i == RCP_MAP_NONE) {
            *i = (uint32_t)stat->locations.len;
            rcp_vec_push(&stat->locations, ((location){.addr = addr, .size = size, .tid = e->tid.v}));
            stat->counts.locations++;
            return &stat->locations.at[stat->locations.len - 1];
        }
        location *known = &stat->locations.at[*i];
        if (known->addr == addr && known->size == size)
            return known;
    }
}

static void add_access(rcp_stat *stat, const rcp_event *e) {
    rcp_counts *c = &stat->counts;
    location *place = location_of(stat, e);
    place->others = place->others || place->tid != e->tid.v;
    place->written = place->written || rcp_event_writes(e);
    if (place->others && place->written && !place->shared) {
        place->shared = true;
        c->shared++;
    }
    c->atomics += rcp_event_is_atomic(e);
    c->weak += (rcp_event_is_atomic(e) || e->kind == RCP_FENCE) && e->mode != RCP_SEQ_CST;
    c->bytes_accessed += e->size;
}

static bool first_of(uint8_t *seen) {
    bool first = !*seen;
    *seen = 1;
    return first;
}

static void use_object(rcp_stat *stat, rcp_obj object) {
    rcp_counts *c = &stat->counts;
    while (stat->object_seen.len <= object.v)
        rcp_vec_push(&stat->object_seen, 0);
    if (!first_of(&stat->object_seen.at[object.v]))
        return;
    uint8_t kind = stat->defs->objects.at[object.v].kind;
    if (kind <= RCP_RWLOCK)
        c->locks++;
    else if (kind == RCP_COND)
        c->conditions++;
    else
        c->other_objects++;
}

void rcp_stat_add(rcp_stat *stat, const rcp_event *e) {
    rcp_counts *c = &stat->counts;
    uint32_t uses = rcp_event_traits(e->kind)->uses;
    c->events++;
    c->kinds[e->kind]++;
    while (stat->thread_seen.len <= e->tid.v)
        rcp_vec_push(&stat->thread_seen, 0);
    c->threads += first_of(&stat->thread_seen.at[e->tid.v]);
    c->valued += e->valued;
    c->with_terms += e->value_term.v || e->addr_term.v || e->cond.v;
    if (uses & RCP_USES_SIZE) {
        rcp_places_refresh(&stat->places, stat->defs);
        add_access(stat, e);
    }
    if (uses & RCP_USES_OBJECT)
        use_object(stat, e->object);
    if (uses & RCP_USES_LOCK)
        use_object(stat, e->lock);
    c->lock_events += e->kind == RCP_ACQUIRE || e->kind == RCP_RELEASE;
    c->wait_events += e->kind == RCP_WAIT || e->kind == RCP_SIGNAL || e->kind == RCP_BROADCAST;
    c->sync_events += uses & RCP_USES_CHILD || (e->kind >= RCP_ACQUIRE && e->kind <= RCP_ONCE_SKIP);
    c->opaque_calls += e->kind == RCP_OPAQUE_BEGIN;
    if (e->kind == RCP_ALLOC)
        c->bytes_allocated += e->value;
}

void rcp_stat_print(rcp_text *out, const rcp_counts *c) {
    rcp_text_printf(out, "%8s %12s %10s %10s %10s %8s %8s\n", "threads", "length", "lk-evs", "wn-evs", "rw", "lk",
                    "wn");
    rcp_text_printf(
        out, "%8" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n\n",
        c->threads, c->events, c->lock_events, c->wait_events, c->locations, c->locks, c->conditions);
    const struct {
        const char *name;
        uint64_t count;
    } rest[] = {
        {"reads", c->kinds[RCP_READ]},
        {"writes", c->kinds[RCP_WRITE]},
        {"read-modify-writes", c->kinds[RCP_RMW]},
        {"atomic accesses", c->atomics},
        {"weaker than seq_cst", c->weak},
        {"branches", c->kinds[RCP_BRANCH]},
        {"forks", c->kinds[RCP_FORK]},
        {"joins", c->kinds[RCP_JOIN]},
        {"acquires", c->kinds[RCP_ACQUIRE]},
        {"releases", c->kinds[RCP_RELEASE]},
        {"waits", c->kinds[RCP_WAIT]},
        {"wake-ups", c->kinds[RCP_WAKE]},
        {"signals", c->kinds[RCP_SIGNAL]},
        {"broadcasts", c->kinds[RCP_BROADCAST]},
        {"semaphore posts", c->kinds[RCP_SEM_POST]},
        {"semaphore waits", c->kinds[RCP_SEM_WAIT]},
        {"barrier events", c->kinds[RCP_BARRIER_ENTER] + c->kinds[RCP_BARRIER_LEAVE]},
        {"once events", c->kinds[RCP_ONCE_BEGIN] + c->kinds[RCP_ONCE_END] + c->kinds[RCP_ONCE_SKIP]},
        {"fences", c->kinds[RCP_FENCE]},
        {"synchronisation events", c->sync_events},
        {"other objects", c->other_objects},
        {"opaque calls", c->opaque_calls},
        {"allocations", c->kinds[RCP_ALLOC]},
        {"frees", c->kinds[RCP_FREE]},
        {"bytes allocated", c->bytes_allocated},
        {"bytes accessed", c->bytes_accessed},
        {"shared locations", c->shared},
        {"events with values", c->valued},
        {"events with terms", c->with_terms},
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (rest[i].count)
            rcp_text_printf(out, "%-24s %12" PRIu64 "\n", rest[i].name, rest[i].count);
}
