/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/telling.h"

#include "base/limits.h"
#include "program/telling/annotations.h"
#include "program/telling/descriptor_timers.h"
#include "program/telling/descriptors.h"
#include "program/telling/numbers.h"
#include "program/telling/sink_state.h"
#include "program/telling/states.h"
#include "program/symbolic/symbolic.h"
#include "trace/check/barriers.h"

#include <string.h>

static bool tells(const rcp_telling *telling) { return rcp_telling_tells(telling); }

static rcp_visit *innermost(rcp_telling *telling, uint32_t thread) {
    rcp_visits *visits = rcp_telling_visits(telling, thread);
    return visits->len ? &visits->at[visits->len - 1] : NULL;
}

/* Somebody watches a call: what the one that is open does. */
static void watch_effect(rcp_telling *telling, uint64_t address, uint64_t size, bool writes) {
    const rcp_visit *visit = telling->watches ? innermost(telling, telling->machine->current->number) : NULL;
    if (visit)
        rcp_watches_touch(telling->watches, visit->number, address, size, writes);
}

static void watch_free(rcp_telling *telling, const rcp_life_change *change) {
    if (change->is_own)
        rcp_watches_own_end(telling->watches, change->thread, change->address, change->size);
    else
        watch_effect(telling, change->address, change->size, true);
}

static void changed(void *context, const rcp_life_change *change) {
    rcp_telling *telling = context;
    if (tells(telling))
        rcp_sink_change(telling->sink, change);
    else
        rcp_sharing_change(telling->sharing, telling->machine->space, &telling->lives, change);
    if (telling->watches && change->frees)
        watch_free(telling, change);
}

void rcp_telling_init(rcp_telling *telling, rcp_machine *machine, rcp_sharing *sharing, rcp_sink *sink) {
    *telling = (rcp_telling){.machine = machine, .sharing = sharing, .sink = sink};
    rcp_lives_init(&telling->lives, changed, telling);
    rcp_reachable_init(&telling->reachable, machine, &telling->lives);
    rcp_belongings_init(&telling->belongings, &telling->reachable, rcp_telling_member, telling);
    rcp_map_init(&telling->index);
    rcp_map_init(&telling->known);
    rcp_map_init(&telling->outsiders);
    rcp_map_init(&telling->asleep);
    rcp_map_init(&telling->ostreams);
    rcp_map_init(&telling->numbers);
    rcp_map_init(&telling->followed);
}

static bool works_on_objects(const rcp_visit *visit) {
    return visit->outside && (visit->kind == RCP_OUTSIDE_OBJECT || visit->kind == RCP_OUTSIDE_STREAM);
}

/* What others could have seen of the blocks that a call has made, while it was open, is in its reach from its beginning
 * on. (Where nobody else has gone on meanwhile, it is in that of its end alone: rcp_sink_visit_end().) */
static void note_made_open(rcp_telling *telling, const rcp_visit *visit) {
    if (works_on_objects(visit) && (visit->looks || visit->turn != telling->machine->turns))
        rcp_sharing_further(telling->sharing, visit->number, 0, RCP_REACH_END); /* what was handed to it is not known */
    if (visit->outside || visit->is_handler || visit->turn == telling->machine->turns)
        return;
    for (size_t i = 0; i < visit->made.len; i++)
        if (rcp_reachable_is_same(&telling->reachable, &visit->made.at[i]))
            rcp_sharing_further(telling->sharing, visit->number, visit->made.at[i].lo, visit->made.at[i].hi);
}

void rcp_telling_end(rcp_telling *telling) {
    if (tells(telling))
        return;
    for (size_t i = 0; i < telling->visits.len; i++)
        for (size_t k = 0; k < telling->visits.at[i].len; k++)
            note_made_open(telling, &telling->visits.at[i].at[k]);
    rcp_sharing_end(telling->sharing, telling->machine->space, &telling->lives);
}

void rcp_telling_finish(rcp_telling *telling) {
    for (size_t i = 0; i < telling->visits.len; i++) {
        for (size_t k = 0; k < telling->visits.at[i].len; k++) {
            rcp_vec_finish(&telling->visits.at[i].at[k].made);
            rcp_vec_finish(&telling->visits.at[i].at[k].numbers);
        }
        rcp_vec_finish(&telling->visits.at[i]);
    }
    rcp_vec_finish(&telling->visits);
    rcp_map_finish(&telling->index);
    rcp_map_finish(&telling->known);
    rcp_map_finish(&telling->outsiders);
    rcp_map_finish(&telling->asleep);
    rcp_map_finish(&telling->ostreams);
    rcp_map_finish(&telling->numbers);
    rcp_map_finish(&telling->followed);
    rcp_vec_finish(&telling->outsides);
    rcp_vec_finish(&telling->streams);
    rcp_vec_finish(&telling->groups);
    rcp_vec_finish(&telling->lent);
    rcp_vec_finish(&telling->standard);
    rcp_belongings_finish(&telling->belongings);
    rcp_reachable_finish(&telling->reachable);
    rcp_lives_finish(&telling->lives);
}

