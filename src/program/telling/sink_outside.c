/* SPDX-License-Identifier: Apache-2.0 */
/* Calls outside: what flows into them is pinned; barrier pairs for those that are not known to be harmless. */
#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "program/recording/plain_name.h"
#include "program/telling/assembly.h"
#include "program/telling/descriptors.h"
#include "program/telling/notes.h"
#include "program/telling/sink.h"
#include "program/telling/sink_state.h"
#include "program/symbolic/symbolic.h"

#include <stdlib.h>
#include <string.h>

const rcp_span rcp_sink_beyond = {RCP_REACH_BEYOND, RCP_REACH_END};
static const rcp_span not_before = {RCP_REACH_NOT_BEFORE, RCP_REACH_NOT_BEFORE + 1},
                      not_after = {RCP_REACH_NOT_AFTER, RCP_REACH_NOT_AFTER + 1};

static const rcp_activation *top_of(const rcp_strand *strand) { return &strand->frames.at[strand->frames.len - 1]; }

void rcp_sink_pair(rcp_sink *sink, const rcp_strand *strand, const char *callee, rcp_reach reach) {
    rcp_str name = rcp_defs_string(sink->defs, callee, strlen(callee));
    rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_OPAQUE_BEGIN, .callee = name, .reach = reach});
    rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_OPAQUE_END, .callee = name, .reach = reach});
}

void rcp_sink_cancelled(rcp_sink *sink, const rcp_strand *strand) {
    static const char name[] = "a cancellation";
    rcp_event event = {.callee = rcp_defs_string(sink->defs, name, sizeof name - 1), .reach = sink->reach_known};
    for (int i = 0; i < 2; i++) {
        event.kind = i ? RCP_OPAQUE_END : RCP_OPAQUE_BEGIN;
        rcp_sink_add(sink, strand, NULL, &event);
    }
}

static bool is_off(const rcp_sink *sink) {
    const rcp_opaque_file *file = sink->telling->reachable.file;
    return file && file->is_off;
}

/* What it caused itself comes before anyway. */
static uint64_t caused_by_others(rcp_sink *sink, const rcp_strand *strand) {
    return sink->causes - rcp_sink_thread_of(sink, strand->number)->caused;
}

bool rcp_sink_is_cause_told(rcp_sink *sink, const rcp_strand *strand) {
    return !is_off(sink) && rcp_sink_thread_of(sink, strand->number)->after != caused_by_others(sink, strand);
}

void rcp_sink_cause(rcp_sink *sink, const rcp_strand *strand, const char *what, rcp_span changed) {
    if (!changed.hi && !rcp_sink_is_cause_told(sink, strand))
        return;
    /* That a thread has ended is seen by nobody but who asks for it. What calls share that let nothing out is nobody's
     * cause but the program's own. */
    bool sees_ends = rcp_sharing_has_learnt(sink->sharing, RCP_RUN_TASKS);
    bool is_wide = sees_ends || rcp_telling_has_unseen_signals(sink->telling);
    const rcp_span spans[4] = {{RCP_REACH_BEYOND, is_wide ? RCP_REACH_LIBRARY : RCP_REACH_KERNEL + RCP_OBJECTS_OUT},
                               {RCP_REACH_DESCRIPTOR, RCP_REACH_THREAD},
                               {sees_ends ? RCP_REACH_THREAD : RCP_REACH_OWN, RCP_REACH_END},
                               changed};
    rcp_sink_pair(sink, strand, what,
                  rcp_sink_reach(sink, is_off(sink) ? &changed : spans,
                                 is_off(sink) ? 1
                                 : changed.hi ? 4
                                              : 3));
    rcp_sink_thread_of(sink, strand->number)->after = caused_by_others(sink, strand);
}

void rcp_sink_owe_cause(rcp_sink *sink, const rcp_strand *strand) {
    rcp_sink_thread_of(sink, strand->number)->is_owed = true;
}

static void begin_pair(rcp_sink *sink, const rcp_strand *strand, rcp_visit *visit, rcp_reach reach) {
    visit->has_pair = true;
    visit->reach = reach;
    visit->callee = rcp_sink_callee(sink, visit->name);
    rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_OPAQUE_BEGIN, .callee = visit->callee, .reach = reach});
}

static void pin_arguments(rcp_sink *sink, rcp_strand *strand) {
    const rcp_call *call = &top_of(strand)->routine->calls.at[strand->pc->b];
    for (size_t i = 0; i < call->arguments.len; i++)
        rcp_symbolic_pin_slot(sink->telling->symbolic, strand, strand->pc, call->arguments.at[i]);
}

