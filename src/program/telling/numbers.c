/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/numbers.h"

#include "base/limits.h"
#include "program/telling/sink_state.h"
#include "trace/model/slots.h"

#include <fcntl.h>
#include <stdio.h>

_Static_assert((int)RCP_MOST_SLOTS == (int)RCP_MOST_DESCRIPTORS, "each has a slot");

/* 0: it has none. Where a thread may have a table of descriptors of its own (unshare), which it closes at its end, one
 * number is two. */
static uint64_t slot_of(const rcp_telling *telling, uint64_t number) {
    uint64_t most = rcp_limit(RCP_LIMIT_DESCRIPTOR_SLOTS);
    if (rcp_log_borrow_header(telling->machine->log)->unseen & RCP_UNSEEN_ENDS)
        return 0;
    if ((uint32_t)number < most)
        return RCP_SLOT_DESCRIPTORS + RCP_SLOT_APART * (uint64_t)(uint32_t)number;
    if (most && (int32_t)number >= 0)
        rcp_limit_reached(RCP_LIMIT_DESCRIPTOR_SLOTS);
    return 0;
}

static bool is_followed(const rcp_telling *telling, uint64_t slot) {
    return slot && rcp_map_get(&telling->followed, slot) != RCP_MAP_NONE;
}

/* Of a run that was led to where two calls stand, the other one may have closed it. */
static void watch(const rcp_telling *telling, const rcp_visit *visit, uint64_t slot, bool closes) {
    if (slot && telling->watches)
        rcp_watches_touch(telling->watches, visit->number, slot, 1, closes);
}

static const char *name_of(uint64_t slot, char name[32]) {
    snprintf(name, 32, "descriptor %u", (unsigned)((slot - RCP_SLOT_DESCRIPTORS) / RCP_SLOT_APART));
    return name;
}

static void use(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t number) {
    char name[32];
    uint64_t slot = slot_of(telling, number);
    watch(telling, visit, slot, false);
    if (!is_followed(telling, slot))
        return;
    if (rcp_telling_tells(telling))
        rcp_sink_touch(telling->sink, strand, slot, false, name_of(slot, name));
    else
        rcp_sharing_object(telling->sharing, strand->number, slot, false);
}

static void close_number(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t number) {
    char name[32];
    uint64_t slot = slot_of(telling, number);
    watch(telling, visit, slot, true);
    if (!is_followed(telling, slot))
        return;
    rcp_map_remove(&telling->followed, slot);
    if (rcp_telling_tells(telling))
        rcp_sink_slot_ends(telling->sink, slot, name_of(slot, name));
    else if (!rcp_telling_is_alone(telling))
        rcp_sharing_object(telling->sharing, strand->number, slot, true);
    rcp_lives_slot(&telling->lives, strand->number, slot, true);
    if (rcp_telling_tells(telling))
        rcp_sink_slot_ends(telling->sink, 0, NULL);
}

/* Is code that nobody knows at work? It may close what is made meanwhile, and make another by the same number. */
static bool is_unknown_beside(const rcp_telling *telling) {
    RCP_MAP_EACH(&telling->outsiders, slot) {
        if (slot->value)
            return true;
    }
    for (size_t t = 0; t < telling->visits.len; t++)
        for (size_t i = 0; i < telling->visits.at[t].len; i++)
            if (!telling->visits.at[t].at[i].outside && !telling->visits.at[t].at[i].is_handler)
                return true;
    return false;
}

static void make_number(rcp_telling *telling, const rcp_strand *strand, uint64_t number) {
    uint64_t slot = (int32_t)number >= 0 ? slot_of(telling, number) : 0;
    if (!slot)
        return;
    if (is_unknown_beside(telling))
        rcp_map_remove(&telling->followed, slot);
    else
        rcp_map_set(&telling->followed, slot, 1);
    rcp_lives_slot(&telling->lives, strand->number, slot, false);
}

