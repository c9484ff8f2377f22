/* SPDX-License-Identifier: Apache-2.0 */
#include "program/telling/descriptor_timers.h"

#include "program/telling/descriptor_uses.h"
#include "program/telling/sharing_state.h"
#include "program/telling/state.h"

#include <poll.h>
#include <string.h>
#include <sys/select.h>

static rcp_descriptors *kept_of(const rcp_telling *telling) { return &telling->sharing->descriptors; }

static bool is_timer(const rcp_telling *telling, uint32_t object) {
    const rcp_descriptors *d = kept_of(telling);
    return object < d->objects.len && d->objects.at[object] & RCP_DESCRIPTOR_TIMER;
}

void rcp_timer_told(rcp_telling *telling, uint32_t object) {
    if (is_timer(telling, object))
        kept_of(telling)->objects.at[object] |= RCP_DESCRIPTOR_TOLD;
}

void rcp_timers_told(rcp_telling *telling) {
    RCP_MAP_EACH(&telling->numbers, slot)
        rcp_timer_told(telling, slot->value);
}

/* Functions that are with all that the system keeps, and of which descriptors.def says nothing, may be given one:
 * readv(), ppoll(). */
bool rcp_timers_may_be_asked(const rcp_visit *visit) {
    if (visit->is_handler)
        return false;
    if (!visit->outside)
        return true;
    const rcp_outside_kind kind = (rcp_outside_kind)visit->outside->kind;
    return visit->called.descriptors == RCP_DESCRIPTORS_UNSAID &&
           (kind == RCP_OUTSIDE_UNKNOWN || (kind == RCP_OUTSIDE_PAIR && !visit->outside->with));
}

void rcp_timer_made(rcp_telling *telling, uint32_t object) {
    kept_of(telling)->objects.at[object] |= RCP_DESCRIPTOR_TIMER;
    RCP_MAP_EACH(&telling->outsiders, slot)
        rcp_timer_told(telling, object);
    for (size_t t = 0; t < telling->visits.len; t++)
        for (size_t i = 0; i < telling->visits.at[t].len; i++)
            if (rcp_timers_may_be_asked(&telling->visits.at[t].at[i]))
                rcp_timer_told(telling, object);
}

/* Does what the call has left in memory say of this number that there is something? Where memory may be another by now,
 * nobody knows. */
static bool is_ready(const rcp_telling *telling, const rcp_visit *visit, const uint64_t *words, uint32_t number) {
    const bool polls = visit->called.descriptors == RCP_DESCRIPTORS_POLLS;
    const uint64_t bytes = polls ? words[1] * sizeof(struct pollfd) : ((uint32_t)words[0] + 63) / 64 * 8;
    for (int k = polls ? 0 : 1; k <= (polls ? 0 : 3); k++) {
        if (!words[k])
            continue;
        if (bytes > sizeof(fd_set) || !rcp_space_holds(words[k], bytes) ||
            !rcp_sharing_is_sure(telling->sharing, words[k], words[k] + bytes))
            return true;
        union {
            fd_set set;
            struct pollfd polled[sizeof(fd_set) / sizeof(struct pollfd)];
        } is;
        memset(&is, 0, sizeof is);
        rcp_space_read(telling->machine->space, words[k], &is, bytes);
        if (!polls && number < FD_SETSIZE && FD_ISSET(number, &is.set))
            return true;
        for (uint64_t i = 0; polls && i < words[1]; i++)
            if ((uint32_t)is.polled[i].fd == number && is.polled[i].revents)
                return true;
    }
    return false;
}

static bool watches(const rcp_descriptors *d, uint32_t object) {
    for (size_t i = 0; i < d->watched.len; i++)
        if (d->watched.at[i].watcher == object)
            return true;
    return false;
}

/* Numbers that lead to a timer still, as they did when the call began, and of which it says that nothing is there. */
static bool is_silent(const rcp_telling *telling, const rcp_visit *visit, const uint64_t *words, uint32_t object) {
    bool is_found = false;
    for (size_t i = 0; i < visit->numbers.len; i++)
        if (rcp_map_get(&telling->numbers, visit->numbers.at[i]) == object) {
            is_found = true;
            if (is_ready(telling, visit, words, visit->numbers.at[i]))
                return false;
        }
    return is_found;
}

void rcp_timers_returned(rcp_telling *telling, const rcp_visit *visit, const uint64_t *words, uint32_t result) {
    const rcp_descriptors *d = kept_of(telling);
    const rcp_used *used = rcp_descriptors_find(d, visit->number);
    if (!used)
        return;
    bool shows = false; /* which of them are ready */
    switch ((rcp_outside_descriptors)visit->called.descriptors) {
    case RCP_DESCRIPTORS_MAKES_TIMER:
    case RCP_DESCRIPTORS_SETS_TIMER:
    case RCP_DESCRIPTORS_CONTROLS:
    case RCP_DESCRIPTORS_WATCHES:
    case RCP_DESCRIPTORS_DUPLICATES:
    case RCP_DESCRIPTORS_REPLACES:
    case RCP_DESCRIPTORS_CLOSES: return;
    case RCP_DESCRIPTORS_POLLS:
    case RCP_DESCRIPTORS_SELECTS: shows = true; /* fallthrough */
    case RCP_DESCRIPTORS_AWAITS:
        if (!result)
            return;
        break;
    default: break;
    }
    if (rcp_sharing_has_noted(telling->sharing, visit->number, RCP_ODD_ASTRAY))
        rcp_timers_told(telling);
    const rcp_used_set *set = &d->sets.at[used->set];
    for (uint32_t i = 0; i < set->n; i++) {
        const uint32_t object = d->members.at[set->first + i];
        if (watches(d, object))
            rcp_timers_told(telling);
        else if (is_timer(telling, object) && !(shows && is_silent(telling, visit, words, object)))
            rcp_timer_told(telling, object);
    }
}