static int by_address(const void *a, const void *b) {
    const rcp_span *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* One that is there already, or a new one. */
static rcp_reach find_reach(rcp_sink *sink, const rcp_span *spans, size_t n) {
    uint32_t *known = rcp_map_at(&sink->reach_index, rcp_hash_bytes(spans, n * sizeof *spans));
    if (*known != RCP_MAP_NONE) {
        const rcp_reach_def *def = &sink->defs->reaches.at[*known];
        if (def->n + def->followed == n && !memcmp(def->spans, spans, n * sizeof *spans))
            return (rcp_reach){*known};
    }
    rcp_reach reach;
    RCP_CHECK(rcp_defs_reach(sink->defs, spans, n, &reach) == RCP_OK);
    *known = reach.v;
    return reach;
}

/* What is in reach of an event beside what is said of it. */
typedef enum rest_of_reach {
    NOTHING_ELSE,
    RESTLESS, /* what changes by itself, or is nobody's object */
    NOBODYS,  /* and what the process was started with */
} rest_of_reach;

static rcp_reach reach_with(rcp_sink *sink, const rcp_span *more, size_t n, rest_of_reach rest) {
    RCP_VEC(rcp_span) spans = {0};
    size_t known, kept = 0;
    const rcp_span *restless = rcp_sharing_borrow_restless(sink->sharing, &known);
    const rcp_span arguments = rcp_sharing_touched_arguments(sink->sharing);
    for (size_t i = 0; i < known && rest != NOTHING_ELSE; i++)
        rcp_vec_push(&spans, restless[i]);
    if (arguments.hi && rest == NOBODYS)
        rcp_vec_push(&spans, arguments);
    for (size_t i = 0; i < n; i++)
        rcp_vec_push(&spans, more[i]);
    qsort(spans.at, spans.len, sizeof *spans.at, by_address);
    for (size_t i = 1; i < spans.len; i++) {
        if (spans.at[i].lo <= spans.at[kept].hi)
            spans.at[kept].hi = spans.at[i].hi > spans.at[kept].hi ? spans.at[i].hi : spans.at[kept].hi;
        else
            spans.at[++kept] = spans.at[i];
    }
    rcp_reach reach = find_reach(sink, spans.at, kept + 1);
    rcp_vec_finish(&spans);
    return reach;
}

rcp_reach rcp_sink_reach(rcp_sink *sink, const rcp_span *more, size_t n) { return reach_with(sink, more, n, NOBODYS); }

/* The end of the object, as far as a string goes. */
static uint64_t farthest(const rcp_sink *sink, uint64_t from, uint64_t to) {
    uint64_t most = rcp_limit(RCP_LIMIT_STRING_BYTES);
    uint64_t end = rcp_reachable_end(&sink->telling->reachable, from);
    end = end && end - from > most ? from + most : end;
    return end > to ? end : to;
}

/* How far memory says that the call goes is as the trace has it, or nobody else has to do with it and memory is known.
 */
static bool is_exact(rcp_sink *sink, const rcp_outside_touch *touch) {
    for (int i = 0; i < 2; i++) {
        rcp_span looked = touch->looked[i];
        bool is_own = looked.lo == (touch->base ? touch->base : touch->address) && !touch->second && touch->how != 'w';
        if (looked.hi && !is_own && rcp_sink_is_stale(sink, looked.lo, looked.hi) &&
            !rcp_sink_is_sure(sink, looked.lo, looked.hi) &&
            !rcp_reachable_is_constant(&sink->telling->reachable, looked.lo))
            return false;
        if (looked.hi && !rcp_sink_is_sure(sink, looked.lo, looked.hi) &&
            rcp_sink_any_shared(sink, looked.lo, farthest(sink, looked.lo, looked.hi) - looked.lo))
            return false;
    }
    return !touch->is_vague;
}

typedef RCP_VEC(rcp_span) span_list;

/* It may touch these bytes, and what is behind them in the same object where `is_exact` is false; or it does not. */
static void may_touch(rcp_sink *sink, rcp_strand *strand, span_list *spans, uint64_t address, uint64_t size,
                      bool is_exact, bool writes) {
    uint64_t end = is_exact ? address + size : farthest(sink, address, address + size);
    rcp_symbolic_pin_private(sink->telling->symbolic, strand, strand->pc, address, size);
    if (sink->telling->notes)
        rcp_notes_call_reads(sink->telling->notes, address, size);
    if (!rcp_sink_any_shared(sink, address, end - address))
        return;
    rcp_vec_push(spans, ((rcp_span){address, end}));
    if (writes)
        rcp_sink_unsure(sink, address, end - address);
}

/* Read for certain. Where what is read says whether more is, one byte is known before the next one is read. */
static void reads(rcp_sink *sink, rcp_strand *strand, const rcp_outside_touch *touch) {
    rcp_symbolic *symbolic = sink->telling->symbolic;
    rcp_notes *notes = sink->telling->notes;
    uint64_t step = touch->is_string ? 1 : touch->size;
    bool any = rcp_sink_any_shared(sink, touch->address, touch->size) ||
               (touch->second && rcp_sink_any_shared(sink, touch->second, touch->size));
    if (touch->how == 'l')
        rcp_symbolic_let_out(symbolic, strand, strand->pc, touch->address, touch->size);
    for (uint64_t done = 0; touch->how != 'l' && done < touch->size; done += step) {
        step = any ? step : touch->size;
        rcp_symbolic_pin_memory(symbolic, strand, strand->pc, touch->address + done, step);
        if (touch->second)
            rcp_symbolic_pin_memory(symbolic, strand, strand->pc, touch->second + done, step);
    }
    if (notes)
        rcp_notes_call_reads(notes, touch->address, touch->size);
    if (notes && touch->second)
        rcp_notes_call_reads(notes, touch->second, touch->size);
}

/* What it reads is read, what it works on or may touch is in `spans`. `pins`: what it reads acts on something. */
static void enter_memory(rcp_sink *sink, rcp_strand *strand, rcp_visit *visit, bool pins, span_list *spans) {
    uint64_t words[16];
    rcp_outside_call call = rcp_telling_call(sink->telling, strand, visit, words);
    call.has_returned = rcp_sharing_result_of(sink->sharing, visit->number, &call.result);
    rcp_outside_touch touch = {0};
    sink->reads_outside = true;
    for (const char *at = NULL; rcp_outside_next(&call, sink->machine->space, &at, &touch);) {
        bool is_known = is_exact(sink, &touch), writes = strchr("wxM", touch.how);
        sink->outside_order = touch.how == 'a' ? RCP_SEQ_CST : RCP_PLAIN;
        if (touch.how == 'w' && is_known)
            continue;
        if (touch.how == 'm' || touch.how == 'M' || !is_known) {
            visit->is_vague |= touch.how == 'w';
            if (!pins && !writes)
                continue;
            uint64_t from = touch.base ? touch.base : touch.address;
            may_touch(sink, strand, spans, from, touch.address + touch.size - from, is_known, writes);
            if (touch.second)
                may_touch(sink, strand, spans, touch.second, touch.size, is_known, false);
            continue;
        }
        reads(sink, strand, &touch);
        if (touch.how == 'x') {
            if (rcp_sink_any_shared(sink, touch.address, touch.size)) /* else nobody can know of it */
                rcp_vec_push(spans, ((rcp_span){touch.address, touch.address + touch.size}));
            rcp_sink_unsure(sink, touch.address, touch.size);
        }
    }
    sink->reads_outside = false;
    sink->outside_order = RCP_PLAIN;
}

/* What may be done with memory: a call changes that of what it is given, or of every mapped file. */
static void look_at_pages(const rcp_sink *sink, const rcp_visit *visit, const uint64_t *words, size_t n,
                          span_list *spans) {
    if (visit->called.roles & RCP_ROLE_PROTECTS && n > 1 && words[1] && rcp_space_holds(words[0], words[1]))
        rcp_vec_push(spans, ((rcp_span){words[0], words[0] + words[1]}));
    if (visit->called.roles & RCP_ROLE_RESIZES)
        for (rcp_span span = {0, 0}; rcp_sharing_next_guarded(sink->sharing, span.hi, &span);)
            rcp_vec_push(spans, span);
}

/* What a pair looks at beside its memory: pages, objects of synchronisation, and whether threads have ended. */
static void look_beside(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit, span_list *spans) {
    const rcp_reachable *reachable = &sink->telling->reachable;
    uint64_t words[16];
    size_t n = rcp_telling_call(sink->telling, strand, visit, words).n;
    look_at_pages(sink, visit, words, n, spans);
    int object = rcp_outside_beside(visit->outside, 'o'), handle = rcp_outside_beside(visit->outside, 't'),
        number = rcp_outside_beside(visit->outside, 'n');
    if (object >= 0 && (size_t)object < n && rcp_space_holds(words[object], 1))
        rcp_vec_push(spans, ((rcp_span){words[object], words[object] + 1}));
    uint32_t thread =
        handle >= 0 && (size_t)handle < n ? rcp_map_get(&reachable->handles, words[handle]) : RCP_MAP_NONE;
    if (thread != RCP_MAP_NONE) {
        uint64_t at = RCP_REACH_THREAD + rcp_sink_thread_of(sink, thread)->tid.v;
        rcp_vec_push(spans, ((rcp_span){at, at + 1}));
    } else if (rcp_sharing_has_learnt(sink->sharing, RCP_RUN_TASKS) || handle >= 0 ||
               (number >= 0 && ((size_t)number >= n || (uint32_t)words[number])))
        rcp_vec_push(spans, ((rcp_span){RCP_REACH_THREAD, RCP_REACH_OWN})); /* anybody's */
}

/* Does it only take something in (docs/semantics.md, 'In and out')? So it does by its descriptor; whatever else there
 * is that has to do with the world, and does not only let something out, may have to do with that, too. */
static bool takes_in(const rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, span_list *spans) {
    uint64_t words[16];
    const struct rcp_log_header *header = rcp_log_borrow_header(sink->machine->log);
    if (visit->outside->way == RCP_WAY_OUT || visit->outside->kind == RCP_OUTSIDE_PRINTS)
        return false;
    bool takes = visit->outside->way == RCP_WAY_IN &&
                 rcp_sharing_has_noted(sink->sharing, visit->number, RCP_ODD_TAKES) &&
                 !(header->world & (RCP_WORLD_PROCESSES | RCP_WORLD_SOCKETS)) &&
                 rcp_telling_call(sink->telling, strand, visit, words).n;
    uint64_t at = RCP_REACH_INPUT + (takes ? words[0] % RCP_REACH_INPUTS : 0);
    rcp_vec_push(spans, ((rcp_span){at, takes ? at + 1 : at + RCP_REACH_INPUTS}));
    return takes;
}
_Static_assert(RCP_REACH_KERNEL + RCP_OBJECTS <= RCP_REACH_INPUT, "they come before");

/* Descriptors of the program's own that the call has to do with. What is left of `with`: they are no part of the
 * world. */
static uint32_t look_at_descriptors(const rcp_sink *sink, const rcp_visit *visit, uint32_t with, span_list *spans) {
    rcp_descriptors_reach reach;
    if (!rcp_descriptors_of(sink->telling, visit->number, &reach))
        return with;
    for (size_t i = 0; i < reach.n; i++) {
        uint64_t at = RCP_REACH_DESCRIPTOR + reach.objects[i];
        at = at < RCP_REACH_LIBRARY ? at : RCP_REACH_LIBRARY - 1; /* those that are too many are one */
        rcp_vec_push(spans, ((rcp_span){at, at + 1}));
    }
    if (reach.flags & RCP_USED_ANY)
        rcp_vec_push(spans, ((rcp_span){RCP_REACH_DESCRIPTOR, RCP_REACH_LIBRARY}));
    if (reach.flags & (RCP_USED_ELSEWHERE | RCP_USED_BESIDE))
        return with;
    if (reach.flags & RCP_USED_CLOCK_BEFORE && !(reach.flags & RCP_USED_CLOCK))
        rcp_vec_push(spans, not_before);
    return reach.flags & RCP_USED_CLOCK ? RCP_WITH_CLOCK : 0;
}
_Static_assert(RCP_REACH_KERNEL + RCP_OBJECTS <= RCP_REACH_DESCRIPTOR, "other objects come before");
_Static_assert(RCP_REACH_CLOCK == RCP_REACH_KERNEL + RCP_OBJECT_CLOCK, "time, as P3 has it");
_Static_assert(RCP_REACH_NOT_BEFORE >= RCP_REACH_KERNEL + RCP_OBJECTS, "objects come before");

/* All that the system keeps, or only what the call has to do with. RESTLESS: what others have changed, at whatever
 * time, it may know of. Else it lets nothing out, takes nothing in, and does not know the time. */
static rest_of_reach look_at_system(const rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit,
                                    span_list *spans) {
    bool is_whole;
    uint32_t with = rcp_telling_shares(sink->telling, strand, visit, &is_whole);
    if (!is_whole)
        with = look_at_descriptors(sink, visit, with, spans);
    if (with == RCP_WITH_ALL) {
        rcp_vec_push(spans, ((rcp_span){RCP_REACH_KERNEL, RCP_REACH_LIBRARY}));
        return NOBODYS;
    }
    bool takes = with & RCP_WITH_WORLD && takes_in(sink, strand, visit, spans);
    for (unsigned i = 0; i < RCP_OBJECTS; i++) {
        uint64_t at = i == RCP_OBJECT_OWN ? RCP_REACH_OWN + strand->number : RCP_REACH_KERNEL + i;
        if (takes && i == RCP_OBJECT_WORLD)
            at += RCP_REACH_UNFOLLOW;
        if (takes && i == RCP_OBJECT_CLOCK) /* it is after what it was sent, for however long */
            at = RCP_REACH_NOT_BEFORE;
        if (with >> i & 1)
            rcp_vec_push(spans, ((rcp_span){at, at + 1}));
    }
    return with & (RCP_WITH_WORLD | RCP_WITH_CLOCK) ? RESTLESS : NOTHING_ELSE;
}

rcp_reach rcp_sink_everything(rcp_sink *sink) {
    const rcp_span all = {0, RCP_REACH_END};
    if (!sink->reach_all.v)
        RCP_CHECK(rcp_defs_reach(sink->defs, &all, 1, &sink->reach_all) == RCP_OK);
    return sink->reach_all;
}

/* Threads whose own code is not recorded may take part in anything, from beginning to end. */
void rcp_sink_outsider(rcp_sink *sink, const rcp_strand *strand, bool begins) {
    rcp_str name = rcp_defs_string(sink->defs, "a thread", strlen("a thread"));
    rcp_event event = {.kind = begins ? RCP_OPAQUE_BEGIN : RCP_OPAQUE_END, .callee = name};
    event.reach = rcp_sink_everything(sink);
    if (!is_off(sink))
        rcp_sink_tell(sink, strand, event);
}

/* Once for each. */
static void say_suspect(rcp_sink *sink, const char *name) {
    uint32_t *said = rcp_map_at(&sink->suspects, rcp_hash_bytes(name, strlen(name)));
    if (*said != RCP_MAP_NONE)
        return;
    *said = 1;
    rcp_text text = {0};
    char *plain = rcp_take_plain_name(name);
    rcp_text_printf(&text,
                    "Memory changed that no call outside was seen to reach: calls of '%s' are taken to be ordered "
                    "with all others as they were.",
                    plain);
    rcp_defs_fact(sink->defs, "opaque", text.at);
    rcp_text_finish(&text);
    free(plain);
}

/* What a call reaches that is not known, or is given what others share. */
static rcp_reach reach_of(rcp_sink *sink, const rcp_strand *strand, rcp_visit *visit) {
    rcp_telling *telling = sink->telling;
    bool is_known = rcp_telling_reach(telling, strand, visit);
    if (is_known && rcp_sharing_is_suspect(sink->sharing, visit->name))
        say_suspect(sink, visit->name);
    if (!is_known || rcp_sharing_is_suspect(sink->sharing, visit->name))
        return rcp_sink_everything(sink);
    const rcp_reachable *r = &telling->reachable;
    RCP_VEC(rcp_span) spans = {0};
    for (size_t i = 0; i < r->found.len; i++)
        rcp_vec_push(&spans, ((rcp_span){r->found.at[i].lo, r->found.at[i].hi}));
    for (size_t i = 0; i < r->threads.len; i++) {
        uint64_t at = RCP_REACH_THREAD + rcp_sink_thread_of(sink, r->threads.at[i])->tid.v;
        rcp_vec_push(&spans, ((rcp_span){at, at + 1}));
    }
    size_t more;
    const rcp_span *further = rcp_sharing_borrow_further(sink->sharing, visit->number, &more);
    for (size_t i = 0; i < more; i++)
        rcp_vec_push(&spans, further[i]);
    if (r->is_handleless || rcp_sharing_has_learnt(sink->sharing, RCP_RUN_TASKS))
        rcp_vec_push(&spans, ((rcp_span){RCP_REACH_THREAD, RCP_REACH_END}));
    else if (r->sees_ends || (r->calls_pointers && r->has_function))
        rcp_vec_push(&spans, ((rcp_span){RCP_REACH_THREAD, RCP_REACH_OWN}));
    if ((visit->called.roles & RCP_ROLE_PASSES && rcp_sharing_has_learnt(sink->sharing, RCP_RUN_THROWN)) ||
        rcp_sharing_has_learnt(sink->sharing, RCP_RUN_COUNTED)) {
        const uint64_t at = RCP_REACH_KERNEL + RCP_OBJECT_COUNTS;
        rcp_vec_push(&spans, ((rcp_span){at, at + 1}));
    }
    uint64_t own = RCP_REACH_OWN + strand->number; /* so that it meets whoever reaches all that is beyond */
    rcp_vec_push(&spans, ((rcp_span){own, own + 1}));
    visit->is_reached = true;
    /* Memory that is no object may be anybody's, but for whom the user has said what it works on. */
    bool is_said = rcp_opaque_file_find(r->file, visit->name) && !r->is_foreign;
    rcp_reach reach = reach_with(sink, spans.at, spans.len, is_said ? NOTHING_ELSE : NOBODYS);
    rcp_vec_finish(&spans);
    return reach;
}

/* Does anything that the call is given lie in shared memory, as far as its words show? */
static bool is_given_shared(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16];
    rcp_outside_call call = rcp_telling_call(sink->telling, strand, visit, words);
    for (size_t i = 0; i < call.n; i++)
        if (rcp_space_holds(words[i], 1)) {
            uint64_t end = words[i] + rcp_telling_given_size(sink->telling, &call, i);
            if (!rcp_sink_is_sure(sink, words[i], end))
                end = farthest(sink, words[i], end);
            if (rcp_sink_any_shared(sink, words[i], end - words[i]))
                return true;
        }
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; rcp_outside_next(&call, sink->machine->space, &at, &touch);)
        if (rcp_sink_any_shared(sink, touch.address, touch.size))
            return true;
    return false;
}