static const rcp_activation *top_of(const rcp_strand *strand) { return &strand->frames.at[strand->frames.len - 1]; }

static const rcp_call *call_of(const rcp_strand *strand) { return &top_of(strand)->routine->calls.at[strand->pc->b]; }

void rcp_telling_note_farther(rcp_telling *telling, const rcp_strand *strand, const rcp_outside_touch *touch) {
    uint64_t most = rcp_limit(RCP_LIMIT_STRING_BYTES);
    uint64_t starts[] = {touch->base ? touch->base : touch->address, touch->second};
    bool is_sure = true;
    for (int i = 0; i < 2; i++)
        is_sure &=
            !touch->looked[i].hi || !rcp_sharing_may_differ(telling->sharing, touch->looked[i].lo, touch->looked[i].hi);
    for (int i = 0; i < 2 && !is_sure; i++) {
        uint64_t end = starts[i] ? rcp_reachable_end(&telling->reachable, starts[i]) : 0;
        if (end)
            rcp_sharing_touch_slow(telling->machine->space, strand->number, starts[i],
                                   end - starts[i] < most ? end - starts[i] : most, touch->how == 'w');
    }
}

/* What it may touch, or not, is nothing that was seen. */
static void watch_touch(const rcp_telling *telling, const rcp_visit *visit, const rcp_outside_touch *touch) {
    bool is_sure = touch->how != 'm' && touch->how != 'M' && !touch->is_vague;
    if (!telling->watches || !is_sure)
        return;
    if (touch->how != 'w')
        rcp_watches_touch(telling->watches, visit->number, touch->address, touch->size, false);
    if (touch->how == 'w' || touch->how == 'x')
        rcp_watches_touch(telling->watches, visit->number, touch->address, touch->size, true);
    if (touch->second)
        rcp_watches_touch(telling->watches, visit->number, touch->second, touch->size, false);
}

/* The first re-execution: who touches what. */
static void note_touches(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, bool has_returned,
                         uint64_t result) {
    uint64_t words[16];
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    call.has_returned = has_returned;
    call.result = result;
    rcp_space *space = telling->machine->space;
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; rcp_outside_next(&call, space, &at, &touch);) {
        bool reads = strchr("ralcm", touch.how), is_late = touch.how == 'w' || touch.by_result;
        bool is_both = touch.how == 'x' || touch.how == 'M';
        if ((is_late != has_returned && !is_both) || rcp_telling_is_stream(telling, touch.address))
            continue;
        rcp_sharing_touch_slow(space, strand->number, touch.address, touch.size, !reads);
        if (touch.second)
            rcp_sharing_touch_slow(space, strand->number, touch.second, touch.size, false);
        watch_touch(telling, visit, &touch);
        rcp_telling_note_farther(telling, strand, &touch);
        if (!reads)
            rcp_sharing_unsure(telling->sharing, touch.address, touch.size);
    }
    if (has_returned && visit->outside && visit->outside->touches && strpbrk(visit->outside->touches, "LTPpRIH"))
        rcp_sharing_result(telling->sharing, visit->number, result);
}

/* Is nobody else there? A thread's end comes before what is called after it by whoever reaches all. */
static bool is_alone(const rcp_telling *telling, const rcp_strand *strand) {
    return !strand->number && telling->created == telling->ended;
}

static bool reaches_system(const rcp_reachable *reachable) {
    for (size_t i = 0; i < reachable->found.len; i++)
        if (reachable->found.at[i].lo <= RCP_REACH_KERNEL && reachable->found.at[i].hi > RCP_REACH_KERNEL)
            return true;
    return false;
}

/* The first re-execution: a call that nobody knows touches all that it reaches. */
static void note_reach(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, bool is_over) {
    bool is_known = rcp_telling_reach(telling, strand, visit);
    const rcp_call *call = call_of(strand);
    rcp_sharing_learn(telling->sharing, RCP_RUN_LEFT);
    for (size_t i = 0; i < call->arguments.len; i++)
        rcp_telling_expose(telling, top_of(strand)->registers[call->arguments.at[i]]);
    rcp_sharing_call(telling->sharing, strand->number, visit->name, is_known, is_alone(telling, strand));
    if (is_over && !is_known)
        rcp_sharing_further(telling->sharing, visit->number, 0, RCP_REACH_END);
    bool is_handler = visit->called.row && visit->called.row->handler, lasts = reaches_system(&telling->reachable);
    if (is_handler)
        rcp_sharing_learn(telling->sharing, RCP_RUN_HANDLERS);
    if (is_handler && !is_known)
        rcp_sharing_handled(telling->sharing, 0, RCP_REACH_BEYOND);
    for (size_t i = 0; i < telling->reachable.found.len; i++) {
        const rcp_reached_object *object = &telling->reachable.found.at[i];
        if (is_handler && rcp_space_holds(object->lo, object->hi - object->lo)) {
            rcp_sharing_handled(telling->sharing, object->lo, object->hi);
            rcp_sharing_touch_slow(telling->machine->space, RCP_TOUCHED_BY_MANY - 1, object->lo,
                                   object->hi - object->lo, true);
        }
        if (!rcp_space_holds(object->lo, object->hi - object->lo))
            continue;
        rcp_sharing_touch_slow(telling->machine->space, strand->number, object->lo, object->hi - object->lo, true);
        rcp_sharing_reached(telling->sharing, object->lo, object->hi, lasts);
        rcp_sharing_expose(telling->sharing, object->lo, object->hi);
        if (is_over)
            rcp_sharing_further(telling->sharing, visit->number, object->lo, object->hi);
    }
}

