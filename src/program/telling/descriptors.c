/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_ASYNC */
#endif
#include "program/telling/descriptors.h"

#include "program/telling/descriptor_timers.h"
#include "program/telling/descriptor_uses.h"
#include "program/telling/sharing_state.h"
#include "program/telling/state.h"

#include <fcntl.h>
#include <string.h>
#include <sys/select.h>
#include <sys/timerfd.h>

/* What a number leads to: an object, or this. A number that is in no map leads nobody knows where. */
#define LEADS_OUT (UINT32_MAX - 1)

enum { MOST = 1024 }; /* descriptors of one call; beyond: any */

static rcp_descriptors *kept_of(const rcp_telling *telling) { return &telling->sharing->descriptors; }

/* --- which number leads where --- */

static uint32_t led_by(const rcp_telling *telling, uint64_t number) {
    uint32_t to = rcp_map_get(&telling->numbers, (uint32_t)number);
    /* Standard streams lead out from the beginning; what comes to have such a number is nobody's own. */
    return to == RCP_MAP_NONE && (uint32_t)number <= 2 ? LEADS_OUT : to;
}

static bool is_object(uint32_t to) { return to != RCP_MAP_NONE && to != LEADS_OUT; }

static void give(rcp_telling *telling, uint32_t to) {
    if (is_object(to))
        kept_of(telling)->objects.at[to] |= RCP_DESCRIPTOR_GIVEN;
}

/* Who is in a call with that number when it comes to lead elsewhere may have gone there. */
static void lead_astray(rcp_telling *telling, const rcp_visit *by, uint64_t number) {
    for (size_t t = 0; t < telling->visits.len; t++)
        for (size_t i = 0; i < telling->visits.at[t].len; i++) {
            const rcp_visit *visit = &telling->visits.at[t].at[i];
            for (size_t k = 0; visit->number != by->number && k < visit->numbers.len; k++)
                if (visit->numbers.at[k] == (uint32_t)number)
                    rcp_sharing_note(telling->sharing, visit->number, RCP_ODD_ASTRAY);
        }
}

static void forget(rcp_telling *telling, const rcp_visit *by, uint64_t number) {
    lead_astray(telling, by, number);
    rcp_map_remove(&telling->numbers, (uint32_t)number);
}

static void lead(rcp_telling *telling, const rcp_visit *by, uint64_t number, uint32_t to) {
    if ((int32_t)number < 0)
        return;
    forget(telling, by, number);
    if ((uint32_t)number <= 2)
        give(telling, to);
    if (to != RCP_MAP_NONE)
        rcp_map_set(&telling->numbers, (uint32_t)number, to);
}

static uint32_t make(rcp_telling *telling) {
    rcp_descriptors *d = kept_of(telling);
    rcp_vec_push(&d->objects, 0);
    return (uint32_t)d->objects.len - 1;
}

/* --- what a call uses --- */

typedef struct use {
    uint32_t flags;
    RCP_VEC(uint32_t) objects;
} use;

static void add(use *u, uint32_t to) {
    if (is_object(to))
        rcp_vec_push(&u->objects, to);
    else
        u->flags |= to == LEADS_OUT ? RCP_USED_ELSEWHERE : RCP_USED_ANY;
}

static void add_number(const rcp_telling *telling, use *u, rcp_visit *visit, uint64_t number) {
    rcp_vec_push(&visit->numbers, (uint32_t)number);
    add(u, led_by(telling, number));
}

static uint32_t set_of(rcp_descriptors *d, const use *u) {
    return rcp_descriptors_set(d, u->objects.at, u->objects.len, u->flags);
}

/* What leads out is as its row says, and as long as nothing was made all is: who makes it is with the world, too. */
static void keep(rcp_telling *telling, const rcp_visit *visit, use *u) {
    rcp_descriptors *d = kept_of(telling);
    bool is_plain = !u->objects.len && !(u->flags & RCP_USED_ANY);
    if (!is_plain && d->objects.len)
        rcp_vec_push(&d->used, ((rcp_used){visit->number, set_of(d, u)}));
}

static bool is_sure(const rcp_telling *telling, uint64_t address, uint64_t size) {
    return !size || !rcp_space_holds(address, size) ? !size
                                                    : rcp_sharing_is_sure(telling->sharing, address, address + size);
}