static bool is_unknown(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit) {
    if (!visit->outside || visit->has_shared)
        return true;
    rcp_outside_kind kind = (rcp_outside_kind)visit->kind;
    if (kind != RCP_OUTSIDE_OBJECT && kind != RCP_OUTSIDE_STREAM)
        return false;
    uint64_t words[16];
    if (kind == RCP_OUTSIDE_STREAM && rcp_telling_call(sink->telling, strand, visit, words).n &&
        rcp_telling_is_stream(sink->telling, words[0]))
        return false;
    return is_given_shared(sink, strand, visit);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* What may flow into the call is kept: all that the thread has computed, where nobody knows what the callee looks at. A
 * function that is known to work on what it is given, and on what that leads to, gets its arguments, what it reaches of
 * the thread's own (`found`; so what it writes there anew has no term either), and of what is shared what the pair
 * itself keeps (P2). */
static void pin_reached(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit, rcp_reach reach) {
    enum { LARGE = 1 << 16 }; /* bytes: each costs a look */
    rcp_symbolic *symbolic = sink->telling->symbolic;
    const rcp_reachable *r = &sink->telling->reachable;
    uint64_t bytes = 0;
    for (size_t i = 0; i < r->found.len; i++)
        bytes += r->found.at[i].hi - r->found.at[i].lo;
    bool is_given = visit->outside && reach.v != sink->reach_all.v && bytes <= LARGE;
    if (is_given || rcp_symbolic_pin_all(symbolic, strand, strand->pc))
        pin_arguments(sink, strand);
    for (size_t i = 0; is_given && i < r->found.len; i++)
        if (r->found.at[i].lo < RCP_REACH_BEYOND)
            rcp_symbolic_pin_reached(symbolic, strand, strand->pc, r->found.at[i].lo,
                                     r->found.at[i].hi - r->found.at[i].lo);
}

/* Whoever works on an object that nobody else has may be given more than that: text that it takes in, and that comes
 * out of it again. */
static void pin_besides(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit) {
    rcp_symbolic *symbolic = sink->telling->symbolic;
    const rcp_reachable *r = &sink->telling->reachable;
    if (!rcp_telling_reach_besides(sink->telling, strand, visit)) {
        (void)rcp_symbolic_pin_all(symbolic, strand, strand->pc);
        return;
    }
    for (size_t i = 0; i < r->found.len; i++)
        if (r->found.at[i].lo < RCP_REACH_BEYOND)
            rcp_symbolic_pin_reached(symbolic, strand, strand->pc, r->found.at[i].lo,
                                     r->found.at[i].hi - r->found.at[i].lo);
}

/* What it reaches may have changed. */
static void note_reached(rcp_sink *sink, const rcp_visit *visit) {
    const rcp_reach_def *reach = &sink->defs->reaches.at[visit->reach.v];
    for (size_t i = 0; !visit->outside && !visit->is_handler && i < reach->n; i++)
        rcp_sink_stale(sink, reach->spans[i].lo, least(reach->spans[i].hi, RCP_REACH_BEYOND));
    for (size_t i = 0; visit->is_reached && i < reach->n; i++)
        rcp_ranges_set(&sink->reached, reach->spans[i].lo, reach->spans[i].hi, sink->pairs);
}

void rcp_sink_time_out(rcp_sink *sink, const rcp_strand *strand) {
    if (!is_off(sink))
        rcp_sink_pair(sink, strand, "a time-out", reach_with(sink, &not_before, 1, NOTHING_ELSE));
}

void rcp_sink_in_time(rcp_sink *sink, const rcp_strand *strand) {
    static const char name[] = "a deadline";
    rcp_event event = {.kind = RCP_OPAQUE_BEGIN, .callee = rcp_defs_string(sink->defs, name, sizeof name - 1)};
    if (is_off(sink))
        return;
    rcp_sink_tell(sink, strand, event); /* it reaches nothing: with the time it would begin a stretch of that */
    event.kind = RCP_OPAQUE_END;
    event.reach = reach_with(sink, &not_after, 1, NOTHING_ELSE);
    rcp_sink_tell(sink, strand, event);
}

/* Is it a sleep, which nothing ended before its time? Of a futex only where it has one to wait for. */
static bool lasts(const rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, rcp_outside_kind kind) {
    enum { TIME = 4 };
    uint64_t words[16];
    if (kind != RCP_OUTSIDE_HARMLESS || !visit->outside->lasts || is_off(sink))
        return false;
    return !(visit->called.roles & RCP_ROLE_FUTEX) ||
           (rcp_telling_call(sink->telling, strand, visit, words).n > TIME && words[TIME]);
}

/* Nothing under sequential consistency, which keeps all orders anyway (docs/semantics.md, 'The order of the
 * language'). */
static void tell_fence(rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit) {
    const rcp_telling_fence fence = rcp_telling_fence_of(visit);
    sink->outside_order = RCP_SEQ_CST;
    if (fence == RCP_FENCE_OWN)
        rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_FENCE});
    else if (fence == RCP_FENCE_ALL)
        rcp_sink_pair(sink, strand, RCP_FENCES_ALL, (rcp_reach){0});
    sink->outside_order = RCP_PLAIN;
}

