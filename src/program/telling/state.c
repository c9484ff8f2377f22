/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/state.h"

#include "base/limits.h"

#include <string.h>

static const rcp_activation *top_of(const rcp_strand *strand) { return &strand->frames.at[strand->frames.len - 1]; }

static const rcp_call *call_of(const rcp_strand *strand) { return &top_of(strand)->routine->calls.at[strand->pc->b]; }

rcp_visits *rcp_telling_visits(rcp_telling *telling, uint32_t thread) {
    uint32_t *index = rcp_map_at(&telling->index, thread);
    if (*index == RCP_MAP_NONE) {
        *index = (uint32_t)telling->visits.len;
        rcp_vec_push(&telling->visits, (rcp_visits){0});
    }
    return &telling->visits.at[*index];
}

const char *rcp_telling_callee(const rcp_telling *telling, const rcp_strand *strand) {
    const char *name;
    const rcp_outside_name *called;
    if (!strand->pc->k)
        return call_of(strand)->name;
    const uint64_t pointer = top_of(strand)->registers[strand->pc->a];
    return rcp_program_outside_at(telling->machine->program, pointer, &name, &called) ? name : NULL;
}

rcp_outside_call rcp_telling_call(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit,
                                  uint64_t words[16]) {
    const rcp_call *call = call_of(strand);
    rcp_outside_call made = {
        .outside = visit->outside, .arguments = words, .strings = visit->strings, .strings_end = visit->strings_end};
    for (size_t i = visit->shift; i < call->arguments.len && made.n < 16; i++)
        words[made.n++] = top_of(strand)->registers[call->arguments.at[i]];
    made.block = made.n ? rcp_lives_block_size(&telling->lives, words[0]) : 0;
    return made;
}

static bool hand_belongings(rcp_telling *telling) {
    telling->reachable.belongings.len = 0;
    for (size_t i = 0; i < telling->groups.len; i++)
        if (!rcp_belongings_hand(&telling->belongings, telling->groups.at[i], &telling->reachable))
            return false;
    return true;
}

/* What it is given besides what its row says; `belongs`: that is handed to who looks for what is in reach. */
static void list_others(rcp_telling *telling, const rcp_outside_call *call, bool belongs, uint64_t others[16]) {
    rcp_outside_touch touch = {0};
    memcpy(others, call->arguments, call->n * sizeof *others);
    for (const char *at = NULL; rcp_outside_next(call, telling->machine->space, &at, &touch);) {
        if (belongs)
            rcp_reachable_belongs(&telling->reachable, (rcp_span){touch.address, touch.address + touch.size});
        for (size_t i = 0; i < call->n; i++)
            others[i] = others[i] == touch.address ? 0 : others[i];
    }
}

/* What its row says, what belongs to that, and what else it is given, each to the end of its object. */
static bool reach_alone(rcp_telling *telling, const rcp_strand *strand, const rcp_outside_call *call) {
    uint64_t others[16] = {0};
    list_others(telling, call, true, others);
    return rcp_reachable_alone(&telling->reachable, strand, others, call->n);
}

bool rcp_telling_reach_besides(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16], others[16] = {0};
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    list_others(telling, &call, false, others);
    return rcp_reachable_given(&telling->reachable, strand, others, call.n, false);
}

/* Whoever is not recorded does what it does with handlers and timers by functions that the runtime stands in front of;
 * but for other processes, which get some of it handed on. */
static bool spares_signals(const rcp_telling *telling, const rcp_visit *visit) {
    return rcp_telling_tells(telling) && !rcp_telling_has_unseen_signals(telling) &&
           !rcp_sharing_has_learnt(telling->sharing, RCP_RUN_TASKS) &&
           !(rcp_log_borrow_header(telling->machine->log)->world & RCP_WORLD_PROCESSES) &&
           !rcp_sharing_has_noted(telling->sharing, visit->number, RCP_ODD_SIGNALS);
}

bool rcp_telling_reach(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16];
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    uint64_t pointer = strand->pc->k ? top_of(strand)->registers[strand->pc->a] : 0;
    telling->reachable.spares_signals = spares_signals(telling, visit);
    if (visit->outside && visit->outside->leaf)
        return call.n + visit->shift == call_of(strand)->arguments.len && hand_belongings(telling) &&
               reach_alone(telling, strand, &call);
    if (visit->outside)
        return call.n + visit->shift == call_of(strand)->arguments.len && hand_belongings(telling) &&
               rcp_reachable_given(&telling->reachable, strand, words, call.n, visit->kind == RCP_OUTSIDE_STREAM);
    return call.n + visit->shift ==
               call_of(strand)->arguments.len && /* else there are words that nobody has looked at */
           rcp_reachable_find(&telling->reachable, top_of(strand)->routine->unit, visit->name, pointer, strand, words,
                              call.n) &&
           !visit->has_stranger;
}

bool rcp_telling_is_interrupted(const rcp_telling *telling, uint32_t thread) {
    uint32_t wait = rcp_map_get(&telling->asleep, thread);
    return wait != RCP_MAP_NONE && rcp_sharing_has_noted(telling->sharing, wait, RCP_ODD_INTERRUPTED);
}

uint64_t rcp_telling_given_size(const rcp_telling *telling, const rcp_outside_call *call, size_t i) {
    const uint64_t longest = rcp_limit(RCP_LIMIT_STRING_BYTES);
    uint64_t word = call->arguments[i], size = rcp_limit(RCP_LIMIT_GIVEN_BYTES),
             next = i + 1 < call->n ? call->arguments[i + 1] : 0;
    uint64_t end = rcp_reachable_end(&telling->reachable, word), most = end ? end - word : longest;
    most = most < longest ? most : longest;
    for (uint64_t n = 0; n < most && rcp_space_holds(word + n, 1); n++) {
        const uint8_t *at = rcp_space_at(telling->machine->space, word + n, 1);
        size = n + 1 > size ? n + 1 : size;
        if (!at || !*at)
            break;
    }
    size = next > size ? next : size;
    return end && size > end - word ? end - word : size < longest ? size : longest;
}

bool rcp_telling_is_alone(const rcp_telling *telling) {
    const rcp_machine *m = telling->machine;
    return !m->current->number && telling->created == telling->joined && m->strands.len == telling->joined + 1;
}

rcp_object_access rcp_telling_access_of(const rcp_log_record *record) {
    if (record->object == RCP_SYNC_THREAD)
        return RCP_OBJECT_UNTOUCHED;
    switch ((enum rcp_sync_op)record->op) {
    case RCP_SYNC_INIT:
    case RCP_SYNC_DESTROY:
    case RCP_SYNC_SPARED: return RCP_OBJECT_CHANGED;
    case RCP_SYNC_ACQUIRE:
    case RCP_SYNC_ACQUIRE_SHARED:
    case RCP_SYNC_RELEASE:
    case RCP_SYNC_RELEASE_SHARED:
    case RCP_SYNC_WAIT:
    case RCP_SYNC_SIGNAL:
    case RCP_SYNC_BROADCAST:
    case RCP_SYNC_SEM_POST:
    case RCP_SYNC_SEM_WAIT:
    case RCP_SYNC_BARRIER_ENTER:
    case RCP_SYNC_ONCE_BEGIN:
    case RCP_SYNC_ONCE_SKIP: return RCP_OBJECT_USED;
    default: return RCP_OBJECT_UNTOUCHED; /* a WAKE, or who leaves a barrier, may come after the object's end */
    }
}
