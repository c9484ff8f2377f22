/* SPDX-License-Identifier: Apache-2.0 */
#include "report/stored.h"

#include "report/owned.h"
#include "trace/model/own_place.h"

bool rcp_stored_is_enough(const rcp_reader *reader) {
    enum { MOST = 400, OF_ALL = 20000 };
    return rcp_reader_decoded(reader) > MOST + rcp_reader_count(reader) / OF_ALL;
}

/* Looks at an event; false: it has seen enough. */
typedef bool looker(void *context, const rcp_defs *defs, const rcp_event *e);

/* The events before `before`, or as many of them as may be read. *all: these were all, or all that `look` wanted. */
static rcp_code look_through(rcp_reader *reader, uint64_t before, looker *look, void *context, bool *all) {
    rcp_batch batch;
    *all = false;
    RCP_TRY(rcp_reader_seek(reader, (rcp_eid){0}));
    while (!rcp_stored_is_enough(reader)) {
        RCP_TRY(rcp_reader_next(reader, &batch));
        for (size_t i = 0; i < batch.n && !*all; i++)
            *all = batch.first.v + i >= before || !look(context, rcp_reader_borrow_defs(reader), &batch.at[i]);
        *all |= !batch.n;
        if (*all)
            return RCP_OK;
    }
    return RCP_OK;
}

static bool look_all(rcp_reader *reader, uint64_t before, looker *look, void *context) {
    bool all;
    if (look_through(reader, before, look, context, &all) == RCP_OK)
        return all;
    rcp_clear_causes();
    return false;
}

/* --- where something was stored, or made --- */

typedef struct search {
    uint64_t address;
    rcp_obj object;
    rcp_tid tid;
    rcp_loc found;
} search;

static bool is_stored(void *context, const rcp_defs *defs, const rcp_event *e) {
    search *s = context;
    if (e->kind == RCP_WRITE && e->valued && e->size == sizeof s->address && e->value == s->address)
        s->found = rcp_own_place(defs, e);
    return true;
}

rcp_loc rcp_stored_where(rcp_reader *reader, uint64_t address, rcp_eid before) {
    search s = {.address = address};
    (void)look_all(reader, before.v, is_stored, &s);
    return s.found;
}

static bool is_of_thread(void *context, const rcp_defs *defs, const rcp_event *e) {
    search *s = context;
    const rcp_loc own = rcp_own_place(defs, e);
    if (e->tid.v == s->tid.v && defs->locations.at[own.v].line)
        s->found = own;
    return true;
}

rcp_loc rcp_stored_last(rcp_reader *reader, rcp_tid tid) {
    search s = {.tid = tid};
    return look_all(reader, UINT64_MAX, is_of_thread, &s) ? s.found : (rcp_loc){0};
}

static bool is_made(void *context, const rcp_defs *defs, const rcp_event *e) {
    search *s = context;
    const bool is = e->kind == RCP_INIT && e->object.v == s->object.v;
    if (is)
        s->found = rcp_own_place(defs, e);
    return !is;
}

rcp_loc rcp_stored_init(rcp_reader *reader, rcp_obj object) {
    search s = {.object = object};
    (void)look_all(reader, UINT64_MAX, is_made, &s);
    return s.found;
}

/* --- who accesses memory, and how --- */

typedef struct accesses {
    uint64_t address, size;
    rcp_owned_list *held; /* per thread */
    rcp_guard guard;
} accesses;

static bool is_of(const accesses *a, const rcp_event *e) {
    return rcp_event_is_access(e) && e->addr < a->address + a->size && a->address < e->addr + e->size;
}

static bool note_locks(void *context, const rcp_defs *defs, const rcp_event *e) {
    accesses *a = context;
    rcp_guard *guard = &a->guard;
    const rcp_owned_list *held = &a->held[e->tid.v];
    rcp_owned_follow(&a->held[e->tid.v], e);
    if (!is_of(a, e) || !held->len)
        return true;
    const bool is_first = guard->is == RCP_GUARD_NONE;
    if (held->len > 1 || (!is_first && guard->object.v != held->at[0].object.v)) {
        guard->is = RCP_GUARD_UNKNOWN;
        return false;
    }
    if (is_first)
        *guard = (rcp_guard){RCP_GUARD_ONE, held->at[0].object, rcp_own_place(defs, e), e->addr};
    return true;
}

rcp_guard rcp_stored_guard(rcp_reader *reader, uint64_t address, uint64_t size) {
    const size_t threads = rcp_reader_borrow_defs(reader)->threads.len;
    accesses a = {.address = address,
                  .size = size,
                  .held = rcp_alloc_zero(threads + 1, sizeof *a.held),
                  .guard = {.is = RCP_GUARD_NONE}};
    if (!look_all(reader, UINT64_MAX, note_locks, &a))
        a.guard.is = RCP_GUARD_UNKNOWN;
    for (size_t t = 0; t < threads; t++)
        rcp_vec_finish(&a.held[t]);
    rcp_release(a.held);
    return a.guard;
}