/* One look at a clock of the machine's right after another pair of its thread's that reaches the same: that stands for
 * both. No event of anybody's is in between, so nobody can tell. (Programs that measure such a clock look a million
 * times.) */
static bool is_look_again(rcp_sink *sink, const rcp_strand *strand, const rcp_visit *visit, rcp_reach reach) {
    return rcp_assembly_looks_at_clock(visit->outside) && visit->kind == RCP_OUTSIDE_PAIR && !visit->lasts &&
           sink->last_kind == RCP_OPAQUE_END && sink->last_reach.v == reach.v &&
           sink->last_tid.v == rcp_sink_thread_of(sink, strand->number)->tid.v;
}

void rcp_sink_visit(rcp_sink *sink, rcp_strand *strand, rcp_visit *visit) {
    if (visit->is_handler) {
        sink->signal = visit->signal;
        begin_pair(sink, strand, visit, sink->reach_known);
        sink->signal = 0;
        return;
    }
    bool unknown = is_unknown(sink, strand, visit);
    rcp_outside_kind kind = unknown ? RCP_OUTSIDE_PAIR : (rcp_outside_kind)visit->kind;
    bool pins =
        unknown || (kind != RCP_OUTSIDE_STREAM && (kind != RCP_OUTSIDE_PRINTS || rcp_telling_is_result_used(strand)));
    if (sink->telling->notes)
        rcp_notes_call(sink->telling->notes, strand->number, pins);
    rcp_sink_note_beyond(sink, strand, visit, kind);
    if (unknown && is_off(sink))
        return;
    if (unknown) {
        rcp_reach reach = reach_of(sink, strand, visit);
        pin_reached(sink, strand, visit, reach);
        tell_fence(sink, strand, visit);
        begin_pair(sink, strand, visit, reach);
        note_reached(sink, visit);
        return;
    }
    if (kind == RCP_OUTSIDE_STREAM) /* what is printed acts on nothing else */
        return;
    if (pins)
        pin_arguments(sink, strand);
    if (rcp_outside_is_object(visit->outside))
        pin_besides(sink, strand, visit);
    tell_fence(sink, strand, visit);
    span_list spans = {0};
    enter_memory(sink, strand, visit, pins, &spans);
    const bool may_touch_shared = spans.len;
    rest_of_reach rest = RESTLESS;
    if (kind == RCP_OUTSIDE_PAIR) {
        rest = look_at_system(sink, strand, visit, &spans);
        look_beside(sink, strand, visit, &spans);
        if (visit->called.annotation.what == RCP_ANNOTATION_ORDERS)
            rcp_vec_push(&spans, rcp_sink_annotated(sink, visit->annotated));
    }
    visit->lasts = lasts(sink, strand, visit, kind);
    if (visit->lasts) {
        rest = may_touch_shared ? RESTLESS : NOTHING_ELSE;
        rcp_vec_push(&spans, not_after);
    }
    if (kind == RCP_OUTSIDE_SYNC && rcp_sharing_has_noted(sink->sharing, visit->number, RCP_ODD_SILENT))
        begin_pair(sink, strand, visit, rcp_sink_reach(sink, &rcp_sink_beyond, 1));
    else if (kind == RCP_OUTSIDE_PAIR || visit->lasts || (may_touch_shared && !is_off(sink))) {
        rcp_reach reach = reach_with(sink, spans.at, spans.len, rest);
        if (!is_look_again(sink, strand, visit, reach))
            begin_pair(sink, strand, visit, reach);
    }
    rcp_vec_finish(&spans);
}