/* There may be more in reach of an open visit than when it began. Both re-executions look, so that what stays in reach
 * is the same in both; the first one tells the second, which wants to know from the visit's beginning on. */
static void look_again(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    if (tells(telling))
        (void)rcp_telling_reach(telling, strand, visit);
    else
        note_reach(telling, strand, visit, true);
}

/* A thread is created, by this call of recorded code (NULL: by none): is its first function recorded? Not known to be
 * is that of one that code outside creates: in a call that is not known, in a thread or a handler of its own. */
static bool is_recorded_child(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16];
    if (!visit || visit->is_handler || !visit->name || !strand->frames.len || strand->pc->op != RCP_INS_LEAVE)
        return false;
    size_t at = visit->called.row ? visit->called.row->starts : 0;
    if (!at) /* std::thread's */
        return visit->outside && visit->outside->kind == RCP_OUTSIDE_SYNC;
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    return at >= call.n || !rcp_space_holds(words[at], 1) || rcp_program_at(telling->machine->program, words[at]);
}

/* The first function of this thread is not recorded. */
static void note_outsider(rcp_telling *telling, uint32_t thread) {
    rcp_map_set(&telling->outsiders, thread, 1);
    if (!tells(telling))
        rcp_timers_told(telling); /* it may ask any */
}

/* RECIPE_GLOBAL(x) is a call with where it is and its size. */
static void note_said(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16];
    if (!strcmp(visit->name, RCP_GLOBAL_CALL) && rcp_telling_call(telling, strand, visit, words).n == 2 && words[1])
        rcp_reachable_say(&telling->reachable, strand->number, words[0], words[0] + words[1]);
}

/* main has returned, or what is called after it, or exit is called. What else there is to be done then may be code
 * that is left out, and that knows of the program's memory if there was a call of such code. */
static void note_exit(rcp_telling *telling, const rcp_strand *strand) {
    const rcp_machine *m = telling->machine;
    bool is_watched = false;
    for (size_t i = 0; i < m->strands.len; i++)
        is_watched |= m->strands.at[i] != strand && m->strands.at[i]->state != RCP_STRAND_ENDED;
    if (!is_watched || !rcp_sharing_has_learnt(telling->sharing, RCP_RUN_LEFT))
        return;
    if (!tells(telling)) {
        rcp_sharing_learn(telling->sharing, RCP_RUN_EXITS);
        rcp_sharing_call(telling->sharing, strand->number, "the program's end", false, false);
    } else if (rcp_sharing_has_learnt(telling->sharing, RCP_RUN_EXITS))
        rcp_sink_pair(telling->sink, strand, "the program's end", rcp_sink_everything(telling->sink));
}

void rcp_telling_leave(rcp_telling *telling, rcp_strand *strand) {
    rcp_visit visit = {.depth = strand->frames.len, .number = telling->count++};
    visit.turn = telling->machine->turns;
    visit.was_alone = is_alone(telling, strand);
    rcp_watches_begin(telling->watches, strand->number, strand->position - 1, visit.number,
                      rcp_telling_callee(telling, strand));
    rcp_telling_classify(telling, strand, &visit);
    note_said(telling, strand, &visit);
    rcp_annotations_note(telling, strand, &visit);
    rcp_telling_objects(telling, strand, &visit);
    if (!tells(telling))
        rcp_descriptors_begin(telling, strand, &visit);
    rcp_telling_state(telling, strand, &visit);
    rcp_numbers_begin(telling, strand, &visit);
    if (visit.called.roles & RCP_ROLE_ENDS && visit.kind == RCP_OUTSIDE_PAIR)
        note_exit(telling, strand); /* who ends the process otherwise has nothing else done */
    if (tells(telling))
        rcp_sink_visit(telling->sink, strand, &visit);
    else if (visit.outside)
        note_touches(telling, strand, &visit, false, 0);
    else
        note_reach(telling, strand, &visit, false);
    if (!visit.outside)
        visit.key = rcp_reachable_key(&telling->reachable);
    if (!visit.outside && telling->reachable.said_by == strand->number)
        telling->reachable.said.len = 0;
    rcp_visits *visits = rcp_telling_visits(telling, strand->number);
    RCP_DCHECK(!visits->len || visits->at[visits->len - 1].depth <= visit.depth);
    rcp_vec_push(visits, visit);
}

