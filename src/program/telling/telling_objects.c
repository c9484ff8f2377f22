/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that code outside knows of though nobody gave it to the call in hand: what belongs to objects of the C++
 * library (belongings.h), and what of a thread's own others were told of. */
#include "program/telling/sink_state.h"
#include "base/limits.h"
#include "program/telling/telling.h"

#include <string.h>

static bool is_first(const rcp_telling *telling) { return !rcp_telling_tells(telling); }

bool rcp_telling_member(void *context, rcp_span member, uint32_t who, bool writes) {
    rcp_telling *telling = context;
    uint64_t size = member.hi - member.lo;
    if (!size || !rcp_space_holds(member.lo, size))
        return false;
    if (!is_first(telling))
        return rcp_sink_any_shared(telling->sink, member.lo, size);
    uint32_t toucher = who == RCP_BELONGINGS_MANY ? RCP_TOUCHED_BY_MANY : who;
    rcp_sharing_touch_slow(telling->machine->space, toucher - 1, member.lo, size, writes);
    if (writes)
        rcp_sharing_reached(telling->sharing, member.lo, member.hi, false);
    return false;
}

static bool is_covered(const rcp_outside_call *call, rcp_space *space, uint64_t word) {
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; rcp_outside_next(call, space, &at, &touch);)
        if (touch.address == word)
            return true;
    return false;
}

static uint64_t leading(const rcp_visit *visit) { return visit->outside->leaf ? visit->outside->leaf : UINT64_MAX; }

/* What it is given beside what its row says: another string, or characters. */
static void look_at(rcp_telling *telling, rcp_strand *strand, rcp_visit *visit, const rcp_outside_call *call, size_t i,
                    int steps) {
    uint64_t word = call->arguments[i], most = rcp_limit(RCP_LIMIT_GIVEN_BYTES);
    rcp_reached_object object;
    if (word < RCP_SPACE_PAGE || !rcp_space_holds(word, 1) || is_covered(call, telling->machine->space, word) ||
        !rcp_reachable_object_at(&telling->reachable, word, &object) ||
        rcp_reachable_is_constant(&telling->reachable, word))
        return;
    rcp_span span = {word, word + most < object.hi ? word + most : object.hi};
    bool is_taken = visit->called.roles & RCP_ROLE_TAKES;
    uint32_t group = rcp_belongings_use(&telling->belongings, strand->number, span, is_taken,
                                        is_taken ? visit->group : RCP_BELONGINGS_NONE, steps, leading(visit));
    rcp_vec_push(&telling->groups, group);
    if (is_taken)
        visit->group = group;
    visit->has_shared |= rcp_belongings_is_shared(&telling->belongings, group);
    if (!is_first(telling))
        return;
    rcp_outside_touch touch = {.how = 'r', .address = word, .size = rcp_telling_given_size(telling, call, i)};
    touch.looked[0] = (rcp_span){word, word + touch.size};
    rcp_sharing_touch_slow(telling->machine->space, strand->number, touch.address, touch.size, false);
    rcp_telling_note_farther(telling, strand, &touch);
}

void rcp_telling_objects(rcp_telling *telling, rcp_strand *strand, rcp_visit *visit) {
    uint64_t words[16];
    visit->group = RCP_BELONGINGS_NONE;
    telling->groups.len = 0;
    if (!visit->outside || !rcp_outside_is_object(visit->outside))
        return;
    int steps = visit->outside->kind == RCP_OUTSIDE_OBJECT ? 1 : 2; /* a stream has a buffer, which has one */
    rcp_outside_call call = rcp_telling_call(telling, strand, visit, words);
    if (call.n && rcp_telling_is_stream(telling, words[0]))
        return;
    rcp_outside_touch touch = {0};
    for (const char *at = NULL; rcp_outside_next(&call, telling->machine->space, &at, &touch);) {
        bool writes = strchr("xwM", touch.how);
        rcp_span span = {touch.address, touch.address + touch.size};
        uint32_t group = rcp_belongings_use(&telling->belongings, strand->number, span, writes,
                                            writes ? visit->group : RCP_BELONGINGS_NONE, steps, leading(visit));
        rcp_vec_push(&telling->groups, group);
        if (writes)
            visit->group = group;
        visit->has_shared |= rcp_belongings_is_shared(&telling->belongings, group);
    }
    for (size_t i = 0; i < call.n; i++)
        look_at(telling, strand, visit, &call, i, steps);
    visit->has_shared |= rcp_belongings_is_shared(&telling->belongings, visit->group);
}

/* The thread's own memory, as its THREAD record has it. */
static void note_own(rcp_telling *telling, uint64_t lo, uint64_t hi) {
    if (hi <= lo)
        return;
    rcp_sharing_own(telling->sharing, lo, hi);
    uint64_t end = telling->own_size ? telling->own_lo + telling->own_size : hi;
    telling->own_lo = telling->own_size && telling->own_lo < lo ? telling->own_lo : lo;
    telling->own_size = (end > hi ? end : hi) - telling->own_lo;
}

void rcp_telling_owns(rcp_telling *telling, const rcp_log_record *record) {
    rcp_sharing_native(telling->sharing, record->thread, record->native_lo, record->native_hi);
    if (record->room && record->room <= record->address)
        note_own(telling, record->address - record->room, record->address);
    for (size_t i = 0; i < telling->reachable.local_of.len; i++)
        if (telling->reachable.local_of.at[i] == record->thread)
            note_own(telling, telling->reachable.thread_locals.at[i].lo, telling->reachable.thread_locals.at[i].hi);
}

void rcp_telling_expose(rcp_telling *telling, uint64_t word) {
    rcp_reached_object object;
    if (word - telling->own_lo < telling->own_size && rcp_sharing_is_own(telling->sharing, word) &&
        !rcp_sharing_is_exposed(telling->sharing, word) && rcp_reachable_object_at(&telling->reachable, word, &object))
        rcp_sharing_expose(telling->sharing, object.lo, object.hi);
}

void rcp_telling_expose_words(rcp_telling *telling, uint64_t address, uint64_t size) {
    for (uint64_t at = (address + 7) & ~UINT64_C(7); at + 8 <= address + size; at += 8) {
        uint64_t word = 0;
        rcp_space_read(telling->machine->space, at, &word, sizeof word);
        rcp_telling_expose(telling, word);
    }
}