/* Of the blocks that the call has made, and that are there still, what is shared, and nobody has told the contents of:
 * of code that nobody knows all, of a known function what the log has not as an effect. */
static void list_made(const rcp_sink *sink, const rcp_visit *visit, span_list *spans) {
    const rcp_telling *telling = sink->telling;
    for (size_t i = 0; i < visit->made.len; i++) {
        rcp_span block = {visit->made.at[i].lo, visit->made.at[i].hi};
        uint64_t upto;
        size_t n;
        uint32_t life = rcp_lives_stretch(&telling->lives, block.lo, block.hi, &upto);
        (void)rcp_sharing_borrow(sink->sharing, life, &n);
        if (!n || !rcp_reachable_is_same(&telling->reachable, &visit->made.at[i]))
            continue;
        if (!visit->outside) {
            rcp_vec_push(spans, block);
            continue;
        }
        rcp_range stale;
        for (uint64_t at = block.lo; rcp_ranges_next(&sink->stale, at, &stale) && stale.lo < block.hi; at = stale.hi)
            rcp_vec_push(spans, ((rcp_span){stale.lo > at ? stale.lo : at, least(stale.hi, block.hi)}));
    }
}

void rcp_sink_visit_fills(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit) {
    span_list spans = {0};
    if (visit->outside && !visit->has_pair)
        list_made(sink, visit, &spans);
    for (size_t i = 0; i < spans.len; i++)
        rcp_sink_wrote_unseen(sink, strand, spans.at[i].lo, spans.at[i].hi - spans.at[i].lo);
    rcp_vec_finish(&spans);
}

