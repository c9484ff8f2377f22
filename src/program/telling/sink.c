/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/sink.h"

#include "base/limits.h"
#include "base/text.h"
#include "program/telling/sink_state.h"

#include <inttypes.h>
#include <string.h>

static rcp_sink *make(rcp_writer *writer, const rcp_sharing *sharing, const rcp_thread_names *names) {
    rcp_sink *sink = rcp_alloc_zero(1, sizeof *sink);
    sink->writer = writer;
    if (writer) {
        sink->defs = rcp_writer_borrow_defs(writer);
        sink->terms = rcp_writer_borrow_terms(writer);
    } else {
        rcp_defs_init(sink->defs = rcp_alloc(sizeof *sink->defs));
        rcp_terms_init(sink->terms = rcp_alloc(sizeof *sink->terms));
    }
    sink->sharing = sharing;
    sink->names = names;
    sink->sync = rcp_sync_create(sink->defs, false);
    rcp_map_init(&sink->thread_index);
    rcp_map_init(&sink->object_index);
    rcp_map_init(&sink->suspects);
    rcp_map_init(&sink->callees);
    rcp_ranges_init(&sink->stale);
    rcp_ranges_init(&sink->reached);
    rcp_map_init(&sink->cell_index);
    rcp_map_init(&sink->reach_index);
    rcp_sink_places_init(&sink->places);
    rcp_sink_annotations_init(&sink->annotations);
    return sink;
}

rcp_code rcp_sink_create(const char *directory, const rcp_sharing *sharing, const rcp_thread_names *names,
                         rcp_sink **made) {
    rcp_writer *writer;
    RCP_TRY(rcp_writer_create(directory, &writer));
    *made = make(writer, sharing, names);
    return RCP_OK;
}

rcp_sink *rcp_sink_create_mute(const rcp_sharing *sharing, const rcp_thread_names *names) {
    return make(NULL, sharing, names);
}

static void destroy(rcp_sink *sink) {
    for (size_t i = 0; i < sink->threads.len; i++)
        rcp_vec_finish(&sink->threads.at[i].stacks);
    rcp_vec_finish(&sink->threads);
    rcp_vec_finish(&sink->objects);
    rcp_vec_finish(&sink->cells);
    rcp_map_finish(&sink->thread_index);
    rcp_map_finish(&sink->object_index);
    rcp_map_finish(&sink->suspects);
    rcp_map_finish(&sink->callees);
    rcp_ranges_finish(&sink->stale);
    rcp_ranges_finish(&sink->reached);
    rcp_map_finish(&sink->cell_index);
    rcp_map_finish(&sink->reach_index);
    rcp_sink_places_finish(&sink->places);
    rcp_sink_annotations_finish(&sink->annotations);
    rcp_sync_destroy(sink->sync);
    if (!sink->writer) {
        rcp_defs_finish(sink->defs);
        rcp_release(sink->defs);
        rcp_terms_finish(sink->terms);
        rcp_release(sink->terms);
    }
    rcp_release(sink);
}

rcp_code rcp_sink_keep_for_replay(rcp_sink *sink, const char *moments, const char *answers) {
    RCP_TRY(rcp_spool_create(answers, &sink->answers));
    return rcp_moments_create(moments, &sink->moments);
}

rcp_code rcp_sink_close(rcp_sink *sink) {
    if (sink->moments && sink->code == RCP_OK) {
        sink->code = rcp_moments_close(sink->moments);
        rcp_code code = rcp_spool_close(sink->answers);
        sink->code = sink->code == RCP_OK ? code : sink->code;
        sink->moments = NULL;
        sink->answers = NULL;
    }
    if (sink->code != RCP_OK) {
        rcp_code code = sink->code;
        rcp_sink_abandon(sink);
        return code;
    }
    rcp_sink_annotations_tell(sink);
    rcp_code code = sink->writer ? rcp_writer_close(sink->writer) : RCP_OK;
    destroy(sink);
    return code;
}

void rcp_sink_abandon(rcp_sink *sink) {
    if (sink->moments)
        rcp_moments_abandon(sink->moments);
    if (sink->answers)
        rcp_spool_abandon(sink->answers);
    if (sink->writer)
        rcp_writer_abandon(sink->writer);
    destroy(sink);
}