static void end_visit(rcp_telling *telling, rcp_strand *strand) {
    rcp_visits *visits = rcp_telling_visits(telling, strand->number);
    rcp_visit visit = visits->at[--visits->len];
    rcp_watches_end(telling->watches, visit.number);
    if (!tells(telling))
        note_made_open(telling, &visit);
    if (tells(telling))
        rcp_sink_visit_end(telling->sink, strand, &visit);
    else if (!visit.outside && !visit.is_handler && visit.was_alone && !is_alone(telling, strand))
        rcp_sharing_call(telling->sharing, strand->number, visit.name, false, false); /* it has made threads */
    else if (visit.outside && visit.outside->kind == RCP_OUTSIDE_SYNC && !visit.was_told)
        rcp_sharing_note(telling->sharing, visit.number, RCP_ODD_SILENT);
    rcp_vec_finish(&visit.made);
    rcp_vec_finish(&visit.numbers);
}

/* What code outside can know threads by. */
static void note_handle(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t result) {
    uint64_t kept[16];
    if (visit->called.roles & RCP_ROLE_KEEPS && rcp_telling_call(telling, strand, visit, kept).n > 1)
        rcp_reachable_keep(&telling->reachable, strand->number, kept[1]);
    if (visit->called.roles & RCP_ROLE_SELF)
        rcp_reachable_handle(&telling->reachable, result, strand->number);
    if (!visit->child)
        return;
    uint64_t words[16], word = 0;
    if (rcp_telling_call(telling, strand, visit, words).n && rcp_space_holds(words[0], sizeof word))
        rcp_space_read(telling->machine->space, words[0], &word, sizeof word);
    rcp_reachable_handle(&telling->reachable, word, visit->child);
}

/* Memory of the C library's that it tells programs of: a thread's errno, and tables that do not change. */
static void note_told(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t result) {
    bool is_errno = visit->called.roles & RCP_ROLE_ERRNO;
    if (is_errno && strand->number)
        rcp_lives_private(&telling->lives, strand->number, result, sizeof(int));
    if (tells(telling))
        return;
    if (is_errno) {
        rcp_sharing_own(telling->sharing, result, result + sizeof(int));
        rcp_sharing_errno(telling->sharing, result, sizeof(int));
    }
    if (visit->called.roles & RCP_ROLE_TABLE)
        rcp_sharing_table(telling->sharing, result);
}

void rcp_telling_return(rcp_telling *telling, rcp_strand *strand, uint64_t result) {
    rcp_visit *visit = innermost(telling, strand->number);
    if (!visit || visit->is_handler || visit->depth != strand->frames.len)
        return;
    bool is_farther = !visit->outside && visit->turn != telling->machine->turns; /* others have gone on meanwhile */
    if (is_farther)
        look_again(telling, strand, visit);
    if (!tells(telling) && !is_farther)
        note_touches(telling, strand, visit, true, result);
    if (!tells(telling))
        rcp_descriptors_return(telling, strand, visit, result);
    if (tells(telling)) {
        rcp_sink_answer_result(telling->sink, strand, visit, result);
        rcp_sink_answer_assembly(telling->sink, strand, &telling->machine->record);
        rcp_sink_visit_returns(telling->sink, strand, visit, result);
    }
    rcp_numbers_return(telling, strand, visit, result);
    note_handle(telling, strand, visit, result);
    note_told(telling, strand, visit, result);
    end_visit(telling, strand);
}

static void forget_lent(rcp_telling *telling, const rcp_strand *strand, size_t keep) {
    size_t kept = 0;
    for (size_t i = 0; i < telling->lent.len; i++)
        if (telling->lent.at[i].thread != strand->number || telling->lent.at[i].depth <= keep)
            telling->lent.at[kept++] = telling->lent.at[i];
    telling->lent.len = kept;
}

/* What lets go of an exception last runs its destructor, which is code that nobody knows where that has thrown it.
 * Those of the C++ library do no harm. */
static bool may_throw_its_own(const rcp_visit *visit) {
    return !visit->is_handler && !visit->outside && !(visit->name && rcp_outside_throws_own(visit->name));
}

void rcp_telling_unwind(rcp_telling *telling, rcp_strand *strand, size_t keep) {
    forget_lent(telling, strand, keep);
    for (rcp_visit *visit; (visit = innermost(telling, strand->number));) {
        if (visit->is_handler ? visit->depth <= keep : visit->depth < keep)
            return;
        if (!tells(telling) && may_throw_its_own(visit))
            rcp_sharing_learn(telling->sharing, RCP_RUN_RAISED);
        if (tells(telling))
            rcp_sink_visit_fills(telling->sink, strand, visit);
        end_visit(telling, strand);
    }
}

/* Recorded code that it called has returned: what that has handed to it is in its reach now. A visit that calls back
 * often reaches everything: each look costs what is in reach. */