void rcp_sink_visit_returns(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit, uint64_t result) {
    if (!visit->outside)
        return;
    rcp_sink_visit_fills(sink, strand, visit);
    uint64_t words[16];
    rcp_outside_call call = rcp_telling_call(sink->telling, strand, visit, words);
    call.has_returned = true;
    call.result = result;
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; rcp_outside_next(&call, sink->machine->space, &at, &touch);) {
        bool is_vague = visit->is_vague && touch.looked[0].hi;
        uint64_t from = touch.base ? touch.base : touch.address;
        if (touch.how == 'w' && !is_vague)
            rcp_sink_wrote_unseen(sink, strand, touch.address, touch.size);
        else if (touch.how == 'w')
            rcp_sink_unsure(sink, from, farthest(sink, from, touch.address + touch.size) - from);
        else if (touch.how == 'x' || touch.how == 'M')
            rcp_sink_unsure(sink, touch.address, touch.size);
    }
}

/* A sleep may last longer than it did, but no less. */
static rcp_reach reach_of_slept(rcp_sink *sink, const rcp_visit *visit) {
    const rcp_reach_def *def = &sink->defs->reaches.at[visit->reach.v];
    span_list spans = {0};
    for (size_t i = 0; i < def->n; i++)
        rcp_vec_push(&spans, def->spans[i].lo == not_after.lo ? not_before : def->spans[i]);
    rcp_reach reach = reach_with(sink, spans.at, spans.len, NOTHING_ELSE);
    rcp_vec_finish(&spans);
    return reach;
}