rcp_defs *rcp_sink_borrow_defs(rcp_sink *sink) { return sink->defs; }
rcp_eid rcp_sink_next(const rcp_sink *sink) { return (rcp_eid){sink->count}; }

/* A fact of the trace's that is a list of spans. */
static void tell_spans(rcp_sink *sink, const char *fact, bool (*next)(const rcp_sharing *, uint64_t, rcp_span *)) {
    rcp_text text = {0};
    for (rcp_span span = {0, 0}; next(sink->sharing, span.hi, &span);)
        rcp_text_printf(&text, "%s0x%" PRIx64 "-0x%" PRIx64, text.len ? " " : "", span.lo, span.hi);
    if (text.len)
        rcp_defs_fact(sink->defs, fact, text.at);
    rcp_text_finish(&text);
}

/* The report is as good as what the user says: it says so, for DIR keeps that longer than anybody remembers it. */
static void tell_what_is_said(rcp_sink *sink, const rcp_opaque_file *file) {
    rcp_text text = {0};
    if (file->is_off)
        rcp_text_puts(&text, "All code that is not recorded counts as if it did nothing, as --barriers said");
    else if (file->rules.len)
        rcp_text_printf(&text, "What functions that are not recorded do is as --opaque said (%zu line%s)",
                        file->rules.len, file->rules.len == 1 ? "" : "s");
    if (text.len) {
        rcp_text_puts(&text, ", which the recording keeps: what is not so may be reported wrongly. "
                             "--opaque=/dev/null takes it back.");
        rcp_defs_fact(sink->defs, "opaque", text.at);
    }
    rcp_text_finish(&text);
}

void rcp_sink_begin(rcp_sink *sink, rcp_telling *telling) {
    sink->telling = telling;
    sink->machine = telling->machine;
    const rcp_span kernel = {RCP_REACH_KERNEL, RCP_REACH_LIBRARY};
    sink->reach_known = rcp_sink_reach(sink, &kernel, 1);
    if (telling->reachable.file && telling->reachable.file->is_simple)
        rcp_defs_fact(sink->defs, "barriers", "simple");
    if (telling->reachable.file)
        tell_what_is_said(sink, telling->reachable.file);
    rcp_sharing_put_tables(sink->sharing, sink->machine->space);
    tell_spans(sink, "seen", rcp_sharing_next_seen);
    tell_spans(sink, "guarded", rcp_sharing_next_guarded);
    rcp_sink_memory_begin(sink);
}

rcp_sink_thread *rcp_sink_thread_of(rcp_sink *sink, uint32_t number) {
    if (sink->last_thread < sink->threads.len && sink->threads.at[sink->last_thread].number == number)
        return &sink->threads.at[sink->last_thread];
    uint32_t *index = rcp_map_at(&sink->thread_index, number);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)sink->threads.len;
        rcp_tid tid = rcp_defs_thread(sink->defs, rcp_thread_names_borrow(sink->names, number));
        rcp_vec_push(&sink->threads, ((rcp_sink_thread){.tid = tid, .number = number}));
    }
    sink->last_thread = *index;
    return &sink->threads.at[*index];
}

/* The mark of a shared granule keeps the number of its cell from the first access on. */
rcp_sink_cell *rcp_sink_cell_of(rcp_sink *sink, uint64_t granule) {
    uint32_t *mark = rcp_mark_at(sink->machine->space, granule * RCP_SPACE_GRANULE);
    bool is_marked = mark && *mark & RCP_SYMBOLIC_SHARED;
    if (is_marked && *mark != RCP_SYMBOLIC_SHARED)
        return &sink->cells.at[(*mark & ~RCP_SYMBOLIC_SHARED) - 1];
    uint32_t *index = rcp_map_at(&sink->cell_index, granule);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)sink->cells.len;
        rcp_vec_push(&sink->cells, (rcp_sink_cell){0});
        RCP_CHECK(sink->cells.len < RCP_SYMBOLIC_SHARED);
    }
    if (is_marked)
        *mark = RCP_SYMBOLIC_SHARED | (*index + 1);
    return &sink->cells.at[*index];
}