static void add_polled(const rcp_telling *telling, use *u, rcp_visit *visit, const uint64_t *words) {
    enum { SIZE = 8 }; /* of a struct pollfd, which begins with the number */
    uint64_t n = words[1];
    if (n > MOST || !is_sure(telling, words[0], n * SIZE)) {
        u->flags |= RCP_USED_ANY;
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        int32_t number = -1;
        rcp_space_read(telling->machine->space, words[0] + i * SIZE, &number, sizeof number);
        if (number >= 0)
            add_number(telling, u, visit, (uint32_t)number);
    }
}

static void add_selected(const rcp_telling *telling, use *u, rcp_visit *visit, const uint64_t *words) {
    fd_set set;
    uint64_t n = (uint32_t)words[0];
    for (int k = 1; k <= 3; k++) {
        if (!words[k])
            continue;
        if (n > FD_SETSIZE || !is_sure(telling, words[k], (n + 63) / 64 * 8)) {
            u->flags |= RCP_USED_ANY;
            return;
        }
        memset(&set, 0, sizeof set);
        rcp_space_read(telling->machine->space, words[k], &set, (n + 63) / 64 * 8);
        for (uint64_t i = 0; i < n; i++)
            if (FD_ISSET(i, &set))
                add_number(telling, u, visit, i);
    }
}

/* Is there a time after which select() does not wait? It writes what is left of it. */
static bool has_time(const rcp_telling *telling, uint64_t address) {
    uint64_t time[2] = {1, 1};
    if (!address)
        return false;
    if (is_sure(telling, address, sizeof time))
        rcp_space_read(telling->machine->space, address, time, sizeof time);
    return time[0] || time[1];
}

static void watch(rcp_telling *telling, uint32_t watcher, uint32_t watched) {
    rcp_descriptors *d = kept_of(telling);
    rcp_watched pair = {watcher, is_object(watched)     ? watched
                                 : watched == LEADS_OUT ? RCP_WATCHED_ELSEWHERE
                                                        : RCP_WATCHED_ANY};
    for (size_t i = 0; i < d->watched.len; i++)
        if (d->watched.at[i].watcher == watcher && d->watched.at[i].watched == pair.watched)
            return;
    rcp_vec_push(&d->watched, pair);
}

/* Flags of the number are what everybody finds who has it; a second number is for its return. Who is told by a signal
 * may be anybody. True: it has to do with nothing else. */
static bool control(rcp_telling *telling, const uint64_t *words, size_t n) {
    uint32_t to = n ? led_by(telling, words[0]) : RCP_MAP_NONE;
    switch (n > 1 ? (int)words[1] : -1) {
    case F_GETFD:
    case F_SETFD:
    case F_GETFL: return true;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return false;
    case F_SETFL:
        if (n > 2 && !(words[2] & O_ASYNC))
            return true;
        break;
    default: break;
    }
    give(telling, to);
    return false;
}

static bool is_narrow(rcp_outside_descriptors what) {
    switch (what) {
    case RCP_DESCRIPTORS_USES:
    case RCP_DESCRIPTORS_SENDS:
    case RCP_DESCRIPTORS_CONTROLS:
    case RCP_DESCRIPTORS_POLLS:
    case RCP_DESCRIPTORS_SELECTS:
    case RCP_DESCRIPTORS_WATCHES:
    case RCP_DESCRIPTORS_AWAITS:
    case RCP_DESCRIPTORS_SETS_TIMER:
    case RCP_DESCRIPTORS_ASKS_TIMER: return true;
    default: return false;
    }
}

static size_t arguments_of(rcp_outside_descriptors what) {
    switch (what) {
    case RCP_DESCRIPTORS_POLLS:
    case RCP_DESCRIPTORS_WATCHES: return 3;
    case RCP_DESCRIPTORS_AWAITS:
    case RCP_DESCRIPTORS_SETS_TIMER:
    case RCP_DESCRIPTORS_MAKES_PAIR: return 4;
    case RCP_DESCRIPTORS_SELECTS: return 5;
    case RCP_DESCRIPTORS_SENDS: return 6;
    case RCP_DESCRIPTORS_ASKS_BOTH:
    case RCP_DESCRIPTORS_REPLACES: return 2;
    default: return 1;
    }
}

static bool makes(rcp_outside_descriptors what) {
    return what == RCP_DESCRIPTORS_MAKES || what == RCP_DESCRIPTORS_MAKES_TWO || what == RCP_DESCRIPTORS_MAKES_PAIR ||
           what == RCP_DESCRIPTORS_MAKES_WATCH || what == RCP_DESCRIPTORS_MAKES_TIMER;
}