/* Was it told when it ended that a timer had not gone off yet? What time it was when it began does not matter to that.
 */
static bool knows_time_at_end(const rcp_sink *sink, const rcp_visit *visit) {
    rcp_descriptors_reach reach;
    return visit->outside && visit->called.descriptors > RCP_DESCRIPTORS_NONE &&
           rcp_descriptors_of(sink->telling, visit->number, &reach) && reach.flags & RCP_USED_CLOCK_AT_END;
}

/* The blocks that it has made were not there when it began, and nobody else knows of them before it is over. Nor was
 * what it has waited for. */
static rcp_reach reach_at_end(rcp_sink *sink, const rcp_visit *visit) {
    rcp_reach reach = visit->reach;
    span_list spans = {0};
    if (!sink->reach_all.v || reach.v != sink->reach_all.v)
        list_made(sink, visit, &spans);
    if (visit->outside && visit->outside->is_later)
        rcp_vec_push(&spans, ((rcp_span){RCP_REACH_KERNEL, RCP_REACH_LIBRARY}));
    if (knows_time_at_end(sink, visit))
        rcp_vec_push(&spans, not_after);
    if (spans.len) {
        const rcp_reach_def *def = &sink->defs->reaches.at[reach.v];
        for (size_t i = 0; i < def->n + def->followed; i++)
            rcp_vec_push(&spans, def->spans[i]);
        reach = reach_with(sink, spans.at, spans.len, visit->outside ? RESTLESS : NOBODYS);
    }
    rcp_vec_finish(&spans);
    return reach;
}

void rcp_sink_visit_end(rcp_sink *sink, rcp_strand *strand, const rcp_visit *visit) {
    if (!visit->has_pair)
        return;
    rcp_visit ended = *visit;
    ended.reach = visit->lasts ? reach_of_slept(sink, visit) : reach_at_end(sink, visit);
    sink->is_between = visit->is_handler;
    rcp_sink_tell(sink, strand, (rcp_event){.kind = RCP_OPAQUE_END, .callee = visit->callee, .reach = ended.reach});
    sink->is_between = false;
    note_reached(sink, &ended);
}
