/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/turned.h"

#include "analysis/points.h"
#include "analysis/values.h"
#include "results/race.h"
#include "trace/model/own_place.h"

void rcp_turned_print(const rcp_trace *from, rcp_eid event, rcp_text *to) {
    const rcp_event *e = &from->events.at[event.v];
    rcp_values_place(&from->defs, e->loc, to);
    rcp_text_printf(to, " %s",
                    e->kind == RCP_BRANCH       ? "goes another way"
                    : e->kind == RCP_ACQUIRE    ? "finds its lock otherwise"
                    : e->kind == RCP_SEM_WAIT   ? "finds its semaphore otherwise"
                    : rcp_term_is_real(e->cond) ? "swaps or does not"
                                                : "has another address");
}

static const char *thread_of(const rcp_trace *trace, const rcp_event *e) {
    return rcp_defs_borrow_string(&trace->defs, trace->defs.threads.at[e->tid.v].name);
}

/* By location: is it that place? A trace may have a place under several numbers. */
static bool *list_places(const rcp_defs *defs, uint64_t point) {
    bool *are = rcp_alloc_zero(defs->locations.len, sizeof *are);
    for (uint32_t loc = 1; loc < defs->locations.len; loc++)
        are[loc] = rcp_point_of_location(defs, (rcp_loc){loc}) == point;
    return are;
}

/* How often its thread has been there, that event included; or the event by which it has been there so often. */
static size_t count_until(const rcp_trace *trace, rcp_tid tid, uint8_t kind, const bool *is_there, rcp_eid last,
                          size_t most, rcp_eid *at) {
    size_t n = 0;
    for (rcp_position p = 0; p < rcp_trace_thread_len(trace, tid) && n < most; p++) {
        *at = rcp_trace_event_of(trace, tid, p);
        if (at->v > last.v)
            break;
        const rcp_event *e = &trace->events.at[at->v];
        n += e->kind == kind && is_there[e->loc.v];
    }
    return n;
}

/* The same read of the other run: of its thread's at that place the one with the same number; RCP_NO_EID: none. */
static rcp_eid find_again(const rcp_trace *from, rcp_eid read, const rcp_trace *run) {
    const rcp_event *e = &from->events.at[read.v];
    rcp_eid at = RCP_NO_EID;
    if (!e->loc.v || e->tid.v >= run->defs.threads.len)
        return RCP_NO_EID;
    const uint64_t point = rcp_point_of_location(&from->defs, e->loc);
    bool *before = list_places(&from->defs, point), *now = list_places(&run->defs, point);
    const size_t n = count_until(from, e->tid, e->kind, before, read, SIZE_MAX, &at);
    const bool is_there = count_until(run, e->tid, e->kind, now, RCP_NO_EID, n, &at) == n;
    rcp_release(before);
    rcp_release(now);
    return is_there ? at : RCP_NO_EID;
}

/* Who has written the last of the bytes that are read there; RCP_NO_EID: nobody, or code outside. */
static rcp_eid writer_of(const rcp_trace *run, rcp_eid read) {
    enum { FARTHEST = 1 << 20 }; /* events between the two */
    const rcp_event *e = &run->events.at[read.v];
    for (uint64_t i = read.v; i-- > 0 && read.v - i < FARTHEST;) {
        const rcp_event *w = &run->events.at[i];
        const bool is_of_it = rcp_event_writes(w) && w->addr < e->addr + e->size && e->addr < w->addr + w->size;
        if (is_of_it)
            return (rcp_eid){i};
        if (w->kind == RCP_OPAQUE_END)
            break;
    }
    return RCP_NO_EID;
}

static void print_writer(const rcp_trace *run, const rcp_event *w, rcp_text *to) {
    const rcp_loc own = rcp_own_place(&run->defs, w);
    rcp_text_printf(to, ", which thread %s has written at ", thread_of(run, w));
    rcp_values_place(&run->defs, own, to);
    if (own.v == w->loc.v && w->stack.v) {
        rcp_text_puts(to, ", called from ");
        rcp_values_place(&run->defs, run->defs.stacks.at[w->stack.v].loc, to);
    }
}

void rcp_turned_print_reads(const rcp_trace *from, rcp_eid event, const rcp_trace *run, rcp_text *to,
                            rcp_eid turning[2]) {
    enum { SHOWN = 2, LOOKED_AT = 16 }; /* the last ones */
    turning[0] = turning[1] = RCP_NO_EID;
    const rcp_event *turned = &from->events.at[event.v];
    const rcp_term by = rcp_term_is_real(turned->cond) ? turned->cond : turned->addr_term;
    rcp_eids reads = {0};
    size_t n = 0;
    if ((turned->kind == RCP_BRANCH || rcp_event_is_access(turned)) && rcp_term_is_real(by))
        rcp_term_reads(&from->terms, by, &reads);
    for (size_t i = reads.len; i-- > 0 && n < SHOWN && reads.len - i <= LOOKED_AT;) {
        const rcp_event *before = &from->events.at[reads.at[i].v];
        const rcp_eid eid = find_again(from, reads.at[i], run);
        const rcp_event *now = eid.v == RCP_NO_EID.v ? NULL : &run->events.at[eid.v];
        if (!now || !before->valued || !now->valued || before->size > 8 || now->size != before->size ||
            now->value == before->value || !now->loc.v)
            continue;
        rcp_text_printf(to, n++ ? "; it reads " : ": thread %s reads ", thread_of(run, now));
        rcp_values_name(&run->defs, now, to);
        rcp_text_puts(to, " as ");
        rcp_values_put(now->value, now->size, to);
        rcp_text_puts(to, " instead of ");
        rcp_values_put(before->value, before->size, to);
        rcp_text_puts(to, " at ");
        rcp_values_place(&run->defs, rcp_own_place(&run->defs, now), to);
        const rcp_eid writer = writer_of(run, eid);
        const rcp_event *w = writer.v == RCP_NO_EID.v ? NULL : &run->events.at[writer.v];
        if (!w || !w->loc.v || w->tid.v == now->tid.v)
            continue;
        print_writer(run, w, to);
        if (turning[0].v == RCP_NO_EID.v) {
            turning[0] = eid;
            turning[1] = writer;
        }
    }
    rcp_vec_finish(&reads);
}

void rcp_turned_print_early(const rcp_trace *run, const rcp_eid turning[2], const rcp_eid pair[2], rcp_text *to) {
    for (size_t k = 0; k < 2 && turning[0].v != RCP_NO_EID.v; k++) {
        const rcp_event *early = &run->events.at[pair[k].v], *other = &run->events.at[pair[!k].v];
        const bool is_of_them =
            early->tid.v == run->events.at[turning[1].v].tid.v && other->tid.v == run->events.at[turning[0].v].tid.v;
        if (!is_of_them || pair[k].v <= turning[1].v || pair[!k].v <= turning[0].v || !early->loc.v)
            continue;
        rcp_text_printf(to, " That lets thread %s come there before thread %s has been at ", thread_of(run, other),
                        thread_of(run, early));
        rcp_values_place(&run->defs, rcp_own_place(&run->defs, early), to);
        rcp_text_puts(to, ".");
    }
}