static void note_handed(rcp_telling *telling, rcp_strand *strand, rcp_visit *visit) {
    uint64_t most = rcp_limit(RCP_LIMIT_CALLBACK_LOOKS);
    if (visit->looks > most)
        return;
    if (++visit->looks > most) {
        if (!tells(telling)) {
            rcp_limit_reached(RCP_LIMIT_CALLBACK_LOOKS);
            rcp_sharing_further(telling->sharing, visit->number, 0, RCP_REACH_END);
            rcp_sharing_call(telling->sharing, strand->number, visit->name, false, is_alone(telling, strand));
        }
        return;
    }
    for (size_t i = 0; i < strand->n_returned; i++)
        rcp_reachable_hand(&telling->reachable, strand->returned[i]);
    for (size_t i = 0; i < telling->lent.len; i++)
        if (telling->lent.at[i].thread == strand->number && telling->lent.at[i].depth > strand->frames.len)
            rcp_reachable_hand(&telling->reachable, telling->lent.at[i].word);
    look_again(telling, strand, visit);
}

static void note_lent(rcp_telling *telling, const rcp_strand *strand) {
    const rcp_activation *frame = top_of(strand);
    const uint64_t *row = frame->registers;
    for (size_t i = 0; i < frame->routine->parameters.len; i++)
        for (size_t k = frame->routine->layouts.at[frame->routine->parameters.at[i]].slots; k; k--, row++)
            if (*row >= RCP_SPACE_PAGE)
                rcp_vec_push(&telling->lent, ((rcp_lent){strand->number, strand->frames.len, *row}));
    for (size_t i = 0; i + sizeof(uint64_t) <= strand->given.len; i++) {
        uint64_t word;
        memcpy(&word, strand->given.at + i, sizeof word);
        if (word >= RCP_SPACE_PAGE)
            rcp_vec_push(&telling->lent, ((rcp_lent){strand->number, strand->frames.len, word}));
    }
}

/* The system has put the number of arguments where the stack begins, and after it argv, which main is given. */
static void note_arguments(rcp_telling *telling, const rcp_strand *strand) {
    const rcp_activation *frame = top_of(strand);
    const uint64_t *row = frame->registers, argv = strand->native_hi + sizeof(uint64_t);
    for (size_t i = 0; i < frame->routine->parameters.len; i++)
        for (size_t k = frame->routine->layouts.at[frame->routine->parameters.at[i]].slots; k; k--, row++)
            if (*row == argv)
                rcp_sharing_arguments(telling->sharing, argv);
}

/* Is it a call of code that nobody knows, and the strand's instruction? */
static bool is_open_call(const rcp_strand *strand, const rcp_visit *visit, size_t depth) {
    return visit && !visit->outside && !visit->is_handler && visit->name && visit->depth == depth &&
           strand->pc->op == RCP_INS_LEAVE;
}

static void note_interrupted(rcp_telling *telling, uint32_t thread) {
    uint32_t wait = rcp_map_get(&telling->asleep, thread);
    if (wait != RCP_MAP_NONE && !tells(telling))
        rcp_sharing_note(telling->sharing, wait, RCP_ODD_INTERRUPTED);
}

/* A record of a thread that sleeps, and no wake: what is left out runs unseen, but for what it does by pthreads. */
static void note_sleep(rcp_telling *telling, const rcp_log_record *record) {
    bool is_sync = record->tag == RCP_LOG_SYNC;
    if (is_sync && record->op == RCP_SYNC_WAIT)
        rcp_map_set(&telling->asleep, record->thread, telling->waits++);
    else if ((is_sync && record->op != RCP_SYNC_WAKE && record->op != RCP_SYNC_DIVIDE) ||
             record->tag == RCP_LOG_ALLOC || record->tag == RCP_LOG_FREE)
        note_interrupted(telling, record->thread);
}

/* What runs on the thread though nothing that it does calls it: the recorder knows its handlers. What else comes
 * between two instructions is what a cancellation runs; and out of a function that calls nobody back, a handler that
 * was put in place by a system call of the program's own. */
static bool is_unasked(const rcp_strand *strand, const rcp_visit *visit, const rcp_log_record *record) {
    const rcp_strand_state state = (rcp_strand_state)top_of(strand)->state;
    if (record->value || state == RCP_STRAND_STOPPED || state == RCP_STRAND_FAULTED)
        return true;
    return state == RCP_STRAND_OUTSIDE && visit && visit->outside && visit->kind != RCP_OUTSIDE_PAIR &&
           !visit->outside->calls_back;
}

/* Its pair begins in its own code, not at the instruction that it interrupts. */
static void tell_handler(rcp_telling *telling, rcp_strand *strand, rcp_visit *handler) {
    const rcp_ins *pc = strand->pc;
    strand->pc = top_of(strand)->routine->code.at;
    rcp_sink_visit(telling->sink, strand, handler);
    strand->pc = pc;
}