/* Which bytes of its granule does [address, end) have? */
static uint8_t mask_of(uint64_t granule, uint64_t address, uint64_t end) {
    uint64_t lo = granule * RCP_SPACE_GRANULE;
    unsigned from = address > lo ? (unsigned)(address - lo) : 0;
    unsigned to = end < lo + RCP_SPACE_GRANULE ? (unsigned)(end - lo) : RCP_SPACE_GRANULE;
    return (uint8_t)((1u << to) - (1u << from));
}

void rcp_sink_note_told(rcp_sink *sink, uint64_t lo, uint64_t hi) {
    for (uint64_t g = lo / RCP_SPACE_GRANULE; g * RCP_SPACE_GRANULE < hi; g++)
        rcp_sink_cell_of(sink, g)->told |= mask_of(g, lo, hi);
}

/* What the access leaves known of its granules. True: some byte is not what memory has of it. */
static bool note_access(rcp_sink *sink, const rcp_event *e) {
    uint64_t end = e->addr + e->size;
    bool unsure = false;
    for (uint64_t g = e->addr / RCP_SPACE_GRANULE; g * RCP_SPACE_GRANULE < end; g++) {
        rcp_sink_cell *cell = rcp_sink_cell_of(sink, g);
        uint8_t mask = mask_of(g, e->addr, end);
        unsure |= cell->unsure & mask;
        if (!sink->reads_outside && e->valued)
            cell->unsure &= (uint8_t)~mask;
        else if (rcp_event_writes(e))
            cell->unsure |= mask;
        if (rcp_event_writes(e) && !sink->is_moving) /* a copy of what nobody has written is no more than that */
            cell->bare &= (uint8_t)~mask;
        cell->told |= mask;
        cell->pairs = sink->pairs;
        cell->alls = sink->alls;
    }
    return unsure;
}

static bool is_branch(const rcp_ins *ins) { return ins->op >= RCP_INS_TICK && ins->op <= RCP_INS_INDIRECT; }

/* A handler's end is before what it has interrupted goes on. A thread that is in no code of ours, or at an instruction
 * that is no event, can be stopped there: before its next one. What is only said of an instruction before it is
 * executed (what flows into it is pinned, a call is about to leave) takes no event either. */
static void tell_moment(rcp_sink *sink, const rcp_strand *strand, const rcp_ins *ins, const rcp_event *event) {
    uint32_t left = strand->frames.len && ins && rcp_left_of[ins->op] != RCP_LEFT_PLAIN ? rcp_ins_left(ins) : 0;
    bool is_ahead = event->kind == RCP_OPAQUE_BEGIN || (event->kind == RCP_BRANCH && left && !is_branch(ins));
    uint32_t own = !left || is_ahead || sink->is_between ? 0 : ins->op == RCP_INS_COPY ? 2 : 1;
    uint64_t before = sink->is_between ? rcp_strand_stands(strand) : strand->position - left;
    rcp_moment moment = {
        .thread = strand->number, .turn = sink->machine->turns, .before = before, .signal = sink->signal};
    moment.after = before + (sink->is_object ? 0 : own); /* the call's own event is still to come */
    moment.leaves = left && event->kind == RCP_OPAQUE_BEGIN && ins->op == RCP_INS_LEAVE && !sink->signal;
    moment.is_call = own && ins->op == RCP_INS_LEAVE;
    moment.is_given = is_ahead && event->kind == RCP_BRANCH && ins->op == RCP_INS_LEAVE;
    moment.is_state = moment.is_call && sink->is_state;
    moment.callee = moment.is_call && ins == strand->pc ? rcp_telling_callee(sink->telling, strand) : NULL;
    rcp_moments_add(sink->moments, &moment);
}

static rcp_eid put(rcp_sink *sink, const rcp_strand *strand, const rcp_ins *ins, const rcp_event *event) {
    if (sink->code == RCP_OK && sink->writer)
        sink->code = rcp_writer_add(sink->writer, event);
    if (sink->moments)
        tell_moment(sink, strand, ins, event);
    sink->last_kind = event->kind;
    sink->last_tid = event->tid;
    sink->last_reach = event->reach;
    return (rcp_eid){sink->count++};
}