/* The row is the function's, and it is given what that takes. */
static void begin(rcp_telling *telling, rcp_visit *visit, const uint64_t *words, size_t n) {
    const rcp_outside_descriptors what = (rcp_outside_descriptors)visit->called.descriptors;
    use u = {.flags = is_narrow(what) ? 0 : RCP_USED_BESIDE};
    bool is_kept = true;
    switch (what) {
    case RCP_DESCRIPTORS_POLLS:
        add_polled(telling, &u, visit, words);
        u.flags |= (int32_t)words[2] > 0 ? RCP_USED_CLOCK : 0;
        break;
    case RCP_DESCRIPTORS_SELECTS:
        add_selected(telling, &u, visit, words);
        u.flags |= has_time(telling, words[4]) ? RCP_USED_CLOCK : 0;
        break;
    case RCP_DESCRIPTORS_AWAITS:
        add_number(telling, &u, visit, words[0]);
        u.flags |= (int32_t)words[3] > 0 ? RCP_USED_CLOCK : 0;
        break;
    case RCP_DESCRIPTORS_WATCHES:
        add_number(telling, &u, visit, words[0]);
        add_number(telling, &u, visit, words[2]);
        if (is_object(led_by(telling, words[0])))
            watch(telling, led_by(telling, words[0]), led_by(telling, words[2]));
        break;
    case RCP_DESCRIPTORS_SENDS:
        if (words[4])
            give(telling, led_by(telling, words[0]));
        add_number(telling, &u, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_CONTROLS:
        is_kept = control(telling, words, n);
        add_number(telling, &u, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_SETS_TIMER: /* by how much the clock was set is another's doing */
        if (words[1] & ~(uint64_t)TFD_TIMER_ABSTIME)
            give(telling, led_by(telling, words[0]));
        if (words[3])
            rcp_timer_told(telling, led_by(telling, words[0]));
        add_number(telling, &u, visit, words[0]);
        u.flags |= RCP_USED_SETS;
        break;
    case RCP_DESCRIPTORS_ASKS_TIMER:
        rcp_timer_told(telling, led_by(telling, words[0]));
        add_number(telling, &u, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_ASKS_BOTH:
        add_number(telling, &u, visit, words[0]);
        add_number(telling, &u, visit, words[1]);
        break;
    case RCP_DESCRIPTORS_REPLACES:
        add_number(telling, &u, visit, words[0]);
        add(&u, led_by(telling, words[1]));
        if ((uint32_t)words[0] != (uint32_t)words[1])
            forget(telling, visit, words[1]);
        break;
    case RCP_DESCRIPTORS_CLOSES:
        add(&u, led_by(telling, words[0]));
        forget(telling, visit, words[0]);
        break;
    case RCP_DESCRIPTORS_GIVES: give(telling, led_by(telling, words[0])); /* fallthrough */
    case RCP_DESCRIPTORS_USES:
    case RCP_DESCRIPTORS_ASKS:
    case RCP_DESCRIPTORS_DUPLICATES: add_number(telling, &u, visit, words[0]); break;
    default: /* what is made is not there yet; nor is anybody with what is not said */
        u.flags |= RCP_USED_ANY;
        is_kept = what != RCP_DESCRIPTORS_NONE && what != RCP_DESCRIPTORS_OPENS;
        break;
    }
    if (is_kept)
        keep(telling, visit, &u);
    if (is_kept && u.flags & RCP_USED_ANY && !makes(what))
        rcp_timers_told(telling);
    rcp_vec_finish(&u.objects);
}

void rcp_descriptors_begin(rcp_telling *telling, const rcp_strand *strand, rcp_visit *visit) {
    const rcp_outside_descriptors what = (rcp_outside_descriptors)visit->called.descriptors;
    uint64_t words[16] = {0};
    if (what == RCP_DESCRIPTORS_LOSES)
        rcp_sharing_learn(telling->sharing, RCP_RUN_HANDED);
    if (rcp_timers_may_be_asked(visit))
        rcp_timers_told(telling);
    if (what <= RCP_DESCRIPTORS_NONE || what == RCP_DESCRIPTORS_LOSES || !visit->outside)
        return;
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    if (n < arguments_of(what)) { /* declared otherwise than it is */
        rcp_sharing_learn(telling->sharing, RCP_RUN_HANDED);
        return;
    }
    /* So that what it comes to use has a place among others; it is there when the call returns. */
    if (makes(what) && !kept_of(telling)->objects.len)
        (void)make(telling);
    begin(telling, visit, words, n);
}

static uint32_t made(rcp_telling *telling, const rcp_visit *visit, const uint32_t *numbers, size_t n) {
    rcp_descriptors *d = kept_of(telling);
    use u = {.flags = RCP_USED_BESIDE};
    uint32_t object = make(telling);
    for (size_t i = 0; i < n; i++)
        lead(telling, visit, numbers[i], object);
    add(&u, object);
    rcp_used *used = rcp_descriptors_find(d, visit->number);
    RCP_CHECK(used);
    used->set = set_of(d, &u);
    rcp_vec_finish(&u.objects);
    return object;
}

/* pipe2(): one that the system writes to, too. */
static bool is_notified(const rcp_visit *visit, const uint64_t *words, size_t n) {
    return n > 1 && visit->called.descriptors == RCP_DESCRIPTORS_MAKES_TWO && words[1] & O_EXCL;
}

static void made_two(rcp_telling *telling, const rcp_visit *visit, const uint64_t *words, size_t n, uint64_t at) {
    uint32_t numbers[2];
    if (!rcp_space_holds(at, sizeof numbers)) {
        rcp_sharing_learn(telling->sharing, RCP_RUN_HANDED);
        return;
    }
    rcp_space_read(telling->machine->space, at, numbers, sizeof numbers);
    (void)made(telling, visit, numbers, 2);
    if (is_notified(visit, words, n))
        give(telling, led_by(telling, numbers[0]));
}

/* Time did not come to an end: nothing tells how much there was. Not so of select(), which says what is left. */
static void waited(rcp_telling *telling, const rcp_visit *visit) {
    rcp_descriptors *d = kept_of(telling);
    rcp_used *used = rcp_descriptors_find(d, visit->number);
    if (!used)
        return;
    const rcp_used_set *set = &d->sets.at[used->set];
    use u = {.flags = set->flags & ~(uint32_t)RCP_USED_CLOCK};
    for (uint32_t i = 0; i < set->n; i++)
        rcp_vec_push(&u.objects, d->members.at[set->first + i]);
    used->set = set_of(d, &u);
    rcp_vec_finish(&u.objects);
}

void rcp_descriptors_return(rcp_telling *telling, const rcp_strand *strand, const rcp_visit *visit, uint64_t result) {
    const rcp_outside_descriptors what = (rcp_outside_descriptors)visit->called.descriptors;
    uint64_t words[16] = {0};
    uint32_t number = (uint32_t)result;
    if (what <= RCP_DESCRIPTORS_NONE || !visit->outside || (int32_t)number < 0)
        return;
    size_t n = rcp_telling_call(telling, strand, visit, words).n;
    if (n < arguments_of(what))
        return;
    rcp_timers_returned(telling, visit, words, number);
    switch (what) {
    case RCP_DESCRIPTORS_MAKES_TWO: made_two(telling, visit, words, n, words[0]); break;
    case RCP_DESCRIPTORS_MAKES_PAIR: made_two(telling, visit, words, n, words[3]); break;
    case RCP_DESCRIPTORS_MAKES:
    case RCP_DESCRIPTORS_MAKES_WATCH: (void)made(telling, visit, &number, 1); break;
    case RCP_DESCRIPTORS_MAKES_TIMER: rcp_timer_made(telling, made(telling, visit, &number, 1)); break;
    case RCP_DESCRIPTORS_OPENS: lead(telling, visit, number, LEADS_OUT); break;
    case RCP_DESCRIPTORS_DUPLICATES:
    case RCP_DESCRIPTORS_REPLACES: lead(telling, visit, number, led_by(telling, words[0])); break;
    case RCP_DESCRIPTORS_CONTROLS:
        if (n > 1 && ((int)words[1] == F_DUPFD || (int)words[1] == F_DUPFD_CLOEXEC))
            lead(telling, visit, number, led_by(telling, words[0]));
        break;
    case RCP_DESCRIPTORS_POLLS:
    case RCP_DESCRIPTORS_AWAITS:
        if (number)
            waited(telling, visit);
        break;
    default: break;
    }
}

/* Is one being made, which has its number and is not known yet? */
static bool is_making(const rcp_telling *telling) {
    for (size_t t = 0; t < telling->visits.len; t++)
        for (size_t i = 0; i < telling->visits.at[t].len; i++) {
            const rcp_visit *visit = &telling->visits.at[t].at[i];
            if (visit->outside && makes((rcp_outside_descriptors)visit->called.descriptors))
                return true;
        }
    return false;
}

void rcp_descriptors_sign(rcp_telling *telling, const rcp_visit *visit, uint32_t number) {
    switch (visit && visit->outside ? (rcp_outside_descriptors)visit->called.descriptors : RCP_DESCRIPTORS_UNSAID) {
    case RCP_DESCRIPTORS_CLOSES:
    case RCP_DESCRIPTORS_DUPLICATES:
    case RCP_DESCRIPTORS_REPLACES:
    case RCP_DESCRIPTORS_CONTROLS:
    case RCP_DESCRIPTORS_WATCHES:
    case RCP_DESCRIPTORS_GIVES: return;
    default:
        if (number == RCP_LOG_ANY_DESCRIPTOR || is_object(led_by(telling, number)) || is_making(telling))
            rcp_sharing_learn(telling->sharing, RCP_RUN_HANDED);
    }
}

/* --- the second re-execution --- */

/* Is there none in this run that anybody else could have, or look at? */
static bool are_own(const rcp_telling *telling) {
    const rcp_sharing *sharing = telling->sharing;
    return !rcp_sharing_has_learnt(sharing, RCP_RUN_HANDED) && !rcp_sharing_has_learnt(sharing, RCP_RUN_TASKS) &&
           !rcp_telling_has_unseen_signals(telling) &&
           !(rcp_log_borrow_header(telling->machine->log)->world & RCP_WORLD_PROCESSES);
}

static void reach_one(const rcp_descriptors *d, uint32_t object, rcp_descriptors_reach *reach) {
    if (d->objects.at[object] & RCP_DESCRIPTOR_GIVEN) {
        reach->flags |= RCP_USED_ELSEWHERE;
        return;
    }
    if (d->objects.at[object] & RCP_DESCRIPTOR_TOLD)
        reach->flags |= RCP_USED_CLOCK;
    else if (d->objects.at[object] & RCP_DESCRIPTOR_TIMER)
        reach->flags |= reach->flags & RCP_USED_SETS ? RCP_USED_CLOCK_BEFORE : RCP_USED_CLOCK_AT_END;
    if (reach->n < sizeof reach->objects / sizeof *reach->objects)
        reach->objects[reach->n++] = object;
    else
        reach->flags |= RCP_USED_ANY;
}

/* Who asks one that watches asks what it watches, at whatever time it came to. One that watches another is with all. */
static void reach_watched(const rcp_descriptors *d, uint32_t object, rcp_descriptors_reach *reach) {
    for (size_t i = 0; i < d->watched.len; i++) {
        uint32_t watched = d->watched.at[i].watched;
        if (d->watched.at[i].watcher != object)
            continue;
        bool is_watcher = false;
        for (size_t k = 0; k < d->watched.len; k++)
            is_watcher |= d->watched.at[k].watcher == watched;
        if (watched == RCP_WATCHED_ELSEWHERE)
            reach->flags |= RCP_USED_ELSEWHERE;
        else if (watched == RCP_WATCHED_ANY || is_watcher)
            reach->flags |= RCP_USED_ANY;
        else
            reach_one(d, watched, reach);
    }
}

bool rcp_descriptors_of(const rcp_telling *telling, uint64_t visit, rcp_descriptors_reach *reach) {
    const rcp_descriptors *d = kept_of(telling);
    *reach = (rcp_descriptors_reach){0};
    if (!d->objects.len || !are_own(telling))
        return false;
    if (rcp_sharing_has_noted(telling->sharing, visit, RCP_ODD_ASTRAY)) {
        reach->flags = RCP_USED_ANY | RCP_USED_ELSEWHERE | RCP_USED_BESIDE;
        return true;
    }
    const rcp_used *used = rcp_descriptors_find(d, visit);
    if (!used)
        return false;
    const rcp_used_set *set = &d->sets.at[used->set];
    reach->flags = set->flags;
    for (uint32_t i = 0; i < set->n; i++) {
        reach_one(d, d->members.at[set->first + i], reach);
        reach_watched(d, d->members.at[set->first + i], reach);
    }
    if (reach->flags & RCP_USED_ANY)
        reach->flags |= RCP_USED_ELSEWHERE;
    return true;
}