void rcp_telling_callback(rcp_telling *telling, rcp_strand *strand, const rcp_log_record *record) {
    rcp_visit *visit = innermost(telling, strand->number);
    bool is_handler = is_unasked(strand, visit, record);
    if (visit && works_on_objects(visit))
        visit->looks++;
    if (!strand->number && strand->frames.len == 1)
        note_arguments(telling, strand);
    if (!is_handler && is_open_call(strand, visit, strand->frames.len - 1))
        note_lent(telling, strand);
    note_interrupted(telling, strand->number);
    if (!is_handler)
        return;
    rcp_visit handler = {.group = RCP_BELONGINGS_NONE,
                         .depth = strand->frames.len,
                         .is_handler = true,
                         .signal = record->value == RCP_LOG_SAME_SIGNAL ? 0 : (uint8_t)record->value,
                         .name = "a signal's handler",
                         .number = telling->count++};
    if (tells(telling))
        tell_handler(telling, strand, &handler);
    rcp_vec_push(rcp_telling_visits(telling, strand->number), handler);
}

void rcp_telling_callback_end(rcp_telling *telling, rcp_strand *strand) {
    rcp_visit *visit = innermost(telling, strand->number);
    if (visit && visit->is_handler && visit->depth == strand->frames.len + 1)
        end_visit(telling, strand);
    else if (strand->state == RCP_STRAND_OUTSIDE && is_open_call(strand, visit, strand->frames.len))
        note_handed(telling, strand, visit);
    if (strand->state == RCP_STRAND_FAULTED && tells(telling)) /* it is tried again: others may have allowed it */
        rcp_sink_owe_cause(telling->sink, strand);
    forget_lent(telling, strand, strand->frames.len);
    if (!strand->number && !strand->frames.len)
        note_exit(telling, strand);
}

/* realloc that leaves a block in its place tells a free and an allocation, and what it keeps is written anew. */
static void allocate(rcp_telling *telling, const rcp_log_record *record) {
    bool stays = telling->last_free && telling->last_free == record->address;
    rcp_lives_allocate(&telling->lives, record);
    telling->zeroed = record->kind == RCP_ALLOC_ZEROED || record->kind == RCP_ALLOC_MAP ? record->address : 0;
    if (!stays)
        return;
    rcp_machine *m = telling->machine;
    uint64_t size = record->size < telling->last_size ? record->size : telling->last_size;
    if (tells(telling))
        rcp_symbolic_wrote(telling->symbolic, m->current, m->current->frames.len ? m->current->pc : NULL,
                           record->address, size);
    else
        rcp_sharing_touch_slow(m->space, m->current->number, record->address, size, true);
}

/* A call that stays open may allocate and free for ever: what is gone is forgotten each time that the list has doubled.
 */
static void keep_made(rcp_telling *telling, rcp_visit *visit, uint64_t address) {
    enum { FEW = 64 };
    rcp_reached_object block;
    if (!rcp_reachable_object_at(&telling->reachable, address, &block))
        return;
    if (visit->made.len >= FEW && visit->made.len >= 2 * visit->made_before) {
        size_t kept = 0;
        for (size_t i = 0; i < visit->made.len; i++)
            if (rcp_reachable_is_same(&telling->reachable, &visit->made.at[i]))
                visit->made.at[kept++] = visit->made.at[i];
        visit->made.len = visit->made_before = kept;
    }
    rcp_vec_push(&visit->made, block);
}

/* A block that code outside makes is filled by it, and what is in it then is not known yet. Whose call it is that does
 * so says what is told of that (rcp_sink_visit_end(), rcp_sink_visit_returns()); where there is none (a constructor
 * that is left out, before main), or it is open still, the first who looks is told to have found a change. */
static void note_filled(rcp_telling *telling, const rcp_log_record *record) {
    rcp_visit *visit = innermost(telling, telling->machine->current->number);
    bool is_unknown = visit && !visit->outside && !visit->is_handler;
    bool is_known = visit && visit->outside && !visit->is_handler;
    if (is_known)
        rcp_belongings_made(&telling->belongings, visit->group, record->address);
    if (is_known && visit->called.roles & RCP_ROLE_BLOCK)
        return;
    if (is_unknown)
        rcp_reachable_made(&telling->reachable, visit->key, record->address);
    bool is_heap = record->kind == RCP_ALLOC_HEAP || record->kind == RCP_ALLOC_ZEROED;
    if (is_unknown || (is_known && is_heap)) /* who maps memory for the program does not fill it */
        keep_made(telling, visit, record->address);
    uint64_t end = record->address + record->size;
    if (tells(telling) && (is_unknown || is_known))
        rcp_sink_filled(telling->sink, record->address, end);
    if (tells(telling) && !is_known)
        rcp_sink_made(telling->sink, record->address, end);
    if (!tells(telling) && is_unknown && record->size && rcp_space_holds(record->address, record->size))
        rcp_sharing_reached(telling->sharing, record->address, end, true);
    if (!tells(telling) && is_known)
        rcp_sharing_unsure(telling->sharing, record->address, record->size);
}