/* Memory that is mapped twice: what is done in one place is found in the other, so all of it is done in the order of
 * the run. */
static void tell_alias(rcp_sink *sink, const rcp_strand *strand) {
    RCP_VEC(rcp_span) spans = {0};
    for (rcp_span alias = {0, 0}; !sink->reach_alias.v && rcp_sharing_next_alias(sink->sharing, alias.hi, &alias);)
        rcp_vec_push(&spans, alias);
    if (spans.len > rcp_limit(RCP_LIMIT_RESTLESS_SPANS)) {
        rcp_limit_reached(RCP_LIMIT_RESTLESS_SPANS);
        sink->reach_alias = rcp_sink_everything(sink);
    } else if (spans.len)
        sink->reach_alias = rcp_sink_reach(sink, spans.at, spans.len);
    rcp_vec_finish(&spans);
    rcp_sink_pair(sink, strand, "memory that is mapped twice", sink->reach_alias);
}

/* Does what the thread does next come after a pair of its own? */
static bool is_owed(rcp_sink *sink, uint32_t thread) { return rcp_sink_thread_of(sink, thread)->is_owed; }

static void note_cause(rcp_sink *sink, rcp_sink_thread *thread, const rcp_event *event) {
    bool is_cause = rcp_event_is_opaque(event) || event->kind == RCP_END ||
                    (rcp_event_writes(event) && rcp_sharing_is_seen(sink->sharing, event->addr, event->size));
    sink->causes += is_cause;
    thread->caused += is_cause;
}

/* Does an opaque event reach all that changes by itself? */
static bool stirs(const rcp_sink *sink, rcp_reach reach) {
    size_t n, i = 0;
    const rcp_span *restless = rcp_sharing_borrow_restless(sink->sharing, &n);
    while (i < n && rcp_defs_reach_holds(sink->defs, reach, restless[i].lo, restless[i].hi))
        i++;
    return i == n;
}

rcp_eid rcp_sink_add(rcp_sink *sink, const rcp_strand *strand, const rcp_ins *ins, rcp_event *event) {
    if (is_owed(sink, strand->number)) {
        rcp_sink_thread_of(sink, strand->number)->is_owed = false;
        rcp_sink_cause(sink, strand, "a fault", (rcp_span){0, 0});
    }
    if (rcp_event_is_access(event) && rcp_sharing_is_alias(sink->sharing, event->addr))
        tell_alias(sink, strand);
    rcp_sink_thread *thread = rcp_sink_thread_of(sink, strand->number);
    event->tid = thread->tid;
    rcp_place place = {.order = sink->outside_order};
    if (strand->frames.len && ins)
        place = *rcp_sink_place_of(sink, strand->frames.at[strand->frames.len - 1].routine, ins);
    rcp_sink_place_call(sink, strand, &place);
    event->loc = place.loc;
    event->stack = strand->frames.len ? rcp_sink_stack_of(sink, strand, &place) : (rcp_stack){0};
    bool is_access = rcp_event_is_access(event);
    if (is_access || event->kind == RCP_FENCE) {
        bool is_outside = ins && ins->op == RCP_INS_LEAVE;
        event->mode = is_outside ? sink->outside_order : event->kind == RCP_READ ? place.if_failed : place.order;
    }
    if (is_access)
        rcp_sink_annotate(sink, thread, &place, event);
    if (event->kind == RCP_FENCE && event->mode == RCP_RELAXED) /* it orders nothing */
        return RCP_NO_EID;
    if (is_access && !(sink->is_object && event->kind == RCP_READ) && note_access(sink, event) && sink->reads_outside)
        event->valued = 0;
    if (event->kind == RCP_OPAQUE_BEGIN || event->kind == RCP_OPAQUE_END) {
        sink->pairs++;
        if (stirs(sink, event->reach))
            sink->stirred = sink->pairs;
        sink->alls += sink->reach_all.v && event->reach.v == sink->reach_all.v;
    }
    note_cause(sink, thread, event);
    if (sink->telling->notes)
        rcp_notes_event(sink->telling->notes, strand, ins, event);
    return put(sink, strand, ins, event);
}

static rcp_eid add(void *context, const rcp_strand *strand, const rcp_ins *ins, rcp_event *event) {
    return rcp_sink_add(context, strand, ins, event);
}

