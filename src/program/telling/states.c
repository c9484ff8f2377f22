/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronisation objects, and states of the library that it does not protect (outside/states.def), as memory: a use is
 * a read, atomic against other uses, a change a write, in front of the call's own event. A stream is its FILE; what has
 * no address that is known has one in the lowest pages, where no program has memory. */
#include "program/telling/states.h"

#include "program/telling/sink_state.h"
#include "trace/model/slots.h"

#include <stdio.h>

/* Of a stream of C++ a byte that headers neither read nor write, as they do its first ones: its buffer's place to read
 * at; of an std::ostream itself its width, which each call sets. In a class of the program's that an std::ostream is a
 * part of, a member of the program's may be there. So it stands only for streams that the library's constructors have
 * made, until their destructors are called, or their memory is another object. */
enum { STREAM_BYTE = 24 };

/* Of an object that the program has; 0: there is none. */
static uint32_t life_of(const rcp_telling *telling, uint64_t stream) {
    rcp_reached_object object;
    bool is_there =
        rcp_space_holds(stream + STREAM_BYTE, 1) && rcp_reachable_object_at(&telling->reachable, stream, &object);
    return is_there ? 1 + (uint32_t)((object.key * UINT64_C(0x9e3779b97f4a7c15)) >> 34) : 0;
}

static void note_life(rcp_telling *telling, const rcp_outside_state *state, uint64_t stream) {
    uint32_t life = state->life == RCP_STREAM_BEGINS ? life_of(telling, stream) : 0;
    if (life)
        rcp_map_set(&telling->ostreams, stream, life);
    else
        rcp_map_remove(&telling->ostreams, stream);
}

/* The byte that stands for it; 0: there is none, or it is not sure that it is the one that others have. */
static uint64_t place_of(const rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    const rcp_outside_state *state = &visit->called.state;
    uint64_t words[16], lo, hi;
    bool is_argument =
        state->what == RCP_STATE_STREAM || state->what == RCP_STATE_KEY || state->what == RCP_STATE_OSTREAM;
    if (!is_argument)
        return RCP_SLOT_STATES + RCP_SLOT_APART * (uint64_t)state->what;
    if (rcp_telling_call(telling, strand, visit, words).n <= state->argument)
        return 0;
    if (state->what == RCP_STATE_KEY) {
        uint32_t key = (uint32_t)words[state->argument];
        return key < RCP_MOST_KEYS ? RCP_SLOT_KEYS + RCP_SLOT_APART * (uint64_t)key : 0;
    }
    if (state->what == RCP_STATE_OSTREAM) { /* an object of the program's own, whose memory has a life as any */
        uint32_t life = life_of(telling, words[0]);
        return life && rcp_map_get(&telling->ostreams, words[0]) == life ? words[0] + STREAM_BYTE : 0;
    }
    /* Its memory's life says whether it is the same one: so it must be a block of the heap, and not be freed. Of a run
     * that was led to where both stand, the other call may have been made. */
    uint64_t at = rcp_space_holds(words[state->argument], 1) ? words[state->argument] : 0;
    bool is_there = at && rcp_lives_block_at(&telling->lives, at, &lo, &hi) && lo == at;
    return is_there || telling->watches ? at : 0;
}

static const char *name_of(const rcp_outside_state *state, uint64_t at, char name[32]) {
    if (state->what == RCP_STATE_KEY) {
        snprintf(name, 32, "key %u", (unsigned)((at - RCP_SLOT_KEYS) / RCP_SLOT_APART));
        return name;
    }
    return state->what == RCP_STATE_ENVIRONMENT ? "the environment"
           : state->what == RCP_STATE_RANDOM48  ? "the state of drand48()"
           : state->what == RCP_STATE_TOKEN     ? "the state of strtok()"
                                                : NULL;
}

void rcp_telling_state(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    const rcp_outside_state *state = &visit->called.state;
    bool is_librarys = visit->outside || !rcp_linked_is_own(&telling->machine->program->linked, visit->name);
    if (state->life) {
        uint64_t words[16];
        if (is_librarys && rcp_telling_call(telling, strand, visit, words).n)
            note_life(telling, state, words[0] + state->at);
        return;
    }
    uint64_t at = state->what && is_librarys ? place_of(telling, strand, visit) : 0;
    if (!at)
        return;
    if (rcp_telling_tells(telling)) {
        char name[32];
        telling->sink->is_state = true;
        rcp_sink_touch(telling->sink, strand, at, state->is_changed, name_of(state, at, name));
        telling->sink->is_state = false;
        return;
    }
    rcp_sharing_object(telling->sharing, strand->number, at, state->is_changed && !rcp_telling_is_alone(telling));
    rcp_watches_touch(telling->watches, visit->number, at, 1, state->is_changed);
}

/* Somebody watches a call: what the one that is open does. */
static void watch(rcp_telling *telling, uint64_t address, bool writes) {
    const rcp_visits *visits = rcp_telling_visits(telling, telling->machine->current->number);
    if (telling->watches && visits->len)
        rcp_watches_touch(telling->watches, visits->at[visits->len - 1].number, address, 1, writes);
}

/* The first re-execution: synchronisation objects as memory. What the main thread does to one before there is another
 * thread, or when it has joined all of them, is ordered with every use in every execution: no write that matters. */
void rcp_telling_object(rcp_telling *telling, const rcp_log_record *record) {
    const rcp_machine *m = telling->machine;
    rcp_object_access access = rcp_telling_access_of(record);
    if (access != RCP_OBJECT_UNTOUCHED) {
        rcp_sharing_object(telling->sharing, m->current->number, record->address,
                           access == RCP_OBJECT_CHANGED && !rcp_telling_is_alone(telling));
        watch(telling, record->address, access == RCP_OBJECT_CHANGED);
    }
    if (record->op == RCP_SYNC_WAIT) {
        rcp_sharing_object(telling->sharing, m->current->number, record->second, false);
        watch(telling, record->second, false);
    }
    telling->joined += record->op == RCP_SYNC_JOIN && record->outcome == RCP_SYNC_DONE;
}