/* What the thread has kept for its end may be code that is left out: destructors of what is thread-local. */
static void note_end(rcp_telling *telling, const rcp_strand *strand) {
    if (!rcp_sharing_has_learnt(telling->sharing, RCP_RUN_ENDS))
        return;
    if (tells(telling))
        rcp_sink_pair(telling->sink, strand, "a thread's end", rcp_sink_everything(telling->sink));
    else
        rcp_sharing_call(telling->sharing, strand->number, "a thread's end", false, false);
}

/* What the runtime has seen, and no call of the program's shows. */
static void note_sign(rcp_telling *telling, const rcp_strand *strand, const rcp_log_record *record) {
    enum rcp_sign sign = (enum rcp_sign)record->value;
    const rcp_visit *visit = innermost(telling, strand->number);
    if (sign == RCP_SIGN_CANCELLED && tells(telling))
        rcp_sink_cancelled(telling->sink, strand);
    if (tells(telling))
        return;
    if (sign == RCP_SIGN_CANCELS)
        rcp_sharing_note(telling->sharing, record->address, RCP_ODD_CANCELLED);
    else if (sign == RCP_SIGN_SIGNALLED && visit && !visit->is_handler)
        rcp_sharing_note(telling->sharing, visit->number, RCP_ODD_SIGNALLED);
    else if (sign == RCP_SIGN_SIGNALS && visit && !visit->is_handler)
        rcp_sharing_note(telling->sharing, visit->number, RCP_ODD_SIGNALS);
    else if (sign == RCP_SIGN_SIGNALS)
        rcp_sharing_learn(telling->sharing, RCP_RUN_SIGNALS);
    else if (sign == RCP_SIGN_TAKES && visit && !visit->is_handler)
        rcp_sharing_note(telling->sharing, visit->number, RCP_ODD_TAKES);
    else if (sign == RCP_SIGN_DESCRIPTORS)
        rcp_descriptors_sign(telling, visit && !visit->is_handler ? visit : NULL, (uint32_t)record->address);
}

void rcp_telling_record(rcp_telling *telling) {
    rcp_machine *m = telling->machine;
    const rcp_log_record *record = &m->record;
    uint64_t last_free = 0, zeroed = 0;
    note_sleep(telling, record);
    switch (record->tag) {
    case RCP_LOG_ALLOC:
        allocate(telling, record);
        note_filled(telling, record);
        zeroed = telling->zeroed;
        break;
    case RCP_LOG_FREE:
        last_free = record->address;
        telling->last_size = rcp_lives_block_size(&telling->lives, record->address);
        rcp_lives_free(&telling->lives, record);
        break;
    case RCP_LOG_THREAD:
        if (tells(telling))
            rcp_sink_record(telling->sink, record);
        rcp_lives_thread(&telling->lives, m, m->current, record);
        rcp_reachable_thread(&telling->reachable, record);
        if (!tells(telling))
            rcp_telling_owns(telling, record);
        if (rcp_map_get(&telling->outsiders, m->current->number) != RCP_MAP_NONE) {
            if (tells(telling))
                rcp_sink_outsider(telling->sink, m->current, true);
            else
                rcp_sharing_call(telling->sharing, m->current->number, "a thread", false, false);
        }
        break;
    case RCP_LOG_THREAD_END:
        note_end(telling, m->current);
        telling->ended += m->current->number != 0;
        if (tells(telling) && rcp_map_get(&telling->outsiders, m->current->number) != RCP_MAP_NONE)
            rcp_sink_outsider(telling->sink, m->current, false);
        rcp_lives_thread_end(&telling->lives, m->current->number);
        rcp_watches_thread_end(telling->watches, m->current->number);
        if (!tells(telling))
            rcp_sharing_native_end(telling->sharing, m->space, m->current->native_lo, m->current->native_hi);
        rcp_reachable_thread_end(&telling->reachable, m->current->number);
        if (tells(telling))
            rcp_sink_record(telling->sink, record);
        break;
    case RCP_LOG_ALIAS:
        if (!tells(telling) && !record->second)
            rcp_sharing_see(telling->sharing, record->address, record->size);
        else if (!tells(telling)) {
            rcp_sharing_alias(telling->sharing, record->address, record->size);
            rcp_sharing_alias(telling->sharing, record->second, record->size);
        }
        break;
    case RCP_LOG_FORK: /* who is on the other side of it has them, too */
        if (!tells(telling))
            rcp_sharing_learn(telling->sharing, RCP_RUN_HANDED);
        if (tells(telling))
            rcp_sink_record(telling->sink, record);
        break;
    case RCP_LOG_SIGN: note_sign(telling, m->current, record); break;
    case RCP_LOG_EFFECT:
    case RCP_LOG_FILL:
    case RCP_LOG_COPY: return; /* rcp_telling_effect() */
    default: {
        telling->created += record->tag == RCP_LOG_SYNC && record->op == RCP_SYNC_CREATE;
        bool divides = record->tag == RCP_LOG_SYNC && record->op == RCP_SYNC_DIVIDE;
        if (divides && !tells(telling))
            rcp_sharing_divide(telling->sharing, record->address);
        if (record->tag == RCP_LOG_SYNC && !tells(telling))
            rcp_telling_object(telling, record);
        rcp_visit *visit = record->tag == RCP_LOG_SYNC && !divides ? innermost(telling, m->current->number) : NULL;
        if (record->tag == RCP_LOG_SYNC && record->op == RCP_SYNC_CREATE &&
            !is_recorded_child(telling, m->current, visit))
            note_outsider(telling, (uint32_t)record->address);
        if (visit) {
            visit->was_told = true;
            if (record->op == RCP_SYNC_CREATE)
                visit->child = (uint32_t)record->address;
        }
        if (tells(telling))
            rcp_sink_record(telling->sink, record);
        if (record->tag == RCP_LOG_SYNC && record->op == RCP_SYNC_WAKE)
            rcp_map_remove(&telling->asleep, record->thread);
        break;
    }
    }
    telling->last_free = last_free;
    telling->zeroed = zeroed;
}