/* An access of memory that is mapped twice comes after its pair (tell_alias()), as does what is owed one. */
static rcp_eid next_at(void *context, uint64_t address) {
    rcp_sink *sink = context;
    uint64_t pairs = rcp_sharing_is_alias(sink->sharing, address);
    pairs += is_owed(sink, sink->machine->current->number) && rcp_sink_is_cause_told(sink, sink->machine->current);
    return (rcp_eid){sink->count + 2 * pairs};
}

static uint8_t bare(void *context, uint64_t address) { return rcp_sink_bare(context, address); }

rcp_teller rcp_sink_teller(rcp_sink *sink) {
    return (rcp_teller){.context = sink,
                        .terms = sink->terms,
                        .add = add,
                        .next_at = next_at,
                        .bare = rcp_sharing_has_bare(sink->sharing) ? bare : NULL};
}

rcp_eid rcp_sink_tell(rcp_sink *sink, const rcp_strand *strand, rcp_event event) {
    return rcp_sink_add(sink, strand, strand->frames.len ? strand->pc : NULL, &event);
}

static const rcp_span all_ends = {RCP_REACH_THREAD, RCP_REACH_OWN};

static void note(rcp_sink *sink, const rcp_log_record *record) {
    char *text = rcp_alloc(record->size + 1);
    memcpy(text, record->bytes, record->size);
    text[record->size] = 0;
    rcp_defs_fact(sink->defs, "note", text);
    rcp_release(text);
}

/* In the child of a fork this thread is alone: what the others did, they did before. What they would have done later
 * they do in the parent, and nothing of it meets what comes now. */
static void part(rcp_sink *sink, const rcp_strand *strand) {
    const rcp_tid self = rcp_sink_thread_of(sink, strand->number)->tid;
    for (size_t i = 0; i < sink->threads.len; i++)
        if (sink->threads.at[i].tid.v != self.v)
            rcp_sink_tell(sink, strand,
                          (rcp_event){.kind = RCP_JOIN, .child = sink->threads.at[i].tid, .outcome = RCP_DONE});
    char at[24];
    snprintf(at, sizeof at, "%" PRIu64, sink->count);
    rcp_defs_fact(sink->defs, "forked", at);
}

/* Threads that wait for the end of another one when the program ends. */
static void note_joins(rcp_sink *sink) {
    for (size_t i = 0; i < sink->machine->strands.len; i++) {
        const rcp_strand *strand = sink->machine->strands.at[i];
        const rcp_visits *visits = rcp_telling_visits(sink->telling, strand->number);
        const rcp_visit *visit = visits->len ? &visits->at[visits->len - 1] : NULL;
        if (strand->state == RCP_STRAND_OUTSIDE && visit && visit->outside && visit->called.roles & RCP_ROLE_JOINS)
            rcp_defs_fact(sink->defs, RCP_JOINS_FACT, rcp_thread_names_borrow(sink->names, strand->number));
    }
}

void rcp_sink_record(rcp_sink *sink, const rcp_log_record *record) {
    const rcp_strand *strand = sink->machine->current;
    rcp_sink_thread *thread = rcp_sink_thread_of(sink, strand->number);
    if (sink->has_exited || thread->has_ended)
        return;
    switch (record->tag) {
    case RCP_LOG_THREAD:
        thread->has_begun = true;
        rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_BEGIN});
        if (strand->number && !rcp_sink_thread_of(sink, strand->number)->has_fork)
            rcp_sink_cause(sink, strand, "a thread that nobody created",
                           record->second > RCP_LOG_AFTERLIFE ? all_ends : (rcp_span){0, 0});
        break;
    case RCP_LOG_THREAD_END:
        thread->has_ended = true;
        rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_END});
        break;
    case RCP_LOG_EXIT:
        sink->has_exited = true;
        rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_EXIT});
        note_joins(sink);
        break;
    case RCP_LOG_FORK:
        if (!record->value)
            part(sink, strand);
        break;
    case RCP_LOG_SYNC: rcp_sink_sync(sink, strand, record); break;
    case RCP_LOG_NOTE: note(sink, record); break;
    default: break;
    }
}