/* Nobody knows any more which numbers there are. */
static void lose_all(rcp_telling *telling) {
    rcp_map_finish(&telling->followed);
    rcp_map_init(&telling->followed);
}

void rcp_numbers_begin(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit) {
    uint64_t words[16];
    if (!visit->outside || visit->outside->calls_back) {
        if (!visit->outside)
            lose_all(telling);
        return;
    }
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    bool becomes_stream = visit->outside->with & RCP_WITH_TABLE;
    switch ((rcp_outside_descriptors)visit->called.descriptors) {
    case RCP_DESCRIPTORS_GIVES: /* who closes the stream closes it */
        if (n && becomes_stream && slot_of(telling, words[0]))
            rcp_map_remove(&telling->followed, slot_of(telling, words[0]));
        else if (n)
            use(telling, strand, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_USES:
    case RCP_DESCRIPTORS_SENDS:
    case RCP_DESCRIPTORS_ASKS:
    case RCP_DESCRIPTORS_CONTROLS:
    case RCP_DESCRIPTORS_SETS_TIMER:
    case RCP_DESCRIPTORS_ASKS_TIMER:
    case RCP_DESCRIPTORS_DUPLICATES:
        if (n)
            use(telling, strand, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_ASKS_BOTH:
        for (size_t i = 0; i < 2 && n > 1; i++)
            use(telling, strand, visit, words[i]);
        break;
    case RCP_DESCRIPTORS_CLOSES:
        if (n)
            close_number(telling, strand, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_REPLACES:
        if (n > 1)
            use(telling, strand, visit, words[0]);
        if (n > 1 && rcp_telling_tells(telling) &&
            rcp_sharing_has_noted(telling->sharing, visit->number, RCP_ODD_REPLACED))
            close_number(telling, strand, visit, words[1]);
        break;
    default: break;
    }
}

/* It has not failed: only then it has closed what the number led to. The first re-execution knows that now, the second
 * one from its beginning on. */
static void replace_number(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t number) {
    if (!rcp_telling_tells(telling)) {
        rcp_sharing_note(telling->sharing, visit->number, RCP_ODD_REPLACED);
        close_number(telling, strand, visit, number);
    }
    make_number(telling, strand, number);
}

static void make_two(rcp_telling *telling, const rcp_strand *strand, uint64_t at) {
    uint32_t numbers[2] = {UINT32_MAX, UINT32_MAX};
    if (rcp_space_holds(at, sizeof numbers))
        rcp_space_read(telling->machine->space, at, numbers, sizeof numbers);
    for (size_t i = 0; i < 2; i++)
        make_number(telling, strand, numbers[i]);
}

void rcp_numbers_return(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t result) {
    uint64_t words[16];
    if (!visit->outside || (int32_t)result < 0)
        return;
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    switch ((rcp_outside_descriptors)visit->called.descriptors) {
    case RCP_DESCRIPTORS_MAKES:
    case RCP_DESCRIPTORS_MAKES_WATCH:
    case RCP_DESCRIPTORS_MAKES_TIMER:
    case RCP_DESCRIPTORS_OPENS:
    case RCP_DESCRIPTORS_DUPLICATES: make_number(telling, strand, result); break;
    case RCP_DESCRIPTORS_REPLACES:
        if (n > 1 && (uint32_t)words[0] != (uint32_t)words[1])
            replace_number(telling, strand, visit, result);
        break;
    case RCP_DESCRIPTORS_CONTROLS:
        if (n > 1 && ((int)words[1] == F_DUPFD || (int)words[1] == F_DUPFD_CLOEXEC))
            make_number(telling, strand, result);
        break;
    case RCP_DESCRIPTORS_MAKES_TWO:
        if (n)
            make_two(telling, strand, words[0]);
        break;
    case RCP_DESCRIPTORS_MAKES_PAIR:
        if (n > 3)
            make_two(telling, strand, words[3]);
        break;
    default: break;
    }
}