void rcp_telling_effect(rcp_telling *telling, const rcp_log_record *effect) {
    rcp_machine *m = telling->machine;
    rcp_log_record clipped = *effect;
    const rcp_log_record *record = &clipped;
    bool is_fresh = record->tag == RCP_LOG_FILL && !record->value && telling->zeroed == record->address;
    telling->zeroed = 0;
    if (is_fresh) /* the ALLOC says so already */
        return;
    /* realloc copies all that the allocator had set aside; what is behind the block is nobody's, or was another's */
    uint64_t block = record->tag == RCP_LOG_COPY ? rcp_lives_block_size(&telling->lives, record->second) : 0;
    if (block && record->size > block)
        clipped.size = block;
    if (tells(telling)) {
        rcp_sink_answer_effect(telling->sink, m->current, record);
        rcp_sink_effect(telling->sink, m->current, record);
        return;
    }
    rcp_sharing_touch_slow(m->space, m->current->number, record->address, record->size, true);
    watch_effect(telling, record->address, record->size, true);
    if (record->tag == RCP_LOG_COPY) {
        if (!rcp_lives_is_zeroed(&telling->lives, record->second))
            rcp_sharing_touch_moved(m->space, record->address, record->second, record->size);
        rcp_sharing_touch_slow(m->space, m->current->number, record->second, record->size, false);
        watch_effect(telling, record->second, record->size, false);
    }
}

/* What va_start puts on the thread's own stack is no call's doing, and memory that is nobody's object holds what it
 * held before anybody looked. */
static uint64_t changed_objects(const rcp_telling *telling, const rcp_strand *strand, uint64_t address,
                                const uint8_t bytes[64]) {
    const uint8_t *now = rcp_space_at(telling->machine->space, address, 64);
    uint64_t objects = 0;
    for (unsigned i = 0; now && i < 64; i++)
        if (now[i] != bytes[i] && rcp_reachable_is_object(&telling->reachable, strand, address + i))
            objects |= UINT64_C(1) << i;
    return objects;
}

/* On its own stack a thread finds what va_start has left; of what others may know of there, what they have. */
static bool is_changed(const rcp_telling *telling, const rcp_strand *strand, uint64_t address,
                       const uint8_t bytes[64]) {
    uint64_t changed =
        rcp_sharing_changed(telling->sharing, telling->machine->space, &telling->lives, strand->number, address, bytes);
    uint64_t top = strand->frames.len ? strand->frames.at[0].stack : 0;
    for (unsigned i = 0; i < 64; i++) {
        bool is_own = address + i >= strand->stack && address + i < top;
        if (changed >> i & 1 && (!is_own || rcp_sharing_is_exposed(telling->sharing, address + i)))
            return true;
    }
    return false;
}

void rcp_telling_miss(rcp_telling *telling, rcp_strand *strand, const rcp_ins *ins, uint64_t address,
                      const uint8_t bytes[64]) {
    if (telling->reachable.file && telling->reachable.file->has_trees)
        rcp_trees_miss(&telling->reachable.trees, telling->machine->space, address, bytes);
    if (tells(telling))
        rcp_sink_miss(telling->sink, strand, ins, address, bytes);
    else {
        if (is_changed(telling, strand, address, bytes))
            rcp_sharing_note(telling->sharing, telling->machine->record.at, RCP_ODD_CHANGED);
        else if (rcp_sharing_is_first(telling->sharing, telling->machine->space, &telling->lives, address, bytes))
            rcp_sharing_note(telling->sharing, telling->machine->record.at, RCP_ODD_FIRST);
        rcp_sharing_miss(telling->sharing, telling->machine->space, &telling->lives, address, bytes,
                         changed_objects(telling, strand, address, bytes));
    }
}
